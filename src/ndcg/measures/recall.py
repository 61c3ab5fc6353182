"""The family of recall: R, F1, success, and the overlap with an exact search."""

from __future__ import annotations

import numpy as np

from ..kernel.batch import Batch, Computed
from ..kernel.reciprocal_rank import success
from ..kernel.relevance import numbered, ratio, total_to
from .measure import Family, Measure
from .relevance import CONVENTIONS, NO_SHARED_RANK, POLICIES, RANKING, REL, Relevance


def compute_recall(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the first k ranks / all relevant documents."""
    here = Relevance.of(batch, measure)
    hits = total_to(batch.ranked, here.ranked, here.ties, batch.queries, measure.k)
    return Computed(ratio(hits, here.found), here.found)


def compute_f1(batch: Batch, measure: Measure) -> Computed:
    """The harmonic mean of P@k and R@k, as 2 x hits / (k + all relevant documents)."""
    here = Relevance.of(batch, measure)
    assert measure.k is not None
    hits = total_to(batch.ranked, here.ranked, here.ties, batch.queries, measure.k)
    return Computed(2.0 * hits / (measure.k + here.found), here.found)


def compute_success(batch: Batch, measure: Measure) -> Computed:
    """1 if a relevant document is among the first k."""
    here = Relevance.of(batch, measure)
    assert measure.k is not None
    return Computed(success(batch.ranked, here.ranked, batch.queries, ties=here.ties, k=measure.k), here.found)


def compute_overlap(batch: Batch, measure: Measure) -> Computed:
    """Documents of the exact first k among the first k / min(k, documents of the exact run)."""
    judged, k = batch.judged, measure.k
    assert k is not None
    order = np.lexsort((-judged.grade, judged.query))
    query, grade = judged.query[order], judged.grade[order]
    exact = judged.counts()
    threshold = np.full(batch.queries, np.inf)
    at = numbered(query) == np.minimum(k, exact)[query]
    threshold[query[at]] = grade[at]
    inside = (batch.ranked.grade >= threshold[batch.ranked.query]).astype(np.float64)
    hits = total_to(batch.ranked, inside, measure.conventions.text("ties"), batch.queries, k)
    return Computed(ratio(hits, np.minimum(exact, k)), exact)


R = Family(
    name="R",
    title="recall",
    formula="relevant documents in the first k ranks / all relevant documents",
    explanation="The share of what there is to find that the first k ranks hold.",
    source="Kent, Berry, Luehrs & Perry 1955; at cutoffs as in trec_eval",
    range="0 to 1",
    fits="a first stage that feeds a reranker, or passages that a model reads whatever their order",
    instead="order matters: nDCG or AP; one hit is enough: Success (some papers call that recall)",
    compute=compute_recall,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("Recall",),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

F1 = Family(
    name="F1",
    title="F1 at a cutoff",
    formula="2 x relevant documents in the first k ranks / (k + all relevant documents)",
    explanation="The harmonic mean of P@k and R@k.",
    source="van Rijsbergen 1979, Information retrieval, chapter 7",
    range="0 to 1",
    fits="a fixed number of results is acted on, and both waste and misses cost",
    instead="the system itself decides how much to return: SetF; order matters: nDCG",
    compute=compute_f1,
    conventions=CONVENTIONS,
    options=(REL,),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

Success = Family(
    name="Success",
    title="success",
    formula="1 if a relevant document is among the first k, else 0",
    explanation="Whether anything relevant was found in time. Its mean is the hit rate.",
    source="Craswell & Hawking 2004, Overview of the TREC-2004 Web track",
    range="0 to 1",
    fits="one right answer is enough: question answering, known items, retrieval for a model",
    instead="its rank matters: RR; more than one document is needed: R",
    compute=compute_success,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("hit", "Hit", "HR", "HitRate", "hit_rate"),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

ANNRecall = Family(
    name="ANNRecall",
    title="overlap with an exact search",
    formula="documents of the exact first k that are among the first k / min(k, documents of the exact run)",
    explanation="How much of an exact search's first k an approximate index returns in its first k. The judgments are "
    "the exact run: each grade is its score there, larger is nearer (negate distances). A document that ties with the "
    "exact k-th counts.",
    source="Aumüller, Bernhardsson & Faithfull 2020, ANN-Benchmarks, Information Systems 87, recall with distance ties",
    range="0 to 1",
    fits="tuning an approximate nearest neighbour index against the exact search over the same vectors",
    instead="judgments say what is relevant, not what an exact search returns: R",
    compute=compute_overlap,
    conventions=(*RANKING, *POLICIES),
    aliases=("ann_recall",),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

FAMILIES = (R, F1, Success, ANNRecall)
