"""The result of scoring: per-query rows as columns, summaries, and what was declared. Frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from .aggregate import STATUSES, Aggregate, Summary, summarise
from .errors import UsageError
from .kernel.batch import Bools, Floats

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .measures.measure import Measure

REASONS = {
    "empty": "no judged document has a positive gain",
    "missing": "the run returned no document",
    "unjudged": "the query has no judgments",
    "failed": "the search failed",
}
"""Why a query has no counted value, by status."""


class QueryRow(NamedTuple):
    """One query under one run and one measure.

    `value` is None unless the query was scored or the declared policy gives it a value. `dcg` and `ideal_dcg` are the
    ingredients, None where there are none. `judged` and `relevant` count judged documents and those with a positive
    gain, `returned` the rows of the run. `judged_at_k` is the share of judged documents in the first
    min(k, returned) ranks, None where nothing was returned. `tied_at_cutoff` is the size of the tied group that the
    cutoff cuts, 0 if it cuts none.
    """

    run: str
    measure: str
    query: str
    value: float | None
    status: str
    dcg: float | None
    ideal_dcg: float | None
    judged: int
    relevant: int
    returned: int
    judged_at_k: float | None
    tied_at_cutoff: int


@dataclass(frozen=True, slots=True, eq=False)
class QueryTable:
    """Per-query rows of one run and one measure, as columns of equal length.

    `queries` are ids; the first `judged_queries` of them have judgments. `status` indexes STATUSES. `value` is
    meaningful where `counted`; `dcg` and `ideal` where `computed`. `ranks` is min(k, returned) and `judged_ranks` the
    judged documents in them. `aggregate` says how values become one.
    """

    queries: Sequence[str]
    judged_queries: int
    status: np.ndarray[Any, np.dtype[np.int8]]
    counted: Bools
    value: Floats
    dcg: Floats | None
    ideal: Floats | None
    judged: np.ndarray[Any, np.dtype[np.int32]]
    relevant: np.ndarray[Any, np.dtype[np.int32]]
    returned: np.ndarray[Any, np.dtype[np.int32]]
    ranks: np.ndarray[Any, np.dtype[np.int32]]
    judged_ranks: np.ndarray[Any, np.dtype[np.int32]]
    tied: np.ndarray[Any, np.dtype[np.int32]]
    without_gain: Bools
    aggregate: Aggregate = "mean"

    def __len__(self) -> int:
        return len(self.queries)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same of the same queries in the same order, to the last bit."""
        if not isinstance(other, QueryTable):
            return NotImplemented
        if list(self.queries) != list(other.queries) or self.judged_queries != other.judged_queries:
            return False
        if self.aggregate != other.aggregate:
            return False
        return all(
            (mine is None and theirs is None)
            or (mine is not None and theirs is not None and np.array_equal(mine, theirs))
            for mine, theirs in zip(self._meant(), other._meant(), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def computed(self) -> Bools:
        """The rows whose `dcg` means something."""
        there: Bools = (self.status != STATUSES.index("unjudged")) & (self.status != STATUSES.index("failed"))
        return there

    @property
    def with_ideal(self) -> Bools:
        """The rows whose `ideal` means something: all queries with judgments."""
        return np.arange(len(self.queries)) < self.judged_queries

    def _meant(self) -> list[np.ndarray[Any, Any] | None]:
        """The columns, with 0 wherever a column means nothing."""
        return [
            self.status,
            self.counted,
            np.where(self.counted, self.value, 0.0),
            None if self.dcg is None else np.where(self.computed, self.dcg, 0.0),
            None if self.ideal is None else np.where(self.with_ideal, self.ideal, 0.0),
            self.judged,
            self.relevant,
            self.returned,
            self.ranks,
            self.judged_ranks,
            self.tied,
            self.without_gain,
        ]

    def row(self, at: int, run: str, measure: str) -> QueryRow:
        """One row as an object."""
        status = STATUSES[int(self.status[at])]
        computed = status not in ("unjudged", "failed")
        ranks = int(self.ranks[at])
        return QueryRow(
            run=run,
            measure=measure,
            query=self.queries[at],
            value=float(self.value[at]) if self.counted[at] else None,
            status=status,
            dcg=float(self.dcg[at]) if self.dcg is not None and computed else None,
            ideal_dcg=float(self.ideal[at]) if self.ideal is not None and at < self.judged_queries else None,
            judged=int(self.judged[at]),
            relevant=int(self.relevant[at]),
            returned=int(self.returned[at]),
            judged_at_k=int(self.judged_ranks[at]) / ranks if ranks and status != "unjudged" else None,
            tied_at_cutoff=int(self.tied[at]),
        )


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
    gain that are not in the scored ranks, highest grade first.
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
    missed: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict, repr=False, compare=False)

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
            yield rows.queries[at], status, REASONS.get(status, "the measure has no value for it")

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

    `measures` are the measures as values (empty in a result loaded from a file of another version that they are not
    known to). `version` is the package that scored.
    """

    entries: tuple[Entry, ...]
    inputs: tuple[Input, ...]
    version: str
    pool_version: str | None = None
    warnings: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
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

    def _single(self) -> Entry:
        if len(self.entries) != 1:
            named = ", ".join(f"{entry.run} {entry.measure}" for entry in self.entries[:6])
            raise UsageError(
                f"this result holds {len(self.entries)} values ({named}), not one",
                code="several_values",
                hint="iterate over result.entries, or pick one with result.entry(run=..., measure=...)",
            )
        return self.entries[0]

    def entry(self, run: str | None = None, measure: object = None) -> Entry:
        """The entry of a run and a measure; either may be left out where there is only one."""
        found = [
            entry
            for entry in self.entries
            if (run is None or entry.run == run) and (measure is None or entry.measure == str(measure))
        ]
        if len(found) != 1:
            raise UsageError(
                f"{len(found)} entries match run={run!r}, measure={str(measure)!r}",
                code="no_such_entry",
                hint=f"there are {', '.join(f'{entry.run} {entry.measure}' for entry in self.entries[:6])}",
            )
        return found[0]

    @property
    def per_query(self) -> PerQuery:
        """One row per run, measure and query, status included."""
        return PerQuery(self.entries)

    @property
    def summary(self) -> Summary:
        """The summary, where there is exactly one run and one measure."""
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

    def to_pandas(self) -> pandas.DataFrame:
        """The per-query rows as a pandas DataFrame."""
        from .frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> polars.DataFrame:
        """The per-query rows as a polars DataFrame."""
        from .frames import to_polars

        return to_polars(self)

    def to_arrow(self) -> pyarrow.Table:
        """The per-query rows as an Arrow table."""
        from .frames import to_arrow

        return to_arrow(self)
