"""pyvespa VespaEvaluator."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="pyvespa",
        tool="pyvespa VespaEvaluator, sets of ids",
        versions="1.2.9",
        checked="run",
        source="vespa-engine/pyvespa: vespa/evaluation/_base.py",
        conventions={
            **BINARY,
            "empty": "exclude",
            "empty_run": "missing",
        },
        notes=(
            "Relevant or not; the ideal holds min(k, relevant) ones.",
            "A query without a relevant document is dropped before it is searched; one without results scores 0.",
        ),
        cutoff=10,
    ),
    Dialect(
        name="pyvespa_graded",
        tool="pyvespa VespaEvaluator, {id: grade}",
        versions="1.2.9",
        checked="run",
        source="vespa-engine/pyvespa: vespa/evaluation/_base.py",
        conventions={
            "gain": "linear",
            "ties": "given",
            "negative": "error",
            "empty": "zero",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=(
            "Grades must lie between 0 and 1; the gain is the grade.",
            "A query without a positive grade scores 0.",
        ),
        cutoff=10,
    ),
)
