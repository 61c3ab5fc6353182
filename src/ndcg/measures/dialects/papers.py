"""The two papers that the tools cite."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="jarvelin_kekalainen_2002",
        tool="Järvelin & Kekäläinen 2002, b = 2",
        versions="TOIS 20(4)",
        checked="derived",
        source="Cumulated gain-based evaluation of IR techniques, section 2",
        conventions={
            "gain": "linear",
            "discount": "jarvelin(2)",
            "ties": "given",
        },
        notes=(
            "Ranks 1 and 2 are not discounted, rank r after them by 1 / log2(r).",
            "The ideal is the recall base, cut at each rank.",
        ),
        aliases=("jarvelin",),
    ),
    Dialect(
        name="burges_2005",
        tool="Burges et al. 2005",
        versions="ICML",
        checked="derived",
        source="Learning to rank using gradient descent, section 6",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "empty": "exclude",
            "duplicates": "best",
        },
        notes=("2^grade - 1 over the list that the ranker orders, log2(rank + 1).",),
    ),
)
