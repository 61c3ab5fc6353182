"""Cornac."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="cornac",
        tool="Cornac NDCG",
        versions="3.0.1",
        checked="run",
        source="PreferredAI/cornac: cornac/metrics/ranking.py",
        conventions={
            **BINARY,
            "missing": "exclude",
            "empty_list": "zero",
            "empty_missing": "missing",
        },
        notes=("A user without a positive item is NaN and leaves the mean.",),
    ),
)
