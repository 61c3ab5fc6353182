"""Intervals of means: method, level, resamples and seed with every one of them, and a reason where there is none."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import ndcg
from ndcg.comparison import bootstrap_interval
from slices.data import BASE, JUDGED, LANGUAGE, NEW

SESSIONS = {"q1": "s1", "q2": "s1", "q3": "s2", "q4": "s2", "q5": "s3", "q6": "s4"}


def scored(interval, **options):
    return ndcg.evaluate(JUDGED, BASE, "nDCG@3", interval=interval, **options)


def counted(result):
    return [row.value for row in result.per_query if row.value is not None]


@pytest.mark.parametrize("given", [True, "t", {"method": "t"}, {}, {"level": 0.95}])
def test_the_t_interval_is_scipys(given):
    result = scored(given)
    values = counted(result)
    low, high = scipy.stats.t.interval(0.95, len(values) - 1, np.mean(values), scipy.stats.sem(values))
    interval = result.totals[0].interval
    assert interval["low"] == pytest.approx(low, abs=1e-12) and interval["high"] == pytest.approx(high, abs=1e-12)
    assert (interval["method"], interval["level"], interval["n"]) == ("t", 0.95, 5)
    assert interval["resamples"] is None and interval["seed"] is None and interval["estimate"] == result.value


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_the_bootstrap_says_what_it_drew(method):
    result = scored({"method": method, "level": 0.9, "resamples": 500, "seed": 7})
    interval = result.totals[0].interval
    in_order = sorted((row for row in result.per_query if row.value is not None), key=lambda row: row.query)
    values = [row.value for row in in_order]
    expected = bootstrap_interval(values, method=method, level=0.9, resamples=500, seed=7)
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
    assert (interval["method"], interval["level"], interval["resamples"], interval["seed"]) == (method, 0.9, 500, 7)
    assert "500 resamples, seed 7, over 5 counted queries" in " ".join(str(result).split())
    assert scored({"method": method, "level": 0.9, "resamples": 500, "seed": 8}).totals[0].interval != interval


def test_no_interval_unless_it_is_asked_for():
    assert ndcg.evaluate(JUDGED, BASE).totals[0].interval is None
    assert scored(None, by={"x": LANGUAGE}).totals[0].interval["method"] == "t"
    off = scored(False, by={"x": LANGUAGE})
    assert all(entry.interval is None for entry in off.entries) and off.gaps[0].to_total_interval is None


def test_under_two_scored_queries_there_is_none_and_it_says_so():
    for method in ("t", "bca", "percentile"):
        result = ndcg.evaluate({"q": {"A": 1}}, {"q": {"A": 1}}, interval=method)
        interval = result.totals[0].interval
        assert interval["low"] is None and interval["high"] is None and "needs two" in interval["reason"]
        assert "none over 1 counted query: one value has no spread" in " ".join(str(result).split())
        assert '"low": null' in result.to_json()
    none = ndcg.evaluate({"q": {"A": 0}}, {"q": {"A": 1}}, interval=True)
    assert none.value is None and none.totals[0].interval["reason"] == "there are no values"


def test_equal_values_have_an_interval_of_no_width():
    judged, run = {f"q{n}": {"A": 1} for n in range(4)}, {f"q{n}": {"A": 1} for n in range(4)}
    for method in ("t", "bca", "percentile"):
        interval = ndcg.evaluate(judged, run, interval=method).totals[0].interval
        assert (interval["low"], interval["high"]) == (1.0, 1.0)


def test_clusters_are_drawn_whole():
    result = scored({"cluster": SESSIONS, "resamples": 300})
    interval = result.totals[0].interval
    rows = sorted((row for row in result.per_query if row.value is not None), key=lambda row: row.query)
    expected = bootstrap_interval(
        [row.value for row in rows], clusters=[SESSIONS[row.query] for row in rows], resamples=300
    )
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
    assert (interval["method"], interval["clusters"], interval["cluster"]) == ("bca", 4, "cluster")
    named = scored({"cluster": pd.Series(SESSIONS, name="session"), "resamples": 300, "method": "percentile"})
    assert "4 whole clusters of session drawn" in " ".join(str(named).split())
    alone = scored({"cluster": {query: query for query in JUDGED}, "resamples": 300}).totals[0].interval
    plain = scored({"method": "bca", "resamples": 300}).totals[0].interval
    assert alone["low"] == pytest.approx(plain["low"], abs=0.05)


def test_clusters_are_checked(tmp_path):
    with pytest.raises(ndcg.InputError, match=r"(?s)query 'q6': no cluster.*counted query is in no cluster of"):
        scored({"cluster": {query: "s" for query in JUDGED if query != "q6"}})
    # Only counted queries need one: q3 is empty.
    assert (
        scored({"cluster": {query: query for query in JUDGED if query != "q3"}}).totals[0].interval["low"] is not None
    )
    (tmp_path / "s.csv").write_text("query,s\nq1,a\nq1,b\n")
    with pytest.raises(ndcg.InputError, match=r"s\.csv, line 3, query 'q1'.*two clusters"):
        scored({"cluster": f"{tmp_path}/s.csv:s"})
    one = scored({"cluster": dict.fromkeys(JUDGED, "s")}).totals[0].interval
    assert one["low"] is None and "one cluster" in one["reason"]


def test_weighted_intervals_resample_pairs():
    weights = {"q1": 5, "q2": 1, "q3": 1, "q4": 2, "q5": 3, "q6": 1}
    result = scored({"method": "bca", "resamples": 400, "seed": 3}, weights=weights)
    rows = sorted((row for row in result.per_query if row.value is not None), key=lambda row: row.query)
    # The ratio of sums of drawn (value, weight) pairs: weights are scaled to a largest of 1 first.
    expected = bootstrap_interval(
        [row.value for row in rows], weights=[weights[row.query] / 5 for row in rows], resamples=400, seed=3
    )
    interval = result.totals[0].weighted_interval
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
    assert interval["estimate"] == pytest.approx(result.weighted_value, abs=1e-15)
    assert interval["effective"] == pytest.approx(result.totals[0].effective)
    assert scored(True, weights=weights).totals[0].weighted_interval["method"] == "bca"
    # Slices imply intervals without being asked: those cost no resampling.
    implied = scored(None, weights=weights, by={"x": LANGUAGE}).totals[0].weighted_interval
    assert implied["method"] == "t" and implied["estimate"] == pytest.approx(result.weighted_value)


def test_a_geometric_mean_has_the_interval_of_its_logarithms():
    result = ndcg.evaluate(JUDGED, BASE, "GMAP", interval=True)
    values = np.log([max(row.value, 1e-5) for row in result.per_query if row.value is not None])
    low, high = scipy.stats.t.interval(0.95, len(values) - 1, np.mean(values), scipy.stats.sem(values))
    interval = result.totals[0].interval
    assert interval["low"] == pytest.approx(np.exp(low)) and interval["high"] == pytest.approx(np.exp(high))
    assert interval["estimate"] == pytest.approx(result.value)


def test_several_runs_and_measures_have_one_each():
    result = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, ["nDCG@3", "AP"], interval="t")
    assert len({entry.interval["low"] for entry in result.entries}) == 4
    assert str(result).splitlines()[0].split() == [
        "run", "measure", "value", "interval", "counted", "zeros", "judged@k", "ties", "cut",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "interval, words",
    [
        ("bac", "interval method 'bac' is not known.*did you mean 'bca'"),
        ({"metod": "t"}, "interval= key 'metod' is not known.*did you mean 'method'"),
        ({"level": 95}, "between 0 and 1"),
        ({"level": True}, "between 0 and 1"),
        ({"resamples": 0}, "at least 1"),
        ({"seed": -1}, "at least 0"),
        ({"seed": 1.5}, "whole number"),
        (0.95, "True, a method or a dict"),
    ],
)
def test_wrong_requests_are_clear_errors(interval, words):
    with pytest.raises(ndcg.UsageError, match=words):
        scored(interval)


def test_without_scipy_slices_go_on_and_an_asked_interval_stops():
    program = (
        "import sys; sys.modules['scipy'] = None; sys.modules['scipy.special'] = None; import ndcg\n"
        f"judged, run, by = {JUDGED!r}, {BASE!r}, {{'x': {LANGUAGE!r}}}\n"
        "result = ndcg.evaluate(judged, run, by=by)\n"
        "print(result.totals[0].interval['reason'])\n"
        "print(ndcg.evaluate(judged, run, interval='bca').totals[0].interval['low'] is not None)\n"
        "try:\n    ndcg.evaluate(judged, run, interval='t')\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    first, second, third = done.stdout.splitlines()
    assert "statistics" in first and second == "True" and "statistics" in third
