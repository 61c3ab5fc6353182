"""The bundled test collection: real queries, judgments and runs to try things on."""

from __future__ import annotations

import csv
from pathlib import Path

from ..errors import UsageError

COLLECTION = Path(__file__).parent / "collection"
"""The folder that holds the collection; its README says what is in it and where it comes from."""

JUDGMENTS = COLLECTION / "judgments.qrels"


def runs() -> dict[str, Path]:
    """The runs of the collection by name."""
    return {path.stem: path for path in sorted((COLLECTION / "runs").glob("*.run"))}


def query_texts() -> dict[str, str]:
    """The text of each query."""
    with (COLLECTION / "queries.csv").open(encoding="utf-8", newline="") as file:
        return {row["query"]: row["text"] for row in csv.DictReader(file)}


def copy_to(folder: Path) -> list[Path]:
    """Write the collection's files to a folder; raises UsageError before it would change a file that is there."""
    sources = sorted(path for path in COLLECTION.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    targets = {source: folder / source.relative_to(COLLECTION) for source in sources}
    try:
        for source, target in targets.items():
            if target.exists() and (not target.is_file() or target.read_bytes() != source.read_bytes()):
                raise UsageError(
                    f"{target} is there already and holds something else",
                    code="exists",
                    hint="nothing was written; name a new folder",
                )
        for source, target in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror or error}", code="unwritable") from error
    return list(targets.values())
