"""Results as CSV: one row per run and measure, or one row per run, measure and query. Full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..results import Result

SUMMARY = (
    "run",
    "measure",
    "value",
    "weighted_value",
    "judged",
    "counted",
    "scored",
    "empty",
    "missing",
    "unjudged",
    "failed",
    "zeros",
    "judged_at_k",
    "tied",
    "without_gain",
    "duplicates",
    "negatives",
    "own",
    "disagreements",
    "pool_version",
    "version",
    "warnings",
)


def summary_csv(result: Result) -> str:
    """A header, and one row per run and measure; empty cells where there is no value."""
    return _text(SUMMARY, (_summary_row(result, at) for at in range(len(result.entries))))


def _summary_row(result: Result, at: int) -> list[object]:
    entry = result.entries[at]
    summary, counters = entry.summary, entry.counters
    cells: dict[str, object] = {
        "run": entry.run,
        "measure": entry.measure,
        "value": summary.value,
        "weighted_value": entry.weighted_value,
        **summary.queries.as_dict(),
        "zeros": summary.zeros,
        "judged_at_k": summary.judged_at_k,
        "tied": summary.tied,
        "without_gain": summary.without_gain,
        "duplicates": counters.duplicates,
        "negatives": counters.negatives,
        "own": counters.own,
        "disagreements": counters.disagreements,
        "pool_version": result.pool_version,
        "version": result.version,
        "warnings": "; ".join((*result.warnings, *entry.warnings)),
    }
    return [cells[name] for name in SUMMARY]


def per_query_csv(result: Result) -> str:
    """A header, and one row per run, measure and query with all columns of the per-query rows."""
    from ..results import QueryRow

    names = tuple(QueryRow._fields)
    return _text(names, ([getattr(row, name) for name in names] for row in result.per_query))


def _text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV text; floats in shortest exact form, None as an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([repr(cell) if isinstance(cell, float) else cell for cell in row])
    return out.getvalue()
