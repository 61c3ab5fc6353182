"""pytrec_eval's own parsers and evaluator over files. Arguments: judgments, run, dump or ''."""

import sys

import pytrec_eval

judgments, run, dump = sys.argv[1:4]
with open(judgments) as file:  # noqa: PTH123
    qrels = pytrec_eval.parse_qrel(file)
with open(run) as file:  # noqa: PTH123
    rankings = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(rankings)
values = {query: row["ndcg_cut_10"] for query, row in found.items()}
print(sum(values.values()) / len(values))
if dump:
    from dumping import write

    write(dump, {"pytrec_eval": values})
