"""The worst slice of each attribute: how far it is below the total and below the best, so that no mean hides it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .intervals import adjusted, interval_of, none_of

if TYPE_CHECKING:
    from .intervals import Asked
    from .query_table import QueryTable
    from .results import Entry


@dataclass(frozen=True, slots=True)
class Gap:
    """The worst slice of one attribute under one run and measure.

    `worst` and `best` are names of slices with their values, chosen among those with enough queries where there are
    any; a slice with few queries and a lower value has a gap of its own, marked `small`. `to_total` = worst less total
    and `to_best` = worst less best. Their intervals hold together for all `slices` (and all pairs of them), because
    the worst is only known after looking: Bonferroni. They are plain data; `low` and `high` None with a `reason` where
    there is none.
    """

    run: str
    measure: str
    attribute: str
    kind: str
    slices: int
    worst: str
    worst_value: float
    best: str
    best_value: float
    to_total: float
    to_total_interval: Mapping[str, object] | None
    to_best: float
    to_best_interval: Mapping[str, object] | None
    small: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def gaps_of(slices: Sequence[Entry], total: Entry, asked: Asked | None) -> list[Gap]:
    """The gap of the worst slice of one attribute, and that of a still lower one with few queries.

    Nothing where fewer than two slices have a value, or values are sums. Those without a value of the attribute are
    shown like a slice, but they are none: nobody can be told to be worst for having no label.
    """
    known = [entry for entry in slices if entry.value is not None and entry.part and entry.part.value is not None]
    if len(known) < 2 or total.value is None or total.rows.aggregate == "sum":
        return []
    found = []
    large = sorted((entry for entry in known if entry.part and not entry.part.small), key=_by_value)
    few = sorted((entry for entry in known if entry.part and entry.part.small), key=_by_value)
    if large:
        found.append(_gap(large[0], large[-1], known, total, asked))
    if few and (not large or _by_value(few[0]) < _by_value(large[0])):
        best = large[-1] if large else max(known, key=_by_value)
        found.append(_gap(few[0], best, known, total, asked))
    return found


def _by_value(entry: Entry) -> tuple[float, str]:
    return entry.value or 0.0, entry.slice or ""


def _gap(worst: Entry, best: Entry, known: Sequence[Entry], total: Entry, asked: Asked | None) -> Gap:
    assert worst.part is not None and worst.value is not None and best.value is not None and total.value is not None
    ones, pairs = (asked, asked) if asked is None else (adjusted(asked, len(known)), adjusted(asked, _pairs(known)))
    if worst.part.kind == "doc":
        to_total, of_total = _paired(worst, total, ones)
        to_best, of_best = _paired(worst, best, pairs)
    else:
        to_total, of_total = worst.value - total.value, _below_total(worst, total, ones)
        to_best, of_best = worst.value - best.value, _apart(worst, best, pairs)
    return Gap(
        run=total.run,
        measure=total.measure,
        attribute=worst.part.attribute,
        kind=worst.part.kind,
        slices=len(known),
        worst=str(worst.slice),
        worst_value=worst.value,
        best=str(best.slice),
        best_value=best.value,
        to_total=to_total,
        to_total_interval=of_total,
        to_best=to_best,
        to_best_interval=of_best,
        small=worst.part.small,
    )


def _pairs(slices: Sequence[Entry]) -> int:
    return len(slices) * (len(slices) - 1) // 2


def _below_total(worst: Entry, total: Entry, asked: Asked | None) -> dict[str, Any] | None:
    """The interval of worst less total: the share of the others times the difference from their mean.

    The slice is part of the total, so the two are not independent; the slice and all other queries are.
    """
    if asked is None:
        return None
    inside = set(worst.rows.queries)
    others = np.array([at for at, query in enumerate(total.rows.queries) if query not in inside], dtype=np.int64)
    rest = total.rows.taken(others)
    share = int(np.count_nonzero(rest.counted)) / total.summary.queries.counted
    return difference_of(worst.rows, rest, asked, share)


def _apart(worst: Entry, best: Entry, asked: Asked | None) -> dict[str, Any] | None:
    if asked is None:
        return None
    if worst is best:
        return none_of(asked, worst.summary.queries.counted, "no slice is better")
    return difference_of(worst.rows, best.rows, asked)


def difference_of(one: QueryTable, other: QueryTable, asked: Asked, scale: float = 1.0) -> dict[str, Any]:
    """The interval of a difference of two means over different queries, times a scale, from the interval of each.

    Queries, and clusters of them, must lie on one side: otherwise the two are not independent, and there is no
    interval. By the method of variance estimates recovery: each end lies as far from the difference as the square root
    of the sum of the squared distances of the two ends that matter. Source: Zou & Donner 2008.
    """
    if one.aggregate != "mean":
        return none_of(asked, int(np.count_nonzero(one.counted)), "the values are not means")
    first, second = interval_of(one, asked), interval_of(other, asked)
    n = int(first["n"]) + int(second["n"])
    both = len(_counted(one) & _counted(other))
    if both:
        told = "1 query is" if both == 1 else f"{both:,} queries are"
        return none_of(asked, n, f"{told} in both, so the two are not independent")
    shared = len(_clusters(one, asked) & _clusters(other, asked))
    if shared:
        told = f"{shared:,} cluster{'s have' if shared > 1 else ' has'} queries on both sides"
        return none_of(asked, n, f"{told}, so the two are not independent")
    for found in (first, second):
        if found["low"] is None:
            return none_of(asked, n, str(found.get("reason")))
    mean, low, high = (float(first[key]) for key in ("estimate", "low", "high"))
    their_mean, their_low, their_high = (float(second[key]) for key in ("estimate", "low", "high"))
    difference = mean - their_mean
    return {
        **first,
        "low": scale * (difference - math.hypot(mean - low, their_high - their_mean)),
        "high": scale * (difference + math.hypot(high - mean, their_mean - their_low)),
        "n": n,
        "estimate": scale * difference,
    }


def _clusters(rows: QueryTable, asked: Asked) -> set[str]:
    """The clusters of the counted queries; none where no clusters were asked for."""
    if asked.clusters is None:
        return set()
    known = asked.clusters.values
    return {known[query] for query in _counted(rows)}


def _counted(rows: QueryTable) -> set[str]:
    return {rows.queries[at] for at in np.flatnonzero(rows.counted).tolist()}


def _paired(one: Entry, other: Entry, asked: Asked | None) -> tuple[float, dict[str, Any] | None]:
    """The mean difference over the queries that count in both entries, and its interval.

    Slices of documents hold the same queries, so their differences are taken query by query.
    """
    judged = one.rows.judged_queries
    both = one.rows.counted[:judged] & other.rows.counted[:judged]
    rows = replace(
        one.rows.taken(np.flatnonzero(both)), value=(one.rows.value[:judged] - other.rows.value[:judged])[both]
    )
    values = rows.value.tolist()
    difference = math.fsum(values) / len(values) if values else 0.0
    if asked is None:
        return difference, None
    if one is other:
        return 0.0, none_of(asked, len(values), "no slice is better")
    if one.rows.aggregate != "mean":
        return difference, none_of(asked, len(values), "the values are not means")
    return difference, interval_of(rows, asked)
