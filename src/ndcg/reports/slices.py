"""What a report says of slices, weights and intervals, before anybody lays it out. Frozen, plain data."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..errors import clip
from .layout import shown_id
from .words import counted_noun, decimals, signed

if TYPE_CHECKING:
    from ..gaps import Gap
    from ..results import Entry, Result
    from ..weights import Traffic
    from .model import Score

FEW, AGAINST = "*", "!"
"""Marks beside the name of a slice: few counted queries, and moving against the total."""


class SliceLine(NamedTuple):
    """One slice: its aggregate with the denominators of every aggregate, and what it does to the total."""

    value_of: str
    marks: str
    value: float | None
    weighted_value: float | None
    low: float | None
    high: float | None
    reason: str | None
    counted: int
    scored: int
    empty: int
    missing: int
    judged_at_k: float | None
    share: float | None
    difference: float | None
    impact: float | None


class SliceTable(NamedTuple):
    """The slices of one run, measure and attribute, the largest impact first."""

    run: str
    measure: str
    attribute: str
    title: str
    weighted: bool
    interval: bool
    of_documents: bool
    lines: tuple[SliceLine, ...]


def slice_tables(result: Result) -> tuple[SliceTable, ...]:
    """The tables of all slices, in the order of the result."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in result.slices:
        if entry.part is not None:
            groups.setdefault((entry.run, entry.measure, entry.part.attribute), []).append(entry)
    several = len(result.totals) > 1
    return tuple(
        SliceTable(
            run,
            measure,
            attribute,
            _title(entries[0], several),
            any(entry.rows.weight is not None for entry in entries),
            any(entry.interval is not None for entry in entries),
            any(entry.part is not None and entry.part.kind == "doc" for entry in entries),
            tuple(_line(entry) for entry in entries),
        )
        for (run, measure, attribute), entries in groups.items()
    )


def _title(entry: Entry, several: bool) -> str:
    part = entry.part
    assert part is not None
    what = "queries"
    if part.kind == "doc":
        what = {
            "keep": "documents, scored again at their true ranks, gain from the slice only",
            "restrict": "documents, scored again on lists restricted to the slice",
        }.get(str(part.mode), "documents")
    against = "the total" if part.against == "total" else shown_id(part.against)
    whose = f"{entry.measure} of {shown_id(entry.run)} " if several else ""
    return f"{whose}by {clip(part.attribute, 40)} of {what}; difference and impact against {against}"


def _line(entry: Entry) -> SliceLine:
    part, summary = entry.part, entry.summary
    assert part is not None
    low, high = ends(entry.interval)
    return SliceLine(
        value_of="(no value)" if part.value is None else part.value,
        marks=(FEW if part.small else "") + (AGAINST if part.contradicts else ""),
        value=entry.value,
        weighted_value=entry.weighted_value,
        low=low,
        high=high,
        reason=None if entry.interval is None else str(entry.interval.get("reason") or "") or None,
        counted=summary.queries.counted,
        scored=summary.queries.scored,
        empty=summary.queries.empty,
        missing=summary.queries.missing,
        judged_at_k=summary.judged_at_k,
        share=part.share,
        difference=part.difference,
        impact=part.impact,
    )


def ends(interval: Mapping[str, object] | None) -> tuple[float | None, float | None]:
    """The ends of an interval, None where there is none."""
    found = [None if interval is None else interval.get(key) for key in ("low", "high")]
    low, high = (float(end) if isinstance(end, int | float) else None for end in found)
    return low, high


def interval_text(low: float | None, high: float | None) -> str:
    """An interval in brackets, `none` where there is none."""
    return "none" if low is None or high is None else f"[{decimals(low)}, {decimals(high)}]"


def value_header(scores: Sequence[Score]) -> list[str]:
    """The titles of the values in a table of scores: intervals and weighted means where some score has one."""
    between = any(score.interval is not None for score in scores)
    weighted = any(score.weighted_value is not None for score in scores)
    return ["value", *(["interval"] if between else []), *(["weighted"] if weighted else [])]


