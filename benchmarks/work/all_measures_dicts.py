"""Every measure that pytrec_eval offers, on the same dicts, in turn, in one process: the drop-in and the original.

Arguments: judgments, run, repeats. Building the dicts is not timed. Prints {contender: [seconds]}.
"""

import json
import sys
from time import perf_counter

import pytrec_eval

from ndcg.compat import pytrec_eval as ours

judgments, run, repeats = sys.argv[1:4]
with open(judgments) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(run) as file:  # noqa: PTH123
    rankings = pytrec_eval.parse_run(file)
measures = pytrec_eval.supported_measures
times: dict[str, list[float]] = {"ndcg": [], "pytrec_eval": []}
for _ in range(int(repeats)):
    start = perf_counter()
    found = ours.RelevanceEvaluator(qrels, measures).evaluate(rankings)
    middle = perf_counter()
    expected = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(rankings)
    times["ndcg"].append(middle - start)
    times["pytrec_eval"].append(perf_counter() - middle)
    if found != expected:
        sys.exit("the values differ")
print(json.dumps(times))
