"""Means and denominators from per-query rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from .kernel.batch import Floats

if TYPE_CHECKING:
    from .results import QueryTable

STATUSES = ("scored", "empty", "missing", "unjudged", "failed")
"""What can be said of a query, in the words of every output."""


Aggregate = Literal["mean", "sum", "geometric"]
"""How the values of queries become one: their mean, their sum, or their geometric mean."""

LEAST = 0.00001
"""Smaller values count as this in a geometric mean (trec_eval's MIN_GEO_MEAN)."""


def aggregated(values: Floats, how: Aggregate) -> float | None:
    """One value from those of the queries, the same for every order of them; None for no values.

    >>> import numpy as np
    >>> round(aggregated(np.array([0.1, 0.4]), "geometric"), 4)
    0.2
    """
    if how == "mean" or not len(values):
        return mean(values)
    if how == "sum":
        return math.fsum(values.tolist())
    return math.exp(math.fsum(math.log(max(value, LEAST)) for value in values.tolist()) / len(values))


def mean(values: Floats) -> float | None:
    """The correctly rounded mean (math.fsum), the same for every order of the values; None for no values.

    >>> import numpy as np
    >>> mean(np.array([1.0, 0.0]))
    0.5
    """
    if not len(values):
        return None
    try:
        return math.fsum(values.tolist()) / len(values)
    except OverflowError:
        # The sum is beyond the range of a float; the mean of numbers inside it is not.
        from fractions import Fraction

        return float(sum(map(Fraction, values.tolist())) / len(values))


class Denominators(NamedTuple):
    """How many queries stand behind a mean: judged, counted, and by status."""

    judged: int
    counted: int
    scored: int
    empty: int
    missing: int
    unjudged: int
    failed: int

    def as_dict(self) -> dict[str, int]:
        """Plain data, in the order of the JSON output."""
        return self._asdict()


class Summary(NamedTuple):
    """The mean of one run under one measure and everything that must be known to believe it.

    `value` is the macro mean over counted queries (their sum or geometric mean where the measure declares it),
    None if there are none. `zeros` counts the counted queries that
    score exactly 0, `tied` the queries whose cutoff cuts a tied group, `without_gain` those whose chosen ideal is 0
    although a judged document has gain. `judged_at_k` is the mean share of judged documents in the first k ranks,
    over the `returned` judged queries that returned something. `order_moves` counts the queries whose value the order
    of equal scores can move, None where nobody looked (files of earlier versions).
    """

    value: float | None
    queries: Denominators
    zeros: int
    tied: int
    without_gain: int
    judged_at_k: float | None
    returned: int
    order_moves: int | None = None


def summarise(table: QueryTable) -> Summary:
    """The summary of per-query rows."""
    status = np.bincount(table.status, minlength=len(STATUSES)).tolist()
    by_status = dict(zip(STATUSES, status, strict=True))
    values = table.value[table.counted]
    returned = table.ranks > 0
    returned &= table.status != STATUSES.index("unjudged")
    shares = table.judged_ranks[returned] / table.ranks[returned]
    return Summary(
        value=aggregated(values, table.aggregate),
        queries=Denominators(
            judged=table.judged_queries,
            counted=int(np.count_nonzero(table.counted)),
            **by_status,
        ),
        zeros=int(np.count_nonzero(values == 0)),
        tied=int(np.count_nonzero(table.tied)),
        without_gain=int(np.count_nonzero(table.without_gain)),
        judged_at_k=mean(shares),
        returned=len(shares),
        order_moves=None if table.order_moves is None else int(np.count_nonzero(table.order_moves)),
    )
