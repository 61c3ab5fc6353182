"""A result as Markdown: for pull requests and notes. Tables, then what they were computed under."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .layout import listing, shown_id
from .model import Counts, Report, report_of, whose
from .slices import cells, header, legend, value_cells, value_header
from .words import decimals, grade_text

if TYPE_CHECKING:
    from ..results import Result


def result_markdown(result: Result, notes: Sequence[str] = (), per_query: bool = False) -> str:
    """The whole result as Markdown, without a final line end."""
    report = report_of(result)
    lines = [f"{note}.\n" for note in notes]
    lines += _scores(report)
    names = ("judged", "counted", "scored", "empty", "missing", "unjudged", "failed")
    lines += ["", *table(["queries", *names], [_counts(c, report, names) for c in report.counts], range(1, 8))]
    lines.append("")
    for declared in report.declared:
        lines.append(f"- declared ({', '.join(map(code, declared.measures))}): {declared.main}")
        lines += [f"- differing: {difference}" for difference in declared.differing]
    for group in report.groups:
        who = whose(report, group.runs, group.measures)
        head = f"{escaped(who)}: " if who else ""
        lines.append(
            f"- {group.status}: {head}{len(group.queries) + group.more} {group.treated}: "
            f"{escaped(listing(group.queries, group.more))} ({group.reason})"
        )
    for label, sentences in (
        ("interval", report.intervals),
        ("weighted", report.weighted),
        ("traffic", report.traffic),
        ("gap", report.gaps),
        ("data", report.data),
        ("**warning**", report.warnings),
    ):
        for warned in sentences:
            who = whose(report, warned.runs, warned.measures)
            lines.append(f"- {label}: {escaped(f'{who}: ' if who else '')}{escaped(warned.sentence)}")
    for read in report.inputs:
        notes_read = "".join(f"; {note}" for note in read.notes)
        lines.append(f"- read: {escaped(read.role)} {code(read.name)} ({escaped(read.how + notes_read)})")
    if report.pool_version is not None:
        lines.append(f"- candidate pool version: {escaped(report.pool_version)}")
    for made in report.slices:
        rows = [
            [escaped(f"{shown_id(line.value_of)} {line.marks}".strip()), *map(escaped, cells(made, line))]
            for line in made.lines
        ]
        titles = [escaped(shown_id(made.attribute)), *header(made)]
        lines += ["", f"Slices {escaped(made.title)}.", "", *table(titles, rows, numbers=range(1, len(titles)))]
    if report.slices:
        lines += ["", escaped(legend(report.slices))]
    for worst in report.worst:
        rows = [
            [
                escaped(shown_id(query.query)),
                decimals(query.value),
                ("nothing returned; " if query.status == "missing" else "")
                + escaped(", ".join(f"{shown_id(doc)} ({grade_text(grade)})" for doc, grade in query.missed))
                + (f" and {query.more} more" if query.more else ""),
            ]
            for query in worst.queries
        ]
        lines += ["", f"Lowest queries of {escaped(worst.run)} by {code(worst.measure)}:", ""]
        lines += table(["query", "value", "missed (grade)"], rows, numbers=(1,))
    if per_query:
        lines += ["", *_per_query(result)]
    if report.nearest:
        lines += ["", *(f"Nearest dialect: {escaped(sentence)}." for sentence in report.nearest)]
    return "\n".join(lines)


def _scores(report: Report) -> list[str]:
    values = value_header(report.scores)
    names = ["run", "measure", *values]
    names += ["counted", "zeros", "judged@k", "ties", "ties cut at k"]
    rows = [
        [
            escaped(shown_id(score.run)),
            code(score.measure),
            *map(escaped, value_cells(score, values)),
            str(score.counted),
            str(score.zeros),
            decimals(score.judged_at_k),
            score.tied_order,
            str(score.tied),
        ]
        for score in report.scores
    ]
    return table(names, rows, numbers=range(2, len(names)))


def _counts(counts: Counts, report: Report, names: Sequence[str]) -> list[str]:
    who = whose(report, counts.runs, counts.measures) or "all"
    cells = []
    for name in names:
        count = getattr(counts, name)
        treated = counts.treated.get(name)
        cells.append(f"{count} ({treated})" if count and treated else str(count))
    return [escaped(who), *cells]


def _per_query(result: Result) -> list[str]:
    names = ["run", "measure", "query", "status", "value", "judged", "relevant", "returned", "judged@k", "ties"]
    rows = [
        [
            escaped(shown_id(row.run)),
            code(row.measure),
            escaped(shown_id(row.query)),
            row.status,
            decimals(row.value, none="-"),
            str(row.judged),
            str(row.relevant),
            str(row.returned),
            decimals(row.judged_at_k, none="-"),
            str(row.tied_at_cutoff),
        ]
        for row in result.per_query
    ]
    return table(names, rows, numbers=range(4, 10))


def table(header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> list[str]:
    """A Markdown table; the columns in `numbers` stand to the right."""
    rule = ["---:" if at in numbers else "---" for at in range(len(header))]
    return [f"| {' | '.join(row)} |" for row in (header, rule, *rows)]


def escaped(text: str) -> str:
    """Text in which Markdown finds no markup."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)


def code(text: str) -> str:
    """Text as inline code, also inside a table."""
    return f"`{text.replace('`', chr(39)).replace('|', chr(92) + '|')}`"
