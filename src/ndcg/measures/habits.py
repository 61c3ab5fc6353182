"""DCG and its ideal under the habits of other tools. The default path never comes here.

A habit is a convention that only reproduces somebody else's number: an ideal of k hits, one that is not cut, losses
that enter the ideal, a grade for unjudged documents, terms cut down to two decimals.
"""

from __future__ import annotations

import numpy as np

from ..kernel import habits
from ..kernel.batch import Batch, Computed, Floats, Ints, Ranked
from ..kernel.gains import removed
from ..kernel.order import place
from ..kernel.sums import discounted_sum
from .convention import split_parameter
from .measure import Measure

PLAIN = {
    "ideal_cut": "k",
    "no_ideal_by": "ideal",
    "terms": "exact",
    "unjudged_grade": None,
    "ideal_order": "gain",
    "overflow": "error",
    "minus_infinity": "ranked",
}
"""Conventions that change what is added up, and the value under which the default path has them."""


QUERY_PLAIN = {
    "no_ideal": "zero",
    "empty_missing": "empty",
    "empty_list": "missing",
    "short_list": "scored",
    "rounding": "none",
}
"""Conventions that change what becomes of a query, and the value under which nothing happens."""


REPEATS_IN_POOL = ("merged", "joined")
"""Under these a document that is returned several times stands several times in the ideal pool."""


def has_query_habits(measure: Measure) -> bool:
    """Whether values or counts of whole queries change after the usual policies."""
    conventions = measure.conventions
    if conventions["empty"] == "compute" or conventions["unjudged_query"] in ("zero", "one"):
        return True
    return any(conventions[name] != plain for name, plain in QUERY_PLAIN.items())


def needs_marks(measure: Measure) -> bool:
    """Whether a measure asks more of each row than its rank and its grade."""
    conventions = measure.conventions
    return conventions["duplicates"] in REPEATS_IN_POOL or conventions["minus_infinity"] == "unretrieved"


def has_habits(measure: Measure) -> bool:
    """Whether a measure's sums leave the default path."""
    conventions = measure.conventions
    if conventions["negative"] in ("signed", "remove", "padding") or conventions["ideal"] in ("hits", "given"):
        return True
    if needs_marks(measure) or measure.k == 0:
        return True
    return any(conventions[name] != plain for name, plain in PLAIN.items())


def counts_list(measure: Measure) -> bool:
    """Whether a measure must know how many documents each list has, which takes the whole list."""
    conventions = measure.conventions
    return has_habits(measure) or conventions["short_list"] != "scored"


