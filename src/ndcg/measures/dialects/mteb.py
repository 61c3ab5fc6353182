"""MTEB retrieval tasks."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="mteb",
        tool="MTEB ndcg_at_k",
        versions="2.x, seen at 2.26.24",
        checked="run",
        source="embeddings-benchmark/mteb: mteb/_evaluators/retrieval_metrics.py",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "score_type": "float32",
            "empty_list": "zero",
            "unjudged_query": "error",
        },
        notes=(
            "pytrec_eval inside; the mean is rounded to 5 decimals.",
            "A query of the run without judgments ends in a KeyError.",
            "Some tasks drop the document with the query's own id (self='drop').",
        ),
        decimals=5,
    ),
)
