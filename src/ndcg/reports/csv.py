"""Results as CSV: one row per run and measure, or one row per run, measure and query. Full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..results import Result


def summary_csv(result: Result) -> str:
    """A header, and one row per run, measure and slice; empty cells where there is no value."""
    from ..summary_table import summary_table

    table = summary_table(result)
    return csv_text(tuple(table.kinds), table.rows)


def per_query_csv(result: Result) -> str:
    """A header, and one row per run, measure and query with all columns of the per-query rows."""
    from ..results import QueryRow
    from ..summary_table import attribute_columns

    names = tuple(QueryRow._fields)
    rows = ([getattr(row, name) for name in names] for row in result.per_query)
    more: dict[str, list[Any]] = {}
    if any(entry.rows.weight is not None for entry in result.totals):
        more["weight"] = [weight for entry in result.totals for weight in entry.rows.weights()]
    more |= attribute_columns(result, {*names, "weight"})
    if not more:
        return csv_text(names, rows)
    wide = ([*row, *cells] for row, cells in zip(rows, zip(*more.values(), strict=True), strict=True))
    return csv_text((*names, *more), wide)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV text; floats in shortest exact form, None as an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([repr(cell) if isinstance(cell, float) else cell for cell in row])
    return out.getvalue()
