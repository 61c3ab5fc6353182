"""OpenSearch search relevance workbench."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="opensearch",
        tool="OpenSearch search-relevance NDCG@k",
        versions="commit d8be5d1, 2025-06",
        checked="run",
        source="opensearch-project/search-relevance: metrics/calculator/Evaluation.java",
        conventions={
            "ties": "given",
            "negative": "signed",
            "rounding": "half_up(2)",
            "empty": "zero",
            "missing": "exclude",
            "duplicates": "count",
            "cutoff_zero": "nothing",
            "overflow": "zero",
        },
        notes=(
            "Each query is rounded to 2 decimals.",
            "Negative grades lose 2^grade - 1.",
            "A gain beyond double precision gives 0.",
            "Queries without results leave the mean of the page.",
        ),
        decimals=2,
    ),
)
