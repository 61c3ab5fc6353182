"""TensorFlow Ranking."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="tf_ranking",
        tool="TF-Ranking NDCGMetric",
        versions="0.5.5",
        checked="run",
        source="tensorflow/ranking: python/metrics_impl.py, utils.py",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "negative": "remove",
            "score_type": "float32",
            "empty": "zero",
            "unjudged_query": "zero",
            "cutoff_zero": "nothing",
            "gain_type": "float32",
        },
        notes=(
            "Sees one list of labels per query, in single precision.",
            "A negative label takes the document out of the list.",
            "A list without gain scores 0.",
            "A label of 128 or more is NaN in the tool, and an error here.",
        ),
        single=True,
        undefined="Equal scores are shuffled in every call.",
    ),
)
