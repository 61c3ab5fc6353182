"""Rax."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="rax",
        tool="Rax ndcg_metric",
        versions="0.4.0",
        checked="run",
        source="google/rax: rax/_src/metrics.py, utils.py",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "negative": "signed",
            "score_type": "float32",
            "empty": "compute",
            "unjudged_query": "zero",
            "cutoff_zero": "nothing",
            "minus_infinity": "unretrieved",
            "gain_type": "float32",
        },
        notes=(
            "Sees one list of labels per query, in single precision.",
            "A list without gain scores 0.",
            "A negative label loses 2^label - 1.",
            "A score of minus infinity says that the document was not retrieved.",
            "A label of 128 or more is NaN in the tool, and an error here.",
        ),
        single=True,
    ),
)
