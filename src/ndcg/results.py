"""The result of scoring: per-query rows as columns, summaries, and what was declared. Frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from .aggregate import STATUSES, Summary, summarise
from .counted import counted_noun
from .errors import UsageError
from .query_table import QueryRow as QueryRow
from .query_table import QueryTable as QueryTable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .gaps import Gap
    from .measures.measure import Measure
    from .plots.results import ResultPlots
    from .slices import Slice
    from .weights import Traffic

REASONS = {
    "empty": "no judged document has a positive gain",
    "missing": "the run returned no document",
    "unjudged": "the query has no judgments",
    "failed": "the search failed",
}
"""Why a query has no counted value, by status."""

NO_JUDGMENT = "the judgments name it and judge none of its documents"
"""Why an empty query is empty where nobody judged anything."""


class Counters(NamedTuple):
    """What was met while the first k ranks were read, over all queries of a run.

    `duplicates` repeated documents dropped, `negatives` judged grades below 0, `own` queries that return a document
    with their own id, `disagreements` neighbours whose rank column contradicts their scores.
    """

    duplicates: int = 0
    negatives: int = 0
    own: int = 0
    disagreements: int = 0


NOTHING_MET = Counters()
"""No repeats, no negative grades, no own documents, no disagreements."""


@dataclass(frozen=True)
class Entry:
    """One run under one measure: its per-query rows, its summary and what it was computed under.

    `warnings` are sentences that every output shows. `missed` holds, for the worst queries, the judged documents with
    gain that are not in the scored ranks, highest grade first. `slice` names the slice that the entry is the aggregate
    of, such as `language=de`, None for the total; `part` says more of it. `interval` is that of `value`,
    `weighted_interval` that of `weighted_value`, as plain data. `traffic` and `effective` (Kish's effective number of
    queries) are there where weights were given.
    """

    run: str
    measure: str
    declaration: Mapping[str, object]
    rows: QueryTable = field(repr=False)
    counters: Counters = NOTHING_MET
    warnings: tuple[str, ...] = ()
    interval: Mapping[str, object] | None = None
    slice: str | None = None
    weighted_value: float | None = None
    weighted_interval: Mapping[str, object] | None = None
    part: Slice | None = None
    traffic: Traffic | None = None
    effective: float | None = None
    missed: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        value = self.value
        told = "no value" if value is None else f"{value:.4f}"
        return f"<{named_entry(self)}: {told}, {self.summary.queries.counted} counted>"

    @cached_property
    def summary(self) -> Summary:
        """Mean and denominators."""
        return summarise(self.rows)

    @property
    def value(self) -> float | None:
        """The macro mean over counted queries; None where no query counts."""
        return self.summary.value

    def excluded(self) -> Iterator[tuple[str, str, str]]:
        """(query, status, reason) of each query without a counted value."""
        rows = self.rows
        for at in np.flatnonzero(~rows.counted).tolist():
            status = STATUSES[int(rows.status[at])]
            reason = REASONS.get(status, "the measure has no value for it")
            yield rows.queries[at], status, NO_JUDGMENT if status == "empty" and not rows.judged[at] else reason

    def worst(self, count: int) -> list[QueryRow]:
        """The counted queries with the lowest values, lowest first; equal values in the order of the judgments."""
        rows = self.rows
        counted = np.flatnonzero(rows.counted)
        order = counted[np.argsort(rows.value[counted], kind="stable")]
        return [rows.row(int(at), self.run, self.measure) for at in order[:count]]


class PerQuery(Sequence[QueryRow]):
    """One row per run, measure and query. Rows are columns underneath; objects are made while iterating."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    def __len__(self) -> int:
        return sum(len(entry.rows) for entry in self._entries)

    @overload
    def __getitem__(self, at: int) -> QueryRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[QueryRow]: ...
    def __getitem__(self, at: int | slice) -> QueryRow | list[QueryRow]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if place < 0:
            raise IndexError(at)
        for entry in self._entries:
            if place < len(entry.rows):
                return entry.rows.row(place, entry.run, entry.measure)
            place -= len(entry.rows)
        raise IndexError(at)

    def __iter__(self) -> Iterator[QueryRow]:
        for entry in self._entries:
            for at in range(len(entry.rows)):
                yield entry.rows.row(at, entry.run, entry.measure)

    def __repr__(self) -> str:
        return f"<{len(self)} per-query rows>"


