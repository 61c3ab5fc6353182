"""ir_measures' readers and its pytrec_eval provider over files. Arguments: judgments, run, dump or ''."""

import sys

import ir_measures

judgments, run, dump = sys.argv[1:4]
measure = ir_measures.nDCG @ 10
found = ir_measures.pytrec_eval.calc([measure], ir_measures.read_trec_qrels(judgments), ir_measures.read_trec_run(run))
print(found.aggregated[measure])
if dump:
    from dumping import write

    write(dump, {"ir_measures": {row.query_id: row.value for row in found.per_query}})
