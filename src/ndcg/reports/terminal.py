"""A result as plain text for people: the value, what it was computed under, and every denominator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .layout import WIDTH, block, columns, listing, pad, shown_id, width
from .model import Counts, Group, Report, Score, Warned, WorstOf, report_of, whose
from .slices import cells, header, interval_text, legend, value_cells, value_header
from .words import counted_noun, decimals, first_ranks, grade_text

if TYPE_CHECKING:
    from ..results import Result


def result_text(result: Result, notes: Sequence[str] = (), per_query: bool = False) -> str:
    """The whole result as text of at most about 100 columns, without a final line end.

    `notes` are sentences that stand first, `per_query` adds a line for every query.
    """
    report = report_of(result)
    if not report.scores:
        return "no results"
    single = len(report.scores) == 1
    lines = _headline(report.scores[0]) if single else _score_table(report)
    lines += [*block("note", notes), ""] if notes else [""]
    lines += _declared(report)
    lines += _single_counts(report) if single else _count_table(report)
    lines += _told(report)
    for group in report.groups:
        lines += block(LABELS.get(group.status, group.status), [_group(group, report)])
    lines += block("data", [_warning(oddity, report) for oddity in report.data])
    lines += block("warning", [_warning(warned, report) for warned in report.warnings])
    lines += _slices(report)
    lines += _worst(report)
    lines += _inputs(report)
    if per_query:
        lines += ["", *per_query_lines(result)]
    lines += block("nearest", [f"{sentence}." for sentence in report.nearest])
    return "\n".join(lines)


def _headline(score: Score) -> list[str]:
    head = f"{score.measure} of {shown_id(score.run)}: {decimals(score.value)}"
    if score.interval is not None:
        head += f" {interval_text(*score.interval)}"
    if score.weighted_value is not None:
        head += f" (weighted {decimals(score.weighted_value)})"
    if score.aggregate != "mean":
        head += f" ({score.aggregate} over queries)"
    if score.value is None:
        head += " (no query counts)"
    return [head]


def _score_table(report: Report) -> list[str]:
    values = value_header(report.scores)
    names = ["run", "measure", *values]
    names += ["counted", "zeros", "judged@k", "ties", "cut"]
    rows = [
        [
            shown_id(score.run, 32) if new else "",
            score.measure + ("" if score.aggregate == "mean" else f" ({score.aggregate})"),
            *value_cells(score, values),
            f"{score.counted:,}",
            f"{score.zeros:,}",
            decimals(score.judged_at_k),
            score.tied_order,
            f"{score.tied:,}",
        ]
        for score, new in zip(report.scores, _first_of_run(report.scores), strict=True)
    ]
    lines = columns(names, rows, [False, False, *[True] * (len(names) - 2)])
    lines += ["", *block("columns", [LEGEND])]
    return lines


LABELS = {"without gain": "no gain"}

LEGEND = (
    "zeros: counted queries that score exactly 0; judged@k: mean share of judged documents in the first k ranks, "
    "over judged queries that returned something; "
    "ties: queries whose value the order of equal scores can move; cut: queries whose cutoff cuts a group of equal "
    "scores."
)


def _first_of_run(scores: Sequence[Score]) -> list[bool]:
    return [not at or scores[at - 1].run != score.run for at, score in enumerate(scores)]


def _declared(report: Report) -> list[str]:
    lines: list[str] = []
    for declared in report.declared:
        whose = f" ({', '.join(declared.measures)})" if len(report.declared) > 1 else ""
        lines += block("declared", [f"{declared.main}{whose}."])
        if declared.differing:
            lines += block("differing", [f"{difference}." for difference in declared.differing])
    return lines


def _single_counts(report: Report) -> list[str]:
    counts, score = report.counts[0], report.scores[0]
    lines = block("queries", [_counts_sentence(counts)])
    lines += block("zeros", [f"{score.zeros:,} (counted queries that score exactly 0)."])
    if score.judged_at_k is not None:
        cutoff = f"@{score.k}" if score.k is not None else ""
        share = (
            f"{decimals(score.judged_at_k)} (mean share of judged documents in the {first_ranks(score.k)}, over the "
            f"{counted_noun(score.returned, 'judged query', 'judged queries')} that returned something)."
        )
        lines += block(f"judged{cutoff}", [share])
    lines += block("ties", _ties(score))
    return lines


SETTLED = {
    "average": "here the mean over all orders counts",
    "best": "here the best order counts",
    "worst": "here the worst order counts",
}
"""What a tie rule that looks at a whole group makes of it."""


def _ties(score: Score) -> list[str]:
    """In how many queries ties matter; nothing where neither count is known."""
    cut = f"rank {score.k} cuts a group of equal scores"
    if score.order_moves is None:
        return [] if score.k is None else [f"{score.tied:,} (queries in which {cut})."]
    text = f"{score.order_moves:,} (queries in which the order of equal scores can move the value"
    if score.order_moves and score.ties in SETTLED:
        text += f"; {SETTLED[score.ties]}"
    if score.tied:
        text += f"; in {score.tied:,} {cut}"
    return [f"{text})."]


def _counts_sentence(counts: Counts) -> str:
    parts = [
        f"{getattr(counts, status):,} {status} ({counts.treated[status]})" if getattr(counts, status) else f"0 {status}"
        for status in ("missing", "empty", "failed")
    ]
    outside = f"{counts.unjudged:,} unjudged" + (f" ({counts.treated['unjudged']})" if counts.unjudged else "")
    return (
        f"{counts.counted:,} counted of {counts.judged:,} judged: {counts.scored:,} scored, "
        f"{', '.join(parts)}; in the run besides: {outside}."
    )


def _count_table(report: Report) -> list[str]:
    names = ("judged", "counted", "scored", "empty", "missing", "unjudged", "failed")
    rows = [
        [whose(report, counts.runs, counts.measures) or "all", *(f"{getattr(counts, n):,}" for n in names)]
        for counts in report.counts
    ]
    table = columns(["", *names], rows, [False, *[True] * len(names)])
    return [f"{pad('queries' if not at else '', 12)}{line}" for at, line in enumerate(table)]


def _told(report: Report) -> list[str]:
    """How intervals were computed, the weighted means, and where the traffic goes."""
    lines: list[str] = []
    for label, sentences in (
        ("interval", report.intervals),
        ("weighted", report.weighted),
        ("traffic", report.traffic),
    ):
        lines += block(label, [_warning(told, report) for told in sentences])
    return lines


def _slices(report: Report) -> list[str]:
    """The worst slices first, then a table for each run, measure and attribute."""
    lines = block("gap", [_warning(gap, report) for gap in report.gaps])
    for made in report.slices:
        names = header(made)
        rows = [cells(made, line) for line in made.lines]
        # What the numbers leave of the width is the name's.
        room = WIDTH - sum(2 + max(width(row[at]) for row in (names, *rows)) for at in range(len(names)))
        labels = [
            f"{shown_id(line.value_of, max(8, room - 3))}{' ' if line.marks else ''}{line.marks}" for line in made.lines
        ]
        lines += ["", *block("slices", [f"{made.title}."])]
        lines += columns(
            [shown_id(made.attribute, max(8, room)), *names],
            [[label, *row] for label, row in zip(labels, rows, strict=True)],
            [False, *[True] * len(names)],
        )
    if report.slices:
        lines += ["", *block("columns", [legend(report.slices)]), ""]
    return lines


def _group(group: Group, report: Report) -> str:
    who = whose(report, group.runs, group.measures)
    count = len(group.queries) + group.more
    head = f"{who}: " if who else ""
    return f"{head}{count:,} {group.treated}: {listing(group.queries, group.more)} ({group.reason})."


def _warning(warned: Warned, report: Report) -> str:
    who = whose(report, warned.runs, warned.measures)
    return f"{who}: {warned.sentence}." if who else f"{warned.sentence}."


def _worst(report: Report) -> list[str]:
    """The lowest queries of each run, under the first measure."""
    chosen: dict[str, WorstOf] = {}
    for worst in report.worst:
        chosen.setdefault(worst.run, worst)
    lines: list[str] = []
    size = max((width(shown_id(q.query, 24)) for w in chosen.values() for q in w.queries), default=0)
    for worst in chosen.values():
        if not worst.queries:
            continue
        if len(report.scores) > 1:
            lines += block("worst", [f"{shown_id(worst.run)} by {worst.measure}, with what they missed (grade):"])
        else:
            lines += block("worst", ["the lowest queries, with the judged documents they missed (grade):"])
        for query in worst.queries:
            few = query.missed if len(report.scores) == 1 else query.missed[:MANY]
            missed = [f"{shown_id(doc)} ({grade_text(grade)})" for doc, grade in few]
            more = query.more + len(query.missed) - len(few)
            text = ", ".join(missed) + (f" and {more} more" if more else "")
            if query.status == "missing":
                text = f"nothing returned; {text}"
            head = f"{pad(shown_id(query.query, 24), size)}  {decimals(query.value)}  "
            lines += _hanging(head, text or "nothing missed")
    return lines


MANY = 2
"""How many missed documents of a query are named where several runs are shown."""


def _hanging(head: str, text: str) -> list[str]:
    """Text beside a head, its later lines indented to where it starts."""
    import textwrap

    indent = 12 + width(head)
    wrapped = textwrap.wrap(text, max(40, WIDTH - indent), break_on_hyphens=False, break_long_words=False) or [""]
    return [(" " * 12 + head if not at else " " * indent) + line for at, line in enumerate(wrapped)]


def _inputs(report: Report) -> list[str]:
    paragraphs = []
    for read in report.inputs:
        named = f" {read.name}" if read.name not in (read.role, "run") else ""
        notes = "".join(f"; {note}" for note in read.notes)
        role = "run" if read.role == "run run" else read.role
        paragraphs.append(f"{role}:{named} ({read.how}{notes})")
    if report.pool_version is not None:
        paragraphs.append(f"candidate pool version: {report.pool_version}")
    return block("read", paragraphs)


def per_query_lines(result: Result) -> list[str]:
    """A table with a line for every run, measure and query."""
    names = ["run", "measure", "query", "status", "value", "judged", "relevant", "returned", "judged@k", "ties"]
    several = len(result.totals) > 1
    weights = [weight for entry in result.totals for weight in entry.rows.weights()]
    weighted = any(weight is not None for weight in weights)
    rows = [
        [
            shown_id(row.run, 24),
            row.measure,
            shown_id(row.query, 32),
            row.status,
            decimals(row.value, none="-"),
            f"{row.judged:,}",
            f"{row.relevant:,}",
            f"{row.returned:,}",
            decimals(row.judged_at_k, none="-"),
            f"{row.tied_at_cutoff:,}",
            *([f"{weight:g}" if weight is not None else "-"] if weighted else []),
        ]
        for row, weight in zip(result.per_query, weights, strict=True)
    ]
    names += ["weight"] if weighted else []
    right = [False] * 4 + [True] * (len(names) - 4)
    if not several:
        names, right = names[2:], right[2:]
        rows = [row[2:] for row in rows]
    return columns(names, rows, right)
