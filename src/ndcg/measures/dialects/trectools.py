"""trectools, and Hugging Face evaluate on top of it."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="trectools",
        tool="trectools get_ndcg(trec_eval=True)",
        versions="0.0.50",
        checked="run",
        source="joaopalotti/trectools: trectools/trec_eval.py",
        conventions={
            "gain": "linear",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "unjudged_query": "zero",
            "duplicates": "error",
            "cutoff_zero": "nothing",
        },
        notes=(
            "Equal scores are ordered by document id ascending, the opposite of trec_eval.",
            "A judged query that the run lacks leaves the mean; a query of the run without judgments counts 0.",
            "A query without a relevant document counts 0.",
        ),
        cutoff=1000,
    ),
    Dialect(
        name="trectools_exp",
        tool="trectools get_ndcg(trec_eval=False)",
        versions="0.0.50",
        checked="run",
        source="joaopalotti/trectools: trectools/trec_eval.py",
        conventions={
            "empty": "compute",
            "missing": "exclude",
            "empty_missing": "missing",
            "unjudged_query": "zero",
            "duplicates": "error",
            "cutoff_zero": "nothing",
            "gain": "exp2_int64",
            "ideal_order": "grade",
        },
        notes=(
            "Equal scores are ordered by document id ascending, the opposite of trec_eval.",
            "A judged query that the run lacks leaves the mean; a query of the run without judgments counts 0.",
            "A query without a relevant document counts 0.",
            "The gain is 2^grade - 1 in whole numbers of 64 bits: a grade of 64 or more gains -1.",
        ),
        cutoff=1000,
    ),
    Dialect(
        name="hf_evaluate",
        tool="Hugging Face evaluate, metric trec_eval",
        versions="0.4.6",
        checked="run",
        source="huggingface/evaluate: metrics/trec_eval/trec_eval.py",
        conventions={
            "gain": "linear",
            "ties": "given",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "unjudged_query": "zero",
        },
        notes=(
            "The rows count as they stand, score and rank unread: hand them over as ranked lists.",
            "The cutoffs are fixed: 5, 10, 15, 20, 30, 100, 200, 500, 1000.",
        ),
    ),
)
