"""pytrec_eval: trec_eval 9.0.8 inside Python."""

from __future__ import annotations

from .contract import Dialect
from .trec_eval import OF_9

DIALECTS = (
    Dialect(
        name="pytrec_eval",
        tool="pytrec_eval ndcg_cut, ndcg",
        versions="pytrec_eval 0.5, pytrec_eval-terrier 0.5.x",
        checked="run",
        source="terrierteam/pytrec_eval: src/pytrec_eval.cpp, py/__init__.py",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "score_type": "float32",
            "empty_list": "zero",
        },
        notes=(
            "The gain is the grade itself, not 2^grade - 1; negative grades gain nothing.",
            "Equal scores are ordered by document id, descending, byte by byte; the rank column is never read.",
            "A query without a relevant document scores 0 and counts.",
            "A judged query that the run lacks is absent from the result, one with an empty dict scores 0.",
            "Grades must be int, scores are compared in single precision.",
            "The mean is left to the caller; this one is over the queries in the result.",
        ),
        also=OF_9,
        undefined="k = 0 aborts the process; a NaN score makes the order depend on the neighbours.",
    ),
)
