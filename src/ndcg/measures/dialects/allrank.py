"""allRank."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="allrank",
        tool="allRank ndcg",
        versions="1.4.3",
        checked="run",
        source="allegro/allRank: allrank/models/metrics.py",
        conventions={
            **CANDIDATE_LIST,
            "ties": "given",
            "negative": "padding",
            "score_type": "float32",
            "empty": "compute",
            "no_ideal": "one",
            "unjudged_query": "one",
            "gain_type": "float32",
        },
        notes=(
            "Sees one list of labels per query, in single precision.",
            "Label -1 is padding and leaves the list; other negative labels are losses.",
            "A list without gain scores 1.",
            "A label of 128 or more is NaN in the tool, and an error here.",
        ),
        single=True,
        undefined="Equal scores keep the input order up to 16 documents; beyond, the sort is not stable.",
    ),
)
