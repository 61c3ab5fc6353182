"""What a report says of a result, before anybody lays it out. Frozen, plain data, no text layout.

Every renderer (terminal, notebook, Markdown) reads this and nothing else, so that none of them can leave out what
another one tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..aggregate import STATUSES
from ..counted import among_ranks
from ..errors import clip
from ..results import NO_JUDGMENT, REASONS
from .slices import (
    SliceTable,
    ends,
    gap_sentences,
    interval_sentences,
    slice_tables,
    traffic_sentences,
    weighted_sentences,
)
from .words import counted_noun, differences, main_line, nearest_sentences, treatment

if TYPE_CHECKING:
    from ..aggregate import Denominators
    from ..results import Entry, Result

SHOWN = 10
"""How many ids of a kind are named; the rest are counted."""

MISSED = 4
"""How many missed documents of a query are named."""

LISTED = ("empty", "missing", "failed", "unjudged")


class Score(NamedTuple):
    """One cell of the report: a run under a measure, and the counts beside its value."""

    run: str
    measure: str
    k: int | None
    value: float | None
    aggregate: str
    weighted_value: float | None
    counted: int
    zeros: int
    judged_at_k: float | None
    returned: int
    tied: int
    order_moves: int | None
    ties: str
    duplicates: int
    negatives: int
    own: int
    disagreements: int
    interval: tuple[float | None, float | None] | None = None
    effective: float | None = None

    @property
    def tied_order(self) -> str:
        """The queries in which the order of equal scores can move the value, for a table; a dash if not known."""
        return "-" if self.order_moves is None else f"{self.order_moves:,}"


class Declared(NamedTuple):
    """What a group of measures was computed under: the main conventions, and what differs from the defaults."""

    measures: tuple[str, ...]
    main: str
    differing: tuple[str, ...]


class Counts(NamedTuple):
    """The denominators of the entries that share them, and how each status was treated."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    judged: int
    counted: int
    scored: int
    empty: int
    missing: int
    unjudged: int
    failed: int
    treated: Mapping[str, str]


class Group(NamedTuple):
    """Queries of one status: the first ids, how many more, how they were treated and why."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    status: str
    treated: str
    reason: str
    queries: tuple[str, ...]
    more: int


class Warned(NamedTuple):
    """A sentence that is true of some runs and measures, and must be read beside their values."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    sentence: str


class Worst(NamedTuple):
    """One of the lowest queries with the judged documents that it missed: (document, grade), highest grade first."""

    query: str
    value: float
    status: str
    missed: tuple[tuple[str, float], ...]
    more: int


class WorstOf(NamedTuple):
    """The worst queries of one run under one measure."""

    run: str
    measure: str
    queries: tuple[Worst, ...]


class ReadAs(NamedTuple):
    """How one input was read."""

    role: str
    name: str
    how: str
    notes: tuple[str, ...]


