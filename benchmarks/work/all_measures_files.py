"""Every measure that pytrec_eval offers, over files: its own parsers and evaluator. Arguments: judgments, run."""

import sys

import pytrec_eval

judgments, run = sys.argv[1:3]
with open(judgments) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(run) as file:  # noqa: PTH123
    rankings = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(rankings)
print(sum(row["map"] for row in found.values()) / len(found))
