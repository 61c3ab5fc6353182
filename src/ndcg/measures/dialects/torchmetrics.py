"""torchmetrics."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

VERSIONS = "1.x, seen at 1.9.0"
SOURCE = "Lightning-AI/torchmetrics: functional/retrieval/ndcg.py, retrieval/base.py"

ALL = {
    **CANDIDATE_LIST,
    "gain": "linear",
    "ties": "average",
    "negative": "signed",
    "score_type": "float32",
    "empty": "compute",
    "no_ideal_by": "sum",
}

NOTES = (
    "Sees one list of labels per query.",
    "Equal scores are averaged over all orders; everything is added in single precision.",
    "Negative labels are losses.",
)

DIALECTS = (
    Dialect(
        name="torchmetrics",
        tool="torchmetrics RetrievalNormalizedDCG(empty_target_action='neg')",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "no_ideal": "zero", "unjudged_query": "zero"},
        notes=(*NOTES, "A list whose labels add up to 0 counts as empty, and scores 0."),
        single=True,
    ),
    Dialect(
        name="torchmetrics_pos",
        tool="torchmetrics RetrievalNormalizedDCG(empty_target_action='pos')",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "no_ideal": "one", "unjudged_query": "one"},
        notes=(*NOTES, "A list whose labels add up to 0 counts as empty, and scores 1."),
        single=True,
    ),
    Dialect(
        name="torchmetrics_skip",
        tool="torchmetrics RetrievalNormalizedDCG(empty_target_action='skip')",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "no_ideal": "exclude", "unjudged_query": "ignore"},
        notes=(*NOTES, "A list whose labels add up to 0 counts as empty, and leaves the mean."),
        single=True,
    ),
    Dialect(
        name="torchmetrics_error",
        tool="torchmetrics RetrievalNormalizedDCG(empty_target_action='error')",
        versions=VERSIONS,
        checked="run",
        source=SOURCE,
        conventions={**ALL, "no_ideal": "error", "unjudged_query": "error"},
        notes=(*NOTES, "A list whose labels add up to 0 counts as empty, and is an error."),
        single=True,
    ),
)
