"""The family of precision: P, precision relative to the best possible, and precision at R and its multiples."""

from __future__ import annotations

import numpy as np

from ..kernel.batch import Batch, Computed
from ..kernel.interpolated import counts_wanted
from ..kernel.relevance import ratio, total_to
from .measure import Family, Measure, Option
from .relevance import CONVENTIONS, NO_SHARED_RANK, REL, Relevance, number, numeric


def _cutoff(measure: Measure) -> int:
    assert measure.k is not None
    return measure.k


def compute_precision(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the first k ranks / k."""
    here, k = Relevance.of(batch, measure), _cutoff(measure)
    return Computed(total_to(batch.ranked, here.ranked, here.ties, batch.queries, k) / k, here.found)


def compute_relative(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the first k ranks / the smaller of k and all relevant documents."""
    here, k = Relevance.of(batch, measure), _cutoff(measure)
    hits = total_to(batch.ranked, here.ranked, here.ties, batch.queries, k)
    return Computed(ratio(hits, np.minimum(here.found, k)), here.found)


def compute_at_r(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the first R ranks / R."""
    here = Relevance.of(batch, measure)
    hits = total_to(batch.ranked, here.ranked, here.ties, batch.queries, here.found)
    return Computed(ratio(hits, here.found), here.found)


def compute_at_multiple(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents in the first m x R ranks / that number of ranks."""
    here = Relevance.of(batch, measure)
    ranks = counts_wanted(numeric(measure, "multiple"), here.found, "up")
    hits = total_to(batch.ranked, here.ranked, here.ties, batch.queries, ranks)
    return Computed(ratio(hits, ranks), here.found)


P = Family(
    name="P",
    title="precision",
    formula="relevant documents in the first k ranks / k",
    explanation="The share of the first k ranks that holds something relevant. A list shorter than k is divided by k.",
    source="Kent, Berry, Luehrs & Perry 1955; at cutoffs as in trec_eval",
    range="0 to 1",
    fits="all of the first k results are shown and count the same: how much of the page is useful",
    instead="most queries have fewer than k relevant documents, so that P@k cannot reach 1: R, RelP or Rprec; "
    "order inside the first k matters: nDCG or AP",
    compute=compute_precision,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("Precision", "precision"),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

RelP = Family(
    name="RelP",
    title="relative precision",
    formula="relevant documents in the first k ranks / min(k, R), R relevant documents in all",
    explanation="P@k over the largest P@k there can be: precision up to rank R, recall below it.",
    source="trec_eval, relative_P",
    range="0 to 1",
    fits="queries with very different numbers of relevant documents, at one cutoff",
    instead="the page itself is judged, whatever there is to find: P",
    compute=compute_relative,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("R_cap", "RecallCap"),
    cutoff="required",
    refuses=NO_SHARED_RANK,
)

Rprec = Family(
    name="Rprec",
    title="R-precision",
    formula="relevant documents in the first R ranks / R, R relevant documents in all",
    explanation="Precision where a perfect ranking would have just finished; recall at that rank as well.",
    source="Buckley & Voorhees 2005, Retrieval system evaluation, in TREC: Experiment and evaluation",
    range="0 to 1",
    fits="complete binary judgments, and a cutoff that adapts to how much there is to find",
    instead="readers look at a fixed number of results: P or nDCG; grades matter: nDCG",
    compute=compute_at_r,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("RPrec", "RPrecision"),
    cutoff="none",
    whole_list=True,
    refuses=NO_SHARED_RANK,
)

MULTIPLE = Option("multiple", None, "the multiple of R that is the cutoff", number("multiple", above=0.0))

RprecMult = Family(
    name="RprecMult",
    title="precision at a multiple of R",
    formula="relevant documents in the first c ranks / c, c = floor(m x R + 0.9), R relevant documents in all",
    explanation="Rprec moved up or down the list: `@` is the multiple m, so RprecMult@1 is Rprec.",
    source="trec_eval, Rprec_mult",
    range="0 to 1",
    fits="seeing whether a system leads near the top (small multiples) or deep down (large ones)",
    instead="one number is wanted: Rprec",
    compute=compute_at_multiple,
    conventions=CONVENTIONS,
    options=(MULTIPLE, REL),
    cutoff="required",
    at="multiple",
    whole_list=True,
    refuses=NO_SHARED_RANK,
)

FAMILIES = (P, RelP, Rprec, RprecMult)
