"""Tables in memory are read in a process that has not loaded the whole of DuckDB's package."""

from __future__ import annotations

import subprocess
import sys

import pytest

MADE = {
    "pandas": "import pandas; make = pandas.DataFrame",
    "polars": "import polars; make = polars.DataFrame",
    "arrow": "import pyarrow; make = pyarrow.table",
}


@pytest.mark.parametrize("library", list(MADE))
def test_alone(library):
    program = (
        f"import ndcg\n{MADE[library]}\n"
        "judged = make({'query': ['q', 'q'], 'doc': ['a', 'b'], 'grade': [1, 0]})\n"
        "run = make({'query': ['q', 'q'], 'doc': ['a', 'b'], 'score': [1.0, 2.0]})\n"
        "print(round(ndcg.evaluate(judged, run, 'nDCG@10').value, 4))\n"
        "ndcg.compare(judged, {'one': run, 'two': run}, interval='t')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0.6309\n", "")
