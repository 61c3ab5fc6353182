"""Make the benchmark's own virtual environment, `benchmarks/.venv`: this package and the tools it is compared with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".venv"
PEERS = ("pytrec_eval-terrier", "ir-measures", "ranx", "scikit-learn")
HELPERS = ("matplotlib", "pandas", "polars", "pyarrow")


def main() -> None:
    """Create the environment where it is missing, then install or update what is in it."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    install = [str(python), "-m", "pip", "install", "-q", *PEERS, *HELPERS, "-e", str(HERE.parent)]
    subprocess.run(install, check=True)
    print(f"ready: {python} benchmarks/run.py")


if __name__ == "__main__":
    main()
