"""scikit-learn ndcg_score."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="sklearn",
        tool="scikit-learn ndcg_score",
        versions="0.22 to 1.9",
        checked="run",
        source="scikit-learn: sklearn/metrics/_ranking.py",
        conventions={
            **CANDIDATE_LIST,
            "gain": "linear",
            "ties": "average",
            "negative": "error",
            "empty": "zero",
            "unjudged_query": "zero",
        },
        notes=(
            "Sees one list of labels per query: documents that were not returned do not exist for it.",
            "Equal scores are averaged over all orders.",
            "A list without a positive label scores 0; a list of one document and negative labels are errors.",
        ),
    ),
    Dialect(
        name="sklearn_ignore_ties",
        tool="scikit-learn ndcg_score(ignore_ties=True)",
        versions="0.22 to 1.9",
        checked="run",
        source="scikit-learn: sklearn/metrics/_ranking.py",
        conventions={
            **CANDIDATE_LIST,
            "gain": "linear",
            "ties": "given_reversed",
            "negative": "error",
            "empty": "zero",
            "unjudged_query": "zero",
        },
        notes=("As ndcg_score, but equal scores stand in reverse input order.",),
        undefined="The reverse order holds in short lists only: the sort is not stable.",
    ),
)
