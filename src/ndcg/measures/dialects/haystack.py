"""Haystack DocumentNDCGEvaluator."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="haystack",
        tool="Haystack DocumentNDCGEvaluator",
        versions="since July 2026 (repeats dropped); before that repeats counted",
        checked="read",
        source="deepset-ai/haystack c7cb46c0",
        conventions={
            "gain": "linear",
            "ideal_cut": "none",
            "ties": "given",
            "empty": "zero",
        },
        notes=(
            "There is no cutoff: the ideal holds every relevant document, however few were retrieved.",
            "The gain is the document's score field.",
        ),
    ),
)