def habitual(batch: Batch, measure: Measure) -> Computed:
    """DCG and ideal DCG of each query, and how many judged documents have gain."""
    from .ndcg import discount, gains

    conventions, queries, k = measure.conventions, batch.queries, measure.k
    negative, source = conventions.text("negative"), conventions.text("ideal")
    whole = conventions["grade_type"] == "int"
    judged, ranked = batch.judged, _counted(batch)
    name, base = discount(measure)
    floor = split_parameter(conventions.text("terms"))[1]
    places = int(floor) if floor is not None else None

    judged_gains = gains(judged.grade, measure)
    relevant = np.bincount(judged.query[judged_gains > 0], minlength=queries).astype(np.int64)
    in_judgments = np.ones(len(judged.query), dtype=np.bool_)
    if source == "candidates" and judged.in_pool is not None:
        in_judgments = judged.in_pool
    if negative in ("remove", "padding"):
        ranked = habits.without(ranked, removed(ranked.grade, negative, whole), queries)
        in_judgments = in_judgments & ~removed(judged.grade, negative, whole)
    gained = gains(ranked.grade, measure)

    more: tuple[Ints, Floats, Floats] | None = None
    if ranked.marks is not None and conventions["duplicates"] in REPEATS_IN_POOL:
        joined = conventions["duplicates"] == "joined"
        more = habits.repeats_of_pool(ranked, gained, ranked.marks, k, joined=joined)
        with np.errstate(over="ignore"):
            gained = gained * ranked.marks.times if joined else gained
    shown, shown_gains = ranked, gained
    if ranked.marks is not None and conventions["minus_infinity"] == "unretrieved":
        shown_gains = np.where(ranked.marks.lowest, 0.0, gained)
    unjudged_grade = measure["unjudged_grade"]
    if isinstance(unjudged_grade, float) and conventions["unjudged"] != "skip":
        worth = float(gains(np.array([unjudged_grade]), measure)[0])
        shown, shown_gains = habits.with_unjudged(ranked, gained, worth, ranked.returned, k)
    query, rank, gain = place(shown, shown_gains, conventions.text("ties"), k)

    lengths = _lengths(conventions.text("ideal_cut"), k, ranked.returned)
    if source == "returned":
        pool = ranked.query, gained, ranked.grade
        zeros = ranked.returned - np.bincount(ranked.query, minlength=queries)
    else:
        pool = judged.query[in_judgments], judged_gains[in_judgments], judged.grade[in_judgments]
        zeros = np.zeros(queries, dtype=np.int64)
    if more is not None:
        pool = np.r_[pool[0], more[0]], np.r_[pool[1], more[1]], np.r_[pool[2], more[2]]
    with np.errstate(over="ignore"):
        dcg = discounted_sum(query, rank, gain, queries, discount=name, base=base, k=k, floor=places)
        by_grade = conventions["ideal_order"] == "grade"
        rows = _ideal_rows(source, negative, *pool, zeros, _hits(k, ranked.returned, lengths), by_grade=by_grade)
        ideal = habits.ideal_value(rows, lengths, queries, discount=name, base=base, floor=places)
    beyond = np.zeros(queries, dtype=np.bool_)
    if conventions["overflow"] == "zero":
        beyond = ~(np.isfinite(dcg) & np.isfinite(ideal))
        dcg, ideal = np.where(beyond, 0.0, dcg), np.where(beyond, 0.0, ideal)
    idle = (ideal == 0) & ~beyond
    if conventions["no_ideal_by"] == "sum":
        idle = idle | (np.bincount(pool[0], weights=pool[2], minlength=queries) == 0)
        ideal = np.where(idle, 0.0, ideal)
    without_gain = (ideal == 0) & (relevant > 0) & ~beyond & (k != 0)
    return Computed(dcg, relevant, dcg, ideal, without_gain, idle)


def _counted(batch: Batch) -> Ranked:
    """The ranking with the number of its documents, repeats not counted."""
    return batch.ranked if batch.listed is None else batch.ranked._replace(returned=batch.listed)


def _lengths(cut: str, k: int | None, returned: Ints) -> Ints | None:
    """How many documents the ideal of each query holds at most."""
    if cut == "returned":
        return returned if k is None else np.minimum(returned, k)
    return None if cut == "none" or k is None else np.full(len(returned), k, dtype=np.int64)


def _hits(k: int | None, returned: Ints, lengths: Ints | None) -> Ints:
    """How many ranks an ideal of nothing but hits has: k, or what was returned where there is no k."""
    if lengths is not None:
        return lengths
    return returned if k is None else np.full(len(returned), k, dtype=np.int64)


def _ideal_rows(
    source: str,
    negative: str,
    query: Ints,
    gain: Floats,
    grade: Floats,
    zeros: Ints,
    hits: Ints,
    *,
    by_grade: bool,
) -> tuple[Ints, Ints, Floats]:
    if source == "hits":
        return habits.hits_ideal(hits)
    if source == "given":
        return habits.given_ideal(query, gain, len(zeros))
    if negative not in ("signed", "padding"):
        positive = (gain > 0) | (by_grade & (grade > 0))
        query, gain, grade, zeros = query[positive], gain[positive], grade[positive], np.zeros_like(zeros)
    return habits.signed_ideal(query, gain, zeros, grade if by_grade else gain)
