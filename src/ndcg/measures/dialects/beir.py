"""BEIR EvaluateRetrieval."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="beir",
        tool="BEIR NDCG@k",
        versions="2.0 to 2.2.0",
        checked="run",
        source="beir-cellar/beir: beir/retrieval/evaluation.py",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "score_type": "float32",
            "empty_list": "zero",
            "self": "drop",
        },
        notes=(
            "pytrec_eval inside.",
            "A document with the query's own id leaves the run (ignore_identical_ids), not the ideal.",
            "A judged query that the run lacks leaves the mean of nDCG; BEIR's MRR counts it 0.",
            "The mean is rounded to 5 decimals.",
        ),
        decimals=5,
    ),
)
