"""ndcg compares many runs all against all. Arguments: judgments, folder of runs, its test, dump or ''."""

import json
import sys
import time
from pathlib import Path

import numpy  # noqa: F401

import ndcg
from ndcg.readers.duck import duckdb  # noqa: F401

compare = ndcg.compare  # loads what it needs
judgments, folder, test, dump = sys.argv[1:5]
start = time.perf_counter()
runs = {path.stem: str(path) for path in sorted(Path(folder).glob("*.run"))}
measure = "nDCG(gain='linear', ties='docid_desc', empty='zero', missing='exclude')@10"
found = compare(judgments, runs, measure, pairs="all", adjust=test)
board = found.leaderboards[0]
print(len(board.pairs()), board.standings[0])
print(json.dumps({"seconds": time.perf_counter() - start}))
if dump:
    from dumping import write

    values = {row.run + " " + row.query: row.value for row in found.result.per_query if row.value is not None}
    write(dump, {"ndcg": values})
