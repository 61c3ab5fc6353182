"""The family of reciprocal rank: RR, and the expected one of a reader who may stop anywhere (ERR, nERR)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..kernel.batch import Batch, Computed, Floats, Judged
from ..kernel.cascade import cascade_sum, ideal_cascade, stopping
from ..kernel.gains import gains_of
from ..kernel.order import place
from ..kernel.reciprocal_rank import reciprocal_rank
from ..kernel.relevance import ratio
from .measure import Family, Measure, Option
from .relevance import CONVENTIONS, NO_AVERAGE, NO_SHARED_RANK, REL, Relevance, number, optional_number


def compute_rr(batch: Batch, measure: Measure) -> Computed:
    """1 / rank of the first relevant document."""
    here = Relevance.of(batch, measure)
    value = reciprocal_rank(batch.ranked, here.ranked, batch.queries, ties=here.ties, k=measure.k)
    return Computed(value, here.found)


def _highest(judged: Judged) -> float:
    """The highest grade in the judgments, at least 0."""
    return max(0.0, float(judged.grade.max())) if len(judged.grade) else 0.0


def _resolved(judged: Judged, measure: Measure) -> Mapping[str, float]:
    """The highest grade of the scale, where the judgments decide it."""
    return {"max_grade": _highest(judged)} if measure["max_grade"] is None else {}


def _chances(batch: Batch, measure: Measure) -> tuple[Floats, Floats]:
    """How likely each judged and each ranked document satisfies."""
    judged = batch.judged.grade
    highest = optional_number(measure, "max_grade")
    if highest is None:
        highest = _highest(batch.judged)
    rule, negative = stopping(highest), measure.conventions.text("negative")
    everything = gains_of(judged, rule, negative=negative, min_grade=None)
    return everything, gains_of(batch.ranked.grade, rule, negative=negative, min_grade=None)


def compute_err(batch: Batch, measure: Measure) -> Computed:
    """The expected 1 / rank at which the reader stops satisfied."""
    everything, ranked = _chances(batch, measure)
    relevant = np.bincount(batch.judged.query[everything > 0], minlength=batch.queries).astype(np.int64)
    query, rank, chance = place(batch.ranked, ranked, measure.conventions.text("ties"), measure.k)
    return Computed(cascade_sum(query, rank, chance, batch.queries, measure.k), relevant)


def compute_nerr(batch: Batch, measure: Measure) -> Computed:
    """ERR@k over the ERR@k of the best order of all judged documents."""
    parts = compute_err(batch, measure)
    everything, _ = _chances(batch, measure)
    best = ideal_cascade(batch.judged.query, everything, batch.queries, measure.k)
    return Computed(ratio(parts.value, best), parts.relevant)


RR = Family(
    name="RR",
    title="reciprocal rank",
    formula="1 / rank of the first relevant document, 0 if there is none in the first k",
    explanation="How soon the first relevant document comes. Its mean over queries is MRR.",
    source="Kantor & Voorhees 2000, The TREC-5 confusion track, Information Retrieval 2(2-3); "
    "expectation over ties: McSherry & Najork 2008, ECIR",
    range="0 to 1",
    fits="one right answer, read from the top",
    instead="several documents matter: nDCG or AP; presence in the first k is enough: Success",
    compute=compute_rr,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("MRR", "mrr"),
    refuses=NO_SHARED_RANK,
)

MAX_GRADE = Option(
    "max_grade",
    None,
    "the highest grade of the scale; none: the highest grade in the judgments, over all queries",
    number("max_grade", above=0.0, optional=True),
)

_SOURCE = "Chapelle, Metzler, Zhang & Grinspan 2009, Expected reciprocal rank for graded relevance, CIKM"
_CONVENTIONS = (*CONVENTIONS, "negative")

ERR = Family(
    name="ERR",
    title="expected reciprocal rank",
    formula="sum over ranks r = 1..k of R(r) / r x product over ranks i < r of (1 - R(i)), "
    "R = (2^grade - 1) / 2^max_grade",
    explanation="The expected 1 / rank at which a reader stops who goes down the list and is satisfied by a document "
    "with a probability that its grade gives. A good document makes those below it matter less.",
    source=_SOURCE,
    range="0 to 1",
    fits="graded judgments, and readers who stop at the first document that satisfies them",
    instead="several documents are needed: nDCG; queries with different best grades are averaged: nERR",
    compute=compute_err,
    conventions=_CONVENTIONS,
    options=(MAX_GRADE,),
    refuses=NO_AVERAGE,
    resolved=_resolved,
)

nERR = Family(
    name="nERR",
    title="normalised expected reciprocal rank",
    formula="ERR@k / ERR@k of all judged documents in descending order of grade",
    explanation="ERR over the largest that the judgments allow, so that every query can reach 1.",
    source=f"{_SOURCE}; normalised as in the TREC Web tracks (Clarke et al.)",
    range="0 to 1",
    fits="as ERR, when queries differ in the best grade there is",
    instead="the reader's satisfaction itself is wanted: ERR",
    compute=compute_nerr,
    conventions=_CONVENTIONS,
    options=(MAX_GRADE,),
    refuses=NO_AVERAGE,
    resolved=_resolved,
)

FAMILIES = (RR, ERR, nERR)