class Input(NamedTuple):
    """How one input was read, for people."""

    role: str
    name: str
    format: str
    layout: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """What `evaluate` and `evaluate_lists` return: one entry per run and measure, and where it came from.

    With slices there is an entry for each of them as well: `entries` holds those of all queries first, then those of
    the slices by run, measure, attribute and impact. `gaps` says for each attribute which slice is worst, and how far
    below the total and the best slice. `measures` are the measures as values (empty in a result loaded from a file of
    another version that they are not known to). `version` is the package that scored.
    """

    entries: tuple[Entry, ...]
    inputs: tuple[Input, ...]
    version: str
    pool_version: str | None = None
    warnings: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    gaps: tuple[Gap, ...] = ()
    _fingerprints: Callable[[], Mapping[str, object]] = field(default=dict, repr=False, compare=False)
    _run_fingerprint: Callable[[str], str] | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> float | None:
        """The macro mean, where there is exactly one run, one measure and no slice; otherwise UsageError."""
        return self._single().value

    @property
    def weighted_value(self) -> float | None:
        """The weighted mean beside it, where weights were given."""
        return self._single().weighted_value

    @property
    def totals(self) -> tuple[Entry, ...]:
        """The entries of all queries, one per run and measure."""
        return tuple(entry for entry in self.entries if entry.slice is None)

    @property
    def slices(self) -> tuple[Entry, ...]:
        """The entries of slices; within run, measure and attribute those with the largest impact first."""
        return tuple(entry for entry in self.entries if entry.slice is not None)

    def _single(self) -> Entry:
        if len(self.entries) != 1:
            named = ", ".join(map(named_entry, self.entries[:6]))
            raise UsageError(
                f"this result holds {len(self.entries)} values ({named}), not one",
                code="several_values",
                hint="iterate over result.entries, or pick one with result.entry(run=..., measure=..., slice=...)"
                if self.slices
                else "iterate over result.entries, or pick one with result.entry(run=..., measure=...)",
            )
        return self.entries[0]

    def entry(self, run: str | None = None, measure: object = None, slice: str | None = None) -> Entry:
        """The entry of a run and a measure; either may be left out where there is only one.

        The measure is one as a value or any text that names it, as in `evaluate`. `slice` names one of its slices
        (`language=de`); without it the entry is that of all queries.
        """
        named = None if measure is None else _canonical(str(measure))
        found = [
            entry
            for entry in self.entries
            if (run is None or entry.run == run)
            and (named is None or entry.measure in (named, str(measure)))
            and entry.slice == slice
        ]
        if len(found) != 1:
            given = {"run": run, "measure": named and str(measure), "slice": slice}
            asked = ", ".join(f"{word}={value!r}" for word, value in given.items() if value is not None)
            there = self.entries if slice is None else self.slices
            raise UsageError(
                f"{counted_noun(len(found), 'entry matches', 'entries match')} {asked or 'what was asked for'}",
                code="no_such_entry",
                hint=f"there are {', '.join(map(named_entry, there[:6]))}" if there else "there are no slices",
            )
        return found[0]

    @property
    def per_query(self) -> PerQuery:
        """One row per run, measure and query, status included."""
        return PerQuery(self.totals)

    @property
    def summary(self) -> Summary:
        """The summary, where there is exactly one run, one measure and no slice."""
        return self._single().summary

    @cached_property
    def fingerprints(self) -> Mapping[str, object]:
        """SHA-256 of judgments, candidate pool and declaration, computed on first access.

        Raises InputError if a file has changed since it was scored.
        """
        return self._fingerprints()

    def run_fingerprint(self, run: str | None = None) -> str:
        """SHA-256 of a run's rows; raises InputError if a file has changed since it was scored."""
        name = run if run is not None else self._single().run
        if self._run_fingerprint is None:
            raise UsageError("a loaded result has no rankings to fingerprint", code="no_rankings")
        return self._run_fingerprint(name)

    @property
    def plot(self) -> ResultPlots:
        """Charts: `.slices()`, `.distribution()`, `.over_k()`."""
        from .plots.results import ResultPlots

        return ResultPlots(self)

    def __repr__(self) -> str:
        told = "; ".join(map(repr, self.totals[:3]))
        more = f"; and {len(self.totals) - 3} more" if len(self.totals) > 3 else ""
        slices = f"; {counted_noun(len(self.slices), 'slice')}" if self.slices else ""
        return f"<Result {told or 'without entries'}{more}{slices}>"

    def __str__(self) -> str:
        from .reports.terminal import result_text

        return result_text(self)

    def _repr_html_(self) -> str:
        from .reports.notebook import result_html

        return result_html(self)

    def to_json(self, *, per_query: bool = True) -> str:
        """One JSON document with full precision; `ndcg.load` reads it again."""
        from .saved import to_json

        return to_json(self, per_query=per_query)

    def save(self, path: object) -> None:
        """Write the result, per-query rows included, to a file that `ndcg.load` reads again, unchanged."""
        from .saved import save

        save(self, path)

    def columns(self) -> dict[str, list[object]]:
        """The per-query rows as columns of plain values, None where there is no value."""
        names = list(QueryRow._fields)
        rows = list(self.per_query)
        return {name: [getattr(row, name) for row in rows] for name in names}

    def to_pandas(self, table: str = "per_query") -> pandas.DataFrame:
        """The per-query rows as a pandas DataFrame, or with `table="summary"` one row per value, slices included.

        Per-query rows also have the query's weight and its value of each attribute, where these were given.
        """
        from .frames import to_pandas

        return to_pandas(self, table)

    def to_polars(self, table: str = "per_query") -> polars.DataFrame:
        """The same as a polars DataFrame."""
        from .frames import to_polars

        return to_polars(self, table)

    def to_arrow(self, table: str = "per_query") -> pyarrow.Table:
        """The same as an Arrow table."""
        from .frames import to_arrow

        return to_arrow(self, table)


def _canonical(text: str) -> str:
    """A measure as entries name it, whatever way it was written; text that names none stays as it is."""
    from .measures.registry import parse

    try:
        return str(parse(text))
    except UsageError:
        return text


def named_entry(entry: Entry) -> str:
    """An entry in a message: run, measure and slice."""
    return f"{entry.run} {entry.measure}" + ("" if entry.slice is None else f" {entry.slice}")
