"""Rated Ranking Evaluator."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="rre",
        tool="RRE NDCG@k",
        versions="commit e478aa7, 2021-10",
        checked="read",
        source="SeaseLtd/rated-ranking-evaluator: metrics/impl/NDCGAtK.java",
        conventions={
            "ties": "given",
            "terms": "floor(2)",
            "rounding": "floor(2)",
            "empty": "zero",
        },
        notes=(
            "Every discounted gain and the quotient are cut down to 2 decimals.",
            "The ideal is cut at k.",
            "A query without results and without ratings scores 1 in the tool; here it is not judged at all.",
        ),
        decimals=2,
    ),
    Dialect(
        name="rre_linear",
        tool="RRE NDCG@k with linear gain",
        versions="commit 0e289c9",
        checked="read",
        source="SeaseLtd/rated-ranking-evaluator: metrics/impl/NDCGAtK.java",
        conventions={
            "gain": "linear",
            "ties": "given",
            "terms": "floor(2)",
            "rounding": "floor(2)",
            "empty": "zero",
        },
        notes=(
            "As rre, but the gain is the grade itself: the line with 2^grade - 1 is commented out in this version.",
        ),
        decimals=2,
    ),
)
