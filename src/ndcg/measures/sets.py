"""The family of set measures: what was returned, whatever its order."""

from __future__ import annotations

import numpy as np

from ..errors import UsageError
from ..kernel.batch import Batch, Computed, Floats, Ints
from ..kernel.relevance import added, ratio
from .convention import Value
from .measure import Family, Measure, Option
from .relevance import CONVENTIONS, COUNTED, ONCE, RANKING, REL, Relevance, listed, number, numeric


def _sizes(batch: Batch, measure: Measure) -> tuple[Floats, Ints, Ints]:
    """(relevant documents returned, documents returned, relevant documents) per query."""
    here = Relevance.of(batch, measure)
    hits = added(batch.ranked.query, here.ranked, batch.queries)
    return hits, listed(batch), here.found


def compute_set_precision(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents returned / documents returned (or the most of them that could be relevant)."""
    hits, returned, found = _sizes(batch, measure)
    return Computed(ratio(hits, np.minimum(returned, found) if measure["relative"] == "true" else returned), found)


def compute_set_recall(batch: Batch, measure: Measure) -> Computed:
    """Relevant documents returned / relevant documents."""
    hits, _, found = _sizes(batch, measure)
    return Computed(ratio(hits, found), found)


def compute_set_f(batch: Batch, measure: Measure) -> Computed:
    """The weighted harmonic mean of set precision and set recall."""
    hits, returned, found = _sizes(batch, measure)
    precision, recall = ratio(hits, returned), ratio(hits, found)
    weight = numeric(measure, "beta") ** 2
    return Computed(ratio((weight + 1.0) * precision * recall, weight * precision + recall), found)


def compute_set_ap(batch: Batch, measure: Measure) -> Computed:
    """Set precision x set recall, as one fraction."""
    hits, returned, found = _sizes(batch, measure)
    return Computed(ratio(hits * hits, returned.astype(np.float64) * found), found)


def compute_utility(batch: Batch, measure: Measure) -> Computed:
    """The sum of what each kind of document is worth."""
    hits, returned, found = _sizes(batch, measure)
    a, b, c, d = (numeric(measure, name) for name in ("hit", "noise", "miss", "rest"))
    rest = numeric(measure, "collection") + hits - returned - found
    return Computed(a * hits + b * (returned - hits) + c * (found - hits) + d * rest, found)


def _flag(value: object) -> Value:
    """Whether the value is relative, as the words that print and parse."""
    text = str(value).lower()
    if text not in ("true", "false"):
        raise UsageError(f"relative={value!r} is not true or false", code="unknown_choice")
    return text


RELATIVE = Option(
    "relative", "false", "whether the value is over the largest there can be for a list of this size", _flag
)
BETA = Option("beta", 1.0, "how much more recall weighs than precision", number("beta", above=0.0))

_SOURCE = "Kent, Berry, Luehrs & Perry 1955; trec_eval"

SetP = Family(
    name="SetP",
    title="set precision",
    formula="relevant documents returned / documents returned; relative: / min(documents returned, R)",
    explanation="The share of the whole answer that is relevant.",
    source=_SOURCE,
    range="0 to 1",
    fits="the system decides how much to return, and all of it is used",
    instead="results are read from the top: P, AP or nDCG",
    compute=compute_set_precision,
    conventions=CONVENTIONS,
    refuses=ONCE,
    options=(REL, RELATIVE),
    cutoff="none",
    whole_list=True,
)

SetR = Family(
    name="SetR",
    title="set recall",
    formula="relevant documents returned / relevant documents",
    explanation="The share of what there is to find that was returned at all.",
    source=_SOURCE,
    range="0 to 1",
    fits="candidate generation: what a later stage cannot repair",
    instead="only the first k are passed on: R",
    compute=compute_set_recall,
    conventions=CONVENTIONS,
    refuses=ONCE,
    options=(REL,),
    cutoff="none",
    whole_list=True,
)

SetF = Family(
    name="SetF",
    title="set F measure",
    formula="(b^2 + 1) x P x R / (b^2 x P + R), P and R of the whole set",
    explanation="The harmonic mean of set precision and set recall, recall weighing beta times as much. trec_eval's "
    "parameter x, which ir_measures calls beta, is the square of this beta: SetF(beta=2) here is x = 4 there.",
    source="van Rijsbergen 1979, Information retrieval, chapter 7; trec_eval, set_F",
    range="0 to 1",
    fits="the system decides how much to return: filtering, deduplication, legal search",
    instead="results are read from the top: AP or nDCG",
    compute=compute_set_f,
    conventions=CONVENTIONS,
    refuses=ONCE,
    options=(REL, BETA),
    cutoff="none",
    whole_list=True,
)

SetAP = Family(
    name="SetAP",
    title="set average precision",
    formula="(relevant documents returned)^2 / (documents returned x relevant documents)",
    explanation="Set precision times set recall.",
    source="trec_eval, set_map",
    range="0 to 1",
    fits="comparing with trec_eval's set_map",
    instead="the trade of precision against recall is to be seen: SetF, or SetP and SetR",
    compute=compute_set_ap,
    conventions=CONVENTIONS,
    refuses=ONCE,
    options=(REL,),
    cutoff="none",
    whole_list=True,
)

_WORTH = (
    Option("hit", 1.0, "what a relevant document returned is worth", number("hit")),
    Option("noise", -1.0, "what another document returned is worth", number("noise")),
    Option("miss", 0.0, "what a relevant document not returned is worth", number("miss")),
    Option("rest", 0.0, "what another document not returned is worth", number("rest")),
    Option("collection", 0.0, "documents in the collection, for `rest`", number("collection", above=0.0)),
)

Utility = Family(
    name="Utility",
    title="set utility",
    formula="hit x (relevant returned) + noise x (others returned) + miss x (relevant not returned) + "
    "rest x (others not returned)",
    explanation="The sum of what each returned and each missed document is worth. Not comparable across queries.",
    source="Lewis 1995, The TREC-4 filtering track; trec_eval, utility",
    range="any number, not comparable across queries",
    fits="costs per document are known: alerts, filtering",
    instead="a mean over queries is wanted: SetF",
    compute=compute_utility,
    conventions=(*RANKING, *COUNTED),
    refuses=ONCE,
    options=(REL, *_WORTH),
    cutoff="none",
    whole_list=True,
    always_defined=True,
)

FAMILIES = (SetP, SetR, SetF, SetAP, Utility)
