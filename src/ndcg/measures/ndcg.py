"""The family of discounted cumulative gain: nDCG, DCG, ideal DCG and CG."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..kernel.batch import Batch, Computed, Floats
from ..kernel.gains import GainRule, binary, exp2, exp2_int64, exp2_to_30, from_table, gains_of, judged, linear
from ..kernel.ideal import ideal_sum
from ..kernel.order import place
from ..kernel.sums import discounted_sum
from .convention import split_parameter
from .conventions import CONVENTIONS
from .habits import habitual, has_habits
from .measure import Family, Measure

GAINS: Mapping[object, GainRule] = {
    "exp2": exp2,
    "linear": linear,
    "binary": binary,
    "judged": judged,
    "exp2_int64": exp2_int64,
    "exp2_to_30": exp2_to_30,
}


def gain_rule(measure: Measure) -> GainRule:
    """The gain function that a measure declares."""
    gain = measure["gain"]
    if isinstance(gain, tuple):
        return from_table(gain, measure.conventions.text("off_table"))
    return GAINS[gain]


def gains(grades: Floats, measure: Measure) -> Floats:
    """The gains of grades under the measure's conventions."""
    min_grade = measure["min_grade"]
    return gains_of(
        grades,
        gain_rule(measure),
        negative=measure.conventions.text("negative"),
        min_grade=min_grade if isinstance(min_grade, float) else None,
        whole=measure["grade_type"] == "int",
        single=measure["gain_type"] == "float32",
        infinite=measure["overflow"] == "zero",
    )


def gains_by_document(grades: Mapping[str, float], measure: Measure) -> dict[str, float]:
    """The gain of each judged document of one query under a measure; other families count grades as they are."""
    values = np.fromiter(grades.values(), dtype=np.float64, count=len(grades))
    worth = gains(values, measure) if "gain" in measure.family.conventions else values
    return dict(zip(grades, worth.tolist(), strict=True))


def discount(measure: Measure) -> tuple[str, float | None]:
    """The discount's name and its base, if it has one."""
    return split_parameter(measure.conventions.text("discount"))


def _discounted(batch: Batch, measure: Measure) -> Computed:
    """DCG and ideal DCG of each query, and how many judged documents have gain."""
    if has_habits(measure):
        return habitual(batch, measure)
    judged, ranked, queries = batch.judged, batch.ranked, batch.queries
    name, base = discount(measure)
    judged_gains = gains(judged.grade, measure)
    relevant = np.bincount(judged.query[judged_gains > 0], minlength=queries).astype(np.int64)
    gained = gains(ranked.grade, measure)
    query, rank, gain = place(ranked, gained, measure.conventions.text("ties"), measure.k)
    with np.errstate(over="ignore"):
        dcg = discounted_sum(query, rank, gain, queries, discount=name, base=base, k=measure.k)
        source = measure.conventions.text("ideal")
        if source == "returned":
            ideal = ideal_sum(ranked.query, gained, queries, discount=name, base=base, k=measure.k)
        else:
            ideal = _judged_ideal(batch, measure, judged_gains, source)
    return Computed(value=dcg, relevant=relevant, dcg=dcg, ideal=ideal, without_gain=(ideal == 0) & (relevant > 0))


def _judged_ideal(batch: Batch, measure: Measure, judged_gains: Floats, source: str) -> Floats:
    """The ideal from the judgments, computed once for all runs scored against them."""
    judged = batch.judged
    name, base = discount(measure)
    parts = ("gain", "discount", "negative", "min_grade", "ideal", "off_table", "grade_type", "gain_type")
    key = tuple(measure[part] for part in parts), measure.k
    if key not in judged.ideals:
        query = judged.query
        if source == "candidates" and judged.in_pool is not None:
            query, judged_gains = query[judged.in_pool], judged_gains[judged.in_pool]
        judged.ideals[key] = ideal_sum(query, judged_gains, batch.queries, discount=name, base=base, k=measure.k)
    return judged.ideals[key]


def compute_ndcg(batch: Batch, measure: Measure) -> Computed:
    """DCG@k / ideal DCG@k; 0 where the chosen ideal is 0."""
    parts = _discounted(batch, measure)
    assert parts.dcg is not None and parts.ideal is not None
    with np.errstate(invalid="ignore"):
        value = np.divide(parts.dcg, parts.ideal, out=np.zeros(batch.queries), where=parts.ideal != 0)
    return Computed(value, parts.relevant, parts.dcg, parts.ideal, parts.without_gain, parts.idle)


def compute_dcg(batch: Batch, measure: Measure) -> Computed:
    """DCG@k. Not comparable across queries."""
    return _discounted(batch, measure)


def compute_idcg(batch: Batch, measure: Measure) -> Computed:
    """Ideal DCG@k: what the best ordering would reach."""
    parts = _discounted(batch, measure)
    assert parts.ideal is not None
    return Computed(parts.ideal, parts.relevant, parts.dcg, parts.ideal, parts.without_gain)


_NO_RATIO = tuple(name for name in CONVENTIONS if name not in ("no_ideal", "no_ideal_by"))
"""What a sum obeys: nothing is divided by its ideal."""

_SOURCE = "Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, TOIS 20(4)"

nDCG = Family(
    name="nDCG",
    title="normalised discounted cumulative gain",
    formula="DCG@k / ideal DCG@k",
    explanation="How much of the reachable gain the first k ranks hold, ranks near the top counting more.",
    source=f"{_SOURCE}; gain 2^grade - 1: Burges et al. 2005, Learning to rank using gradient descent, ICML",
    range="0 to 1",
    fits="graded judgments and a list that is read from the top: nDCG@10 for a page of ten results, "
    "nDCG@5 for five passages read by a model",
    instead="one right answer is wanted: RR or Success@1; all judgments are 0 or 1: RR and R say as much; "
    "a model reads every passage whatever the order: R@5",
    compute=compute_ndcg,
    aliases=("NDCG",),
)

DCG = Family(
    name="DCG",
    title="discounted cumulative gain",
    formula="sum over ranks 1..k of gain / log2(rank + 1)",
    explanation="The gain collected in the first k ranks, discounted by rank. Not comparable across queries.",
    source=_SOURCE,
    range="0 upwards, not comparable across queries",
    fits="comparing rankings of one query in units of gain",
    instead="a mean over queries is wanted: nDCG, since one query with many relevant documents outweighs the rest",
    compute=compute_dcg,
    conventions=_NO_RATIO,
)

IDCG = Family(
    name="IDCG",
    title="ideal discounted cumulative gain",
    formula="the largest DCG@k that any ordering of the ideal pool reaches",
    explanation="The ceiling that DCG@k is divided by: a property of the judgments, not of the run.",
    source=_SOURCE,
    range="0 upwards, not comparable across queries",
    fits="seeing how much there is to find for a query",
    instead="a system is to be scored: nDCG",
    compute=compute_idcg,
    conventions=_NO_RATIO,
    aliases=("idcg", "iDCG"),
)

CG = Family(
    name="CG",
    title="cumulative gain",
    formula="sum over ranks 1..k of gain",
    explanation="The gain collected in the first k ranks, whatever the order. Not comparable across queries.",
    source=_SOURCE,
    range="0 upwards, not comparable across queries",
    fits="all k results are read and their order does not matter",
    instead="order matters: DCG or nDCG",
    compute=compute_dcg,
    conventions=_NO_RATIO,
    defaults={"gain": "linear", "discount": "none"},
    aliases=("cg",),
)

FAMILIES = (nDCG, DCG, IDCG, CG)
