"""RePlay."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="replay",
        tool="RePlay NDCG",
        versions="0.22.0",
        checked="run",
        source="sb-ai-lab/RePlay: replay/metrics/ndcg.py",
        conventions={
            **BINARY,
            "empty": "zero",
            "empty_run": "missing",
        },
        notes=("Users of the ground truth without recommendations count 0.",),
    ),
)
