"""Intervals of means over queries: what is asked for, and the statistics room's answer for one set of rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .aggregate import LEAST
from .errors import MissingExtraError, UsageError, choose, whole_number
from .slice_choices import METHODS
from .weights import relative

if TYPE_CHECKING:
    from .attributes import Labels
    from .comparison.outcomes import Interval
    from .kernel.batch import Floats, Ints
    from .results import QueryTable

KEYS = ("method", "level", "resamples", "seed", "cluster")
DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The interval that a call asks for. `implied` where it was not named but belongs to the slices asked for.

    `method` is one of METHODS, `level` the coverage, `resamples` and `seed` those of the bootstrap. `clusters` are
    labels of queries: whole clusters are resampled, because queries of one session are not independent.
    """

    method: str = "t"
    level: float = 0.95
    resamples: int = DRAWS
    seed: int = 0
    clusters: Labels | None = None
    implied: bool = False


def asked_interval(given: object, columns: Mapping[str, str], implied: bool) -> Asked | None:
    """What `interval=` asks for: None or False, True, a method, or `{method, level, resamples, seed, cluster}`.

    `implied` asks for a t interval where nothing is said. Raises UsageError for unknown methods, keys and numbers.
    """
    if given is None:
        return Asked(implied=True) if implied else None
    if given is False:
        return None
    if given is True:
        return Asked()
    if isinstance(given, str):
        return Asked(_method(given))
    if not isinstance(given, Mapping):
        raise UsageError(
            f"interval= is True, a method or a dict, found {given!r}",
            code="interval",
            hint="interval='bca', or interval={'method': 'bca', 'level': 0.9}",
        )
    for key in given:
        if key not in KEYS:
            raise choose("interval= key", key, KEYS)
    clusters = None
    if given.get("cluster") is not None:
        from .attributes import labels_of

        clusters = labels_of(given["cluster"], columns, "cluster=")
    # Clusters are resampled unless another method is named: a t interval of few clusters is only an approximation.
    method = _method(given.get("method", "bca" if clusters is not None else "t"))
    level = given.get("level", 0.95)
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise UsageError(f"level= is a number between 0 and 1, such as 0.95, found {level!r}", code="level")
    return Asked(
        method,
        float(level),
        whole_number("resamples=", given.get("resamples", DRAWS), 1),
        whole_number("seed=", given.get("seed", 0), 0),
        clusters,
    )


def _method(name: object) -> str:
    if not isinstance(name, str) or name not in METHODS:
        raise choose("interval method", name, METHODS)
    return name


def interval_of(rows: QueryTable, asked: Asked) -> dict[str, Any]:
    """The interval of the macro mean over the counted queries of some rows, as the JSON output holds it.

    `low` and `high` are None where there is none, and `reason` says why. A geometric mean is that of the logarithms.
    """
    return _made(rows, asked, None)


def weighted_interval_of(rows: QueryTable, asked: Asked) -> dict[str, Any]:
    """The interval of the weighted mean: a ratio of sums, so (value, weight) pairs are resampled together.

    A bootstrap, 'bca' where a t interval was asked for; where no interval was asked for and slices imply one, the t
    interval of the ratio, which costs no resampling.
    """
    assert rows.weight is not None
    if asked.method == "t" and not asked.implied:
        asked = replace(asked, method="bca")
    return _made(rows, asked, rows.weight)


def _made(rows: QueryTable, asked: Asked, column: Floats | None) -> dict[str, Any]:
    places = places_by_id(rows)
    values = rows.value[places]
    weights = None if column is None else relative(column[places])
    if rows.aggregate == "sum":
        return none_of(asked, len(values), "the value is a sum over queries, not a mean")
    logs = rows.aggregate == "geometric"
    if logs:
        values = np.array([math.log(max(value, LEAST)) for value in values.tolist()])
    found = ask(values, asked, weights, labels_at(rows, places, asked))
    if isinstance(found, str):
        return none_of(asked, len(values), found)
    made = found.as_dict()
    made["estimate"] = None if found.estimate is None else math.exp(found.estimate) if logs else found.estimate
    if logs and found.low is not None and found.high is not None:
        made["low"], made["high"] = math.exp(found.low), math.exp(found.high)
    if asked.clusters is not None:
        made["cluster"] = asked.clusters.name
    return {key: made[key] for key in ORDER if made.get(key) is not None or key in ALWAYS}


ORDER = (
    "low", "high", "level", "method", "resamples", "seed", "n", "estimate", "effective", "clusters", "cluster",
    "reason",
)  # fmt: skip
"""The keys of an interval in the JSON output, in their order."""


ALWAYS = ("low", "high", "level", "method", "resamples", "seed", "n", "estimate")
"""The keys that stand there even without a value."""


def places_by_id(rows: QueryTable) -> Ints:
    """The counted rows in the order of their ids: what a seed draws must not depend on the order of the input."""
    counted = np.flatnonzero(rows.counted)
    return np.array(sorted(counted.tolist(), key=rows.queries.__getitem__), dtype=np.int64)


def ask(values: Floats, asked: Asked, weights: Floats | None = None, labels: list[str] | None = None) -> Interval | str:
    """The statistics room's interval of a mean, or why there is none."""
    from .comparison.intervals import interval

    if weights is not None and not weights.any():
        return "no counted query has a weight above 0"
    try:
        return interval(
            values,
            method=asked.method,
            level=asked.level,
            resamples=asked.resamples,
            seed=asked.seed,
            weights=weights,
            clusters=labels,
        )
    except MissingExtraError as error:
        if not asked.implied:
            raise
        return str(error)


def labels_at(rows: QueryTable, places: Ints, asked: Asked) -> list[str] | None:
    """The cluster of the query at each place; InputError for one without."""
    if asked.clusters is None:
        return None
    from .attributes import clusters_of

    return clusters_of(asked.clusters, [rows.queries[at] for at in places.tolist()])


def none_of(asked: Asked, n: int, reason: str) -> dict[str, Any]:
    """No interval, and why."""
    made = {**dict.fromkeys(ALWAYS), "level": asked.level, "method": asked.method, "n": n, "reason": reason}
    if asked.method != "t":
        made |= {"resamples": asked.resamples, "seed": asked.seed}
    return made


def adjusted(asked: Asked, family: int) -> Asked:
    """The same interval at the level that holds for `family` of them together (Bonferroni)."""
    return replace(asked, level=1 - (1 - asked.level) / max(1, family))
