"""implicit."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="implicit",
        tool="implicit ndcg_at_k",
        versions="0.7.3",
        checked="run",
        source="benfred/implicit: implicit/evaluation.pyx",
        conventions={
            **BINARY,
            "empty": "exclude",
            "empty_run": "missing",
        },
        notes=(
            "Stored entries are relevant, their values are ignored.",
            "Users without test items are not counted.",
        ),
        cutoff=10,
    ),
)
