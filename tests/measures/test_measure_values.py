"""A measure as a value: it is copied, pickled and named like any other, and takes numbers of any real type."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import ndcg
from ndcg.measures.registry import FAMILIES


def example(family):
    text = family.name if family.cutoff == "none" and family.at == "k" else f"{family.name}@1"
    return ndcg.parse(text)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_measures_go_to_other_processes(family):
    measure = example(family)
    for again in (pickle.loads(pickle.dumps(measure)), copy.copy(measure), copy.deepcopy(measure)):
        assert again == measure and hash(again) == hash(measure) and str(again) == str(measure)
        assert again.family is family


def test_results_go_to_other_processes():
    result = ndcg.evaluate({"q1": {"A": 1}}, {"q1": ["B", "A"]}, ["nDCG@10", "RR", "IPrec@0.1"])
    again = pickle.loads(pickle.dumps(result))
    assert again.to_json() == result.to_json() and again.measures == result.measures


@pytest.mark.parametrize("two", [np.int64(2), np.float32(2), np.uint8(2), Fraction(2), "2", "2.0", "+2e0"])
def test_numbers_of_options_are_of_any_real_type(two):
    assert ndcg.nDCG(min_grade=two) == ndcg.nDCG(min_grade=2)
    assert ndcg.nDCG(gain={two: two}) == ndcg.nDCG(gain={2: 2})
    assert ndcg.parse("P@5").family(k=5, rel=two) == ndcg.parse("P(rel=2)@5")


ODD = [10**400, 10**5000, float("nan"), True, np.True_, "1_0", "0x10", "\u0661", "", "nan"]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_what_is_no_number_is_said(value):
    for make in (
        lambda: ndcg.nDCG(min_grade=value),
        lambda: ndcg.nDCG(gain={1: value}),
        lambda: ndcg.parse("P@5").family(k=5, rel=value),
    ):
        with pytest.raises(ndcg.UsageError, match=r"not a (finite )?number"):
            make()


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5000, "1e400"])
@pytest.mark.parametrize("text", ["nDCG@{}", "nDCG(min_grade={})@5", "nDCG(gain={{1: {}}})@5", "P(rel={})@5"])
def test_numbers_beyond_a_float_in_text(text, digits):
    with pytest.raises(ndcg.UsageError, match=r"range of a float|finite number"):
        ndcg.parse(text.format(digits))


def test_the_cutoff_is_written_with_an_at_sign():
    with pytest.raises(ndcg.UsageError, match="cutoff is written after the measure, with @"):
        ndcg.parse("nDCG(k=5)")


@pytest.mark.parametrize("edition", ["\u00b2", "2", 2, True, "1 "])
def test_an_unknown_edition(edition):
    with pytest.raises(ndcg.UsageError, match="edition"):
        ndcg.nDCG(edition=edition)


@pytest.mark.parametrize("k", [np.array([5]), np.array([[5]]), np.float64(5), "5"])
def test_a_cutoff_is_one_whole_number(k):
    with pytest.raises(ndcg.UsageError, match="whole number"):
        ndcg.nDCG(k=k)
