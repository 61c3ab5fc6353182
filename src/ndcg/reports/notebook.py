"""A result as HTML for notebooks: small tables without scripts or styles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .layout import shown_id
from .model import report_of
from .terminal import result_text
from .words import decimals

if TYPE_CHECKING:
    from ..results import Result


def result_html(result: Result) -> str:
    """The values as a table, and everything else that the terminal shows in a fold below."""
    report = report_of(result)
    header = ["run", "measure", "value", "counted queries", "zeros", "judged@k", "ties at k"]
    rows = [
        [
            shown_id(score.run),
            score.measure,
            decimals(score.value),
            str(score.counted),
            str(score.zeros),
            decimals(score.judged_at_k),
            str(score.tied),
        ]
        for score in report.scores
    ]
    parts = [html_table(header, rows)]
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
