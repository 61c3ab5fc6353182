"""The family of binary preference: measures of the judged documents alone."""

from __future__ import annotations

import numpy as np

from ..kernel.batch import Batch, Computed
from ..kernel.preference import binary_preference
from .measure import Family, Measure
from .relevance import CONVENTIONS, NO_AVERAGE, POOLED, REL, Relevance, numeric


def compute_bpref(batch: Batch, measure: Measure) -> Computed:
    """The share of preferences of relevant over other judged documents that the ranking keeps."""
    here, judged = Relevance.of(batch, measure), batch.judged
    level, least = numeric(measure, "rel"), numeric(measure, "judged_from")
    plain = judged.query[(judged.grade >= least) & (judged.grade < level)]
    others = np.bincount(plain, minlength=batch.queries).astype(np.int64)
    value = binary_preference(batch.ranked, level, least, here.found, others, batch.queries, ties=here.ties)
    return Computed(value, here.found)


_FORMULA = (
    "mean over all R relevant documents of 1 - min(n, R) / min(N, R), n judged documents above that are not relevant, "
    "N of them in all; 0 for a relevant document that is not returned"
)
_SOURCE = "Buckley & Voorhees 2004, Retrieval evaluation with incomplete information, SIGIR; in trec_eval's form"

Bpref = Family(
    name="Bpref",
    title="binary preference",
    formula=_FORMULA,
    explanation="Looks at judged documents only: how few of the not relevant ones stand above the relevant ones. "
    "Unjudged documents, and grades below `judged_from`, are passed over.",
    source=_SOURCE,
    range="0 to 1",
    fits="many unjudged documents in the list, and judgments of both kinds",
    instead="judgments are complete: AP; hardly any document is judged not relevant, as in most question collections: "
    "RR or R, since Bpref is then near 1 for all",
    compute=compute_bpref,
    conventions=CONVENTIONS,
    options=(REL, POOLED),
    aliases=("BPref",),
    cutoff="none",
    whole_list=True,
    refuses=NO_AVERAGE,
)

GMBpref = Family(
    name="GMBpref",
    title="geometric mean of binary preference",
    formula="exp of the mean over queries of ln(max(Bpref, 0.00001))",
    explanation="Bpref of each query, averaged so that the hardest queries decide.",
    source=f"{_SOURCE}, gm_bpref",
    range="0 to 1",
    fits="the hardest queries are the point, and judgments are incomplete",
    instead="every query counts the same: Bpref",
    compute=compute_bpref,
    conventions=CONVENTIONS,
    options=(REL, POOLED),
    cutoff="none",
    whole_list=True,
    refuses=NO_AVERAGE,
    aggregate="geometric",
)

FAMILIES = (Bpref, GMBpref)
