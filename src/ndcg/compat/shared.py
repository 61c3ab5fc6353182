"""The measures of one batch from parts that they share: the same values as each family's own computation, bit for bit.

A family computes its value alone; dozens of them on one ranking repeat the same steps. Here relevant rows, sums to a
rank and ideals are made once. What has no shared form, or other options, is left to the family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from ..kernel.batch import Batch, Floats, Ints
from ..kernel.interpolated import counts_wanted
from ..kernel.relevance import numbered, ratio
from ..measures.measure import Measure
from .gained import Gained


class Relevant:
    """The relevant documents of a batch at one level: how many there are, and where the ranking has them."""

    def __init__(self, batch: Batch, level: float) -> None:
        judged, ranked = batch.judged, batch.ranked
        self.queries = batch.queries
        self.found = self._count(judged.query[judged.grade >= level])
        kept = ranked.grade >= level
        self.query, self.rank = ranked.query[kept], ranked.rank[kept]
        self._hits: dict[int, Floats] = {}

    def _count(self, query: Ints) -> Ints:
        return np.bincount(query, minlength=self.queries).astype(np.int64)

    def hits(self, k: int) -> Floats:
        """Relevant documents in the first k ranks."""
        if k not in self._hits:
            self._hits[k] = self._count(self.query[self.rank <= k]).astype(np.float64)
        return self._hits[k]

    @cached_property
    def returned(self) -> Floats:
        """Relevant documents in the ranking."""
        return self._count(self.query).astype(np.float64)

    @cached_property
    def number(self) -> Ints:
        """How many relevant documents stand at or above each."""
        return numbered(self.query)

    @cached_property
    def precision(self) -> Floats:
        """Precision at each relevant document."""
        return np.asarray(self.number / self.rank, dtype=np.float64)

    def summed_precision(self, k: int | None) -> Floats:
        """Precision at the relevant documents up to rank k, added."""
        query, precision = self.query, self.precision
        if k is not None:
            kept = self.rank <= k
            query, precision = query[kept], precision[kept]
        return np.asarray(np.bincount(query, weights=precision, minlength=self.queries), dtype=np.float64)

    def within(self, limit: Ints) -> Floats:
        """Relevant documents in the first ranks, as many as `limit` says per query."""
        return self._count(self.query[self.rank <= limit[self.query]]).astype(np.float64)

    @cached_property
    def _highest_below(self) -> Floats:
        """For each relevant document, the largest precision at it or further down its list."""
        if not len(self.query):
            return np.zeros(0)
        distinct, position = np.unique(self.precision, return_inverse=True)
        keys = (self.queries - self.query) * len(distinct) + position
        return np.asarray(distinct[np.maximum.accumulate(keys[::-1])[::-1] % len(distinct)], dtype=np.float64)

    def interpolated(self, share: float, needed: str) -> Floats:
        """The largest precision where this share of the relevant documents, or more, is found."""
        wanted = np.maximum(counts_wanted(share, self.found, needed), 1)
        there = np.flatnonzero(self.returned >= wanted)
        first = np.searchsorted(self.query, there)
        value = np.zeros(self.queries)
        value[there] = self._highest_below[first + wanted[there] - 1]
        return value


class Shared:
    """All measures of one batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.listed: Ints = batch.ranked.returned
        self._relevant: dict[float, Relevant] = {}
        self._values: dict[Measure, Floats] = {}

    def value(self, measure: Measure) -> Floats:
        """The value per query; GainError for a grade that has no gain."""
        if measure not in self._values:
            way = WAYS.get(measure.name)
            found = None if way is None else way(self, measure)
            self._values[measure] = measure.family.compute(self.batch, measure).value if found is None else found
        return self._values[measure]

    def relevant(self, measure: Measure) -> Relevant:
        """The relevant documents at a measure's level."""
        level = measure["rel"]
        assert isinstance(level, float)
        if level not in self._relevant:
            self._relevant[level] = Relevant(self.batch, level)
        return self._relevant[level]

    @cached_property
    def gained(self) -> Gained:
        """Gains that are the grades themselves."""
        return Gained.of(self.batch)


