"""Traffic weights: what each query weighs, the weighted mean beside the macro mean, and where the traffic goes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .aggregate import LEAST, STATUSES
from .counted import counted_noun
from .errors import DataTypeError, Fault, InputError, UsageError, clip

if TYPE_CHECKING:
    from .attributes import Listing
    from .kernel.batch import Floats
    from .results import QueryTable

USUAL = ("weight", "weights", "traffic", "frequency", "count", "searches")
"""Names of a column of weights in a table that has other columns as well."""


class Weights(NamedTuple):
    """What queries weigh: finite numbers of at least 0, and `default` for the others (None: there must be none)."""

    values: Mapping[str, float]
    default: float | None
    name: str
    where: str
    format: str = "mapping"
    layout: str = ""


class Traffic(NamedTuple):
    """Where the traffic goes: shares of all weight, by the status of the queries. They add up to 1.

    `total` is the weight of all queries of the judgments, the run and the weights; `outside` the share of queries that
    have a weight and are in neither judgments nor run: nobody judged what is asked there. `unknown` counts queries of
    the run that are unjudged and have no weight. Shares are None where the total is 0. `weighted` is whether weights
    were given; without them every query weighs 1.
    """

    total: float
    scored: float | None
    empty: float | None
    missing: float | None
    unjudged: float | None
    failed: float | None
    outside: float | None
    unknown: int = 0
    weighted: bool = True

    @property
    def unmeasured(self) -> float | None:
        """The share without a score of its own: empty, missing, unjudged, failed and outside."""
        return None if self.scored is None else 1.0 - self.scored

    def as_dict(self) -> dict[str, Any]:
        """Plain data, in the order of the JSON output."""
        return self._asdict()


def weights_of(given: object, default: object, columns: Mapping[str, str], what: str = "weights=") -> Weights:
    """Weights from `FILE:COLUMN`, `{query: weight}`, a pandas Series or a table with a query column.

    Raises InputError for weights that are negative, NaN, infinite or no number, with file, line and query.
    """
    from .attributes import ids_of, is_nothing, listings

    if default is not None:
        default = checked_weight(default, "the default weight", None)
    found = listings(given, "query", columns, what, nameless="weight")
    listing = _one(found, what)
    values: dict[str, float] = {}
    for line, query, value in ids_of(listing):
        if is_nothing(value) and default is not None:
            continue
        weight = checked_weight(value, "weight", Fault("", listing.where, line, query=query))
        if values.setdefault(query, weight) != weight:
            problem = f"the query has two weights: {values[query]:g} and {weight:g}"
            raise InputError(
                problem,
                code="two_weights",
                faults=[Fault(problem, listing.where, line, query=query)],
                hint="give one row per query, with the sum of its traffic",
            )
    if not values:
        raise InputError(f"{listing.where}: no query has a weight", code="empty")
    return Weights(values, default, listing.name, listing.where, listing.format, listing.layout)


def _one(found: Sequence[Listing], what: str) -> Listing:
    if len(found) == 1:
        return found[0]
    usual = [listing for listing in found if listing.name.casefold() in USUAL]
    if len(usual) != 1:
        raise UsageError(
            f"{what}: which column holds the weights? There are {', '.join(repr(listing.name) for listing in found)}",
            code="several_columns",
            hint="name one as FILE:COLUMN, or give a table with the query and the weight only",
        )
    return usual[0]


def checked_weight(value: object, what: str, place: Fault | None) -> float:
    """A finite number of at least 0; text is a number in the readers' grammar."""
    from .engines.numbers import is_real
    from .readers import numbers

    faults = [] if place is None else [place]

    def refused(problem: str, kind: type[InputError] | type[DataTypeError] = InputError) -> Exception:
        told = [Fault(problem, fault.where, fault.line, fault.query) for fault in faults]
        return kind(problem, code="weight", faults=told, hint="weights are finite numbers of at least 0")

    if isinstance(value, str):
        if not value:
            raise refused(f"{what} is missing")
        problem = numbers.problem(value.strip(" "), what, finite=True)
        if problem:
            raise refused(problem)
        number = float(value)
    elif value is None or type(value).__name__ in ("NAType", "NaTType"):
        raise refused(f"{what} is missing")
    elif not is_real(value):
        raise refused(f"{what} {clip(repr(value), 40)} is a {type(value).__name__}, not a number", DataTypeError)
    else:
        try:
            number = float(value)
        except (OverflowError, TypeError, ValueError):
            raise refused(f"{what} {clip(repr(value), 40)} is beyond the range of a float") from None
        problem = numbers.value_problem(number, what, finite=True)
        if problem:
            raise refused(problem)
    if number < 0:
        raise refused(f"{what} {number:g} is negative")
    return number + 0.0


