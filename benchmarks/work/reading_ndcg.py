"""ndcg reads a TREC run: every line taken apart, numbers turned into numbers, faults counted. Argument: the run."""

import json
import sys
import time

from ndcg.engines.workspace import Workspace
from ndcg.readers import read
from ndcg.readers.duck import duckdb  # noqa: F401
from ndcg.readers.source import Role, Scanned

start = time.perf_counter()
with Workspace() as workspace:
    workspace.open_early()
    source = read(sys.argv[1], Role.RUN)
    assert isinstance(source, Scanned)
    part = source.parts[0]
    found = workspace.connection.execute(
        f"select count(query), count(doc), count(number), sum(rank), count(*) filter (fault) from ({part.select})",
        list(part.parameters),
    )
    print(*found.fetchall())
print(json.dumps({"seconds": time.perf_counter() - start}))
