"""Dialects as text, Markdown and plain rows: the table on data, and the list of what each tool does."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..attribution import Attribution
    from ..dialect_table import DialectTable
    from ..measures.dialects import Dialect
    from ..measures.measure import Measure

WIDTH = 100


def table_text(table: DialectTable) -> str:
    """The answer to a question that was asked, else all dialects on one run, for the terminal."""
    at = "the whole list" if table.k is None else f"k = {table.k}"
    default = "no value" if table.default is None else f"{table.default:.4f}"
    lines = [f"{table.run}: nDCG, {at}; under the default conventions {default}", ""]
    if table.attribution is not None:
        lines += [*attribution_lines(table.attribution), ""]
    if table.number is not None:
        lines += [str(table.number), ""]
    if table.attribution is None and table.number is None:
        lines += [*LEGEND, "", f"{'value':>7}  {'queries':>7}  dialects", *_listed(table), ""]
    lines += [f"! {warning}" for warning in table.warnings]
    return "\n".join(lines).rstrip("\n")


LEGEND = (
    "What each tool would print for this data. `queries` enter its mean; below its name stands what moves",
    "it away from the default conventions here, with what each convention would change by itself. Tools",
    "with the same value for the same reasons share a line. What a tool does: ndcg dialects --list",
)


def _listed(table: DialectTable) -> list[str]:
    """Tools with the same value for the same reasons together, and the default in its place."""
    groups: dict[tuple[float | None, int, str], list[str]] = {}
    for row in table.rows:
        groups.setdefault((row.value, row.counted, row.reason), []).append(row.dialect)
    lines: list[str] = []
    default = table.default
    for (value, counted, reason), names in groups.items():
        if default is not None and (value is None or value < default):
            lines.append(f"{default:7.4f}  {'':>7}  (the default conventions)")
            default = None
        shown = "-" if value is None else f"{value:.4f}"
        lines += _hanging(f"{shown:>7}  {counted if value is not None else '-':>7}  ", ", ".join(names))
        lines += _hanging(" " * 20, reason)
    return lines


def attribution_lines(found: Attribution) -> list[str]:
    """How much each convention explains of a difference."""
    lines = [
        f"{found.first_value:.4f}  {found.first}",
        f"{found.second_value:.4f}  {found.second}",
        f"{found.difference:+.4f}  of which ({found.tried} mixtures scored):",
    ]
    for part in (part for part in found.parts if part.acting):
        lines.append(f"  {part.share:+.4f}  {part}")
        shown = []
        for effect in part.queries[:5]:
            note = " (enters the mean)" if effect.enters else " (leaves the mean)" if effect.leaves else ""
            shown.append(f"{effect.query} {round(effect.change, 4) + 0.0:+.4f}{note}")
        more = f", {part.acting - 5} more" if part.acting > 5 else ""
        lines += _hanging("           queries: ", ", ".join(shown) + more)
    idle = [str(part) for part in found.parts if not part.acting]
    if idle:
        lines += _hanging("  differs too, and acts on no query here: ", "; ".join(idle))
    return lines


def _hanging(head: str, text: str) -> list[str]:
    wrapped = textwrap.wrap(text, max(40, WIDTH - len(head))) or [""]
    return [head + wrapped[0], *(" " * len(head) + line for line in wrapped[1:])]


def table_markdown(table: DialectTable) -> str:
    """All dialects on one run, as Markdown."""
    rows = [
        ("-" if row.value is None else f"{row.value:.4f}", str(row.counted), f"`{row.dialect}`", row.reason)
        for row in table.rows
    ]
    lines = markdown_rows(("value", "queries", "dialect", "what moves it here"), rows)
    if table.attribution is not None:
        lines += ["", "```", *attribution_lines(table.attribution), "```"]
    if table.number is not None:
        lines += ["", "```", str(table.number), "```"]
    return "\n".join(lines) + "\n"


def markdown_rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


def list_text(dialects: Sequence[Dialect]) -> str:
    """Every dialect with its sentences, for the terminal."""
    lines = []
    for dialect in dialects:
        lines.append(f"{dialect.name}: {dialect.tool}, {dialect.versions} ({HOW[dialect.checked]})")
        for note in dialect.notes:
            lines += _hanging("  ", note)
        if dialect.undefined:
            lines += _hanging("  undefined: ", dialect.undefined)
        lines += _hanging("  source: ", dialect.source)
        lines.append("")
    return "\n".join(lines)


HOW = {"run": "checked by running it", "read": "read in its source", "derived": "derived from its text"}
"""How a dialect is known, in words."""


def list_markdown(entries: Sequence[tuple[Dialect, Measure, float | None]], columns: Sequence[str]) -> str:
    """The page of all dialects: one row each, one column per convention, the value on the worked example, the source.

    `entries` are (dialect, its measure, value on the worked example).
    """
    from ..measures.nearest import shown

    lines = [*PREFACE]
    head = ("dialect", "worked example", "cutoff", *columns, "known by", "source")
    rows = []
    for dialect, measure, value in entries:
        cells = [
            "" if measure.conventions[name] == default_of(name) else f"`{shown(measure.conventions[name])}`"
            for name in columns
        ]
        rows.append(
            (
                f"`{dialect.name}`",
                "" if value is None else f"{value:.4f}",
                "" if dialect.cutoff is None else str(dialect.cutoff),
                *cells,
                dialect.checked,
                dialect.source,
            )
        )
    lines += markdown_rows(head, rows)
    lines += ["", "## What each does", ""]
    for dialect, _, _ in entries:
        names = f", also `{'`, `'.join(dialect.aliases)}`" if dialect.aliases else ""
        lines += [f"### {dialect.name}", "", f"{dialect.tool}, {dialect.versions}; {HOW[dialect.checked]}{names}.", ""]
        lines += [f"- {note}" for note in dialect.notes]
        if dialect.undefined:
            lines.append(f"- Undefined: {dialect.undefined}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def default_of(name: str) -> object:
    """The default of a convention."""
    from ..measures.conventions import CONVENTIONS

    return CONVENTIONS[name].default


PREFACE = (
    "# Dialects",
    "",
    "What each tool computes when it says nDCG@k, as the conventions of this package. Made by",
    "`ndcg dialects --list --format md`.",
    "",
    "`nDCG(dialect='trec_eval')@10` sets every convention as that tool does; further options override it. An empty",
    "cell is this package's default. The worked example: judgments A 3, B 1, C 0, D 2, E 3; the run A, B, C, D; k = 4.",
    "Tools with `ideal` `returned` only see the rows handed to them: here those of the run, unjudged ones at grade 0.",
    "",
)
