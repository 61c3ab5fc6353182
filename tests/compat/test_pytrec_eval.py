"""The drop-in for pytrec_eval against pytrec_eval itself, on random dicts and all of its measures, and its refusals."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ndcg.compat import pytrec_eval as ours
from ndcg.errors import InputError

JUDGED = {"q": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
RUN = {"q": {"A": 4, "B": 3, "C": 2, "D": 1}}


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("pytrec_eval")


docs = st.sampled_from(["a", "b", "c", "10", "9", "é", "z", "d1", "d2", "d3", "\U0001f600", "～"])
grades = st.sampled_from([0, 0, 1, 1, 2, 3, 12, -1, -2])
qrels = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    # All grades below 0 end pytrec_eval's process.
    st.dictionaries(docs, grades, max_size=9).map(lambda d: {**d, "n": 0} if d and max(d.values()) < 0 else d),
    min_size=1,
)
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1, 2.0, 0.5, 0.9, 16777216.0, 16777217.0, 1e300, 1e200, -1e300, True]),
    st.floats(allow_nan=False),
)
# A list without documents can end pytrec_eval's process too.
runs = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q9"]), st.dictionaries(docs, scores, min_size=1), min_size=1)


@given(qrels, runs, st.sampled_from([1, 1, 2, 4]), st.booleans())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_all_measures_to_the_last_bit(theirs, judged, run, level, skip):
    names = set(theirs.supported_measures)
    expected = theirs.RelevanceEvaluator(judged, names, level, skip).evaluate(run)
    found = ours.RelevanceEvaluator(judged, names, level, skip).evaluate(run)
    assert list(expected) == list(found)
    for query, there in expected.items():
        assert list(there) == list(found[query])
        for name, value in there.items():
            if math.isnan(value):
                # 0 / 0: precision of a set without documents.
                assert found[query][name] == 0.0 and skip
            else:
                assert found[query][name] == value, (name, query)
                assert type(found[query][name]) is float


def test_lists_of_names(theirs):
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames


@pytest.mark.parametrize(
    "measures",
    [
        {"ndcg_cut.4,10"},
        {"ndcg_cut.4", "ndcg_cut.10"},
        {"ndcg_cut_4", "ndcg_cut.10,3", "map", "P"},
        {"ndcg_cut", "ndcg_cut.3"},
        {"ndcg_cut.2.5"},
        {"iprec_at_recall.0.1,0.25", "Rprec_mult.0.5", "iprec_at_recall_0.30"},
        {"set_F.4"},
        {"set_F.0.5"},
        {"set_F.3"},
        {"set_F_2", "11pt_avg.0.25,0.5"},
        {"official"},
        {"set"},
        {"all_trec", "P_7"},
        {"relstring.5", "success.2"},
        ["map", "recall.1000,5"],
        ("bpref",),
        set(),
    ],
    ids=lambda measures: " ".join(sorted(measures)) or "none",
)
def test_names_and_parameters(theirs, measures):
    expected = theirs.RelevanceEvaluator(JUDGED, measures).evaluate(RUN)
    found = ours.RelevanceEvaluator(JUDGED, measures).evaluate(RUN)
    assert found == expected and list(found["q"]) == list(expected["q"])


def test_worked_example():
    for measures in ({"ndcg_cut.4,10"}, {"ndcg_cut.4", "ndcg_cut.10"}):
        found = ours.RelevanceEvaluator(JUDGED, measures).evaluate(RUN)["q"]
        assert set(found) == {"ndcg_cut_4", "ndcg_cut_10"} and round(found["ndcg_cut_4"], 4) == 0.7104


REFUSED = [
    lambda module: module.RelevanceEvaluator({"q": {"a": 1.0}}, {"map"}),
    lambda module: module.RelevanceEvaluator({"q": {"a": "1"}}, {"map"}),
    lambda module: module.RelevanceEvaluator({"q": {"a": None}}, {"map"}),
    lambda module: module.RelevanceEvaluator({1: {"a": 1}}, {"map"}),
    lambda module: module.RelevanceEvaluator({"q": {1: 1}}, {"map"}),
    lambda module: module.RelevanceEvaluator({"q": ["a"]}, {"map"}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}, 0),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}, 1.5),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}, 1, "x"),
    lambda module: module.RelevanceEvaluator(JUDGED, {"ndgc"}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"prefs_simp"}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"prefs"}),
    lambda module: module.RelevanceEvaluator(JUDGED, "map"),
    lambda module: module.RelevanceEvaluator(JUDGED, {"ndcg_cut.-5"}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": {"A": "1"}}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": {"A": None}}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({1: {"A": 1.0}}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": {1: 1.0}}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": ["A"]}),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate([("q", {})]),
    lambda module: module.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"other": {"A": "x"}}),
]


@pytest.mark.parametrize("call", REFUSED)
def test_refused_as_there(theirs, call):
    with pytest.raises((TypeError, ValueError)) as there:
        call(theirs)
    with pytest.raises((TypeError, ValueError)) as here:
        call(ours)
    assert isinstance(here.value, there.type)


def test_errors_name_the_place():
    with pytest.raises(TypeError, match="query 'q', document 'B': score '3' is of type str"):
        ours.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": {"A": 4.0, "B": "3"}})
    with pytest.raises(TypeError, match=r"query 'q', document 'A': grade 0\.5 is of type float"):
        ours.RelevanceEvaluator({"q": {"A": 0.5}}, {"map"})
    with pytest.raises(InputError, match="run, query 'q', document 'B': score is NaN"):
        ours.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q": {"A": 4.0, "B": math.nan}})


def scored(judged, run, measures=frozenset({"ndcg_cut.10", "map", "num_rel"}), **words):
    return ours.RelevanceEvaluator(judged, set(measures), **words).evaluate(run)


@pytest.mark.parametrize("name", ["ndcg_cut.0", "P.0", "recall_0", "success.0"])
def test_a_cutoff_of_0_is_an_error(name):
    with pytest.raises(ValueError, match="not a cutoff of at least 1"):
        ours.RelevanceEvaluator(JUDGED, {name})


def test_repeated_cutoffs_are_one():
    assert set(scored(JUDGED, RUN, {"ndcg_cut.5,5", "ndcg_cut.05", "ndcg_cut_5"})["q"]) == {"ndcg_cut_5"}


def test_a_parameter_that_is_ignored_is_said():
    with pytest.warns(UserWarning, match="recip_rank takes no parameter: 10 is ignored"):
        assert list(scored(JUDGED, RUN, {"recip_rank.10"})["q"]) == ["recip_rank"]


def test_grades_that_end_the_process_there():
    assert scored({"p": {"a": 1}, "q": {"a": -5, "b": -5}}, {"p": {"a": 1.0}, "q": {"a": 1.0}})["q"] == {
        "num_rel": 0.0,
        "map": 0.0,
        "ndcg_cut_10": 0.0,
    }
    assert scored({"q": {"a": 10**8, "b": 1}}, {"q": {"a": 1.0}})["q"]["map"] == 0.5
    assert scored({"q": {"a": 10**30}}, {"q": {"a": 1.0}})["q"]["ndcg_cut_10"] == 1.0
    with pytest.raises(InputError, match="beyond the range of a float"):
        scored({"q": {"a": 10**400}}, {"q": {"a": 1.0}})


def test_ids_that_end_the_process_there():
    odd = {"\ud800": 1, "a\0x": 2, "a\0y": 0, "a": 3}
    run = {"q\udfff\0": {"a\0y": 1.0, "a\0x": 1.0, "\ud800": 1.0, "a": 1.0}}
    found = scored({"q\udfff\0": odd}, run)["q\udfff\0"]
    expected = (1 + 0 / math.log2(3) + 2 / 2 + 3 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2)
    assert found["ndcg_cut_10"] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_empty_judgments_change_nothing(place):
    judged = [("q1", {"a": 1}), ("q3", {"a": 1, "b": 1})]
    judged.insert(place, ("q2", {}))
    evaluator = ours.RelevanceEvaluator(dict(judged), {"ndcg_cut.10"})
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"b": 2.0, "a": 1.0}}
    for _ in range(2):
        assert evaluator.evaluate(run) == {"q1": {"ndcg_cut_10": 1.0}, "q3": {"ndcg_cut_10": 1.0}}


def test_nothing_given():
    assert scored({}, RUN) == {} == scored({"q": {}}, RUN) == scored(JUDGED, {}) == scored(JUDGED, {"x": {"A": 1.0}})


@pytest.mark.parametrize("skip", [False, True])
def test_a_list_without_documents(skip):
    found = scored(JUDGED, {"q": {}}, ours.supported_measures, judged_docs_only_flag=skip)["q"]
    assert {name for name, value in found.items() if value} == {"num_q", "num_rel", "gm_map", "gm_bpref"}


def test_numpy_numbers_and_any_mapping():
    plain = scored(JUDGED, RUN)
    assert scored(JUDGED, {"q": {doc: np.float32(score) for doc, score in RUN["q"].items()}}) == plain
    assert scored(JUDGED, {"q": {doc: np.int64(score) for doc, score in RUN["q"].items()}}) == plain
    assert scored({"q": {doc: np.int64(grade) for doc, grade in JUDGED["q"].items()}}, RUN) == plain


def test_reused_pickled_and_copied():
    evaluator = ours.RelevanceEvaluator(JUDGED, {"ndcg_cut.4,10"})
    other = {"q": {"E": 2.0, "A": 1.0}, "z": {"A": 1.0}}
    first = evaluator.evaluate(RUN), evaluator.evaluate(other)
    for again in (evaluator, pickle.loads(pickle.dumps(evaluator)), copy.deepcopy(evaluator)):
        assert (again.evaluate(RUN), again.evaluate(other)) == first


def test_its_own_copy_of_the_judgments():
    judged = copy.deepcopy(JUDGED)
    evaluator = ours.RelevanceEvaluator(judged, {"map"})
    before = evaluator.evaluate(RUN)
    judged["q"].clear()
    assert evaluator.evaluate(RUN) == before


LINES = ["q1 Q0 d1 1 2.5 tag\n", "q1 Q0 d2 2 1e-3 tag\r\n", " q2\tQ0\td1 1 -4 tag"]
JUDGMENTS = ["q1 0 d1 1\n", "q1 0 d2 0\n", "q2\t0  d1  -2\r\n"]


def test_parsers(theirs):
    assert ours.parse_run(LINES) == theirs.parse_run(LINES)
    assert ours.parse_qrel(JUDGMENTS) == theirs.parse_qrel(JUDGMENTS)
    assert ours.parse_run(iter(["\ufeff" + LINES[0]])) == {"q1": {"d1": 2.5}}
    assert ours.parse_qrel(["q 0 a\u00a0b 1"]) == {"q": {"a\u00a0b": 1}}


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("parse_run", ["q1 Q0 d1 1 2.5 tag", "q1 Q0 d1 2 1.5 tag"]),
        ("parse_run", ["q1 Q0 d1 1 2.5"]),
        ("parse_run", ["q1 Q0 d1 1 high tag"]),
        ("parse_run", [""]),
        ("parse_qrel", ["q1 0 d1 1", "q1 0 d1 1"]),
        ("parse_qrel", ["q1 0 d1 1 x"]),
        ("parse_qrel", ["q1 0 d1 1.0"]),
    ],
)
def test_parsers_refuse_as_there(theirs, name, lines):
    with pytest.raises((AssertionError, ValueError)) as there:
        getattr(theirs, name)(lines)
    with pytest.raises(there.type) as here:
        getattr(ours, name)(lines)
    assert f"line {len(lines)}" in str(here.value)


def test_aggregation(theirs):
    values = [0.1, 0.2, 0.7, 0.3, 1e-17]
    for name in ("map", "num_ret", "gm_map", "ndcg_cut_10", "num_rel"):
        assert ours.compute_aggregated_measure(name, values) == theirs.compute_aggregated_measure(name, values)
