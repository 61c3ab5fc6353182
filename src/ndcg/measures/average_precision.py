"""The family of average precision: AP, its geometric mean, inferred AP, and interpolated precision at recall."""

from __future__ import annotations

from ..kernel.average_precision import average_precision, inferred_average_precision
from ..kernel.batch import Batch, Computed
from ..kernel.interpolated import PrecisionCurve, counts_wanted
from .convention import Value, number_text
from .measure import Family, Measure, Option
from .relevance import (
    CONVENTIONS,
    GIVEN_ORDER_ONLY,
    NO_AVERAGE,
    NO_SHARED_RANK,
    POOLED,
    REL,
    Relevance,
    number,
    numeric,
    word,
)


def compute_ap(batch: Batch, measure: Measure) -> Computed:
    """Precision at each relevant document, averaged over all relevant documents."""
    here = Relevance.of(batch, measure)
    value = average_precision(batch.ranked, here.ranked, here.found, batch.queries, ties=here.ties, k=measure.k)
    return Computed(value, here.found)


def compute_infap(batch: Batch, measure: Measure) -> Computed:
    """AP estimated from a judged sample of the pool."""
    here = Relevance.of(batch, measure)
    value = inferred_average_precision(
        batch.ranked,
        numeric(measure, "rel"),
        numeric(measure, "judged_from"),
        here.found,
        batch.queries,
        ties=here.ties,
    )
    return Computed(value, here.found)


def compute_iprec(batch: Batch, measure: Measure) -> Computed:
    """The largest precision at or below the rank where the recall level is reached."""
    here = Relevance.of(batch, measure)
    curve = PrecisionCurve(batch.ranked, here.ranked, batch.queries, ties=here.ties)
    needed = counts_wanted(numeric(measure, "recall"), here.found, str(measure["needed"]))
    return Computed(curve.at(needed), here.found)


def compute_iap(batch: Batch, measure: Measure) -> Computed:
    """Interpolated precision averaged over recall levels, added from the highest level down."""
    here = Relevance.of(batch, measure)
    curve = PrecisionCurve(batch.ranked, here.ranked, batch.queries, ties=here.ties)
    levels = [float(level) for level in str(measure["levels"]).split(",")]
    total = 0.0 * here.found
    for level in reversed(levels):
        total = total + curve.at(counts_wanted(level, here.found, str(measure["needed"])))
    return Computed(total / len(levels), here.found)


def _levels(value: object) -> Value:
    """Recall levels in canonical form: numbers from 0 to 1, ascending, separated by commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    one = number("levels", above=0.0, below=1.0)
    found = {float(str(one(part))) for part in parts}
    return ",".join(number_text(level) for level in sorted(found))


_COUNTS = "how a recall level becomes a number of documents: up = floor(level x R + 0.9), as trec_eval up to 9.0.8"
NEEDED = Option("needed", "up", f"{_COUNTS}; nearest = rounded, as trec_eval 10", word("needed", "up", "nearest"))
RECALL = Option("recall", None, "the recall level, from 0 to 1", number("recall", above=0.0, below=1.0))
LEVELS = Option(
    "levels",
    "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1",
    "the recall levels that are averaged, ascending, separated by commas",
    _levels,
)

_AP_SOURCE = "Harman 1992, Evaluation issues in information retrieval, IP&M 28(4); Buckley & Voorhees 2005"

AP = Family(
    name="AP",
    title="average precision",
    formula="sum over relevant documents at rank r <= k of (relevant documents at ranks 1..r) / r, "
    "divided by all relevant documents",
    explanation="Precision at each relevant document, averaged over all there are; those not returned count 0. "
    "Its mean over queries is MAP.",
    source=f"{_AP_SOURCE}; expectation over ties: McSherry & Najork 2008, ECIR",
    range="0 to 1",
    fits="complete binary judgments, and readers who want everything relevant, near the top",
    instead="grades matter: nDCG; only the first page is read: nDCG@10 or P@10; few judgments: Bpref",
    compute=compute_ap,
    conventions=CONVENTIONS,
    options=(REL,),
    aliases=("MAP",),
    whole_list=False,
    refuses=NO_SHARED_RANK,
)

GMAP = Family(
    name="GMAP",
    title="geometric mean of average precision",
    formula="exp of the mean over queries of ln(max(AP, 0.00001))",
    explanation="AP of each query, averaged so that a gain from 0.05 to 0.1 counts as much as one from 0.4 to 0.8.",
    source="Robertson 2006, On GMAP and other transformations, CIKM; trec_eval, gm_map",
    range="0 to 1",
    fits="the hardest queries are the point",
    instead="every query counts the same: AP",
    compute=compute_ap,
    conventions=CONVENTIONS,
    options=(REL,),
    refuses=NO_SHARED_RANK,
    aggregate="geometric",
)

infAP = Family(
    name="infAP",
    title="inferred average precision",
    formula="mean over relevant documents, at rank r, of 1/r + (r-1)/r x (pooled above)/(r-1) x "
    "(relevant above + e) / (judged above + 2e), e = 0.00001",
    explanation="AP estimated from a random sample of judgments: a negative grade marks a document that is in the "
    "pool but was not sampled; documents outside the pool count as not relevant.",
    source="Yilmaz & Aslam 2006, Estimating average precision with incomplete and imperfect judgments, CIKM",
    range="0 to 1",
    fits="judgments that are a random sample of a pool, with the rest of the pool marked by a negative grade",
    instead="the pool was judged completely: AP, which it then equals up to e",
    compute=compute_infap,
    conventions=CONVENTIONS,
    options=(REL, POOLED),
    aliases=("InfAP",),
    cutoff="none",
    whole_list=True,
    refuses=GIVEN_ORDER_ONLY,
)

IPrec = Family(
    name="IPrec",
    title="interpolated precision at recall",
    formula="the largest precision at any rank at or below the one where the recall level is reached",
    explanation="One point of the recall-precision graph; `@` is the recall level.",
    source="Salton & McGill 1983, Introduction to modern information retrieval; trec_eval, iprec_at_recall",
    range="0 to 1",
    fits="drawing the recall-precision graph",
    instead="one number is wanted: AP",
    compute=compute_iprec,
    conventions=CONVENTIONS,
    options=(RECALL, REL, NEEDED),
    aliases=("iprec",),
    cutoff="required",
    at="recall",
    whole_list=True,
    refuses=NO_AVERAGE,
)

IAP = Family(
    name="IAP",
    title="interpolated average precision",
    formula="mean over recall levels of the interpolated precision",
    explanation="The average of the recall-precision graph, at eleven levels unless others are named.",
    source="Salton & McGill 1983; trec_eval, 11pt_avg",
    range="0 to 1",
    fits="comparing with numbers from before 1993",
    instead="anything else: AP",
    compute=compute_iap,
    conventions=CONVENTIONS,
    options=(LEVELS, REL, NEEDED),
    cutoff="none",
    whole_list=True,
    refuses=NO_AVERAGE,
)

FAMILIES = (AP, GMAP, infAP, IPrec, IAP)
