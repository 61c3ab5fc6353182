"""Azure AI evaluation."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="azure_document_retrieval",
        tool="Azure AI DocumentRetrievalEvaluator ndcg@3",
        versions="two versions read; this is the second",
        checked="read",
        source="Azure/azure-sdk-for-python: DocumentRetrievalEvaluator",
        conventions={
            "ties": "given",
            "empty": "error",
        },
        notes=(
            "k is always 3; gain 2^grade - 1; the ideal is cut at 3.",
            "An earlier version has linear gain.",
        ),
        cutoff=3,
    ),
)
