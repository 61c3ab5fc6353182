"""The page of all dialects, made from their declarations and one worked example."""

from __future__ import annotations

import json

from .dialect_table import dialects
from .evaluation import evaluate
from .measures.conventions import CONVENTIONS
from .measures.dialects import Dialect, all_dialects
from .measures.measure import Measure, make
from .measures.registry import family_named
from .reports.dialects import list_markdown

JUDGED = {"q": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
RUN = {"q": {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0}}
CUTOFF = 4


def entries() -> list[tuple[Dialect, Measure, float | None]]:
    """Each dialect, its measure, and its value on the worked example."""
    table = dialects(JUDGED, RUN, CUTOFF)
    values = {row.dialect: row.value for row in table.rows}
    found = []
    for name, dialect in all_dialects().items():
        measure = make(family_named(dialect.measure), CUTOFF, {"dialect": name})
        # The table is one of nDCG; a dialect of another measure is scored by itself.
        value = values[name] if name in values else evaluate(JUDGED, RUN, measure).value
        found.append((dialect, measure, value))
    return found


def columns() -> list[str]:
    """The conventions that some dialect changes."""
    changed = {name for dialect in all_dialects().values() for name in dialect.conventions}
    return [name for name in CONVENTIONS if name in changed]


def page() -> str:
    """The page as Markdown."""
    return list_markdown(entries(), columns())


def plain() -> str:
    """The same as one JSON document."""
    documents = [
        {
            "dialect": dialect.name,
            "aliases": list(dialect.aliases),
            "tool": dialect.tool,
            "versions": dialect.versions,
            "checked": dialect.checked,
            "source": dialect.source,
            "cutoff": dialect.cutoff,
            "worked_example": value,
            "declaration": measure.declaration(),
            "notes": list(dialect.notes),
            "undefined": dialect.undefined or None,
        }
        for dialect, measure, value in entries()
    ]
    return json.dumps({"dialects": documents}, indent=2, ensure_ascii=False)
