"""One run under every dialect: values, reasons, attribution, number search, nearest dialect."""

from __future__ import annotations

import json
import math

import pytest

import ndcg
from ndcg import nDCG, parse
from ndcg.attribution import attribute
from ndcg.errors import InputError, UsageError
from ndcg.measures.dialects import all_dialects
from ndcg.rescoring import Rescorer
from ndcg.session import open_session

JUDGED = {
    "q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3},
    "q2": {"a": 1, "b": 2, "c": 3},
    "q3": {"a": 0, "b": 0},
    "q4": {"a": 1, "x": 2},
}
RUN = {
    "q1": {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0},
    "q2": {"a": 1.0, "u": 1.0, "b": 1.0, "v": 0.5},
    "q3": {"a": 2.0, "b": 1.0},
    "q9": {"a": 1.0},
}


def test_values_are_those_of_evaluate():
    table = ndcg.dialects(JUDGED, RUN, k=4)
    assert table.default == ndcg.evaluate(JUDGED, RUN, "nDCG@4").value
    for row in table.rows:
        if row.value is not None:
            assert row.value == ndcg.evaluate(JUDGED, RUN, row.measure).value, row
    assert {row.dialect for row in table.rows} == {d.name for d in all_dialects().values() if d.measure == "nDCG"}
    values = [row.value for row in table.rows if row.value is not None]
    assert values == sorted(values, reverse=True)
    assert all(row.value is None for row in table.rows[len(values) :])


def test_a_tool_that_stops_says_why():
    table = ndcg.dialects(JUDGED, RUN, k=4)
    assert table.row("trec_eval_10").value is None
    assert "missing" in table.row("trec_eval_10").reason
    assert "unjudged" in table.row("mteb").reason


def test_table_prints_and_is_plain_data():
    table = ndcg.dialects(JUDGED, RUN, k=4, compare=("trec_eval", "sklearn"), explain_number="0.9434")
    text = str(table)
    assert "trec_eval_9" in text and "ideal judged -> returned" in text and "0.9434:" in text
    plain = json.loads(table.to_json())
    assert plain["attribution"]["difference"] == table.attribution.difference
    assert len(plain["rows"]) == len(table.rows)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("trec_eval", "lightgbm"),
        ("default", "catboost"),
        ("sklearn", "ranx"),
        ("beir", "spark_mllib"),
        ("mslr", "ir_measures"),
        ("default", "nDCG(negative='keep', gain='linear')"),
    ],
)
def test_parts_add_up_to_the_difference(first, second):
    found = ndcg.dialects(JUDGED, RUN, k=4, compare=(first, second), names=["beir"]).attribution
    ends = [ndcg.evaluate(JUDGED, RUN, measure).value for measure in (found.first, found.second)]
    assert [found.first_value, found.second_value] == ends
    assert math.fsum(part.share for part in found.parts) == pytest.approx(found.difference, abs=1e-15)
    assert all(part.share == 0 or part.acting for part in found.parts)


def test_one_convention_explains_everything_it_alone_changes():
    first, second = nDCG(k=4), nDCG(k=4, gain="linear")
    session = open_session(JUDGED, RUN)
    with session.workspace:
        found = attribute(Rescorer(session), first, second)
    (part,) = found.parts
    assert part.conventions == ("gain",) and part.share == found.difference
    changes = {row.query: row.value for row in ndcg.evaluate(JUDGED, RUN, second).per_query}
    before = {row.query: row.value for row in ndcg.evaluate(JUDGED, RUN, first).per_query}
    for effect in part.queries:
        assert effect.change == changes[effect.query] - before[effect.query]
    assert [abs(effect.change) for effect in part.queries] == sorted(
        (abs(effect.change) for effect in part.queries), reverse=True
    )


def test_the_cutoff_takes_part():
    found = ndcg.dialects(JUDGED, RUN, k=4, compare=("nDCG@1", "nDCG(gain=linear)@4"), names=["beir"]).attribution
    assert {part.conventions for part in found.parts} == {("k",), ("gain",)}
    assert math.fsum(part.share for part in found.parts) == pytest.approx(found.difference, abs=1e-15)


def test_queries_that_enter_and_leave_are_named():
    found = ndcg.dialects(JUDGED, RUN, k=4, compare=("default", "nDCG(empty=zero)"), names=["beir"]).attribution
    (part,) = found.parts
    assert [(effect.query, effect.enters) for effect in part.queries] == [("q3", True)]


