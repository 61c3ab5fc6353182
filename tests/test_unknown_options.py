"""An option that is not taken: where it belongs is said, and nothing is listed that is refused too."""

from __future__ import annotations

import pytest

import ndcg
from ndcg.measures.registry import FAMILIES, parse

QRELS = {"q": {"a": 1}}
RUN = {"q": {"a": 1.0}}

CALLS = {
    "evaluate": lambda **given: ndcg.evaluate(QRELS, RUN, "nDCG@3", **given),
    "explain": lambda **given: ndcg.explain(QRELS, RUN, query="q", measure="nDCG@3", **given),
    "compare": lambda **given: ndcg.compare(QRELS, {"a": RUN, "b": RUN}, "nDCG@3", **given),
    "unjudged_bounds": lambda **given: ndcg.unjudged_bounds(QRELS, RUN, "nDCG@3", **given),
}


def listed(error):
    return str(error).split("it takes ")[1].split(";")[0].split(", ")


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("k", "k belongs in the measure, such as 'nDCG@5'"),
        ("rel", "rel belongs in the measure: 'P(rel=1)@10'"),
        ("p", "p belongs in the measure: 'RBP(p=0.8)'"),
        ("gian", "did you mean 'gain'?"),
    ],
)
def test_functions_say_where_an_option_belongs(name, option, hint):
    with pytest.raises(ndcg.NdcgError) as caught:
        CALLS[name](**{option: 2})
    assert hint in str(caught.value) and option not in listed(caught.value)


@pytest.mark.parametrize("name", CALLS)
def test_a_dialect_belongs_in_the_measure(name):
    with pytest.raises(TypeError) as caught:
        CALLS[name](dialect="sklearn")
    assert "a dialect belongs in the measure" in str(caught.value)
    assert "nDCG(dialect='sklearn')@10" in str(caught.value) and "it takes" not in str(caught.value)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_measures_list_what_they_take(family):
    level = {} if family.at == "k" else {family.at: 0.5}
    with pytest.raises(TypeError) as caught:
        family(**level, nonsense=1)
    names = listed(caught.value)
    assert len(set(names)) == len(names)
    for name in names:
        # A wrong value may be refused; the name is not.
        try:
            family(**{**level, name: object()})
        except ndcg.NdcgError as error:
            assert "takes no option" not in str(error) and "takes no cutoff" not in str(error)


def test_measures_say_which_measure_takes_it():
    with pytest.raises(TypeError, match=r"nDCG takes no option 'rel'; it takes k, gain.*; P does: 'P\(rel=1\)@10'"):
        parse("nDCG(rel=2)@3")
    assert str(parse("P(rel=1)@10")) == "P@10"
