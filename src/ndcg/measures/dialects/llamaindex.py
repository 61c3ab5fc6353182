"""LlamaIndex retrieval metrics."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="llamaindex",
        tool="LlamaIndex NDCG",
        versions="version 1945bfbf",
        checked="read",
        source="run-llama/llama_index: retrieval/metrics.py",
        conventions={
            "gain": "binary",
            "ties": "given",
            "ideal": "hits",
            "ideal_cut": "returned",
            "empty": "error",
            "missing": "error",
        },
        notes=(
            "The ideal takes every returned position for relevant: what was not returned is never missed.",
            "Empty retrievals and empty judgments are a ValueError.",
        ),
    ),
)
