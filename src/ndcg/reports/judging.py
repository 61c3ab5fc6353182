"""Bounds under unjudged documents as text, CSV and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..measures.convention import number_text
from .csv import csv_text
from .layout import block, columns, shown_id
from .words import counted_noun, decimals, differences, main_line, signed

if TYPE_CHECKING:
    from ..judging.model import PairBounds, QueryBounds, RunBounds, UnjudgedBounds

SCOPES = {
    "returned": "every document that the runs return may turn out relevant",
    "scored": "the documents in the scored ranks may turn out relevant, no others",
    "any": "every document may turn out relevant, those that no run returns included",
}
"""What each scope says, in words."""

VERDICTS = {
    "holds": "holds",
    "open": "open",
    "unproven": "unproven (outer bounds)",
    "equal": "equal",
}
"""Verdicts as they stand in a table."""

QUERIES = 20
"""How many queries are shown in the text; the widest first."""


def bounds_text(found: UnjudgedBounds, per_query: bool = False) -> str:
    """The bounds as text of at most about 100 columns, without a final line end."""
    lines = [f"{found.measure}: what unjudged documents could make of it", ""]
    lines += columns(*_runs(found))
    if found.pairs:
        lines += ["", *columns(*_pairs(found.pairs))]
    lines += ["", *legend(found)]
    if per_query:
        for run in found.runs:
            lines += ["", f"{shown_id(run.run)}, widest queries first", *columns(*_queries(run.queries))]
    return "\n".join(lines)


def legend(found: UnjudgedBounds) -> list[str]:
    """What the numbers mean, under the table."""
    lines = block("declared", [f"{main_line(found.declaration)}."])
    lines += block("differing", [f"{change}." for change in differences(found.declaration)])
    grades = ", ".join(map(number_text, found.grades))
    lines += block("bounds", [f"{SCOPES[found.scope]}; judges may give {grades}; {exactness(found)}."])
    entering = max((run.entering for run in found.runs), default=0)
    if entering:
        lines += block("empty", [f"{counted_noun(entering, 'query', 'queries')} {ENTER}"])
    if found.pairs:
        lines += block("verdict", [VERDICT])
    lines += block("warning", [f"{warning}." for warning in found.warnings])
    return lines


ENTER = "without anything relevant may get something, and then count: the bounds include that."
VERDICT = (
    "the mean difference over queries that count for both. It holds where no judging turns it; "
    "`ndcg judge-next` names what to judge where it is open."
)


def exactness(found: UnjudgedBounds) -> str:
    """Whether the bounds are reached."""
    outer = [
        exact for exact in (*(run.exact for run in found.runs), *(pair.exact for pair in found.pairs)) if not exact
    ]
    if not outer:
        return "the bounds are exact: some judging reaches each"
    return (
        f"{counted_noun(len(outer), 'row')} marked * {'is an' if len(outer) == 1 else 'are'} outer bound"
        f"{'s' * (len(outer) > 1)}: proven, but perhaps not reached"
    )


Table = tuple[Sequence[str], list[list[str]], list[bool]]


def _runs(found: UnjudgedBounds) -> Table:
    k = found.declaration.get("k")
    header = ["run", "value", "lower", "upper", "condensed", f"judged@{k}" if k else "judged", "unjudged", "counted"]
    rows = [
        [
            shown_id(run.run) + "*" * (not run.exact),
            decimals(run.value),
            decimals(run.lower),
            decimals(run.upper),
            decimals(run.condensed),
            decimals(run.judged_at_k),
            f"{run.unjudged:,}",
            f"{run.counted:,}",
        ]
        for run in found.runs
    ]
    return header, rows, [False, *[True] * 7]


def _pairs(pairs: Sequence[PairBounds]) -> Table:
    header = ["difference", "mean", "lower", "upper", "verdict", "queries whose own verdict holds"]
    rows = [
        [
            f"{shown_id(pair.first)} - {shown_id(pair.second)}" + "*" * (not pair.exact),
            signed(pair.difference),
            signed(pair.lower),
            signed(pair.upper),
            VERDICTS[pair.verdict],
            f"{pair.holding:,} of {pair.counted:,}",
        ]
        for pair in pairs
    ]
    return header, rows, [False, True, True, True, False, True]


def _width(query: QueryBounds) -> float:
    return (query.upper or 0.0) - (query.lower or 0.0)


def _queries(queries: Sequence[QueryBounds]) -> Table:
    widest = sorted(queries, key=lambda query: -_width(query))[:QUERIES]
    rows = [
        [
            shown_id(query.query) + "*" * (not query.exact),
            query.status,
            decimals(query.value),
            decimals(query.lower),
            decimals(query.upper),
            f"{query.unjudged:,}",
        ]
        for query in widest
    ]
    return ["query", "status", "value", "lower", "upper", "unjudged"], rows, [False, False, *[True] * 4]


def bounds_markdown(found: UnjudgedBounds) -> str:
    """The bounds as Markdown: tables, then what they were computed under."""
    from .markdown import escaped, table

    parts = [_runs(found)] + ([_pairs(found.pairs)] if found.pairs else [])
    lines: list[str] = []
    for header, rows, _ in parts:
        lines += [*table(header, [[escaped(cell) for cell in row] for row in rows], range(1, len(header))), ""]
    grades = ", ".join(map(number_text, found.grades))
    lines += [
        f"- declared: {main_line(found.declaration)}",
        *(f"- differing: {change}" for change in differences(found.declaration)),
        f"- bounds: {SCOPES[found.scope]}; judges may give {grades}; {exactness(found)}".replace("*", "\\*"),
        *(f"- **warning**: {escaped(warning)}" for warning in found.warnings),
    ]
    return "\n".join(lines)


ROWS = ("kind", "run", "minus", "value", "lower", "upper", "exact", "verdict", "condensed", "judged_at_k", "unjudged")
PER_QUERY = ("run", "minus", "query", "status", "value", "lower", "upper", "unjudged", "exact", "enters")


def bounds_csv(found: UnjudgedBounds, per_query: bool = False) -> str:
    """A header, and one row per run and per pair of runs, or per query of each. Full precision."""
    if per_query:
        return csv_text(PER_QUERY, _query_rows(found))
    return csv_text(ROWS, [*map(_run_row, found.runs), *map(_pair_row, found.pairs)])


def _run_row(run: RunBounds) -> list[object]:
    cells = [run.value, run.lower, run.upper, run.exact, None, run.condensed, run.judged_at_k, run.unjudged]
    return ["run", run.run, None, *cells]


def _pair_row(pair: PairBounds) -> list[object]:
    cells = [pair.difference, pair.lower, pair.upper, pair.exact, pair.verdict, None, None, None]
    return ["difference", pair.first, pair.second, *cells]


def _query_rows(found: UnjudgedBounds) -> Iterable[list[object]]:
    parts: list[tuple[str, str | None, tuple[QueryBounds, ...]]] = [(run.run, None, run.queries) for run in found.runs]
    parts += [(pair.first, pair.second, pair.queries) for pair in found.pairs]
    for first, second, queries in parts:
        for query in queries:
            yield [first, second, *(getattr(query, name) for name in PER_QUERY[2:])]
