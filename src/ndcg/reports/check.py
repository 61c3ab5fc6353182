"""The page of a check as text and Markdown: what was loaded, then what is odd, most harmful first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .layout import WIDTH, block, columns, pad, shown_id, width
from .markdown import escaped
from .markdown import table as markdown_table
from .words import counted_noun, decimals

if TYPE_CHECKING:
    from ..checking.findings import Effect, Example, Finding, Kind
    from ..checking.page import CheckReport, RunPage

LINES = 6
"""Places in files that are listed one by one."""

ALSO = 5
"""Further runs of a finding that are named."""


def check_text(report: CheckReport) -> str:
    """The whole page as text of at most about 100 columns, without a final line end."""
    lines = [*_wrapped(headline(report), 0), ""]
    lines += block("loaded", [_judgments(report), *map(_run, report.runs)])
    if len(report.runs) > 1:
        lines += ["", *_run_table(report)]
    elif report.runs and report.runs[0].judged_by_rank:
        lines += block("judged", [_by_rank(report.runs[0])])
    if report.merge is not None and report.declared_merge is None:
        lines += block("merge", [UNDECLARED])
    groups = grouped(report.findings)
    loud = [group for group in groups if any(not _quiet(finding) for finding in group)]
    for number, group in enumerate(loud, 1):
        lines += ["", *_finding(number, group, len(report.runs) > 1)]
    quiet = [group for group in groups if group not in loud]
    if quiet:
        lines += ["", "Without effect here:"]
    for group in quiet:
        lines += _wrapped(f"{group[0].code}: {_quietly(group, len(report.runs) > 1)}", 4)
    return "\n".join(lines)


def _quiet(finding: Finding) -> bool:
    """Whether a finding is told in one line: it neither stops scoring nor moves the value."""
    moves = finding.effect.largest
    return finding.weight != "refused" and (moves == 0 or (moves is None and finding.weight == "note"))


def _quietly(group: Sequence[Finding], several: bool) -> str:
    told = []
    for finding in group[: ALSO + 1]:
        who = f"{shown_id(finding.subject)}: " if finding.subject is not None and several else ""
        reason = finding.effect.none or finding.effect.unknown
        told.append(f"{who}{finding.sentence}{f' ({reason})' if reason else ''}")
    more = f"; and in {counted_noun(len(group) - ALSO - 1, 'more run')}" if len(group) > ALSO + 1 else ""
    return "; ".join(told) + more + "."


UNDECLARED = "grades conflict and no rule is declared: values on this page are those of merge=max."


def headline(report: CheckReport) -> str:
    """What the page comes to, in one sentence."""
    if report.problem is not None:
        return f"Nothing can be scored: {report.problem}."
    kinds = len(grouped(report.findings))
    if not kinds:
        return "Nothing odd was found."
    refused = len({finding.code for finding in report.findings if finding.weight == "refused"})
    moving = len({f.code for f in report.findings if f.weight != "refused" and (f.effect.largest or 0.0) > 0})
    parts = [counted_noun(kinds, "finding")]
    if refused:
        parts.append(f"{refused} that stop{'s' if refused == 1 else ''} scoring")
    if moving:
        parts.append(f"{moving} that move{'s' if moving == 1 else ''} {report.measure}")
    value = ""
    if len(report.runs) == 1 and report.runs[0].value is not None:
        run = report.runs[0]
        under = " under merge=max" if report.merge is not None and report.declared_merge is None else ""
        under += " without bad rows" if run.bad or report.judgments.bad else ""
        value = f"{report.measure} of {shown_id(run.run)}{under or ' as it stands'}: {decimals(run.value)}. "
    return value + ", ".join(parts) + "."


def _judgments(report: CheckReport) -> str:
    page = report.judgments
    name = "judgments" if page.name == "judgments" else f"judgments {page.name}"
    if not page.format:
        return f"{name}: could not be read"
    grades = ", ".join(f"{grade:g}: {rows:,}" for grade, rows in page.grades[:12])
    if len(page.grades) > 12:
        grades = f"{len(page.grades):,} different grades from {page.grades[0][0]:g} to {page.grades[-1][0]:g}"
    parts = [
        f"{name}: {counted_noun(page.queries, 'query', 'queries')}, "
        f"{counted_noun(page.rows, 'judgment')}{f' ({grades})' if grades else ''}"
    ]
    parts += [f"{page.files} files"] if page.files > 1 else []
    parts += [counted_noun(page.judges, "judge")] if page.judges else []
    parts += [f"judged from {page.first} to {page.last}"] if page.first is not None else []
    parts += [f"{counted_noun(page.unread_dates, 'date')} not understood"] if page.unread_dates else []
    return _read(parts, page.format, page.layout, page.notes, page.bad)


def _run(page: RunPage) -> str:
    name = f"run {shown_id(page.run)}" + (f", {page.name}" if page.name != page.run else "")
    if not page.format:
        return f"{name}: could not be read"
    if not page.rows:
        return _read([f"{name}: nothing to score"], page.format, page.layout, page.notes, page.bad)
    depth = f"{page.least:,} to {page.most:,}" if page.least != page.most else f"{page.most:,}"
    parts = [
        f"{name}: {counted_noun(page.queries, 'query', 'queries')} ({page.judged_queries:,} judged), "
        f"{counted_noun(page.rows, 'row')}, {depth} per query",
        f"{counted_noun(page.matched, 'judged document')} returned",
    ]
    parts += [f"{page.files} files"] if page.files > 1 else []
    return _read(parts, page.format, page.layout, page.notes, page.bad)


def _read(parts: Sequence[str], format: str, layout: str, notes: Sequence[str], bad: int) -> str:
    """What was loaded, and in brackets how it was read."""
    left = [f"{counted_noun(bad, 'bad row')} left out"] if bad else []
    how = "; ".join(part for part in (format, layout, *notes) if part)
    return f"{'; '.join([*parts, *left])}{f' ({how})' if how else ''}"


def _by_rank(page: RunPage) -> str:
    """Shares of judged documents by rank, equal ones together."""
    shares = [_share(judged, of) for judged, of in page.judged_by_rank if of]
    spans: list[tuple[int, int, str]] = []
    for at, share in enumerate(shares, 1):
        if spans and spans[-1][2] == share:
            spans[-1] = (spans[-1][0], at, share)
        else:
            spans.append((at, at, share))
    told = [f"{first if first == last else f'{first} to {last}'}: {share}" for first, last, share in spans]
    return f"share of judged documents by rank: {', '.join(told)}"


def _share(judged: int, of: int) -> str:
    return f"{100 * judged / of:.0f} %" if of else "-"


def _run_table(report: CheckReport) -> list[str]:
    header, rows = _run_rows(report)
    return [f"{'':12}{line}" for line in columns(header, rows, [False, *[True] * (len(header) - 1)])]


def _run_rows(report: CheckReport) -> tuple[list[str], list[list[str]]]:
    depth = max((len(run.judged_by_rank) for run in report.runs), default=0)
    ranks = [at for at in (1, 2, 3, 5, 10, 20, 50, 100) if at <= depth]
    header = ["run", "queries", "rows", report.measure, "counted", *(f"judged at {at}" for at in ranks)]
    rows = [
        [
            shown_id(run.run, 32),
            f"{run.queries:,}",
            f"{run.rows:,}",
            decimals(run.value),
            f"{run.counted:,}",
            *(_share(*run.judged_by_rank[at - 1]) if at <= len(run.judged_by_rank) else "-" for at in ranks),
        ]
        for run in report.runs
    ]
    return header, rows


def grouped(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of one kind together, in the order of the first of each kind."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        # Every unreadable input is a thing of its own.
        key = finding.code if finding.code != "bad_rows" else f"bad_rows {finding.sentence}"
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _finding(number: int, group: Sequence[Finding], several: bool) -> list[str]:
    first = group[0]
    head = f"{number:>2}  {first.code}"
    lines = [f"{pad(head, WIDTH - 24)}{pad(moves(first), 24, right=True)}".rstrip()]
    who = f"{shown_id(first.subject)}: " if first.subject is not None and several else ""
    lines += _wrapped(f"{who}{first.sentence}.", 4)
    lines += _examples(first.examples, first.sentence)
    lines += _wrapped(f"effect: {effect_text(first.effect)}", 4)
    for other in group[1 : ALSO + 1]:
        lines += _wrapped(f"{shown_id(other.subject or 'judgments')}: {other.sentence}; {effect_text(other.effect)}", 4)
    if len(group) > ALSO + 1:
        lines += _wrapped(f"and in {counted_noun(len(group) - ALSO - 1, 'more run')}", 4)
    lines += _wrapped(f"settle: {first.option}", 4)
    return lines


def moves(finding: Finding) -> str:
    """How much a finding matters, in two words: `stops scoring`, `up to 0.0213`, `cannot be told`, `no effect`."""
    if finding.weight == "refused":
        return "stops scoring"
    largest = finding.effect.largest
    if largest is None:
        return "cannot be told"
    if finding.effect.makes_a_score:
        return f"makes it {largest:.4f}"
    if largest == 0:
        return "no effect"
    return f"moves it by {largest:.4f}" if largest >= 0.00005 else "moves it by < 0.0001"


def effect_text(effect: Effect) -> str:
    """What a finding does to the value, in words."""
    if effect.unknown is not None:
        return f"cannot be told: {effect.unknown}"
    if effect.none is not None:
        return f"none: {effect.none}"
    others = ", ".join(f"{decimals(one.value)} {_under(one.setting)}" for one in effect.alternatives)
    if effect.base is None:
        return others
    if all(one.value == effect.base for one in effect.alternatives):
        settings = ", ".join(_under(one.setting) for one in effect.alternatives).replace(", under", ",")
        return f"none here: {decimals(effect.base)} {settings} as well"
    return f"{decimals(effect.base)} as it stands, {others}"


def _under(setting: str) -> str:
    """A setting as it follows a value: `under ties=worst`, `without them`."""
    return f"under {setting}" if "=" in setting else setting


def _examples(examples: Sequence[Example], sentence: str) -> list[str]:
    if any(example.line is not None for example in examples):
        lines = [line for example in examples[:LINES] for line in _wrapped(_place(example, sentence), 6)]
        return [
            *lines,
            *([f"      and {len(examples) - LINES} more in --format json"] if len(examples) > LINES else []),
        ]
    if not examples:
        return []
    return _wrapped(f"such as {'; '.join(_place(example, sentence) for example in examples)}", 4)


def _place(example: Example, sentence: str = "") -> str:
    """One example in words; the file is left out where the sentence names it."""
    if example.where is None:
        text = " ".join(shown_id(one) for one in (example.query, example.document) if one is not None)
        return f"{text} ({example.what})" if text and example.what else text or example.what
    parts = [] if example.where in sentence else [example.where]
    parts += [f"line {example.line}"] if example.line else []
    for word, one in (("query", example.query), ("document", example.document)):
        parts += [f"{word} {shown_id(one)}"] if one is not None else []
    return ": ".join(part for part in (", ".join(parts), example.what) if part)


def _wrapped(text: str, indent: int) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2 if indent else 0),
        break_on_hyphens=False,
        break_long_words=False,
    )


def check_markdown(report: CheckReport) -> str:
    """The whole page as Markdown, without a final line end."""
    lines = [f"**{escaped(headline(report))}**", "", f"- {escaped(_judgments(report))}"]
    lines += [f"- {escaped(_run(run))}" for run in report.runs]
    if report.merge is not None and report.declared_merge is None:
        lines.append(f"- {escaped(UNDECLARED)}")
    if any(run.judged_by_rank for run in report.runs):
        header, rows = _run_rows(report)
        lines += ["", *markdown_table(header, [list(map(escaped, row)) for row in rows], range(1, len(header)))]
    if report.findings:
        rows = []
        for group in grouped(report.findings):
            for finding in group:
                who = f"{finding.subject}: " if finding.subject is not None and len(report.runs) > 1 else ""
                shown = "; ".join(map(_place, finding.examples[:LINES]))
                text = f"{who}{finding.sentence}.{f' Such as {shown}.' if shown else ''}"
                rows.append(
                    [
                        f"`{finding.code}`",
                        moves(finding),
                        *(escaped(part) for part in (text, effect_text(finding.effect), finding.option)),
                    ]
                )
        header = ["finding", "matters", "what", "effect", "settle"]
        lines += ["", *markdown_table(header, [[_one_line(cell) for cell in row] for row in rows], ())]
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def kinds_text(kinds: Sequence[Kind]) -> str:
    """Every kind of finding with its explanation and what settles it, for the terminal."""
    size = max(width(kind.code) for kind in kinds)
    lines = []
    for kind in kinds:
        lines.append(f"{pad(kind.code, size)}  {kind.weight}")
        lines += _wrapped(kind.explanation, 2)
        lines += _wrapped(f"settle: {kind.option}", 2)
    return "\n".join(lines)
