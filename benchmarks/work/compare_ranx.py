"""ranx loads many runs and compares them all against all.

Arguments: judgments, folder of runs, test (student or fisher), dump or ''. The report is not printed: it has letters
for 26 runs.
"""

import json
import sys
import time
from pathlib import Path

from ranx import Qrels, Run, compare

judgments, folder, test, dump = sys.argv[1:5]
start = time.perf_counter()
qrels = Qrels.from_file(judgments, kind="trec")
runs = [Run.from_file(str(path), kind="trec", name=path.stem) for path in sorted(Path(folder).glob("*.run"))]
report = compare(qrels, runs, ["ndcg@10"], stat_test=test, max_p=0.05)
print(len(report.win_tie_loss), max(value["ndcg@10"] for value in report.results.values()))
print(json.dumps({"seconds": time.perf_counter() - start}))
if dump:
    from dumping import write

    values = {f"{run.name} {query}": value for run in runs for query, value in run.scores["ndcg@10"].items()}
    write(dump, {"ranx": values})
