"""Dense arrays: scikit-learn's ndcg_score and ndcg's list functions on the same arrays, in turn, in one process.

Arguments: queries, documents per query, repeats, dump or ''. Sorting the arrays is part of our
time. Prints {contender: [seconds]}.
"""

import json
import sys
from time import perf_counter

import numpy as np
from sklearn.metrics import ndcg_score

import ndcg

queries, documents, repeats = map(int, sys.argv[1:4])
dump = sys.argv[4]
random = np.random.default_rng(11)
grades = random.choice([0, 0, 0, 0, 1, 2, 3], (queries, documents)).astype(float)
grades[:, 0] = 3.0
scores = grades + random.normal(0, 2, (queries, documents))
ids = [f"q{number}" for number in range(queries)]
times: dict[str, list[float]] = {"ndcg": [], "scikit-learn": [], "scikit-learn, ties ignored": []}
for _ in range(repeats):
    start = perf_counter()
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(grades, order, axis=1)
    result = ndcg.evaluate_lists(dict(zip(ids, ranked.tolist(), strict=True)), "nDCG(gain='linear')@10")
    value = result.value
    ours = perf_counter()
    with_ties = ndcg_score(grades, scores, k=10)
    theirs = perf_counter()
    found = ndcg_score(grades, scores, k=10, ignore_ties=True)
    end = perf_counter()
    times["ndcg"].append(ours - start)
    times["scikit-learn"].append(theirs - ours)
    times["scikit-learn, ties ignored"].append(end - theirs)
print(json.dumps(times))
if dump:
    from dumping import write

    ours_found = {"mean": float(value or 0.0)}
    peer_found = {"mean": float(with_ties)}
    write(dump, {"ndcg": ours_found, "scikit-learn": peer_found})
