"""The agreement of judges as text, CSV and Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..measures.convention import number_text
from .csv import csv_text
from .layout import columns, shown_id
from .words import counted_noun, decimals, signed

if TYPE_CHECKING:
    from ..judging.agreement import Agreement

Table = tuple[list[str], list[list[str]], list[bool]]


def agreement_text(found: Agreement) -> str:
    """The agreement for people, without a final line end."""
    lines = [
        f"{counted_noun(len(found.judges), 'judge')}, {counted_noun(found.judged, 'judged pair')}, "
        f"{found.shared:,} of them judged by two or more",
        "",
        f"Krippendorff's alpha over all judges: nominal {decimals(found.nominal)}, ordinal {decimals(found.ordinal)}, "
        f"interval {decimals(found.interval)}",
        "",
        *columns(*_pairs(found)),
        "",
        *columns(*_grades(found)),
    ]
    for pair in found.pairs:
        if pair.pairs and len(found.pairs) <= TABLES:
            header = [f"{shown_id(pair.first)} \\ {shown_id(pair.second)}", *map(number_text, found.grades)]
            rows = [
                [number_text(grade), *(f"{count:,}" for count in row)]
                for grade, row in zip(found.grades, pair.table, strict=True)
            ]
            lines += ["", *columns(header, rows, [True] * len(header))]
    return "\n".join(lines)


TABLES = 3
"""From more pairs of judges on, their tables of counts are left out of the text."""


def _pairs(found: Agreement) -> Table:
    header = ["judges", "pairs", "equal", "share", "kappa", "linear", "quadratic", "second - first"]
    rows = [
        [
            f"{shown_id(pair.first)}, {shown_id(pair.second)}",
            f"{pair.pairs:,}",
            f"{pair.equal:,}",
            *map(decimals, (pair.share, pair.kappa, pair.linear, pair.quadratic)),
            signed(pair.difference),
        ]
        for pair in found.pairs
    ]
    return header, rows, [False, *[True] * 7]


def _grades(found: Agreement) -> Table:
    rows = [[number_text(each.grade), f"{each.given:,}", decimals(each.share)] for each in found.by_grade]
    return ["grade", "given", "share of the other judges who gave it too"], rows, [True, True, True]


def agreement_csv(found: Agreement) -> str:
    """A header and one row per two judges, full precision."""
    header = ("first", "second", "pairs", "equal", "share", "kappa", "linear", "quadratic", "difference")
    return csv_text(header, [[getattr(pair, name) for name in header] for pair in found.pairs])


def agreement_markdown(found: Agreement) -> str:
    """The agreement as Markdown."""
    from .markdown import escaped, table

    lines = []
    for header, rows, _ in (_pairs(found), _grades(found)):
        lines += [*table(header, [[escaped(cell) for cell in row] for row in rows], range(1, len(header))), ""]
    lines.append(
        f"- Krippendorff's alpha over {counted_noun(len(found.judges), 'judge')} and {found.shared:,} pairs with two "
        f"grades or more: nominal {decimals(found.nominal)}, ordinal {decimals(found.ordinal)}, interval "
        f"{decimals(found.interval)}"
    )
    return "\n".join(lines)