def column_of(weights: Weights, queries: Sequence[str], judged: int) -> tuple[Floats, int, int]:
    """The weight of each row, and how many judged and unjudged rows took the default.

    Raises InputError for judged queries without a weight where there is no default. A query of the run without
    judgments and without a weight weighs 0 here and is counted as unknown traffic.
    """
    column = np.zeros(len(queries))
    lacking: list[str] = []
    for at, query in enumerate(queries):
        weight = weights.values.get(query)
        if weight is None:
            lacking.append(query)
            weight = weights.default or 0.0
        column[at] = weight
    without = [query for query in queries[:judged] if query not in weights.values]
    if without and weights.default is None:
        problem = f"{counted_noun(len(without), 'judged query has', 'judged queries have')} no weight"
        raise InputError(
            f"{weights.where}: {problem}",
            code="no_weight",
            faults=[Fault("no weight", weights.where, query=query) for query in without[:10]],
            total=len(without),
            hint="add them, or declare default_weight= (--default-weight), such as 0 or 1",
        )
    return column, len(without), len(lacking) - len(without)


def outside_of(weights: Weights, queries: Sequence[str]) -> float:
    """The weight of the queries that are in neither judgments nor run."""
    known = set(queries)
    return math.fsum(weight for query, weight in weights.values.items() if query not in known)


def relative(weights: Floats) -> Floats:
    """Weights with the largest as 1, so that equal weights are exactly 1 and scaling by a power of two changes no bit.

    >>> import numpy as np
    >>> relative(np.array([0.3, 0.3]))
    array([1., 1.])
    """
    largest = float(weights.max(initial=0.0))
    return weights / largest if largest > 0 else weights


def weighted_mean(values: Floats, weights: Floats, how: str = "mean") -> float | None:
    """`sum(w * v) / sum(w)`, the same for every order of the queries; None where no weight is above 0.

    A geometric mean weighs the logarithms. A sum has no weighted mean: None.

    >>> import numpy as np
    >>> weighted_mean(np.array([1.0, 0.0]), np.array([3.0, 1.0]))
    0.75
    """
    shares = relative(weights)
    total = math.fsum(shares.tolist())
    if not total or how == "sum":
        return None
    if how == "geometric":
        logs = np.array([math.log(max(value, LEAST)) for value in values.tolist()])
        return math.exp(math.fsum((shares * logs).tolist()) / total)
    return math.fsum((shares * values).tolist()) / total


def effective_number(weights: Floats) -> float | None:
    """Kish's effective number of queries, the same for any scale of the weights; None where none is above 0.

    >>> import numpy as np
    >>> round(effective_number(np.array([3.0, 1.0])), 4)
    1.6
    """
    from .comparison.intervals import effective_number as kish

    return kish(relative(weights)) or None


def traffic_of(table: QueryTable, weights: Weights, unknown: int) -> Traffic:
    """The shares of traffic by status of rows that bear their weights; `unknown` rows are unjudged and had none."""
    outside = outside_of(weights, table.queries)
    # With a default nothing is unknown.
    return traffic_shares(table, outside=outside, unknown=unknown if weights.default is None else 0)


def traffic_shares(table: QueryTable, *, outside: float = 0.0, unknown: int = 0) -> Traffic:
    """The shares of traffic by status of a query set, from its per-query rows: their weights, or 1 each.

    `outside` is the weight of queries that are in neither judgments nor run. Two query sets are comparable in what
    they leave out where these shares are alike.
    """
    weighted = table.weight is not None
    column = table.weight if table.weight is not None else np.ones(len(table))
    sums = {status: math.fsum(column[table.status == code].tolist()) for code, status in enumerate(STATUSES)}
    total = math.fsum((*sums.values(), outside))
    share = {status: sums[status] / total if total else None for status in STATUSES}
    return Traffic(total=total, **share, outside=outside / total if total else None, unknown=unknown, weighted=weighted)
