"""The family of rank-biased precision: RBP and what of it is not known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..kernel.batch import Batch, Computed, Floats, Ints, Judged
from ..kernel.gains import GainError
from ..kernel.rank_biased import biased_sum, residual
from ..kernel.relevance import at_least, count_gaining, ratio
from .convention import Value
from .measure import Family, Measure, Option
from .relevance import (
    CONVENTIONS,
    COUNTED,
    JUDGED_FROM,
    NO_SHARED_RANK,
    RANKING,
    listed,
    number,
    numeric,
    optional_number,
    word,
)


def _best(batch: Batch, measure: Measure) -> Floats:
    """The grade that is worth 1, per query."""
    judged, highest = batch.judged, measure["max_grade"]
    if isinstance(highest, float):
        return np.full(batch.queries, highest)
    if highest is None:
        return np.full(batch.queries, _highest_of_all(judged))
    best = np.ones(batch.queries)
    np.maximum.at(best, judged.query, judged.grade)
    return best


def _highest_of_all(judged: Judged) -> float:
    """The highest grade in the judgments, at least 1."""
    return max(1.0, float(judged.grade.max())) if len(judged.grade) else 1.0


def _resolved(judged: Judged, measure: Measure) -> Mapping[str, float]:
    """The grade that is worth 1, where grades are worth something and the judgments decide it for all queries."""
    left = measure["rel"] is None and measure["max_grade"] is None
    return {"max_grade": _highest_of_all(judged)} if left else {}


def _worths(grade: Floats, query: Ints, measure: Measure, best: Floats) -> Floats:
    """What each document is worth, from 0 to 1: at least `rel`, or its grade over the highest grade."""
    level = optional_number(measure, "rel")
    if level is not None:
        return at_least(grade, level)
    worth = ratio(np.maximum(grade, 0.0), best[query])
    above = np.flatnonzero(worth > 1)
    if len(above):
        raise GainError(float(grade[above[0]]), f"is above the highest grade of the scale, {best[query[above[0]]]:g}")
    return worth


def compute_rbp(batch: Batch, measure: Measure) -> Computed:
    """(1 - p) x the sum over ranks of worth x p^(rank - 1)."""
    judged, best = batch.judged, _best(batch, measure)
    worth = _worths(batch.ranked.grade, batch.ranked.query, measure, best)
    gaining = judged.query[_worths(judged.grade, judged.query, measure, best) > 0]
    relevant = np.bincount(gaining, minlength=batch.queries).astype(np.int64)
    value = biased_sum(
        batch.ranked,
        worth,
        batch.queries,
        p=numeric(measure, "p"),
        ties=measure.conventions.text("ties"),
        k=measure.k,
    )
    return Computed(value, relevant)


def compute_residual(batch: Batch, measure: Measure) -> Computed:
    """The weight of all that is not known: unjudged ranks and everything below the list."""
    least = optional_number(measure, "judged_from")
    ties = measure.conventions.text("ties")
    value = residual(batch.ranked, batch.queries, p=numeric(measure, "p"), judged_from=least, ties=ties, k=measure.k)
    if measure["tail"] == "dropped":
        ranked = batch.ranked
        known = np.ones(len(ranked.query), np.bool_) if least is None else ranked.grade >= least
        if measure.k is not None:
            known &= ranked.rank <= measure.k
        value[np.bincount(ranked.query[known], minlength=batch.queries) >= listed(batch)] = 0.0
    return Computed(value, count_gaining(batch.judged))


def _highest(value: object) -> Value:
    return "query" if value == "query" else number("max_grade", above=0.0, optional=True)(value)


PERSISTENCE = Option("p", 0.8, "the probability of going on to the next rank", number("p", above=0.0, below=1.0))
LEVEL = Option(
    "rel",
    1.0,
    "the least grade that counts as relevant; none: a document is worth its grade over max_grade",
    number("rel", optional=True),
)
HIGHEST = Option(
    "max_grade",
    None,
    "with rel=none, the grade that is worth 1; none: the highest grade in the judgments, over all queries; "
    "query: the highest grade of the query itself (trec_eval 10)",
    _highest,
)
TAIL = Option(
    "tail",
    "kept",
    "the weight below the last returned rank: kept, or dropped where every returned document is judged (trec_eval 10)",
    word("tail", "kept", "dropped"),
)

_SOURCE = "Moffat & Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1)"

RBP = Family(
    name="RBP",
    title="rank-biased precision",
    formula="(1 - p) x sum over ranks r = 1..k of worth(r) x p^(r - 1)",
    explanation="The rate at which a reader finds what is relevant who goes on from each rank with probability p. "
    "Never normalised: how much there is to find plays no part, and RBPResidual says how much is not known.",
    source=_SOURCE,
    range="0 to 1",
    fits="a model of patience is at hand: p = 0.5 for a glance, 0.8 for the first ten, 0.95 for a thorough search",
    instead="every query should be able to reach 1: nDCG",
    compute=compute_rbp,
    conventions=CONVENTIONS,
    options=(PERSISTENCE, LEVEL, HIGHEST),
    refuses=NO_SHARED_RANK,
    resolved=_resolved,
)

RBPResidual = Family(
    name="RBPResidual",
    title="residual of rank-biased precision",
    formula="p^n + (1 - p) x sum over unjudged ranks r <= n of p^(r - 1), n ranks returned (or k)",
    explanation="What RBP could still gain if everything unjudged, and everything below the list, were relevant: "
    "the true RBP lies between RBP and RBP + RBPResidual. A query that returns nothing has the residual 1.",
    source=_SOURCE,
    range="0 to 1",
    fits="beside RBP, to see how far missing judgments could move it",
    instead="a share of judged documents is enough: Judged",
    compute=compute_residual,
    conventions=(*RANKING, *COUNTED),
    options=(PERSISTENCE, JUDGED_FROM, TAIL),
    always_defined=True,
    refuses=NO_SHARED_RANK,
)

FAMILIES = (RBP, RBPResidual)
