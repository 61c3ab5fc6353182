"""CatBoost."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="catboost",
        tool="CatBoost NDCG (type=Base)",
        versions="1.2, seen at 1.2.10",
        checked="run",
        source="catboost/catboost: libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp",
        conventions={
            **CANDIDATE_LIST,
            "ties": "worst",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
            "gain": "linear",
        },
        notes=(
            "Sees one list of labels per query.",
            "The default gain is the label itself (type=Base).",
            "Equal scores stand in the least flattering order, so the value is a lower bound.",
            "A list without a positive label scores 1.",
        ),
    ),
    Dialect(
        name="catboost_exp",
        tool="CatBoost NDCG:type=Exp",
        versions="1.2, seen at 1.2.10",
        checked="run",
        source="catboost/catboost: libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp",
        conventions={
            **CANDIDATE_LIST,
            "ties": "worst",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
        },
        notes=(
            "Sees one list of labels per query.",
            "Gain 2^label - 1 (type=Exp).",
            "Equal scores stand in the least flattering order, so the value is a lower bound.",
            "A list without a positive label scores 1.",
        ),
    ),
    Dialect(
        name="catboost_position",
        tool="CatBoost NDCG:denominator=Position",
        versions="1.2, seen at 1.2.10",
        checked="run",
        source="catboost/catboost: libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp",
        conventions={
            **CANDIDATE_LIST,
            "ties": "worst",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
            "gain": "linear",
            "discount": "reciprocal",
        },
        notes=(
            "Sees one list of labels per query.",
            "The default gain is the label itself (type=Base).",
            "Equal scores stand in the least flattering order, so the value is a lower bound.",
            "A list without a positive label scores 1.",
            "The discount is 1 / rank (denominator=Position).",
        ),
    ),
    Dialect(
        name="catboost_exp_position",
        tool="CatBoost NDCG:type=Exp;denominator=Position",
        versions="1.2, seen at 1.2.10",
        checked="run",
        source="catboost/catboost: libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp",
        conventions={
            **CANDIDATE_LIST,
            "ties": "worst",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
            "discount": "reciprocal",
        },
        notes=(
            "Sees one list of labels per query.",
            "Gain 2^label - 1 (type=Exp).",
            "Equal scores stand in the least flattering order, so the value is a lower bound.",
            "A list without a positive label scores 1.",
            "The discount is 1 / rank (denominator=Position).",
        ),
    ),
)