def test_without_a_value_there_is_no_attribution():
    with pytest.raises(UsageError, match="has no value on this data"):
        ndcg.dialects(JUDGED, RUN, k=4, compare=("trec_eval_10", "beir"))


def test_a_published_number_is_found_by_its_dialect():
    worked = {"q": JUDGED["q1"]}, {"q": RUN["q1"]}
    found = ndcg.explain_number("0.9434", *worked, k=4)
    assert found.stage == "the dialects"
    assert any("sklearn" in match.measure for match in found.matches)
    assert found.tried > 60


def test_a_number_is_found_by_combining_conventions():
    target = ndcg.evaluate(JUDGED, RUN, nDCG(k=4, discount="jarvelin(2)", ties="average")).value
    found = ndcg.explain_number(f"{target:.9f}", JUDGED, RUN, k=4)
    assert [match.switches for match in found.matches] == [2] * len(found.matches)
    assert any(parse(match.measure) == nDCG(k=4, discount="jarvelin(2)", ties="average") for match in found.matches)


def test_a_number_from_elsewhere_is_not_found():
    found = ndcg.explain_number("0.123456789", JUDGED, RUN, k=4)
    assert not found.matches and found.tried > 1000
    assert f"{found.tried} combinations tried" in str(found)


@pytest.mark.parametrize("number", ["", "x", "nan", "1e-3", True])
def test_what_is_no_printed_number(number):
    with pytest.raises(UsageError, match="printed number"):
        ndcg.explain_number(number, JUDGED, RUN)


def test_no_query_in_common_is_an_error():
    with pytest.raises(InputError):
        ndcg.dialects(JUDGED, {"z": {"a": 1.0}})


def test_several_runs_are_refused():
    with pytest.raises(UsageError, match="one run"):
        ndcg.dialects(JUDGED, {"a": RUN, "b": RUN})


def test_every_dialect_is_nearest_to_itself():
    for name, dialect in all_dialects().items():
        if dialect.measure == "nDCG":
            near = ndcg.nearest(nDCG(k=10, dialect=name))
            assert near.dialect is dialect and not near.differing


def test_nearest_names_what_differs():
    near = ndcg.nearest(parse("nDCG(dialect=trec_eval_9, score_type=float64, missing=zero)@10"))
    assert len(near.differing) <= 2
    assert "differs in" in str(near) or "no convention differs" in str(near)
    assert ndcg.nearest(parse("nDCG(dialect=trec_eval_9, gain=exp2)@10")).differing[0].convention == "gain"
    assert ndcg.nearest(parse("ERR@5")) is None


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ("AP(dialect=trec_eval)", "trec_eval_9 (up to 9.0.8), no convention differs"),
        ("P(dialect=ir_measures)@5", "ir_measures (0.3 to 0.4.3), no convention differs"),
        ("IPrec(dialect=trec_eval)@0.1", "trec_eval_9 (up to 9.0.8), no convention differs"),
        ("RR(dialect=trec_eval_10)", "trec_eval_10 (10.0), no convention differs"),
        ("DCG(dialect=trec_eval_10, gain=exp2)@5", "trec_eval_10 (10.0); differs in gain=exp2 (there linear)"),
        (
            "Rprec(dialect=trec_eval, missing=zero)",
            "trec_eval_9 (up to 9.0.8); differs in missing=zero (there exclude)",
        ),
        ("RR(ties=given)@10", "msmarco_mrr (MS MARCO MRR@10, ms_marco_eval.py), no convention differs"),
    ],
)
def test_nearest_of_other_measures_that_a_tool_has(measure, sentence):
    assert str(ndcg.nearest(parse(measure))) == f"nearest dialect: {sentence}"


@pytest.mark.parametrize(
    ("grade", "pair", "way"),
    [
        (-2, ("trec_eval", "sklearn"), "nDCG(dialect='sklearn', negative='clamp')@2"),
        (0.5, ("default", "lightgbm"), "nDCG(dialect='lightgbm', gain='exp2')@2"),
    ],
)
def test_a_dialect_that_stops_has_a_way_on(grade, pair, way):
    judged, run = {"q": {"a": 2, "b": grade, "c": 1}}, {"q": ["b", "c", "a"]}
    with pytest.raises(ndcg.UsageError) as caught:
        ndcg.dialects(judged, run, k=2, compare=pair)
    assert "has no value on this data" in str(caught.value) and f'compare "{way}" instead' in str(caught.value)
    table = ndcg.dialects(judged, run, k=2, compare=(pair[0], way))
    assert table.attribution is not None
