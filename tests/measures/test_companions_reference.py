"""Every companion measure against its plain definition, over ties, policies and hostile data."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import ndcg
from comparing import as_relation
from measures.companions import compare, rows
from ndcg.measures.registry import FAMILIES
from strategies import distinct_lists, judgments, runs

OPTIONS = {
    "rel": [1, 1, 2, 0, 3],
    "multiple": [0.2, 0.5, 1, 1.7, 2],
    "recall": [0, 0.1, 0.25, 0.5, 0.75, 1],
    "needed": ["up", "nearest"],
    "levels": ["0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1", "0.25,0.5,0.75"],
    "judged_from": [0, -1],
    "max_grade": [None, 3, 4],
    "p": [0.5, 0.8, 0.95, 0, 1],
    "tail": ["kept", "dropped"],
    "relative": ["true", "false"],
    "beta": [1, 2, 0.5],
    "hit": [1, 2],
    "noise": [-1, 0.5],
    "miss": [0, -2],
    "rest": [0, 1],
    "collection": [0, 1000],
}
LOOSER = {"rel": [None, 1, 2], "judged_from": [None, 0]}
RANKING = {
    "unjudged": ["zero", "skip"],
    "self": ["keep", "drop"],
    "score_type": ["float64", "float32"],
    "empty": ["exclude", "zero", "one"],
    "missing": ["zero", "exclude"],
    "failed": ["exclude", "zero"],
}
TIES = ["docid", "docid_desc", "given", "average", "best", "worst"]
FAR = {"RBPResidual": True, "RR": "average"}
OF_THE_DCG_FAMILY = {"nDCG", "DCG", "IDCG", "CG", "nCG"}
COMPANIONS = [family for family in FAMILIES.values() if family.name not in OF_THE_DCG_FAMILY]


@st.composite
def measures(draw, family):
    options = {}
    for option in family.options:
        values = OPTIONS[option.name]
        if (option.name in LOOSER and option.default is None) or (family.name, option.name) == ("RBP", "rel"):
            values = LOOSER[option.name]
        if (family.name, option.name) == ("RBP", "max_grade"):
            values = [None, 3, 4, "query"]
        options[option.name] = draw(st.sampled_from(values))
    for name, values in RANKING.items():
        if name in family.conventions:
            options[name] = draw(st.sampled_from(values))
    allowed = [ties for ties in TIES if ties not in family.refuses.get("ties", ())]
    options["ties"] = draw(st.sampled_from(allowed))
    k = None
    if family.at == "k" and family.cutoff != "none":
        k = draw(st.integers(1, 8) if family.cutoff == "required" else st.one_of(st.none(), st.integers(1, 8)))
    return family(k, **options)


def is_exact(measure) -> bool:
    return FAR.get(measure.name) not in (True, measure.conventions["ties"])


@pytest.mark.parametrize("family", COMPANIONS, ids=lambda family: family.name)
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_memory(family, data):
    judged, run = data.draw(judgments), data.draw(runs(distinct_lists))
    assume(any(query in judged for query in run))
    if data.draw(st.booleans()):
        run = {**run, next(iter(run)): None}
    measure = data.draw(measures(family))
    assert ndcg.parse(str(measure)) == measure
    compare(judged, run, measure, is_exact(measure))


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_files_give_the_same_bits(data):
    judged, run = data.draw(judgments), data.draw(runs(distinct_lists))
    run = {query: listed for query, listed in run.items() if listed}
    assume(run and any(query in judged for query in run))
    chosen = [data.draw(measures(data.draw(st.sampled_from(COMPANIONS)))) for _ in range(5)]
    with duckdb.connect() as connection:
        scanned = ndcg.evaluate(judged, as_relation(connection, run), chosen)
    held = ndcg.evaluate(judged, {query: dict(listed) for query, listed in run.items()}, chosen)
    both = [{(row.measure, row.query): (row.status, row.value) for row in one.per_query} for one in (scanned, held)]
    assert both[0] == both[1]


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_set_and_order_of_measures_gives_the_same_numbers(data):
    judged, run = data.draw(judgments), data.draw(runs(distinct_lists))
    assume(any(query in judged for query in run))
    held = {query: dict(listed) for query, listed in run.items()}
    chosen = [data.draw(measures(data.draw(st.sampled_from(COMPANIONS)))) for _ in range(6)]
    shuffled = data.draw(st.permutations([*chosen, ndcg.nDCG(3), ndcg.nDCG()]))
    together = {
        (row.measure, row.query): (row.status, row.value) for row in ndcg.evaluate(judged, held, shuffled).per_query
    }
    for measure in shuffled:
        for row in ndcg.evaluate(judged, held, measure).per_query:
            assert together[row.measure, row.query] == (row.status, row.value)


def test_a_count_holds_for_empty_queries():
    judged = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    run = {"q1": [("a", 1.0)], "q2": [("b", 2.0), ("x", 1.0)]}
    for name, value in (("NumRet", 3.0), ("NumRel", 2.0), ("NumQ", 3.0), ("NumRet(missing=exclude)", 3.0)):
        assert ndcg.evaluate(judged, {q: dict(r) for q, r in run.items()}, name).value == value
    assert rows(judged, run, ndcg.parse("Judged@10")) == {
        "q1": ("scored", 1.0),
        "q2": ("empty", 0.5),
        "q3": ("missing", None),
    }
    assert ndcg.evaluate(judged, {q: dict(r) for q, r in run.items()}, "Judged@10").value == 0.75
