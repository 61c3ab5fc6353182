"""pytrec_eval's parser reads a TREC run. Argument: the run."""

import json
import sys
import time

import pytrec_eval

start = time.perf_counter()
with open(sys.argv[1]) as file:
    print(sum(map(len, pytrec_eval.parse_run(file).values())))
print(json.dumps({"seconds": time.perf_counter() - start}))
