"""Values worked out by hand, faults of other tools that touch companion measures, and what every family declares."""

from __future__ import annotations

import pytest

import ndcg
from ndcg.errors import ArgumentError, InputError, UsageError
from ndcg.measures.registry import FAMILIES
from ndcg.measures.relstring import relstring

JUDGED = {"q": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
RUN = {"q": ["C", "A", "X", "B", "D"]}


def score(name, judged=JUDGED, run=RUN, **conventions):
    return ndcg.evaluate(judged, run, name, **conventions).value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("P@2", 0.5),
        ("P@4", 0.5),
        ("P@10", 0.3),
        ("P(rel=2)@5", 0.4),
        ("RelP@10", 0.75),
        ("R@4", 0.5),
        ("R(rel=3)@5", 0.5),
        ("F1@4", 0.5),
        ("Success@1", 0.0),
        ("Success@2", 1.0),
        ("hit@2", 1.0),
        ("Rprec", 0.5),
        ("RprecMult@0.5", 0.5),
        ("AP", (1 / 2 + 2 / 4 + 3 / 5) / 4),
        ("AP@4", (1 / 2 + 2 / 4) / 4),
        ("RR", 0.5),
        ("RR@1", 0.0),
        ("RR(rel=2)", 0.5),
        ("IPrec@0", 0.6),
        ("IPrec@0.75", 0.6),
        ("IPrec@1", 0.0),
        ("Bpref", 0.0),
        ("SetP", 0.6),
        ("SetR", 0.75),
        ("SetP(relative=true)", 0.75),
        ("SetAP", 9 / 20),
        ("SetF(beta=2)", 5 * 0.6 * 0.75 / (4 * 0.6 + 0.75)),
        ("Utility", 1.0),
        ("Utility(hit=2, noise=-1, miss=-1)", 3.0),
        ("NumQ", 1.0),
        ("NumRel", 4.0),
        ("NumRel(rel=3)", 2.0),
        ("NumRet", 5.0),
        ("NumRelRet", 3.0),
        ("NumNonRelRet", 1.0),
        ("Judged@2", 1.0),
        ("Judged@10", 0.8),
        ("Unjudged@10", 0.1),
        ("nCG@2", 3 / 6),
        ("nCG@5", 6 / 9),
        ("RBP(p=0.5)", 0.5 * (0.5 + 0.125 + 0.0625)),
        ("RBP(p=0.5, rel=none)", 0.5 * (0.5 + 0.125 / 3 + 0.0625 * 2 / 3)),
        ("RBPResidual(p=0.5)", 0.5**5 + 0.5 * 0.25),
        ("RBPResidual(p=0.5)@2", 0.25),
    ],
)
def test_worked(name, value):
    assert score(name) == pytest.approx(value, rel=1e-15)


def test_expected_reciprocal_rank():
    """Grades 3, 2, 4 on a scale up to 4: the reader stops with 7/16, 3/16, 15/16."""
    judged, run = {"q": {"a": 3, "b": 2, "c": 4}}, {"q": ["a", "b", "c"]}
    assert score("ERR", judged, run) == 0.633056640625
    assert score("ERR(max_grade=4)@1", judged, run) == 0.4375
    best = 15 / 16 + (1 / 16) * (7 / 16) / 2 + (1 / 16) * (9 / 16) * (3 / 16) / 3
    assert score("nERR", judged, run) == pytest.approx(0.633056640625 / best, rel=1e-15)
    with pytest.raises(InputError, match="above the highest grade"):
        score("ERR(max_grade=3)", judged, run)


def test_bpref_counts_judged_documents_only():
    judged = {"q": {"r1": 1, "r2": 1, "n1": 0, "n2": 0, "n3": 0}}
    run = {"q": ["x", "r1", "n1", "y", "r2", "n2"]}
    assert score("Bpref", judged, run) == (1.0 + (1.0 - 1 / 2)) / 2
    assert score("Bpref", judged, {"q": ["n1", "n2", "n3", "r1"]}) == 0.0


def test_negative_grades_are_pooled_but_unjudged():
    judged = {"q": {"r1": 1, "r2": 1, "n1": -1, "n2": 0}}
    run = {"q": ["n1", "r1", "n2", "r2"]}
    assert score("Bpref", judged, run) == (1.0 + (1.0 - 1 / 1)) / 2
    assert score("Bpref(judged_from=-1)", judged, run) == (0.5 + 0.0) / 2
    assert score("Judged@1", judged, run) == 1.0
    assert score("Judged(judged_from=0)@1", judged, run) == 0.0


def test_the_residual_bounds_what_is_missing():
    """RBP + residual is RBP of the run with everything unknown relevant; fully judged, only the tail is left."""
    judged, run = {"q": {"a": 1, "b": 0}}, {"q": ["a", "b"]}
    assert score("RBPResidual(p=0.9)", judged, run) == pytest.approx(0.9**2, rel=1e-14)
    assert score("RBPResidual(p=0.9, tail=dropped)", judged, run) == 0.0
    assert score("RBPResidual(p=0.9)", judged, {"q": []}) == 1.0


