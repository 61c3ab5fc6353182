"""Tied groups: expectations, best and worst orders, proved by going through every order."""

from __future__ import annotations

from itertools import permutations
from math import comb, fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.errors import UsageError
from ndcg.kernel.average_precision import expected_precisions
from ndcg.kernel.reciprocal_rank import chance_of_any, expected_reciprocal
from ndcg.measures.registry import FAMILIES

AVERAGED = ["P@2", "P@4", "RelP@3", "Rprec", "RprecMult@1.4", "R@2", "R@3", "F1@3", "Success@1", "Success@3", "AP"]
AVERAGED += ["AP@3", "RR", "RR@2", "RBP(p=0.9)", "RBP(rel=none)@3", "RBPResidual@3", "nCG@3", "nDCG@3", "RnDCG"]
AVERAGED += ["Judged@3", "Unjudged@3", "ANNRecall@2", "SetF", "NumRet(rel=1)", "P(rel=2)@3", "AP(rel=2)"]
ORDERED = [*AVERAGED, "IPrec@0.5", "IAP", "Bpref", "ERR", "ERR@3", "nERR@2", "binG"]
IN_ORDER_OF_GAIN = [name for name in ORDERED if not name.startswith(("RBPResidual", "Judged", "Unjudged"))]

tied = st.lists(st.tuples(st.sampled_from([None, 0.0, 1.0, 2.0, -1.0]), st.integers(1, 3)), min_size=1, max_size=5)
missed = st.lists(st.sampled_from([0.0, 1.0, 2.0]), max_size=2)


def data(rows, rest):
    """Judgments, and every ranking that the scores allow."""
    judged = {f"d{n}": grade for n, (grade, _) in enumerate(rows) if grade is not None}
    judged |= {f"m{n}": grade for n, grade in enumerate(rest)}
    scores = {f"d{n}": float(score) for n, (_, score) in enumerate(rows)}
    orders = {tuple(sorted(order, key=lambda doc: -scores[doc])) for order in permutations(scores)}
    return judged, scores, sorted(orders)


def value(judged, run, measure):
    return ndcg.evaluate({"q": judged}, {"q": run}, measure).per_query[0].value


@pytest.mark.parametrize("name", AVERAGED)
@given(rows=tied, rest=missed)
@settings(max_examples=15, deadline=None)
def test_average_is_the_mean_over_all_orders(name, rows, rest):
    judged, scores, orders = data(rows, rest)
    if not judged:
        return
    measure = ndcg.parse(name)
    expected = [value(judged, list(order), measure) for order in orders]
    ours = value(judged, scores, measure.with_conventions({"ties": "average"}))
    if expected[0] is None:
        assert ours is None
    else:
        assert ours == pytest.approx(fsum(expected) / len(expected), abs=1e-12)


@pytest.mark.parametrize("name", IN_ORDER_OF_GAIN)
@given(rows=tied, rest=missed)
@settings(max_examples=15, deadline=None)
def test_best_and_worst_bound_all_orders(name, rows, rest):
    judged, scores, orders = data(rows, rest)
    if not judged:
        return
    measure = ndcg.parse(name)
    every = [value(judged, list(order), measure) for order in orders]
    best, worst = (value(judged, scores, measure.with_conventions({"ties": ties})) for ties in ("best", "worst"))
    if every[0] is None:
        assert best is None and worst is None
    else:
        assert (worst, best) == (min(every), max(every))


@pytest.mark.parametrize(
    ("name", "ties"),
    [(family.name, ties) for family in FAMILIES.values() for ties in family.refuses.get("ties", ())],
)
def test_refused_ties_name_the_choices(name, ties):
    family = FAMILIES[name]
    at = [] if family.cutoff != "required" else [0.5 if family.at != "k" else 5]
    with pytest.raises(UsageError, match=f"{name} is not defined under ties='{ties}'; choose from docid, docid_desc"):
        family(*at, ties=ties)
    measure = family(*at)
    with pytest.raises(UsageError, match="is not defined under ties"):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, measure, ties=ties)


def test_a_large_tied_group():
    n, m = 4000, 7
    assert expected_reciprocal(1, n, m, None) == pytest.approx(
        sum(comb(n - j - 1, m - 1) / comb(n, m) / (j + 1) for j in range(n - m + 1)), rel=1e-12
    )
    assert chance_of_any(n, m, 100) == pytest.approx(1 - comb(n - m, 100) / comb(n, 100), rel=1e-12)
    assert expected_precisions(1, 5, 1, 0, None) == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5)


def test_a_constant_scorer():
    """Five documents of one score, the relevant one first and smallest: RR 0.2 by id descending, else the mean."""
    judged, run = {"q": {"d1": 1}}, {"q": {f"d{n}": 1.0 for n in range(1, 6)}}
    assert ndcg.evaluate(judged, run, "RR", ties="docid_desc").value == 0.2
    assert ndcg.evaluate(judged, run, "RR", ties="average").value == pytest.approx(0.45666666666666667, abs=1e-15)
    assert ndcg.evaluate(judged, run, "nDCG@5", ties="docid_desc").value == 0.38685280723454163
    assert ndcg.evaluate(judged, run, "AP", ties="average").value == pytest.approx(0.45666666666666667, abs=1e-15)
