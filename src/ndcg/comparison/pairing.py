"""Two systems on the same queries: which queries are compared, and what became of the others.

Two sets of queries are always looked at. The *common* queries are those that count for both systems and that both
answered. The *union* adds the queries that only one of them answered: where the other returned nothing it scores 0.
A query whose search failed counts in neither, unless the declared policy gives it a value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..aggregate import STATUSES
from ..kernel.batch import Bools, Floats, Ints

if TYPE_CHECKING:
    from ..results import QueryTable

ABSENT = "absent"
"""The status of a query that a system's result does not know at all."""

MISSING = STATUSES.index("missing")
_ABSENT = -1

NAMED = 10
"""How many ids of a kind are kept in an object for people; the rest are counted."""

WATCHED = ("empty", "missing", "unjudged", "failed")
"""The statuses whose share of the traffic is compared before any score."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Per-query values of a baseline and a new system, aligned by query id, one row per query with judgments.

    `base` and `new` are 0 where a system has no value. `common` and `union` mark the queries of each set. Statuses
    index STATUSES, -1 where a result does not know the query.
    """

    queries: tuple[str, ...]
    base: Floats
    new: Floats
    base_status: Ints
    new_status: Ints
    base_counted: Bools
    new_counted: Bools
    common: Bools
    union: Bools

    def differences(self, chosen: Bools) -> Floats:
        """New less baseline, for the chosen queries."""
        return np.asarray(self.new[chosen] - self.base[chosen])

    def ids(self, chosen: Bools) -> list[str]:
        """The ids of the chosen queries."""
        return [self.queries[at] for at in np.flatnonzero(chosen).tolist()]


def pair(base: QueryTable, new: QueryTable) -> Paired:
    """Two tables of per-query rows, aligned by query id whatever the order of their rows.

    >>> import ndcg
    >>> judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> result = ndcg.evaluate(judged, {"one": {"q1": {"a": 1}}, "two": {"q2": {"b": 1}, "q1": {"a": 1}}})
    >>> paired = pair(result.entry("one").rows, result.entry("two").rows)
    >>> paired.ids(paired.common), paired.ids(paired.union)
    (['q1'], ['q1', 'q2'])
    """
    ours = list(base.queries[: base.judged_queries])
    theirs = list(new.queries[: new.judged_queries])
    if ours == theirs:
        queries = ours
        places = np.arange(len(ours)), np.arange(len(ours))
    else:
        known = set(ours)
        queries = ours + [query for query in theirs if query not in known]
        places = _places(queries, ours), _places(queries, theirs)
    columns = [_columns(table, at) for table, at in zip((base, new), places, strict=True)]
    (base_value, base_status, base_counted), (new_value, new_status, new_counted) = columns
    both = base_counted & new_counted
    answered = ~_nothing(base_status) & ~_nothing(new_status)
    one = (base_counted & _nothing(new_status)) | (new_counted & _nothing(base_status))
    return Paired(
        queries=tuple(queries),
        base=base_value,
        new=new_value,
        base_status=base_status,
        new_status=new_status,
        base_counted=base_counted,
        new_counted=new_counted,
        common=both & answered,
        union=both | one,
    )


def _places(queries: Sequence[str], known: Sequence[str]) -> Ints:
    """Where each query stands in a table, -1 where it does not."""
    at = {query: place for place, query in enumerate(known)}
    return np.fromiter((at.get(query, -1) for query in queries), np.int64, len(queries))


def _columns(table: QueryTable, places: Ints) -> tuple[Floats, Ints, Bools]:
    """(value, status, counted) at the places; a query that is not there is neither counted nor known."""
    there = places >= 0
    safe = np.where(there, places, 0)
    if not len(table.queries):
        nothing = np.zeros(len(places))
        return nothing, np.full(len(places), _ABSENT), nothing.astype(np.bool_)
    counted = np.asarray(table.counted[safe] & there)
    value = np.where(counted, table.value[safe], 0.0)
    status = np.where(there, table.status[safe].astype(np.int64), _ABSENT)
    return value, status, counted


def _nothing(status: Ints) -> Bools:
    """Whether a system returned nothing for a query, or does not know it."""
    nothing: Bools = (status == MISSING) | (status == _ABSENT)
    return nothing


def status_word(status: int) -> str:
    """The word for a status."""
    return ABSENT if status == _ABSENT else STATUSES[status]


class Unmatched(NamedTuple):
    """Queries that are not among the common ones, by what became of them in each system.

    `queries` are the first ids, `total` is how many there are, `in_union` whether the union counts them.
    """

    base_status: str
    new_status: str
    total: int
    in_union: bool
    queries: tuple[str, ...]


def unmatched(paired: Paired) -> tuple[Unmatched, ...]:
    """The judged queries that are left out of the common ones although at least one system has a value there."""
    left = (paired.base_counted | paired.new_counted) & ~paired.common
    found: dict[tuple[int, int, bool], list[str]] = {}
    for at in np.flatnonzero(left).tolist():
        key = int(paired.base_status[at]), int(paired.new_status[at]), bool(paired.union[at])
        found.setdefault(key, []).append(paired.queries[at])
    return tuple(
        Unmatched(status_word(base), status_word(new), len(ids), inside, tuple(ids[:NAMED]))
        for (base, new, inside), ids in found.items()
    )