def test_approximate_neighbours():
    exact = {"q": {"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.1}}
    assert score("ANNRecall@2", exact, {"q": ["a", "c", "b"]}) == 1.0
    assert score("ANNRecall@2", exact, {"q": ["d", "c", "b"]}) == 0.5
    assert score("ANNRecall@10", exact, {"q": ["d", "c", "x"]}) == 0.5
    distances = {"q": {"a": -1.5, "b": -2.0, "c": -9.0}}
    assert score("ANNRecall@2", distances, {"q": ["a", "c"]}) == 0.5


def test_relevance_strings():
    assert relstring([0, 2, None, -1, 12, 9]) == "02-.>9"
    assert relstring([1, 1, 1], 2) == "11"
    assert relstring([]) == ""


def test_geometric_means_and_sums():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": ["a"], "q2": ["b"]}
    assert score("GMAP", judged, run) == pytest.approx((1.0 * 0.00001) ** 0.5, rel=1e-14)
    assert score("GMBpref", judged, {"q1": ["a"], "q2": ["b", "a"]}) == 1.0
    assert score("NumRet", judged, {"q1": ["a"], "q2": ["b", "a"]}) == 3.0


def test_reciprocal_rank_with_and_without_cutoff_see_one_order():
    """ir_measures gives RR 1.0 and RR@10 0.5 for one tied run, since two tools sort it."""
    judged, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    for ties in ("docid", "docid_desc", "average"):
        both = ndcg.evaluate(judged, run, ["RR", "RR@10", "P@1", "nDCG@1"], ties=ties).entries
        assert both[0].value == both[1].value
        assert both[2].value == both[3].value


def test_a_query_without_relevant_documents_is_empty_at_its_level():
    judged = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}}
    run = {"q1": ["a"], "q2": ["a"]}
    result = ndcg.evaluate(judged, run, ["R(rel=2)@5", "R@5"])
    assert [(row.query, row.status, row.value) for row in result.per_query] == [
        ("q1", "scored", 1.0),
        ("q2", "empty", None),
        ("q1", "scored", 0.5),
        ("q2", "scored", 1.0),
    ]


def test_repeated_documents_count_once():
    run = {"q": ["A", "A", "A", "B"]}
    assert score("P@2", run=run) == 1.0
    assert score("SetP", run=run) == 1.0
    assert score("NumRet", run=run) == 2.0
    assert score("Judged@10", run=run) == 1.0


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_what_a_family_declares(family):
    for text in (family.title, family.formula, family.explanation, family.source, family.range, family.fits):
        assert text
        assert not text.startswith(" ")
    assert family.instead
    at = [] if family.cutoff != "required" else [0.5 if family.at != "k" else 5]
    measure = family(*at)
    assert ndcg.parse(str(measure)) == measure
    assert str(measure) == family.name + ("@0.5" if family.at != "k" else "@5" if at else "")
    for alias in family.aliases:
        assert ndcg.parse(alias + str(measure).removeprefix(family.name)) == measure
    assert measure.with_conventions({}) == measure
    assert set(measure.declaration()) >= {"measure", "k", *(option.name for option in family.options)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("P", "needs a cutoff"),
        ("IPrec", "needs its recall"),
        ("IPrec(recall=0.1)@0.2", "given twice"),
        ("IPrec@2", "from 0 to 1"),
        ("SetP@5", "takes no cutoff"),
        ("P@0.5", "whole number"),
        ("P(rel=many)@5", "not a number"),
        ("P(rel=inf)@5", "not a finite number"),
        ("RBP(p=1.5)", "from 0 to 1"),
        ("R(judged_only=2)@5", "not true or false"),
        ("R(judged_only=true, unjudged=skip)@5", "stands beside"),
        ("IAP(levels='0.5,2')", "from 0 to 1"),
        ("SetP(relative=maybe)", "not true or false"),
        ("IPrec(needed=down)@0.5", "choose from up, nearest"),
    ],
)
def test_refusals(text, problem):
    with pytest.raises(UsageError, match=problem):
        ndcg.parse(text)


def test_unknown_option():
    with pytest.raises(ArgumentError, match="takes no option 'gain'"):
        ndcg.parse("P(gain=linear)@5")


def test_judged_only_is_unjudged_skip():
    assert ndcg.parse("nDCG(judged_only=True)@10") == ndcg.nDCG(10, unjudged="skip")
    assert ndcg.parse("P(judged_only=False)@10") == ndcg.parse("P@10")


def test_the_residual_at_k_looks_at_the_first_k_ranks_only_whatever_else_is_scored():
    judged = {"q": {"a": 1, "b": 1, "c": 0, "d": 1}}
    run = {"q": {"x": 4.0, "a": 3.0, "b": 2.0, "c": 1.0}}
    measure = "RBPResidual(tail='dropped')@2"
    alone = ndcg.evaluate(judged, run, measure).value
    beside = ndcg.evaluate(judged, run, [measure, "AP"]).entry(measure=ndcg.parse(measure)).value
    # Rank 1 is unjudged, and below rank 2 nothing is known: 0.2 + 0.8 squared.
    assert alone == beside == pytest.approx(0.84)
