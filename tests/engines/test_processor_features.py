"""The same bits with NumPy's processor features switched off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAM = """
import json, random, sys
import ndcg
rng = random.Random(5)
docs = [f"d{n}" for n in range(60)]
judged = {f"q{q}": {d: rng.choice([0, 0, 1, 2, 3, 0.5, 2.25]) for d in rng.sample(docs, 30)} for q in range(80)}
run = {f"q{q}": {d: rng.choice([rng.random(), 0.5, 0.25]) for d in rng.sample(docs, 45)} for q in range(80)}
measures = [
    f"nDCG(ties={ties}, gain={gain}, discount={discount}){cut}"
    for ties in ("docid", "average", "best")
    for gain in ("exp2", "linear")
    for discount in ("log2", "jarvelin(3)", "reciprocal")
    for cut in ("", "@7")
]
result = ndcg.evaluate(judged, run, measures)
print(json.dumps([[row.value.hex() if row.value is not None else None for row in result.per_query],
                  [entry.value.hex() for entry in result.entries]]))
"""


def dispatched() -> list[str]:
    from numpy._core import _multiarray_umath

    return [name for name in _multiarray_umath.__cpu_dispatch__ if _multiarray_umath.__cpu_features__[name]]


def outcome(**environment: str) -> object:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), **environment},
    )
    return json.loads(found.stdout)


def test_bits_do_not_depend_on_processor_features():
    features = dispatched()
    assert features, f"NumPy {np.__version__} dispatches no processor feature here, so there is nothing to compare"
    assert outcome() == outcome(NPY_DISABLE_CPU_FEATURES=" ".join(features))
