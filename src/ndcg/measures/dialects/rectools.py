"""RecTools."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="rectools",
        tool="RecTools NDCG (default)",
        versions="0.19.0",
        checked="run",
        source="MobileTeleSystems/RecTools: rectools/metrics/ranking.py",
        conventions={
            **BINARY,
            "ideal": "hits",
            "empty": "exclude",
        },
        notes=("The ideal takes all k positions for relevant, so two relevant items at k = 5 reach 0.5531 at most.",),
    ),
    Dialect(
        name="rectools_achievable",
        tool="RecTools NDCG(divide_by_achievable=True)",
        versions="0.19.0",
        checked="run",
        source="MobileTeleSystems/RecTools: rectools/metrics/ranking.py",
        conventions={
            **BINARY,
            "empty": "exclude",
            "duplicates": "merged",
        },
        notes=(
            "The ideal holds min(k, relevant) ones.",
            "An item returned twice gains twice and counts as two relevant ones.",
        ),
    ),
)
