"""ndcg over files.

Arguments: judgments, run (several: comma between them), measure, memory or '', its name, dump or ''.
"""

import sys

import ndcg

judgments, run, measure, memory, name, dump = sys.argv[1:7]
paths = run.split(",")
result = ndcg.evaluate(judgments, paths if len(paths) > 1 else run, measure, memory=memory or None)
print(result.value)
if dump:
    from dumping import write

    write(dump, {name: {row.query: row.value for row in result.per_query if row.value is not None}})
