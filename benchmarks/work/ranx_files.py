"""ranx's readers and evaluator over files, TREC text or Parquet. Arguments: judgments, run, dump or ''."""

import sys

from ranx import Qrels, Run, evaluate

judgments, run, dump = sys.argv[1:4]
if run.endswith(".parquet"):
    import pandas as pd

    # from_parquet refuses the text columns of pandas 3; the same frames with object columns pass.
    columns = {"q_id_col": "query", "doc_id_col": "doc"}
    objects = {"query": object, "doc": object}
    qrels = Qrels.from_df(pd.read_parquet(judgments).astype(objects), score_col="grade", **columns)
    rankings = Run.from_df(pd.read_parquet(run).astype(objects), score_col="score", **columns)
else:
    qrels = Qrels.from_file(judgments, kind="trec")
    rankings = Run.from_file(run, kind="trec")
print(evaluate(qrels, rankings, "ndcg@10"))
if dump:
    from dumping import write

    write(dump, {"ranx": rankings.scores["ndcg@10"]})
