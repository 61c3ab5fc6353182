"""sentence-transformers."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="sentence_transformers",
        tool="sentence-transformers InformationRetrievalEvaluator",
        versions="since 6.0.0; before that equal scores kept the input order",
        checked="run",
        source="huggingface/sentence-transformers: evaluation/information_retrieval.py",
        conventions={
            "gain": "binary",
            "empty": "exclude",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=(
            "Relevant or not: relevant are the documents with a grade above 0.",
            "Equal scores are ordered by document id, ascending.",
            "A query without a relevant document is dropped.",
        ),
        cutoff=10,
    ),
    Dialect(
        name="sentence_transformers_members",
        tool="sentence-transformers InformationRetrievalEvaluator, every judged document in the set",
        versions="since 6.0.0",
        checked="run",
        source="huggingface/sentence-transformers: evaluation/information_retrieval.py",
        conventions={
            "gain": "judged",
            "empty": "exclude",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=("A {document: grade} value is only asked whether the id is in it: grade 0 counts as relevant.",),
        cutoff=10,
    ),
)
