"""XGBoost."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="xgboost",
        tool="XGBoost ndcg@k",
        versions="2.0 to 3.2.0",
        checked="run",
        source="dmlc/xgboost: src/metric/rank_metric.cc, src/common/ranking_utils.h",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "score_type": "float32",
            "negative": "error",
            "empty": "one",
            "no_ideal": "one",
            "unjudged_query": "one",
        },
        notes=(
            "Sees one list of labels per query.",
            "Equal scores, compared in single precision, keep the input order.",
            "`ndcg` without a cutoff reads the first 32 documents, not the whole list.",
            "A list without a positive label scores 1.",
        ),
        cutoff=32,
    ),
    Dialect(
        name="xgboost_minus",
        tool="XGBoost ndcg@k-",
        versions="2.0 to 3.2.0",
        checked="run",
        source="dmlc/xgboost: src/metric/rank_metric.cc",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "score_type": "float32",
            "negative": "error",
            "empty": "zero",
            "unjudged_query": "zero",
        },
        notes=(
            "Sees one list of labels per query.",
            "Equal scores, compared in single precision, keep the input order.",
            "`ndcg` without a cutoff reads the first 32 documents, not the whole list.",
            "A list without a positive label scores 0.",
        ),
        cutoff=32,
    ),
    Dialect(
        name="xgboost_linear",
        tool="XGBoost ndcg@k, ndcg_exp_gain=False",
        versions="2.0 to 3.2.0",
        checked="run",
        source="dmlc/xgboost: src/metric/rank_metric.cc",
        conventions={
            **CANDIDATE_LIST,
            "gain": "linear",
            "ties": "given",
            "score_type": "float32",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
        },
        notes=(
            "Sees one list of labels per query.",
            "Equal scores, compared in single precision, keep the input order.",
            "`ndcg` without a cutoff reads the first 32 documents, not the whole list.",
            "A list without a positive label scores 1.",
            "Negative labels are losses.",
        ),
        cutoff=32,
    ),
)
