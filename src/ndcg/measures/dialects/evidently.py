"""Evidently."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="evidently",
        tool="Evidently NDCGKMetric (no_feedback_users=False)",
        versions="0.7.23, legacy metrics",
        checked="run",
        source="evidentlyai/evidently: legacy/metrics/recsys/ndcg_k.py, legacy/calculations/recommender_systems.py",
        conventions={
            **CANDIDATE_LIST,
            "gain": "linear",
            "ties": "shared",
            "negative": "signed",
            "no_ideal": "exclude",
        },
        notes=(
            "Sees the rows of the data frame only.",
            "Equal scores share their mean rank, cut to a whole number, so two can stand at rank 1.",
            "Users without a positive target in their list are left out.",
        ),
        undefined="A cutoff beyond the longest list is a KeyError.",
    ),
    Dialect(
        name="evidently_all",
        tool="Evidently NDCGKMetric (no_feedback_users=True)",
        versions="0.7.23, legacy metrics",
        checked="run",
        source="evidentlyai/evidently: legacy/metrics/recsys/ndcg_k.py",
        conventions={
            **CANDIDATE_LIST,
            "gain": "linear",
            "ties": "shared",
            "negative": "signed",
            "empty": "compute",
            "unjudged_query": "zero",
        },
        notes=("As evidently, but users without a positive target count 0.",),
    ),
)
