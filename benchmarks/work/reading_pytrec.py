"""pytrec_eval's parser reads a TREC run. Argument: the run."""

import json
import sys
import time
from pathlib import Path

import pytrec_eval

start = time.perf_counter()
with Path(sys.argv[1]).open() as file:
    print(sum(map(len, pytrec_eval.parse_run(file).values())))
print(json.dumps({"seconds": time.perf_counter() - start}))
