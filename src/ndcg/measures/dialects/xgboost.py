"""XGBoost."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

VERSIONS = "2.0 to 3.2.0"
SOURCE = "dmlc/xgboost: src/metric/rank_metric.cc, src/common/ranking_utils.h"

ALL = {**CANDIDATE_LIST, "ties": "given", "score_type": "float32"}

NOTES = (
    "Sees one list of labels per query.",
    "Equal scores, compared in single precision, keep the input order.",
    "`ndcg` without a cutoff reads the first 32 documents, not the whole list.",
)

NAN = "The sort is not defined for a NaN score."

DIALECTS = (
    Dialect(
        name="xgboost",
        tool="XGBoost ndcg@k",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "negative": "error", "empty": "one", "no_ideal": "one", "unjudged_query": "one"},
        notes=(*NOTES, "A list without a positive label scores 1."),
        cutoff=32,
        undefined=NAN,
    ),
    Dialect(
        name="xgboost_minus",
        tool="XGBoost ndcg@k-",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "negative": "error", "empty": "zero", "unjudged_query": "zero"},
        notes=(*NOTES, "A list without a positive label scores 0."),
        cutoff=32,
        undefined=NAN,
    ),
    Dialect(
        name="xgboost_linear",
        tool="XGBoost ndcg@k, ndcg_exp_gain=False",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={
            **ALL,
            "gain": "linear",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
        },
        notes=(*NOTES, "A list without a positive label scores 1.", "Negative labels are losses."),
        cutoff=32,
        undefined=NAN,
    ),
)