class ShareChange(NamedTuple):
    """The share of the traffic that has a status in each system, where the two differ.

    Shares are of all queries that a system's result knows, judged or not: of their number, or of their weight where
    weights were given. `entered` are the first queries that have the status in the new system only, `left` those that
    have it in the baseline only; `entering` and `leaving` count them.
    """

    status: str
    base: int
    new: int
    base_share: float
    new_share: float
    weighted: bool
    entering: int
    leaving: int
    entered: tuple[str, ...]
    left: tuple[str, ...]

    @property
    def change(self) -> float:
        """The new share less the baseline's."""
        return self.new_share - self.base_share

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return {**self._asdict(), "change": self.change}


def share_changes(
    base: QueryTable, new: QueryTable, weights: Mapping[str, float] | None = None
) -> tuple[ShareChange, ...]:
    """The statuses (empty, missing, unjudged, failed) that hold other queries or another share in the new system.

    Looked at before any score: a change of such a share moves the mean without any ranking having changed.
    """
    found = []
    for status in WATCHED:
        ours, theirs = _with_status(base, status), _with_status(new, status)
        base_share, new_share = _share(ours, base, weights), _share(theirs, new, weights)
        inside, before = set(theirs), set(ours)
        entered = [query for query in theirs if query not in before]
        left = [query for query in ours if query not in inside]
        if entered or left or base_share != new_share:
            found.append(
                ShareChange(
                    status=status,
                    base=len(ours),
                    new=len(theirs),
                    base_share=base_share,
                    new_share=new_share,
                    weighted=weights is not None,
                    entering=len(entered),
                    leaving=len(left),
                    entered=tuple(entered[:NAMED]),
                    left=tuple(left[:NAMED]),
                )
            )
    return tuple(found)


def _with_status(table: QueryTable, status: str) -> list[str]:
    places = np.flatnonzero(table.status == STATUSES.index(status)).tolist()
    return [table.queries[at] for at in places]


def _share(queries: Sequence[str], table: QueryTable, weights: Mapping[str, float] | None) -> float:
    if weights is None:
        return len(queries) / len(table.queries) if len(table.queries) else 0.0
    total = math.fsum(weights.get(query, 0.0) for query in table.queries)
    return math.fsum(weights.get(query, 0.0) for query in queries) / total if total else 0.0


class Outcome(NamedTuple):
    """Queries that the new system wins, ties and loses; a tie is a difference of at most `tie_width` either way."""

    wins: int
    ties: int
    losses: int
    tie_width: float


def outcome(differences: Floats, tie_width: float = 0.0) -> Outcome:
    """Wins, ties and losses of the new system.

    A difference counts as equal to the tie width if it is within rounding of it: 0.3 - 0.2 is a tie at 0.1.

    >>> outcome(np.array([0.2, -0.1, 0.0, 0.3 - 0.2]), tie_width=0.1)
    Outcome(wins=1, ties=3, losses=0, tie_width=0.1)
    """
    within = np.abs(differences) <= tie_width + 1e-12 * min(1.0, tie_width)
    wins = int(np.count_nonzero(~within & (differences > 0)))
    ties = int(np.count_nonzero(within))
    return Outcome(wins, ties, len(differences) - wins - ties, tie_width)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Values of several systems on the queries that count for all of them: rows are queries in the order of their ids,
    columns systems."""

    queries: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats = field(repr=False)


def matrix(tables: Mapping[str, QueryTable], over: str) -> Matrix:
    """The values of all systems over their `common` queries, or over the `union` with 0 for what is missing.

    The union holds the queries that at least one system has a value for and that no other leaves out for another
    reason than having returned nothing.
    """
    names = list(tables)
    ids: list[str] = []
    seen: set[str] = set()
    for table in tables.values():
        judged = table.queries[: table.judged_queries]
        if len(ids) != len(judged) or ids != list(judged):
            ids += [query for query in judged if query not in seen]
            seen.update(judged)
    columns = []
    for table in tables.values():
        judged = list(table.queries[: table.judged_queries])
        places = np.arange(len(ids)) if judged == ids else _places(ids, judged)
        columns.append(_columns(table, places))
    values = np.column_stack([value for value, _, _ in columns])
    counted = np.column_stack([counted for _, _, counted in columns])
    nothing = np.column_stack([_nothing(status) for _, status, _ in columns])
    kept = (
        (counted & ~nothing).all(axis=1) if over == "common" else (counted | nothing).all(axis=1) & counted.any(axis=1)
    )
    # In the order of their ids: what a seed draws must not depend on the order of the input.
    places = np.array(sorted(np.flatnonzero(kept).tolist(), key=ids.__getitem__), dtype=np.int64)
    return Matrix(tuple(ids[at] for at in places.tolist()), tuple(names), values[places])
