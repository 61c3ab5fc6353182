"""Per-query rows: one query under one run and one measure, and all of them as columns. Frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .aggregate import STATUSES, Aggregate
from .kernel.batch import Bools, Floats, Ints


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
    judged documents in them. `aggregate` says how values become one. `weight` is what each query weighs, None where no
    weights were given. `order_moves` marks the counted queries whose value the order of equal scores can move, None
    where nobody looked.
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
    ranks: np.ndarray[Any, np.dtype[np.int16 | np.int32]]
    judged_ranks: np.ndarray[Any, np.dtype[np.int16 | np.int32]]
    tied: np.ndarray[Any, np.dtype[np.int32]]
    without_gain: Bools
    aggregate: Aggregate = "mean"
    weight: Floats | None = None
    order_moves: Bools | None = None

    def __len__(self) -> int:
        return len(self.queries)

    def taken(self, places: Ints) -> QueryTable:
        """The rows at ascending places: a slice is the same aggregate over them."""
        columns: dict[str, Any] = {name: getattr(self, name) for name in COLUMNS}
        columns = {name: None if column is None else column[places] for name, column in columns.items()}
        return replace(
            self,
            queries=[self.queries[at] for at in places.tolist()],
            judged_queries=int(np.count_nonzero(places < self.judged_queries)),
            **columns,
        )

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

    def weights(self) -> list[float | None]:
        """What each query weighs, None where no weights were given."""
        return [None] * len(self) if self.weight is None else self.weight.tolist()

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
        """The columns, with 0 wherever a column means nothing; no column where it means nothing anywhere."""
        return [
            self.status,
            self.counted,
            np.where(self.counted, self.value, 0.0),
            None if self.dcg is None or not self.computed.any() else np.where(self.computed, self.dcg, 0.0),
            None if self.ideal is None or not self.with_ideal.any() else np.where(self.with_ideal, self.ideal, 0.0),
            self.judged,
            self.relevant,
            self.returned,
            self.ranks,
            self.judged_ranks,
            self.tied,
            self.without_gain,
            self.weight,
            self.order_moves,
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


COLUMNS = (
    "status", "counted", "value", "dcg", "ideal", "judged", "relevant", "returned", "ranks", "judged_ranks", "tied",
    "without_gain", "weight", "order_moves",
)  # fmt: skip
"""The columns of a QueryTable that are arrays."""
