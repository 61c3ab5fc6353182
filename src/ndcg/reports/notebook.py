"""A result as HTML for notebooks: small tables without scripts or styles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .layout import shown_id
from .model import report_of, whose
from .slices import cells, header, legend, value_cells, value_header
from .terminal import result_text
from .words import decimals

if TYPE_CHECKING:
    from ..results import Result


def result_html(result: Result) -> str:
    """The values as a table, and everything else that the terminal shows in a fold below."""
    report = report_of(result)
    values = value_header(report.scores)
    names = ["run", "measure", *values]
    names += ["counted queries", "zeros", "judged@k", "ties", "ties cut at k"]
    rows = [
        [
            shown_id(score.run),
            score.measure,
            *value_cells(score, values),
            str(score.counted),
            str(score.zeros),
            decimals(score.judged_at_k),
            score.tied_order,
            str(score.tied),
        ]
        for score in report.scores
    ]
    parts = [html_table(names, rows)]
    for label, sentences in (
        ("Interval", report.intervals),
        ("Weighted", report.weighted),
        ("Traffic", report.traffic),
        ("Gap", report.gaps),
    ):
        for told in sentences:
            who = whose(report, told.runs, told.measures)
            parts.append(f"<p>{label}: {escape(f'{who}: ' if who else '')}{escape(told.sentence)}.</p>")
    for made in report.slices:
        lines = [[f"{shown_id(line.value_of)} {line.marks}".strip(), *cells(made, line)] for line in made.lines]
        parts.append(
            f"<p>Slices {escape(made.title)}.</p>{html_table([shown_id(made.attribute), *header(made)], lines)}"
        )
    if report.slices:
        parts.append(f"<p>{escape(legend(report.slices))}</p>")
    parts += [f"<p><strong>Warning:</strong> {escape(warned.sentence)}.</p>" for warned in report.warnings]
    parts += [
        f"<p>{escape(', '.join(declared.measures))}: {escape(declared.main)}.</p>" for declared in report.declared
    ]
    parts.append(
        f"<details><summary>Denominators, left out, worst queries</summary><pre>{escape(result_text(result))}"
        "</pre></details>"
    )
    return "\n".join(parts)


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table of escaped text."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
