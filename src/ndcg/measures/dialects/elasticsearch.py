"""Elasticsearch _rank_eval."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="elasticsearch",
        tool="Elasticsearch rank_eval dcg, normalize=true",
        versions="7.x to 9.x (formula unchanged, read in two versions)",
        checked="read",
        source="elastic/elasticsearch: modules/rank-eval, DiscountedCumulativeGain.java",
        conventions={
            "ideal_cut": "returned",
            "ties": "given",
            "negative": "signed",
            "empty": "zero",
        },
        notes=(
            "The ideal is cut at the number of hits returned: one perfect hit of many scores 1.",
            "A document without a rating gains nothing and keeps its rank.",
            "unknown_doc_rating gives it a rating (unjudged_grade) that the ideal does not know.",
            "A failed search leaves the mean.",
        ),
        cutoff=10,
    ),
)
