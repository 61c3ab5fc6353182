"""Two pages of Weaviate that print two numbers for one ranking."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="weaviate_article",
        tool="Weaviate, article on retrieval evaluation metrics",
        versions="blog, as read 2026",
        checked="read",
        source="weaviate.io/blog/retrieval-evaluation-metrics",
        conventions={
            "gain": "linear",
        },
        notes=(
            "The gain is the grade itself; the worked example gives 0.7104.",
            "The article computes by pytrec_eval, whose averages are in that dialect.",
        ),
    ),
    Dialect(
        name="weaviate_academy",
        tool="Weaviate Academy, nDCG lesson",
        versions="as read 2026",
        checked="read",
        source="Weaviate Academy, lesson on search evaluation",
        conventions={
            "gain": "exp2",
        },
        notes=("The gain is 2^grade - 1; the worked example gives 0.6685.",),
    ),
)
