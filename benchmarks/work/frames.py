"""pandas frames: ndcg, ir_measures and ranx on the same frames, in turn, in one process.

Arguments: judgments and run as Parquet, measure, repeats, dump or ''. Reading is
not timed. Prints {contender: [seconds]}.
"""

import json
import sys
from time import perf_counter

import ir_measures
import pandas as pd
from ranx import Qrels, Run, evaluate

import ndcg

judgments, run, measure, repeats, dump = sys.argv[1:6]
qrels = pd.read_parquet(judgments)
rankings = pd.read_parquet(run)
names = {"query": "query_id", "doc": "doc_id", "grade": "relevance"}
peer_qrels, peer_run = qrels.rename(columns=names), rankings.rename(columns=names)
typed_qrels = qrels.astype({"query": object, "doc": object})
typed_run = rankings.astype({"query": object, "doc": object})
aim = ir_measures.nDCG @ 10
times: dict[str, list[float]] = {"ndcg": [], "ir_measures": [], "ranx": []}
for turn in range(int(repeats) + 1):
    start = perf_counter()
    result = ndcg.evaluate(qrels, rankings, measure)
    value = result.value
    ours = perf_counter()
    found = ir_measures.pytrec_eval.calc([aim], peer_qrels, peer_run)
    theirs = perf_counter()
    evaluate(
        Qrels.from_df(typed_qrels, q_id_col="query", doc_id_col="doc", score_col="grade"),
        Run.from_df(typed_run, q_id_col="query", doc_id_col="doc", score_col="score"),
        "ndcg@10",
    )
    end = perf_counter()
    if turn:  # the first turn warms imports and numba's cache
        times["ndcg"].append(ours - start)
        times["ir_measures"].append(theirs - ours)
        times["ranx"].append(end - theirs)
print(json.dumps(times))
if dump:
    from dumping import write

    ours_found = {row.query: row.value for row in result.per_query if row.value is not None}
    peer_found = {row.query_id: row.value for row in found.per_query}
    write(dump, {"ndcg": ours_found, "ir_measures": peer_found})
