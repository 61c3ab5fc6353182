"""RecBole."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="recbole",
        tool="RecBole NDCG",
        versions="1.2.1",
        checked="run",
        source="RUCAIBox/RecBole: recbole/evaluator/metrics.py",
        conventions={
            **BINARY,
            "missing": "exclude",
            "empty": "zero",
            "empty_missing": "missing",
            "unjudged_query": "zero",
        },
        notes=("The caller's rows are the queries; one without a relevant item scores 0.",),
    ),
)
