"""Dicts in memory: ndcg and pytrec_eval on the same dicts, in turn, in one process.

Arguments: judgments, run, measure, repeats, dump or ''. Building the dicts is not timed.
Prints {contender: [seconds]}.
"""

import json
import sys
from time import perf_counter

import pytrec_eval

import ndcg

judgments, run, measure, repeats, dump = sys.argv[1:6]
with open(judgments) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(run) as file:  # noqa: PTH123
    rankings = pytrec_eval.parse_run(file)
times: dict[str, list[float]] = {"ndcg": [], "pytrec_eval": [], "pytrec_eval with evaluator": []}
for _ in range(int(repeats)):
    start = perf_counter()
    result = ndcg.evaluate(qrels, rankings, measure)
    value = result.value
    middle = perf_counter()
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    made = perf_counter()
    found = evaluator.evaluate(rankings)
    end = perf_counter()
    times["ndcg"].append(middle - start)
    times["pytrec_eval"].append(end - made)
    times["pytrec_eval with evaluator"].append(end - middle)
print(json.dumps(times))
if dump:
    from dumping import write

    ours_found = {row.query: row.value for row in result.per_query if row.value is not None}
    peer_found = {query: row["ndcg_cut_10"] for query, row in found.items()}
    write(dump, {"ndcg": ours_found, "pytrec_eval": peer_found})
