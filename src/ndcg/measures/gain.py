"""The family of gain beside nDCG: nCG, and trec_eval's experimental G, binG, ndcg_rel and Rndcg."""

from __future__ import annotations

import numpy as np

from ..kernel.batch import Batch, Computed, Floats, Ints
from ..kernel.experimental import binary_g, level_ndcg, normalised_g, relevant_ndcg
from .measure import Family, Measure
from .ndcg import compute_ndcg, gains
from .relevance import CONVENTIONS, GIVEN_ORDER_ONLY, NO_AVERAGE, NO_SHARED_RANK, REL, Relevance, listed


def _gains(batch: Batch, measure: Measure) -> tuple[Floats, Floats, Ints]:
    """(gains of the judged documents, gains of the ranked ones, how many judged documents gain) ."""
    judged = gains(batch.judged.grade, measure)
    relevant = np.bincount(batch.judged.query[judged > 0], minlength=batch.queries).astype(np.int64)
    return judged, gains(batch.ranked.grade, measure), relevant


def compute_g(batch: Batch, measure: Measure) -> Computed:
    """G."""
    judged, ranked, relevant = _gains(batch, measure)
    ties = measure.conventions.text("ties")
    return Computed(normalised_g(batch.judged, judged, batch.ranked, ranked, ties=ties), relevant)


def compute_bing(batch: Batch, measure: Measure) -> Computed:
    """G with gains of 0 and 1."""
    here = Relevance.of(batch, measure)
    value = binary_g(batch.ranked, here.ranked, here.found, batch.queries, ties=here.ties)
    return Computed(value, here.found)


def compute_ndcg_rel(batch: Batch, measure: Measure) -> Computed:
    """nDCG at each relevant document, averaged."""
    judged, ranked, relevant = _gains(batch, measure)
    ties = measure.conventions.text("ties")
    return Computed(relevant_ndcg(batch.judged, judged, batch.ranked, ranked, ties=ties), relevant)


def compute_rndcg(batch: Batch, measure: Measure) -> Computed:
    """nDCG where each level of gain ends in the ideal, averaged."""
    judged, ranked, relevant = _gains(batch, measure)
    ties = measure.conventions.text("ties")
    value = level_ndcg(batch.judged, judged, batch.ranked, ranked, listed(batch), ties=ties)
    return Computed(value, relevant)


_GAIN = (*CONVENTIONS, "gain", "negative", "min_grade", "off_table", "grade_type", "gain_type")
_NEGATIVE = {"negative": ("keep", "signed", "remove", "padding")}
_SOURCE = "Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, TOIS 20(4)"

nCG = Family(
    name="nCG",
    title="normalised cumulative gain",
    formula="CG@k / the largest CG@k that any order of the ideal pool reaches",
    explanation="How much of the reachable gain the first k ranks hold, whatever their order.",
    source=_SOURCE,
    range="0 to 1",
    fits="graded judgments, and k results that are all read whatever their order",
    instead="order matters: nDCG; judgments are binary: RelP says the same",
    compute=compute_ndcg,
    defaults={"gain": "linear", "discount": "none"},
    aliases=("NCG", "ncg"),
)

G = Family(
    name="G",
    title="normalised gain",
    formula="sum over ranks of gain / log2(2 + cost(1..r) - gain(1..r)), divided by the sum of all gains; "
    "the cost of a rank is its ideal gain, at least 1",
    explanation="A document loses by how far the list has fallen behind the ideal one, not by its rank.",
    source="trec_eval, G (experimental, 2008)",
    range="0 to 1",
    fits="comparing with trec_eval's G",
    instead="anything else: nDCG",
    compute=compute_g,
    conventions=_GAIN,
    defaults={"gain": "linear"},
    cutoff="none",
    whole_list=True,
    refuses={**GIVEN_ORDER_ONLY, **_NEGATIVE},
)

binG = Family(
    name="binG",
    title="binary normalised gain",
    formula="mean over all relevant documents of 1 / log2(2 + documents above that are not relevant)",
    explanation="G for relevant and not relevant only.",
    source="trec_eval, binG (experimental, 2008)",
    range="0 to 1",
    fits="comparing with trec_eval's binG",
    instead="anything else: AP",
    compute=compute_bing,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("BinG",),
    cutoff="none",
    whole_list=True,
    refuses=NO_AVERAGE,
)

nDCGRel = Family(
    name="nDCGRel",
    title="nDCG averaged over relevant documents",
    formula="mean over all relevant documents of nDCG at their rank; nDCG of the whole list where not returned",
    explanation="nDCG looked at where a relevant document has just been found, instead of at one cutoff.",
    source="trec_eval, ndcg_rel (experimental)",
    range="0 to 1",
    fits="comparing with trec_eval's ndcg_rel",
    instead="anything else: nDCG",
    compute=compute_ndcg_rel,
    conventions=_GAIN,
    defaults={"gain": "linear"},
    cutoff="none",
    whole_list=True,
    refuses={**GIVEN_ORDER_ONLY, **_NEGATIVE},
)

RnDCG = Family(
    name="RnDCG",
    title="nDCG averaged over levels of gain",
    formula="mean of nDCG at the number of documents of each gain or more, and at the end of the list",
    explanation="nDCG looked at where the ideal ranking passes from one gain to the next, instead of at one cutoff.",
    source="trec_eval, Rndcg (experimental)",
    range="0 to 1",
    fits="comparing with trec_eval's Rndcg",
    instead="anything else: nDCG",
    compute=compute_rndcg,
    conventions=_GAIN,
    defaults={"gain": "linear"},
    cutoff="none",
    whole_list=True,
    refuses={**NO_SHARED_RANK, **_NEGATIVE},
)

FAMILIES = (nCG, G, binG, nDCGRel, RnDCG)
