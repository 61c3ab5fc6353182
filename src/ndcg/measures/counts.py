"""The family of counts: queries and documents, and how many of them are judged. Always defined."""

from __future__ import annotations

import numpy as np

from ..kernel.batch import Batch, Computed, Floats
from ..kernel.relevance import at_least, count_at_least, count_gaining, ratio, total_to
from .measure import Family, Measure, Option
from .relevance import (
    COUNTED,
    JUDGED_FROM,
    NO_SHARED_RANK,
    ONCE,
    POOLED,
    RANKING,
    REL,
    Relevance,
    listed,
    number,
    numeric,
    optional_number,
)


def compute_queries(batch: Batch, measure: Measure) -> Computed:
    """1 for each judged query."""
    return Computed(np.ones(batch.queries), count_gaining(batch.judged))


def compute_relevant(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the judgments."""
    found = count_at_least(batch.judged, numeric(measure, "rel"))
    return Computed(found.astype(np.float64), found)


def compute_returned(batch: Batch, measure: Measure) -> Computed:
    """Documents returned, or those of at least a grade."""
    level = optional_number(measure, "rel")
    if level is None:
        return Computed(listed(batch).astype(np.float64), count_gaining(batch.judged))
    hits = batch.ranked.query[batch.ranked.grade >= level]
    return Computed(np.bincount(hits, minlength=batch.queries).astype(np.float64), count_at_least(batch.judged, level))


def compute_returned_plain(batch: Batch, measure: Measure) -> Computed:
    """Documents returned that are judged and not relevant."""
    ranked = batch.ranked
    level, least = numeric(measure, "rel"), numeric(measure, "judged_from")
    plain = ranked.query[(ranked.grade >= least) & (ranked.grade < level)]
    return Computed(np.bincount(plain, minlength=batch.queries).astype(np.float64), Relevance.of(batch, measure).found)


def _judged_to_cutoff(batch: Batch, measure: Measure) -> Floats:
    """Judged documents in the first k ranks."""
    least = optional_number(measure, "judged_from")
    grade = batch.ranked.grade
    known = at_least(grade, -np.inf if least is None else least)
    return total_to(batch.ranked, known, measure.conventions.text("ties"), batch.queries, measure.k)


def compute_judged(batch: Batch, measure: Measure) -> Computed:
    """Judged documents in the first min(k, returned) ranks / that number of ranks."""
    ranks = listed(batch) if measure.k is None else np.minimum(listed(batch), measure.k)
    value = ratio(_judged_to_cutoff(batch, measure), ranks)
    return Computed(value, count_gaining(batch.judged), defined=ranks > 0)


def compute_unjudged(batch: Batch, measure: Measure) -> Computed:
    """Unjudged documents in the first k ranks / k, however short the list."""
    assert measure.k is not None
    ranks = np.minimum(listed(batch), measure.k)
    return Computed((ranks - _judged_to_cutoff(batch, measure)) / measure.k, count_gaining(batch.judged))


_SOURCE = "trec_eval"
_RUN = (*RANKING, *COUNTED)

NumQ = Family(
    name="NumQ",
    title="number of queries",
    formula="1 per judged query; the sum is the number of queries",
    explanation="How many judged queries there are; with missing=exclude and "
    "empty_missing=missing, how many of them the run answers.",
    source=f"{_SOURCE}, num_q",
    range="a count",
    fits="beside every mean",
    instead="reasons are wanted too: the denominators of any result",
    compute=compute_queries,
    conventions=_RUN,
    refuses=ONCE,
    cutoff="none",
    whole_list=True,
    always_defined=True,
    aggregate="sum",
)

NumRel = Family(
    name="NumRel",
    title="number of relevant documents",
    formula="judged documents of at least grade rel; the sum over queries",
    explanation="How much there is to find.",
    source=f"{_SOURCE}, num_rel",
    range="a count",
    fits="beside recall",
    instead="a share is wanted: R",
    compute=compute_relevant,
    conventions=_RUN,
    refuses=ONCE,
    options=(REL,),
    cutoff="none",
    whole_list=True,
    always_defined=True,
    aggregate="sum",
)

OF_GRADE = Option("rel", None, "count documents of at least this grade; none: all", number("rel", optional=True))

NumRet = Family(
    name="NumRet",
    title="number of documents returned",
    formula="documents returned, or those of at least grade rel; the sum over queries",
    explanation="How much the run returned; NumRet(rel=1), also called NumRelRet, how much of it is relevant.",
    source=f"{_SOURCE}, num_ret and num_rel_ret",
    range="a count",
    fits="seeing lists cut short",
    instead="a share is wanted: SetP or SetR",
    compute=compute_returned,
    conventions=_RUN,
    refuses=ONCE,
    options=(OF_GRADE,),
    cutoff="none",
    whole_list=True,
    always_defined=True,
    aggregate="sum",
)

NumNonRelRet = Family(
    name="NumNonRelRet",
    title="number of documents returned that are judged not relevant",
    formula="documents returned with a grade from judged_from to below rel; the sum over queries",
    explanation="How much of what was returned is known to be useless; unjudged documents are not counted.",
    source=f"{_SOURCE}, num_nonrel_judged_ret",
    range="a count",
    fits="telling bad results from unjudged ones",
    instead="a share is wanted: Judged beside P",
    compute=compute_returned_plain,
    conventions=_RUN,
    refuses=ONCE,
    options=(REL, POOLED),
    cutoff="none",
    whole_list=True,
    always_defined=True,
    aggregate="sum",
)

_BEFORE_CONDENSING = tuple(name for name in _RUN if name != "unjudged")

Judged = Family(
    name="Judged",
    title="share of judged documents",
    formula="judged documents in the first min(k, returned) ranks / min(k, returned)",
    explanation="How much of what is scored is known. Every measure's own judged@k stands beside it anyway. "
    "A query that returns nothing has no value.",
    source="MacAvaney, Macdonald & Ounis 2022, Streamlining evaluation with ir-measures, ECIR",
    range="0 to 1",
    fits="before believing any other number",
    instead="the effect on a score is wanted: RBPResidual, or bounds",
    compute=compute_judged,
    conventions=_BEFORE_CONDENSING,
    options=(JUDGED_FROM,),
    always_defined=True,
    refuses=NO_SHARED_RANK,
)

Unjudged = Family(
    name="Unjudged",
    title="share of unjudged documents",
    formula="documents without a judgment in the first k ranks / k",
    explanation="A warning light: high values at small cutoffs say that the judgments do not know this run. "
    "Ranks below the end of a short list are not counted as unjudged.",
    source=f"{_SOURCE} 10, unj",
    range="0 to 1",
    fits="comparing with trec_eval's unj",
    instead="lists are shorter than k: Judged",
    compute=compute_unjudged,
    conventions=_BEFORE_CONDENSING,
    options=(JUDGED_FROM,),
    cutoff="required",
    always_defined=True,
    refuses=NO_SHARED_RANK,
)

FAMILIES = (NumQ, NumRel, NumRet, NumNonRelRet, Judged, Unjudged)
