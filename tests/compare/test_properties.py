"""What must hold of every comparison, whatever the data."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.compared import plain

from .building import VALUE, systems

VALUES = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.integers(0, 20).map(lambda n: n / 20)),
    min_size=1,
    max_size=9,
)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def compared(values, **options):
    judged, runs = systems({"base": [base for base, _ in values], "new": [new for _, new in values]})
    return ndcg.compare(judged, runs, VALUE, resamples=200, flips=500, **options).pair()


DOCS = "abcdefg"
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.permutations(DOCS), min_size=1)
POOLS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.lists(st.sampled_from(DOCS), unique=True), min_size=1, max_size=3
)
GRADES = st.fixed_dictionaries(
    {f"q{n}": st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1) for n in (1, 2, 3)}
)


@FEW
@given(VALUES)
def test_swapping_base_and_new_negates_everything(values):
    one = compared(values, tests=["sign_flip", "t", "wilcoxon", "sign"], margin=0.1)
    other = compared([(new, base) for base, new in values], tests=["sign_flip", "t", "wilcoxon", "sign"], margin=0.1)
    assert other.difference == -one.difference
    assert [test.p_value for test in other.tests] == [test.p_value for test in one.tests]
    assert other.equivalence.p_value == pytest.approx(one.equivalence.p_value, abs=1e-12)
    mine, theirs = one.side.outcome, other.side.outcome
    assert (mine.wins, mine.ties, mine.losses) == (theirs.losses, theirs.ties, theirs.wins)
    if one.interval.low is None:
        assert other.interval.low is None
    else:
        assert (other.interval.low, other.interval.high) == pytest.approx(
            (-one.interval.high, -one.interval.low), abs=1e-9
        )
    assert [change.query for change in one.gains] == [change.query for change in other.losses]
    assert [change.difference for change in one.losses] == [-change.difference for change in other.gains]
    assert one.drivers.needed == other.drivers.needed
    words = {"higher": "lower", "lower": "higher"}
    assert other.verdict.word == words.get(one.verdict.word, one.verdict.word)
    if one.effect.dz is not None:
        assert other.effect.dz == pytest.approx(-one.effect.dz, abs=1e-12)


@FEW
@given(VALUES, st.integers(0, 20))
def test_a_query_with_the_same_value_in_both_moves_no_exact_p(values, level):
    before = compared(values)
    after = compared([*values, (level / 20, level / 20)])
    assert after.p_value == before.p_value
    assert after.side.outcome.ties == before.side.outcome.ties + 1
    assert after.difference * len([*values, 0]) == pytest.approx(before.difference * len(values), abs=1e-12)
    assert (after.gains, after.drivers.first) == (before.gains, before.drivers.first)


@FEW
@given(VALUES)
def test_a_copy_of_a_system(values):
    judged, runs = systems({"base": [base for base, _ in values], "new": [new for _, new in values]})
    alone = ndcg.compare(judged, runs, VALUE, resamples=50, flips=500)
    copied = ndcg.compare(judged, {**runs, "copy": runs["base"]}, VALUE, resamples=50, flips=500)
    assert copied.pair("copy").p_value == 1.0 and copied.pair("copy").verdict.word == "identical"
    assert copied.pair("new").p_value == alone.p_value
    assert copied.pair("new").adjusted >= alone.pair().adjusted


@FEW
@given(GRADES, RUNS, RUNS)
def test_the_two_parts_add_up_exactly_and_are_the_shapley_values(judged, base, new):
    for cut in (2, 4):
        one = {query: list(docs)[:cut] for query, docs in base.items()}
        other = {query: list(docs)[:cut] for query, docs in new.items()}
        if not any(grade for grades in judged.values() for grade in grades.values()):
            return
        found = ndcg.compare(
            judged, {"base": one, "new": other}, "nDCG@5", run_is_pool=True, resamples=50, missing="zero"
        ).pair()
        split = found.pools.split
        if split is None:
            assert found.pools.kind == "reranking" or found.difference is None
            continue
        difference, retrieval, ranking = split.exact()
        assert retrieval + ranking == difference
        assert (float(retrieval), float(ranking)) == pytest.approx((split.retrieval, split.ranking), abs=1e-15)
        assert split.difference == found.difference
        # The parts of a mean are the means of the parts.
        exact = [each.exact() for each in split.per_query]
        assert retrieval == sum((part[1] for part in exact), Fraction()) / len(exact)
        assert ranking == sum((part[2] for part in exact), Fraction()) / len(exact)
        for each in split.per_query:
            assert sum(each.exact()[1:]) == each.exact()[0]
            assert math.isclose(each.retrieval + each.ranking, each.difference, abs_tol=1e-15)
            check_shapley(each)


def check_shapley(each):
    """Both orders of changing the two factors, averaged; an undefined quality is the other system's."""
    base = each.base_quality if each.base_quality is not None else each.new_quality
    new = each.new_quality if each.new_quality is not None else each.base_quality
    if base is None:
        assert each.difference == each.retrieval == each.ranking == 0
        return
    retrieval = ((each.new_ceiling - each.base_ceiling) * base + (each.new_ceiling - each.base_ceiling) * new) / 2
    ranking = ((new - base) * each.base_ceiling + (new - base) * each.new_ceiling) / 2
    assert (each.retrieval, each.ranking) == pytest.approx((retrieval, ranking), abs=1e-12)


@FEW
@given(GRADES, RUNS, RUNS)
def test_every_number_is_json(judged, base, new):
    if not any(grade for grades in judged.values() for grade in grades.values()):
        return
    found = ndcg.compare(judged, {"base": base, "new": new}, "nDCG@5", resamples=50, query="q1")
    data = found.as_dict()
    assert set(data["pairs"][0]) >= {part.name for part in fields(found.pair())}
    assert data == plain(data)
    assert (
        found.to_json()
        == ndcg.compare(judged, {"base": base, "new": new}, "nDCG@5", resamples=50, query="q1").to_json()
    )


def test_everything_is_frozen():
    judged, runs = systems({"base": [0.1, 0.2], "new": [0.3, 0.1]})
    found = ndcg.compare(judged, runs, VALUE)
    for value in (found, found.pair(), found.settings, found.pair().union, found.verdict):
        with pytest.raises((AttributeError, TypeError)):
            value.word = value.queries = "changed"
    assert asdict(found.settings)["resamples"] == 10_000