class Report(NamedTuple):
    """Everything that a report of a result tells."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    scores: tuple[Score, ...]
    declared: tuple[Declared, ...]
    counts: tuple[Counts, ...]
    groups: tuple[Group, ...]
    data: tuple[Warned, ...]
    warnings: tuple[Warned, ...]
    worst: tuple[WorstOf, ...]
    inputs: tuple[ReadAs, ...]
    nearest: tuple[str, ...]
    pool_version: str | None
    version: str
    intervals: tuple[Warned, ...] = ()
    weighted: tuple[Warned, ...] = ()
    traffic: tuple[Warned, ...] = ()
    slices: tuple[SliceTable, ...] = ()
    gaps: tuple[Warned, ...] = ()


def report_of(result: Result) -> Report:
    """The report of a result."""
    entries = result.totals
    return Report(
        runs=tuple(dict.fromkeys(entry.run for entry in entries)),
        measures=tuple(dict.fromkeys(entry.measure for entry in entries)),
        scores=tuple(_score(entry) for entry in entries),
        declared=_declared(entries),
        counts=_counts(entries),
        groups=_groups(entries),
        data=_data(entries),
        warnings=_warnings(result),
        worst=tuple(_worst(entry) for entry in entries if entry.missed),
        inputs=tuple(
            ReadAs(read.role, read.name, f"{read.format}, {read.layout}" if read.layout else read.format, read.notes)
            for read in result.inputs
        ),
        nearest=nearest_sentences([entry.measure for entry in entries]),
        pool_version=result.pool_version,
        version=result.version,
        intervals=_told(interval_sentences(entries)),
        weighted=_told(weighted_sentences(entries)),
        traffic=_told(traffic_sentences(entries)),
        slices=slice_tables(result),
        gaps=tuple(Warned((run,), (measure,), sentence) for run, measure, sentence in gap_sentences(result)),
    )


def _told(said: Mapping[str, Sequence[Entry]]) -> tuple[Warned, ...]:
    return tuple(Warned(*_who(entries), sentence) for sentence, entries in said.items())


def cutoff_of(entry: Entry) -> int | None:
    """The cutoff that an entry declares."""
    k = entry.declaration.get("k")
    return k if isinstance(k, int) else None


def _score(entry: Entry) -> Score:
    summary, counters = entry.summary, entry.counters
    return Score(
        run=entry.run,
        measure=entry.measure,
        k=cutoff_of(entry),
        value=summary.value,
        aggregate=entry.rows.aggregate,
        weighted_value=entry.weighted_value,
        counted=summary.queries.counted,
        zeros=summary.zeros,
        judged_at_k=summary.judged_at_k,
        returned=summary.returned,
        tied=summary.tied,
        order_moves=summary.order_moves,
        ties=str(entry.declaration.get("ties")),
        duplicates=counters.duplicates,
        negatives=counters.negatives,
        own=counters.own,
        disagreements=counters.disagreements,
        interval=None if entry.interval is None else ends(entry.interval),
        effective=entry.effective,
    )


def whose(report: Report, runs: Sequence[str], measures: Sequence[str]) -> str:
    """Which runs and measures something is said of; empty if of all of them."""
    parts = []
    if len(runs) < len(report.runs):
        parts.append(", ".join(clip(run, 32) for run in runs))
    if len(measures) < len(report.measures):
        parts.append(", ".join(measures))
    return " ".join(parts)


def _declared(entries: Sequence[Entry]) -> tuple[Declared, ...]:
    """Measures that were computed under the same conventions stand together."""
    groups: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for entry in entries:
        key = main_line(entry.declaration), tuple(differences(entry.declaration))
        groups.setdefault(key, {})[entry.measure] = None
    return tuple(Declared(tuple(measures), *key) for key, measures in groups.items())


def _counts(entries: Sequence[Entry]) -> tuple[Counts, ...]:
    """Equal denominators are told once."""
    groups: dict[tuple[Denominators, tuple[tuple[str, str], ...]], list[Entry]] = {}
    for entry in entries:
        treated = tuple((status, treatment(entry.declaration, status)) for status in LISTED)
        groups.setdefault((entry.summary.queries, treated), []).append(entry)
    return tuple(
        Counts(
            *_who(members),
            judged=queries.judged,
            counted=queries.counted,
            scored=queries.scored,
            empty=queries.empty,
            missing=queries.missing,
            unjudged=queries.unjudged,
            failed=queries.failed,
            treated=dict(treated),
        )
        for (queries, treated), members in groups.items()
    )


def _who(entries: Sequence[Entry]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (
        tuple(dict.fromkeys(entry.run for entry in entries)),
        tuple(dict.fromkeys(entry.measure for entry in entries)),
    )


def _groups(entries: Sequence[Entry]) -> tuple[Group, ...]:
    """Queries without a value of their own, by status; entries that agree are told once.

    Of the empty ones those that nobody judged stand apart.
    """
    found: dict[tuple[str, str, tuple[str, ...], str], list[Entry]] = {}
    for entry in entries:
        table = entry.rows
        for status in LISTED:
            places = np.flatnonzero(table.status == STATUSES.index(status)).tolist()
            nobody = [at for at in places if status == "empty" and not table.judged[at]]
            others = [at for at in places if status != "empty" or table.judged[at]]
            for some, reason in ((others, REASONS[status]), (nobody, NO_JUDGMENT)):
                if some:
                    ids = tuple(table.queries[at] for at in some)
                    found.setdefault((status, treatment(entry.declaration, status), ids, reason), []).append(entry)
        places = np.flatnonzero(table.without_gain & table.counted).tolist()
        if places:
            ids = tuple(table.queries[at] for at in places)
            key = "without gain", "count 0", ids, "the chosen ideal pool has no gain"
            found.setdefault(key, []).append(entry)
    order = {status: at for at, status in enumerate(LISTED)}
    return tuple(
        Group(
            *_who(members),
            status,
            treated,
            reason,
            ids[:SHOWN],
            max(0, len(ids) - SHOWN),
        )
        for (status, treated, ids, reason), members in sorted(
            found.items(), key=lambda item: order.get(item[0][0], len(order))
        )
    )


def _fate(entry: Entry) -> str:
    """What became of repeated documents."""
    stay = entry.declaration.get("duplicates") in ("count", "merged", "joined")
    return f"counted again (duplicates={entry.declaration['duplicates']!r})" if stay else "dropped"


def _own(count: int) -> str:
    """How many queries return themselves."""
    return counted_noun(count, "query with a document of its own id", "queries with a document of their own id")


def _data(entries: Sequence[Entry]) -> tuple[Warned, ...]:
    """Repeats, own ids and contradicting ranks in the ranks that were looked at, and negative grades, if any."""
    said: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        counters, here = entry.counters, among_ranks(cutoff_of(entry))
        found = [
            sentence
            for count, sentence in (
                (counters.duplicates, f"{counted_noun(counters.duplicates, 'repeated document')} {_fate(entry)}{here}"),
                (counters.negatives, f"{counted_noun(counters.negatives, 'negative grade')} in the judgments"),
                (
                    counters.own,
                    f"{_own(counters.own)}{here}",
                ),
                (
                    counters.disagreements,
                    f"{counted_noun(counters.disagreements, 'neighbour')}{here} whose rank column contradicts the "
                    "scores (scores decide)",
                ),
            )
            if count
        ]
        if found:
            said.setdefault((entry.run, "; ".join(found)), []).append(entry)
    return tuple(Warned(*_who(members), text) for (_, text), members in said.items())


def _warnings(result: Result) -> tuple[Warned, ...]:
    """Warnings of the call, then those of entries; the same sentence is told once."""
    everyone = _who(result.totals)
    found = [Warned(*everyone, warning) for warning in dict.fromkeys(result.warnings)]
    said: dict[str, list[Entry]] = {}
    for entry in result.totals:
        for warning in entry.warnings:
            said.setdefault(warning, []).append(entry)
    return (*found, *(Warned(*_who(members), warning) for warning, members in said.items()))


def _worst(entry: Entry) -> WorstOf:
    rows = entry.worst(len(entry.missed))
    return WorstOf(
        entry.run,
        entry.measure,
        tuple(
            Worst(
                row.query,
                row.value or 0.0,
                row.status,
                tuple(entry.missed.get(row.query, ())[:MISSED]),
                max(0, len(entry.missed.get(row.query, ())) - MISSED),
            )
            for row in rows
        ),
    )