def _cutoff(measure: Measure) -> int:
    assert measure.k is not None
    return measure.k


def _precision(shared: Shared, measure: Measure) -> Floats:
    return shared.relevant(measure).hits(_cutoff(measure)) / _cutoff(measure)


def _recall(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    return ratio(here.hits(_cutoff(measure)), here.found)


def _relative(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    return ratio(here.hits(_cutoff(measure)), np.minimum(here.found, _cutoff(measure)))


def _success(shared: Shared, measure: Measure) -> Floats:
    return (shared.relevant(measure).hits(_cutoff(measure)) > 0).astype(np.float64)


def _ap(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    return ratio(here.summed_precision(measure.k), here.found)


def _at_r(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    return ratio(here.within(here.found), here.found)


def _at_multiple(shared: Shared, measure: Measure) -> Floats:
    here, multiple = shared.relevant(measure), measure["multiple"]
    assert isinstance(multiple, float)
    ranks = counts_wanted(multiple, here.found, "up")
    return ratio(here.within(ranks), ranks)


def _iprec(shared: Shared, measure: Measure) -> Floats:
    level = measure["recall"]
    assert isinstance(level, float)
    return shared.relevant(measure).interpolated(level, str(measure["needed"]))


def _iap(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    levels = [float(level) for level in str(measure["levels"]).split(",")]
    total = np.zeros(here.queries)
    for level in reversed(levels):
        total = total + here.interpolated(level, str(measure["needed"]))
    return np.asarray(total / len(levels), dtype=np.float64)


def _set_precision(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    size = np.minimum(shared.listed, here.found) if measure["relative"] == "true" else shared.listed
    return ratio(here.returned, size)


def _set_recall(shared: Shared, measure: Measure) -> Floats:
    here = shared.relevant(measure)
    return ratio(here.returned, here.found)


def set_f(shared: Shared, measure: Measure, weight: float) -> Floats:
    """Set F with trec_eval's own weight: the square of beta, which loses a bit on the way through its root."""
    here = shared.relevant(measure)
    precision, recall = ratio(here.returned, shared.listed), ratio(here.returned, here.found)
    return ratio((weight + 1.0) * precision * recall, weight * precision + recall)


def _returned(shared: Shared, measure: Measure) -> Floats:
    if measure["rel"] is None:
        return shared.listed.astype(np.float64)
    return shared.relevant(measure).returned


def _found(shared: Shared, measure: Measure) -> Floats:
    return shared.relevant(measure).found.astype(np.float64)


def _plain_gain(measure: Measure) -> bool:
    """Whether the gain is the grade itself and nothing else differs from trec_eval."""
    return set(measure.changed()) <= {"gain", "ties"} and measure["gain"] == "linear"


def _gain_way(
    compute: Callable[[Gained, Shared, Measure], Floats | None],
) -> Callable[[Shared, Measure], Floats | None]:
    def way(shared: Shared, measure: Measure) -> Floats | None:
        return compute(shared.gained, shared, measure) if _plain_gain(measure) else None

    return way


WAYS: Mapping[str, Callable[[Shared, Measure], Floats | None]] = {
    "P": _precision,
    "R": _recall,
    "RelP": _relative,
    "Success": _success,
    "AP": _ap,
    "GMAP": _ap,
    "Rprec": _at_r,
    "RprecMult": _at_multiple,
    "IPrec": _iprec,
    "IAP": _iap,
    "SetP": _set_precision,
    "SetR": _set_recall,
    "NumRet": _returned,
    "NumRel": _found,
    "nDCG": _gain_way(lambda gained, shared, measure: gained.ndcg(measure.k)),
    "nDCGRel": _gain_way(lambda gained, shared, measure: gained.at_relevant()),
    "RnDCG": _gain_way(lambda gained, shared, measure: gained.at_levels(shared.listed)),
    "G": _gain_way(lambda gained, shared, measure: gained.normalised()),
}
"""The families that have a shared form."""
