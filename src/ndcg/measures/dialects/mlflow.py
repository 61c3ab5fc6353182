"""MLflow retriever evaluation."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="mlflow",
        tool="MLflow ndcg_at_k",
        versions="commit 001cc178",
        checked="read",
        source="mlflow/mlflow: metric_definitions.py",
        conventions={
            "gain": "binary",
            "ties": "given",
            "ideal_cut": "returned",
            "empty": "zero",
        },
        notes=(
            "Relevant or not; the ideal is cut at the number of documents returned, so one hit of many scores 1.",
            "Both lists empty is 1 in the tool, one of them empty 0.",
        ),
        cutoff=3,
    ),
)
