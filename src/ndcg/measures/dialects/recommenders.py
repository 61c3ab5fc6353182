"""recommenders (Microsoft)."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="recommenders",
        tool="recommenders ndcg_at_k (binary)",
        versions="1.2.1",
        checked="run",
        source="recommenders-team/recommenders: evaluation/python_evaluation.py",
        conventions={
            "gain": "judged",
            "ties": "given",
            "empty": "exclude",
            "duplicates": "joined",
            "empty_run": "missing",
            "cutoff_zero": "nothing",
        },
        notes=(
            "The default ignores ratings: every row of the truth is relevant, even rating 0.",
            "Tables are joined by user and item, so an item returned twice gains four times, in the ideal too.",
            "A user without a prediction counts 0.",
        ),
        cutoff=10,
    ),
    Dialect(
        name="recommenders_positive",
        tool="recommenders ndcg_at_k (binary), truth = positive ratings",
        versions="1.2.1",
        checked="run",
        source="recommenders-team/recommenders: evaluation/python_evaluation.py",
        conventions={
            **BINARY,
            "empty": "exclude",
            "duplicates": "joined",
            "empty_run": "missing",
            "cutoff_zero": "nothing",
        },
        notes=("The truth holds only rows with a positive rating.",),
        cutoff=10,
    ),
    Dialect(
        name="recommenders_raw",
        tool="recommenders ndcg_at_k (score_type='raw')",
        versions="1.2.1",
        checked="run",
        source="recommenders-team/recommenders: evaluation/python_evaluation.py",
        conventions={
            "gain": "linear",
            "ties": "given",
            "negative": "signed",
            "empty": "compute",
            "no_ideal": "exclude",
            "duplicates": "joined",
            "empty_run": "missing",
            "cutoff_zero": "nothing",
        },
        notes=(
            "The gain is the rating; negative ratings are losses.",
            "A user without gain is NaN, which the mean skips.",
        ),
        cutoff=10,
    ),
    Dialect(
        name="recommenders_exp",
        tool="recommenders ndcg_at_k (score_type='exp')",
        versions="1.2.1",
        checked="run",
        source="recommenders-team/recommenders: evaluation/python_evaluation.py",
        conventions={
            "ties": "given",
            "negative": "error",
            "empty": "compute",
            "no_ideal": "exclude",
            "duplicates": "joined",
            "empty_run": "missing",
            "cutoff_zero": "nothing",
            "gain": "exp2_int64",
            "ideal_order": "grade",
        },
        notes=(
            "The gain is 2^rating - 1; negative ratings are an error.",
            "Whole ratings are 64-bit integers: a rating of 64 or more gains -1.",
        ),
        cutoff=10,
    ),
)
