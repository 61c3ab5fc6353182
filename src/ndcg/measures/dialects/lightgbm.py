"""LightGBM."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="lightgbm",
        tool="LightGBM ndcg@k",
        versions="2.x to 4.7.0",
        checked="run",
        source="microsoft/LightGBM: src/metric/rank_metric.hpp, dcg_calculator.cpp",
        conventions={
            **CANDIDATE_LIST,
            "gain": "exp2_to_30",
            "ties": "given",
            "negative": "error",
            "empty": "one",
            "no_ideal": "one",
            "unjudged_query": "one",
        },
        notes=(
            "Sees one list of labels per query.",
            "A list without a positive label scores 1, and enters a weighted mean with weight 1.",
            "Labels are whole numbers from 0 to 30 (unless label_gain says more); any other label is an error.",
            "Equal scores keep the input order.",
            "Without eval_at the cutoffs are 1 to 5.",
        ),
        cutoff=5,
    ),
)
