"""MS MARCO passage ranking."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="msmarco_mrr",
        tool="MS MARCO MRR@10",
        versions="ms_marco_eval.py",
        checked="read",
        source="microsoft/MSMARCO-Passage-Ranking: ms_marco_eval.py",
        conventions={
            "ties": "given",
        },
        notes=(
            "The reciprocal rank of the first relevant passage in the first ten.",
            "Every judged query counts, 0 where nothing is found.",
        ),
        measure="RR",
        cutoff=10,
    ),
)
