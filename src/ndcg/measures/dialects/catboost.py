"""CatBoost."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

VERSIONS = "1.2, seen at 1.2.10"
SOURCE = "catboost/catboost: libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp"

ALL = {
    **CANDIDATE_LIST,
    "ties": "worst",
    "negative": "signed",
    "empty": "compute",
    "no_ideal": "one",
    "unjudged_query": "one",
    "cutoff_zero": "nothing",
}

SEES = "Sees one list of labels per query."
BASE = "The default gain is the label itself (type=Base)."
EXP = "Gain 2^label - 1 (type=Exp)."
TIES = "Equal scores stand in the least flattering order, so the value is a lower bound."
WITHOUT_GAIN = "A list without a positive label scores 1, and so does every list at top=0."
POSITION = "The discount is 1 / rank (denominator=Position)."

DIALECTS = (
    Dialect(
        name="catboost",
        tool="CatBoost NDCG (type=Base)",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "gain": "linear"},
        notes=(SEES, BASE, TIES, WITHOUT_GAIN),
    ),
    Dialect(
        name="catboost_exp",
        tool="CatBoost NDCG:type=Exp",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions=ALL,
        notes=(SEES, EXP, TIES, WITHOUT_GAIN),
    ),
    Dialect(
        name="catboost_position",
        tool="CatBoost NDCG:denominator=Position",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "gain": "linear", "discount": "reciprocal"},
        notes=(SEES, BASE, TIES, WITHOUT_GAIN, POSITION),
    ),
    Dialect(
        name="catboost_exp_position",
        tool="CatBoost NDCG:type=Exp;denominator=Position",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "discount": "reciprocal"},
        notes=(SEES, EXP, TIES, WITHOUT_GAIN, POSITION),
    ),
)
