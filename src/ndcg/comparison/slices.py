"""Slices of a comparison: the paired difference over each part of the queries, and what it does to the total."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compared import plain
from ..errors import UsageError, choose, clip, whole_number
from ..slice_choices import LEAST, OVERLAPS
from ..slices import NOTHING, direction, split
from ..weights import weighted_mean
from .drivers import weights_of
from .sides import Clusters, side

if TYPE_CHECKING:
    from ..attributes import Attribute
    from ..compared import Settings, Side
    from ..kernel.batch import Bools
    from ..results import QueryTable
    from .outcomes import Interval
    from .pairing import Paired


@dataclass(frozen=True, slots=True)
class SliceDifference:
    """The paired difference over the queries of one slice, among those of the headline.

    `macro` holds the means, their difference and its interval, `weighted` the weighted ones where there are weights.
    The intervals are t intervals, at levels that hold together for all slices of the attribute (Bonferroni). `share` is
    the slice's share of the traffic, by weight where there are weights. `impact` is its share of the counted weight
    times its (weighted) difference: over slices it adds up to the difference of the total, unless queries count in two
    slices. `small` marks fewer queries than the least, `contradicts` a slice that moves against the total, by the macro
    mean or, with weights, by the weighted one.
    """

    attribute: str
    value: str | None
    share: float | None
    macro: Side
    weighted: Side | None
    impact: float | None
    small: bool
    contradicts: bool

    @property
    def name(self) -> str:
        """How the slice is called everywhere: `language=de`."""
        return f"{self.attribute}={NOTHING if self.value is None else self.value}"

    @property
    def queries(self) -> int:
        """How many queries are compared."""
        return self.macro.queries

    @property
    def difference(self) -> float | None:
        """The mean difference, new less baseline; None where no query is compared."""
        return self.macro.difference

    @property
    def interval(self) -> Interval | None:
        """Its interval, at the adjusted level."""
        return self.macro.interval

    def as_dict(self) -> dict[str, Any]:
        """Plain data: the name and the difference first."""
        return {
            "slice": self.name,
            "attribute": self.attribute,
            "value": self.value,
            "queries": self.queries,
            "share": self.share,
            "difference": self.difference,
            "impact": self.impact,
            "small": self.small,
            "contradicts": self.contradicts,
            "macro": plain(self.macro),
            "weighted": plain(self.weighted),
        }


@dataclass(frozen=True, slots=True)
class Sliced:
    """What a comparison is sliced by: attributes of queries, and how slices are made."""

    attributes: tuple[Attribute, ...] = ()
    overlap: str = OVERLAPS[0]
    least: int = LEAST


def sliced_by(given: object, columns: Mapping[str, str], overlap: object, least: object, pairs: object) -> Sliced:
    """The attributes of `by=`, read and checked; UsageError for slices that a comparison does not make."""
    from ..attributes import attributes_of

    if overlap not in OVERLAPS:
        raise choose("slice_overlap", overlap, OVERLAPS)
    smallest = whole_number("slice_least=", least, 1)
    if given is None:
        for name, idle in (("slice_overlap", overlap != OVERLAPS[0]), ("slice_least", least != LEAST)):
            if idle:
                raise UsageError(f"{name}= is about slices, and none were asked for with by=", code="no_effect")
        return Sliced()
    if pairs == "all":
        raise UsageError(
            "by= is for comparisons with a baseline: a leaderboard has no slices",
            code="no_effect",
            hint="leave out by=, or pairs='all' (--all-pairs); ndcg evaluate --by shows every run by slice",
        )
    attributes = attributes_of(given, None, columns, "by=")
    for attribute in attributes:
        if attribute.kind != "query":
            raise UsageError(
                f"{clip(attribute.name, 40)!r} tells of documents, and a comparison is sliced by queries",
                code="slice_kind",
                hint="slices of documents are scored again: ndcg evaluate --by makes them, against the first run",
            )
    return Sliced(tuple(attributes), str(overlap), smallest)


def slice_differences(
    paired: Paired,
    chosen: Bools,
    over: str,
    tables: tuple[QueryTable, QueryTable],
    asked: Sliced,
    settings: Settings,
    clusters: Clusters,
    weights: Mapping[str, float] | None,
) -> tuple[SliceDifference, ...]:
    """The slices of a pair over the chosen queries, attribute by attribute, the largest impact first.

    `tables` are the rows of both systems, whose queries, judged or not, are the traffic.
    """
    found: list[SliceDifference] = []
    everything = list(dict.fromkeys(query for table in tables for query in table.queries))
    total = direction(mean_difference(paired, chosen)), direction(mean_difference(paired, chosen, weights))
    for attribute in asked.attributes:
        found += _of_attribute(attribute, paired, chosen, over, everything, total, asked, settings, clusters, weights)
    return tuple(found)


def mean_difference(paired: Paired, chosen: Bools, weights: Mapping[str, float] | None = None) -> float | None:
    """The mean difference over the chosen queries, the weighted one with weights; None where nothing has weight."""
    return weighted_mean(paired.differences(chosen), weights_of(paired.ids(chosen), weights))


def _of_attribute(
    attribute: Attribute,
    paired: Paired,
    chosen: Bools,
    over: str,
    everything: Sequence[str],
    total: tuple[int, int],
    asked: Sliced,
    settings: Settings,
    clusters: Clusters,
    weights: Mapping[str, float] | None,
) -> list[SliceDifference]:
    traffic = {part.value: [everything[at] for at in part.places.tolist()]
               for part in split(attribute, everything, asked.overlap)}  # fmt: skip
    places = {query: at for at, query in enumerate(paired.queries)}
    # Slices are small, and of a few queries a bootstrap makes intervals that are far too short.
    family = replace(settings, interval="t", level=1 - (1 - settings.level) / len(traffic))
    counted_weight = _weight(paired.ids(chosen), weights)
    found = []
    for value, queries in traffic.items():
        inside = np.zeros(len(paired.queries), dtype=np.bool_)
        inside[[places[query] for query in queries if query in places]] = True
        inside &= chosen
        macro = side(over, paired, inside, family, clusters)
        weighted = None if weights is None else side("weighted", paired, inside, family, clusters, weights)
        moved = macro.difference if weighted is None else weighted.difference
        part = _weight(paired.ids(inside), weights)
        found.append(
            SliceDifference(
                attribute=attribute.name,
                value=value,
                share=_ratio(_weight(queries, weights), _weight(everything, weights)),
                macro=macro,
                weighted=weighted,
                impact=None if moved is None or not counted_weight else part / counted_weight * moved,
                small=macro.queries < asked.least,
                contradicts=direction(macro.difference) * total[0] < 0 or direction(moved) * total[1] < 0,
            )
        )
    found.sort(key=lambda one: (-abs(one.impact) if one.impact is not None else 1.0, one.name))
    return found


def _weight(queries: Sequence[str], weights: Mapping[str, float] | None) -> float:
    return float(len(queries)) if weights is None else math.fsum(weights.get(query, 0.0) for query in queries)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def against_total(slices: Sequence[SliceDifference], total: float | None, weighted: float | None) -> tuple[str, ...]:
    """The sentences about slices that move against the total, for each attribute by the macro and the weighted mean."""
    sentences = []
    for attribute in dict.fromkeys(one.attribute for one in slices):
        own = [one for one in slices if one.attribute == attribute]
        sentences += _against("", total, [(one.name, one.difference) for one in own])
        moved = [(one.name, None if one.weighted is None else one.weighted.difference) for one in own]
        sentences += _against("by the weighted mean ", weighted, moved)
    return tuple(sentences)


def _against(by: str, total: float | None, slices: Sequence[tuple[str, float | None]]) -> list[str]:
    rises, falls = ("rises", "falls") if direction(total) > 0 else ("falls", "rises")
    told = [name for name, difference in slices if direction(difference) * direction(total) < 0]
    if not told:
        return []
    names = ", ".join(clip(name, 40) for name in told[:6])
    more = f" and {len(told) - 6} more" if len(told) > 6 else ""
    return [f"{by}the total {rises}, but {names}{more} {falls if len(told) == 1 else falls[:-1]}"]