def value_cells(score: Score, header: Sequence[str]) -> list[str]:
    """The cells of a score under `value_header`."""
    cells = {
        "value": decimals(score.value),
        "interval": interval_text(*(score.interval or (None, None))),
        "weighted": decimals(score.weighted_value),
    }
    return [cells[name] for name in header]


def percent(share: float | None, places: int = 1) -> str:
    """A share as people read it.

    >>> percent(0.25), percent(None)
    ('25.0 %', 'none')
    """
    return "none" if share is None else f"{100 * share:.{places}f} %"


METHODS = {"t": "t interval", "bca": "BCa bootstrap interval", "percentile": "percentile bootstrap interval"}


def how(interval: Mapping[str, object]) -> str:
    """How an interval was computed: level, method, resamples and seed."""
    level = interval["level"]
    assert isinstance(level, float)
    text = f"{100 * level:.4g} % {METHODS.get(str(interval['method']), interval['method'])}"
    resamples, seed = interval.get("resamples"), interval.get("seed")
    if isinstance(resamples, int):
        text += f", {resamples:,} resamples, seed {seed}"
    if interval.get("cluster") is not None:
        count = interval.get("clusters")
        clusters = counted_noun(count, "whole cluster") if isinstance(count, int) else "whole clusters"
        text += f", {clusters} of {clip(str(interval['cluster']), 32)} drawn"
    return text


