"""Traffic weights: macro and weighted mean side by side, where the traffic goes, and what is refused."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.weights import traffic_shares
from slices.data import BASE, JUDGED, common, judgments, runs, weights

WEIGHTS = {"q1": 70, "q2": 10, "q3": 5, "q4": 2.5, "q5": 2.5, "q6": 0, "q9": 5, "elsewhere": 5}


@settings(max_examples=60, deadline=None)
@given(judgments, runs, st.sampled_from([1.0, 0.1, 3.0, 1e-300, 7e250]))
def test_equal_weights_reproduce_the_macro_mean_to_the_bit(judged, run, weight):
    assume(common(judged, run))
    result = ndcg.evaluate(judged, run, ["nDCG@3", "AP", "GMAP"], weights=dict.fromkeys(judged, weight))
    for entry in result.entries:
        if entry.measure != "GMAP":
            assert entry.weighted_value == entry.value
        elif entry.value is not None:
            assert math.isclose(entry.weighted_value, entry.value, rel_tol=1e-14)
        if entry.value is not None:
            assert entry.effective == entry.summary.queries.counted


@settings(max_examples=60, deadline=None)
@given(judgments, runs, weights, st.sampled_from([2.0, 0.125, 2.0**60]), st.sampled_from([3.0, 0.1, 1e6]))
def test_scaling_weights_changes_nothing(judged, run, weight, power, factor):
    assume(common(judged, run) and any(weight[query] for query in judged))
    plain, exact, near = (
        ndcg.evaluate(judged, run, "nDCG@3", weights={query: number * scale for query, number in weight.items()})
        for scale in (1.0, power, factor)
    )
    assert exact.weighted_value == plain.weighted_value and exact.totals[0].effective == plain.totals[0].effective
    assert exact.totals[0].traffic._replace(total=0) == plain.totals[0].traffic._replace(total=0)
    if plain.weighted_value is not None:
        assert math.isclose(near.weighted_value, plain.weighted_value, rel_tol=1e-12, abs_tol=1e-15)


def test_whole_weights_are_repeated_queries_for_the_mean():
    weight = {"q1": 3, "q2": 1, "q3": 2, "q4": 0, "q5": 2, "q6": 1}
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", weights=weight)
    values = [row.value for row in result.per_query if row.value is not None for _ in range(weight[row.query])]
    assert math.isclose(result.weighted_value, math.fsum(values) / len(values), rel_tol=1e-14)
    assert result.value == ndcg.evaluate(JUDGED, BASE, "nDCG@3").value
    counted = [weight[row.query] for row in result.per_query if row.value is not None]
    assert math.isclose(result.totals[0].effective, sum(counted) ** 2 / sum(w * w for w in counted))


def test_weight_0_is_excluded_but_counted():
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", weights={query: float(query == "q2") for query in JUDGED})
    row = next(row for row in result.per_query if row.query == "q2")
    assert result.weighted_value == row.value and result.summary.queries.counted == 5


@pytest.mark.parametrize("shape", ["mapping", "series", "pandas", "polars", "named", "csv", "tsv", "extra"])
def test_every_shape_of_weights_says_the_same(shape, tmp_path):
    frame = pd.DataFrame({"query": list(WEIGHTS), "searches": list(WEIGHTS.values())})
    frame.to_csv(tmp_path / "w.csv", index=False)
    frame.to_csv(tmp_path / "w.tsv", index=False, sep="\t")
    given = {
        "mapping": WEIGHTS,
        "series": pd.Series(WEIGHTS),
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "named": {"searches": WEIGHTS},
        "csv": f"{tmp_path}/w.csv:searches",
        "tsv": f"{tmp_path}/w.tsv:searches",
        "extra": frame.assign(text="x").rename(columns={"searches": "Weight"}),
    }[shape]
    expected = ndcg.evaluate(JUDGED, BASE, weights=WEIGHTS)
    result = ndcg.evaluate(JUDGED, BASE, weights=given)
    assert result.weighted_value == expected.weighted_value
    assert result.totals[0].traffic == expected.totals[0].traffic


def test_where_the_traffic_goes():
    run = {**BASE, "q5": None}
    result = ndcg.evaluate(JUDGED, run, "nDCG@3", weights=WEIGHTS)
    traffic = result.totals[0].traffic
    assert traffic.total == 100
    assert traffic._asdict() == {
        "total": 100.0, "scored": 0.8, "empty": 0.05, "missing": 0.025, "unjudged": 0.05, "failed": 0.025,
        "outside": 0.05, "unknown": 0, "weighted": True,
    }  # fmt: skip
    assert traffic.unmeasured == pytest.approx(0.2)
    text = " ".join(str(result).split())
    assert "80.0 % scored, 5.0 % empty, 2.5 % missing, 5.0 % unjudged, 2.5 % failed, 5.0 % in neither" in text
    assert f"(weighted {result.weighted_value:.4f})" in text


def test_shares_of_a_query_set_without_weights():
    rows = ndcg.evaluate(JUDGED, BASE).totals[0].rows
    shares = traffic_shares(rows)
    assert (shares.total, shares.weighted) == (7.0, False)
    assert shares.scored == 4 / 7 and shares.empty == shares.missing == shares.unjudged == 1 / 7
    assert math.isclose(sum(getattr(shares, n) for n in ("scored", "empty", "missing", "unjudged", "failed")), 1.0)


@settings(max_examples=40, deadline=None)
@given(judgments, runs, weights)
def test_shares_add_up(judged, run, weight):
    assume(common(judged, run) and any(weight[query] for query in judged))
    traffic = ndcg.evaluate(judged, run, weights=weight).totals[0].traffic
    parts = ("scored", "empty", "missing", "unjudged", "failed", "outside")
    assert math.isclose(sum(getattr(traffic, name) for name in parts), 1.0)
    assert math.isclose(traffic.total, sum(weight.values()))


def test_a_query_without_a_weight_is_an_error_unless_a_default_is_declared():
    weight = {query: 1.0 for query in JUDGED if query != "q4"}
    with pytest.raises(ndcg.InputError, match=r"(?s)query 'q4': no weight.*default_weight= \(--default-weight\)"):
        ndcg.evaluate(JUDGED, BASE, weights=weight)
    result = ndcg.evaluate(JUDGED, BASE, weights=weight, default_weight=1)
    assert result.weighted_value == result.value
    assert "1 judged query without a weight took 1" in " ".join(str(result).split())
    assert "1 unjudged query of run without a weight took 1" in " ".join(str(result).split())
    assert result.totals[0].traffic.unknown == 0 and "unknown traffic" not in str(result)
    frame = pd.DataFrame({"query": ["q1", "q4"], "w": [1.0, float("nan")]})
    assert ndcg.evaluate(JUDGED, BASE, weights=frame, default_weight=0).weighted_value is not None
    # A query of the run that nobody judged may be unknown traffic: it is counted, never scored.
    known = ndcg.evaluate(JUDGED, BASE, weights=dict.fromkeys(JUDGED, 1))
    assert known.totals[0].traffic.unknown == 1


@pytest.mark.parametrize(
    "weights, error, words",
    [
        ({"q1": -1}, ndcg.InputError, "query 'q1': weight -1 is negative"),
        ({"q1": float("nan")}, ndcg.InputError, "query 'q1': weight is NaN"),
        ({"q1": float("inf")}, ndcg.InputError, "weight is infinite"),
        ({"q1": True}, ndcg.DataTypeError, "is a bool, not a number"),
        ({"q1": None}, ndcg.InputError, "weight is missing"),
        ({"q1": "many"}, ndcg.InputError, "weight 'many' is not a number"),
        ({"q1": 10**400}, ndcg.InputError, "beyond the range"),
        ({}, ndcg.InputError, "empty"),
        (dict.fromkeys(JUDGED, 0), ndcg.InputError, "every judged query weighs 0"),
        ("w.csv:w", ndcg.InputError, r"w\.csv, line 3, query 'q2': weight 'x' is not a number"),
        ("two.csv:w", ndcg.InputError, r"two\.csv, line 3, query 'q1': the query has two weights: 1 and 2"),
        ("gap.csv:w", ndcg.InputError, r"gap\.csv, line 2, query 'q1': weight is missing"),
        ([1.0], ndcg.DataTypeError, "cannot be a list"),
        ({"a": {"q1": 1}, "b": {"q1": 2}}, ndcg.UsageError, "which column holds the weights"),
    ],
)
def test_bad_weights_are_clear_errors(tmp_path, monkeypatch, weights, error, words):
    (tmp_path / "w.csv").write_text("query,w\nq1,1\nq2,x\n")
    (tmp_path / "two.csv").write_text("query,w\nq1,1\nq1,2\n")
    (tmp_path / "gap.csv").write_text("query,w\nq1,\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=f"(?s){words}"):
        ndcg.evaluate(JUDGED, BASE, weights=weights)


def test_bad_defaults_are_clear_errors():
    for default in (-1, float("nan"), "x", True):
        with pytest.raises((ndcg.InputError, ndcg.DataTypeError), match="the default weight"):
            ndcg.evaluate(JUDGED, BASE, weights=WEIGHTS, default_weight=default)
    with pytest.raises(ndcg.UsageError, match="no weights were given"):
        ndcg.evaluate(JUDGED, BASE, default_weight=1)


def test_weights_that_turn_two_runs_round_are_said():
    judged = {f"q{n}": {"A": 1} for n in range(4)}
    top, low = {"A": 2}, {"X": 2, "A": 1}
    base = {"q0": top} | {f"q{n}": low for n in range(1, 4)}
    new = {"q0": low} | {f"q{n}": top for n in range(1, 4)}
    weight = {"q0": 100} | {f"q{n}": 1 for n in range(1, 4)}
    result = ndcg.evaluate(judged, {"base": base, "new": new}, weights=weight)
    assert any(
        "new is above base by the macro mean of nDCG@10 and below it by the weighted" in w for w in result.warnings
    )


def test_a_sum_has_no_weighted_mean():
    assert ndcg.evaluate(JUDGED, BASE, "NumRet", weights=WEIGHTS).weighted_value is None
    assert ndcg.evaluate(JUDGED, BASE, "GMAP", weights=WEIGHTS).weighted_value is not None


def test_precision_of_the_weighted_mean():
    from fractions import Fraction

    from ndcg.weights import weighted_mean

    rng = np.random.default_rng(1)
    values, weight = rng.random(5000), rng.pareto(1.0, 5000)
    exact = sum(Fraction(w) * Fraction(v) for v, w in zip(values, weight, strict=True)) / sum(map(Fraction, weight))
    assert abs(Fraction(weighted_mean(values, weight)) - exact) < Fraction(2, 10**16)
