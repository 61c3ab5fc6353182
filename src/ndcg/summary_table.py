"""The summaries of a result as one table: a row per run, measure and slice. Columns that nothing fills are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .results import Entry, Result

KINDS = ("text", "real", "whole", "flag")
"""What a column holds: text, real numbers, whole numbers, or true and false; any of them may be absent."""

NAMES = {"run": "text", "measure": "text"}
SLICES = {
    "slice": "text",
    "attribute": "text",
    "attribute_value": "text",
    "slice_of": "text",
    "slice_mode": "text",
    "share": "real",
    "few_queries": "flag",
    "against": "text",
    "difference": "real",
    "impact": "real",
    "contradicts": "flag",
}
VALUES = {"value": "real", "weighted_value": "real"}
INTERVALS = {
    "interval_low": "real",
    "interval_high": "real",
    "interval_level": "real",
    "interval_method": "text",
    "interval_resamples": "whole",
    "interval_seed": "whole",
    "interval_clusters": "whole",
    "interval_reason": "text",
}
WEIGHTS = {
    "weighted_low": "real",
    "weighted_high": "real",
    "weighted_method": "text",
    "effective": "real",
    "traffic_scored": "real",
    "traffic_empty": "real",
    "traffic_missing": "real",
    "traffic_unjudged": "real",
    "traffic_failed": "real",
    "traffic_outside": "real",
}
COUNTS = {
    **dict.fromkeys(("judged", "counted", "scored", "empty", "missing", "unjudged", "failed", "zeros"), "whole"),
    "judged_at_k": "real",
    **dict.fromkeys(
        ("tied", "order_moves", "without_gain", "duplicates", "negatives", "own", "disagreements"), "whole"
    ),
}
CALL = {"pool_version": "text", "version": "text", "warnings": "text"}


class SummaryTable(NamedTuple):
    """Column kinds by name, and the rows in the order of the columns."""

    kinds: Mapping[str, str]
    rows: list[list[object]]


def summary_table(result: Result) -> SummaryTable:
    """The summaries of all entries; `kinds` says which of KINDS each column is."""
    entries = result.entries
    kinds = {
        **NAMES,
        **(SLICES if result.slices else {}),
        **VALUES,
        **(INTERVALS if any(entry.interval is not None for entry in entries) else {}),
        **(WEIGHTS if any(entry.rows.weight is not None for entry in entries) else {}),
        **COUNTS,
        **CALL,
    }
    rows = []
    for entry in entries:
        cells = _cells(entry)
        cells |= {
            "pool_version": result.pool_version,
            "version": result.version,
            "warnings": "; ".join((*result.warnings, *entry.warnings)),
        }
        rows.append([cells[name] for name in kinds])
    return SummaryTable(kinds, rows)


def _cells(entry: Entry) -> dict[str, object]:
    summary, counters, part = entry.summary, entry.counters, entry.part
    interval, weighted, traffic = entry.interval or {}, entry.weighted_interval or {}, entry.traffic
    cells: dict[str, object] = {
        "run": entry.run,
        "measure": entry.measure,
        "slice": entry.slice,
        "value": summary.value,
        "weighted_value": entry.weighted_value,
        **{name: interval.get(name.removeprefix("interval_")) for name in INTERVALS},
        "weighted_low": weighted.get("low"),
        "weighted_high": weighted.get("high"),
        "weighted_method": weighted.get("method"),
        "effective": entry.effective,
        **{
            name: None if traffic is None else getattr(traffic, name.removeprefix("traffic_"))
            for name in WEIGHTS
            if name.startswith("traffic_")
        },
        **summary.queries.as_dict(),
        "zeros": summary.zeros,
        "judged_at_k": summary.judged_at_k,
        "tied": summary.tied,
        "order_moves": summary.order_moves,
        "without_gain": summary.without_gain,
        # What was met while reading is known of the whole run, not of a slice.
        "duplicates": counters.duplicates if part is None else None,
        "negatives": counters.negatives if part is None else None,
        "own": counters.own if part is None else None,
        "disagreements": counters.disagreements if part is None else None,
    }
    if part is None:
        return {**dict.fromkeys(SLICES), **cells}
    return {
        **cells,
        "attribute": part.attribute,
        "attribute_value": part.value,
        "slice_of": "queries" if part.kind == "query" else "documents",
        "slice_mode": part.mode,
        "share": part.share,
        "few_queries": part.small,
        "against": part.against,
        "difference": part.difference,
        "impact": part.impact,
        "contradicts": part.contradicts,
    }


def attribute_columns(result: Result, taken: set[str]) -> dict[str, list[str | None]]:
    """For each attribute of queries the value of every per-query row, in the order of `Result.per_query`.

    A query in two slices has both values, joined by '; '. A name that another column bears gets `by_` before it.
    """
    found: dict[str, dict[tuple[str, str], dict[str, list[str]]]] = {}
    for entry in result.slices:
        part = entry.part
        if part is None or part.kind != "query":
            continue
        known = found.setdefault(part.attribute, {}).setdefault((entry.run, entry.measure), {})
        for query in entry.rows.queries if part.value is not None else ():
            known.setdefault(query, []).append(str(part.value))
    columns: dict[str, list[str | None]] = {}
    for name, by_entry in found.items():
        column: list[str | None] = []
        for entry in result.totals:
            known = by_entry.get((entry.run, entry.measure), {})
            column += ["; ".join(sorted(known[query])) if query in known else None for query in entry.rows.queries]
        columns[f"by_{name}" if name in taken else name] = column
    return columns