def interval_sentences(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """How the intervals of the totals were computed, or why there are none; with the entries of each sentence."""
    said: dict[str, list[Entry]] = {}
    for entry in entries:
        interval = entry.interval
        if interval is None:
            continue
        n = interval.get("n")
        over = counted_noun(n, "counted query", "counted queries") if isinstance(n, int) else "counted queries"
        text = f"{how(interval)}, over {over}"
        if interval.get("low") is None:
            text = f"none over {over}: {interval.get('reason')}"
        said.setdefault(text, []).append(entry)
    return said


def weighted_sentences(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The weighted mean with its interval and the effective number of queries."""
    said: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.rows.weight is None:
            continue
        text = f"{decimals(entry.weighted_value)}"
        low, high = ends(entry.weighted_interval)
        if entry.weighted_interval is not None:
            text += f" {interval_text(low, high)}"
            reason = entry.weighted_interval.get("reason")
            text += f" ({reason if low is None else how(entry.weighted_interval)})"
        counted = entry.summary.queries.counted
        if entry.effective is not None:
            text += (
                f"; {counted_noun(counted, 'counted query tells', 'counted queries tell')} as much as "
                f"{entry.effective:,.1f} of equal weight"
            )
        said.setdefault(text, []).append(entry)
    return said


def traffic_sentences(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Where the traffic goes, by status."""
    said: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.traffic is not None:
            said.setdefault(traffic_text(entry.traffic), []).append(entry)
    return said


def traffic_text(traffic: Traffic) -> str:
    """The shares of the traffic by status."""
    parts = [f"{percent(getattr(traffic, status))} {status}" for status in ("scored", "empty", "missing")]
    parts += [f"{percent(getattr(traffic, status))} {status}" for status in ("unjudged", "failed")]
    text = f"{', '.join(parts)}, {percent(traffic.outside)} in neither judgments nor run"
    if traffic.unknown:
        text += f"; {counted_noun(traffic.unknown, 'unjudged query', 'unjudged queries')} of unknown traffic"
    return text


def gap_sentences(result: Result) -> tuple[tuple[str, str, str], ...]:
    """(run, measure, sentence) about the worst slice of each attribute."""
    small = {(gap.run, gap.measure, gap.attribute) for gap in result.gaps if gap.small}
    large = {(gap.run, gap.measure, gap.attribute) for gap in result.gaps if not gap.small}
    return tuple((gap.run, gap.measure, _gap(gap, small & large)) for gap in result.gaps)


def _gap(gap: Gap, both: Container[tuple[str, str, str]]) -> str:
    """`both` are the attributes of which a slice with few queries is lower than the worst of the others."""
    rank = "the worst slice is"
    if (gap.run, gap.measure, gap.attribute) in both:
        rank = "lower still, on few queries, is" if gap.small else "of the slices with enough queries the worst is"
    elif gap.small:
        rank = "the worst slice, on few queries, is"
    text = f"{clip(gap.attribute, 40)}: {rank} {clip(gap.worst, 48)} ({decimals(gap.worst_value)})"
    text += f", {_distance(gap.to_total, 'the total')}{_of(gap, gap.to_total_interval)}"
    if gap.worst_value == gap.best_value and gap.to_best == 0 and gap.best != gap.worst:
        return f"{clip(gap.attribute, 40)}: all slices have the same value, {decimals(gap.worst_value)}"
    if gap.best != gap.worst:
        text += f", {_distance(gap.to_best, f'the best, {clip(gap.best, 48)}')}{_of(gap, gap.to_best_interval)}"
    if gap.to_total_interval is not None:
        text += f"; levels adjusted for {counted_noun(gap.slices, 'slice')}"
    return text


def _distance(difference: float, what: str) -> str:
    return f"{decimals(abs(difference))} {'above' if difference > 0 else 'below'} {what}"


def _of(gap: Gap, interval: Mapping[str, object] | None) -> str:
    if interval is None:
        return ""
    low, high = ends(interval)
    n = interval.get("n")
    over = ""
    if gap.kind == "doc" and isinstance(n, int):
        over = f", over {counted_noun(n, 'query that counts', 'queries that count')} in both"
    if low is None:
        return f" (no interval{over}: {interval.get('reason')})"
    level = interval["level"]
    assert isinstance(level, float)
    return f" ({100 * level:.4g} %: {interval_text(low, high)}{over})"


LEGEND = (
    "largest impact first, impact being the slice's part of the difference: its share of the counted weight times its "
    "(weighted) difference; share: of the traffic; judged: mean judged@k."
)
MARKED = {FEW: "few counted queries", AGAINST: "moves against the total"}


def legend(tables: Sequence[SliceTable]) -> str:
    """What the columns and marks of the tables mean."""
    marks = {mark for table in tables for line in table.lines for mark in line.marks}
    documents = any(table.of_documents for table in tables)
    told = [f"{mark} {meaning}" for mark, meaning in MARKED.items() if mark in marks]
    reasons = dict.fromkeys(line.reason for table in tables for line in table.lines if line.low is None and line.reason)
    told += [f"interval none: {reason}" for reason in list(reasons)[:3]]
    shared = " Slices of documents share queries: their impacts do not add up." if documents else ""
    return LEGEND + (f" {'; '.join(told)}." if told else "") + shared


def cells(table: SliceTable, line: SliceLine) -> list[str]:
    """The numbers of a slice in the order of `header`."""
    return [
        decimals(line.value),
        *([decimals(line.weighted_value)] if table.weighted else []),
        *([interval_text(line.low, line.high)] if table.interval else []),
        f"{line.scored:,}",
        f"{line.empty:,}",
        f"{line.missing:,}",
        decimals(line.judged_at_k),
        percent(line.share),
        *([] if table.weighted else [signed(line.difference)]),
        signed(line.impact),
    ]


def header(table: SliceTable) -> list[str]:
    """The names of the columns of `cells`; the macro difference gives way to the weighted mean."""
    return [
        "value",
        *(["weighted"] if table.weighted else []),
        *(["interval"] if table.interval else []),
        "scored",
        "empty",
        "missing",
        "judged",
        "share",
        *([] if table.weighted else ["differs"]),
        "impact",
    ]
