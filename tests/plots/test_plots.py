"""Charts draw the numbers of the results, and Vega-Lite can draw the charts."""

from __future__ import annotations

import random
import sys

import pytest
import vl_convert

import ndcg
from ndcg.errors import NdcgError, UsageError
from ndcg.plots.base import MOST_POINTS

QUERIES = [f"q{at:02}" for at in range(24)]
JUDGED = {query: {"a": 2, "b": 1, "c": 0} for query in QUERIES} | {"none": {"a": 0}}
LANGUAGE = {query: "de" if at % 3 else "fr" for at, query in enumerate(QUERIES)} | {"none": "de"}


def run(seed, queries=QUERIES):
    chance = random.Random(seed)
    return {query: {doc: chance.random() for doc in "abcd"} for query in queries}


RUNS = {"base": run(1), "new": run(2)}


def drawn(chart):
    """The specification, after Vega-Lite has drawn it without complaint."""
    picture = vl_convert.vegalite_to_svg(chart.to_dict())
    assert picture.startswith("<svg") and len(picture) > 1_000
    return chart.to_dict()


def values_in(chart):
    """All inline rows of a specification, those that several layers share once."""
    found = []

    def walk(part):
        if isinstance(part, dict):
            for name, inner in part.items():
                if name == "values" and isinstance(inner, list) and inner and isinstance(inner[0], dict):
                    found.extend([inner] if inner not in found else [])
                else:
                    walk(inner)
        elif isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(chart)
    return [row for rows in found for row in rows]


def test_slices():
    result = ndcg.evaluate(JUDGED, RUNS, "nDCG@3", by={"language": LANGUAGE}, interval=True)
    rows = [row for row in values_in(drawn(result.plot.slices())) if "slice" in row]
    assert len(rows) == 4
    for row in rows:
        entry = result.entry(row["run"], slice=f"language={row['slice']}")
        assert row["value"] == entry.value and row["low"] == entry.interval["low"]
        assert row["counted"] == entry.summary.queries.counted
    with pytest.raises(UsageError, match="language"):
        result.plot.slices("country")
    with pytest.raises(UsageError, match="no slices"):
        ndcg.evaluate(JUDGED, RUNS, "nDCG@3").plot.slices()


def test_distribution_counts_every_counted_query_once():
    result = ndcg.evaluate(JUDGED, RUNS, ["nDCG@3", "RR"])
    rows = [row for row in values_in(drawn(result.plot.distribution("nDCG@3"))) if "queries" in row]
    for name in RUNS:
        assert sum(row["queries"] for row in rows if row["run"] == name) == 24
    with pytest.raises(UsageError, match="several measures"):
        result.plot.distribution()


def test_over_k():
    result = ndcg.evaluate(JUDGED, RUNS, ["nDCG@1", "nDCG@2", "nDCG@3", "nDCG", "RR"], interval="t")
    rows = [row for row in values_in(drawn(result.plot.over_k())) if "k" in row]
    assert len(rows) == 6
    assert all(row["value"] == result.entry(row["run"], f"nDCG@{row['k']}").value for row in rows)
    with pytest.raises(UsageError, match="several cutoffs"):
        ndcg.evaluate(JUDGED, RUNS, "nDCG@3").plot.over_k()


def test_differences_and_scores():
    found = ndcg.compare(JUDGED, RUNS, "nDCG@3")
    values = {name: {row.query: row.value for row in found.result.per_query if row.run == name} for name in RUNS}
    rows = [row for row in values_in(drawn(found.plot.differences())) if "place" in row]
    changes = [row["difference"] for row in rows]
    assert changes == sorted(changes) and len(rows) == 24
    for row in rows:
        assert row["base"] == values["base"][row["query"]] and row["new"] == values["new"][row["query"]]
        assert row["difference"] == row["new"] - row["base"]
    text = str(found.plot.differences().to_dict()["title"])
    assert f"{found.difference:+.4f}" in text and f"{found.interval.low:+.4f}" in text
    marks = [row for row in values_in(drawn(found.plot.scores())) if "query" in row]
    assert {row["query"] for row in marks} == set(QUERIES)
    bins = [row for row in values_in(drawn(found.plot.distribution())) if "queries" in row]
    assert sum(row["queries"] for row in bins) == 24


def test_many_queries_are_thinned_and_counted():
    queries = [str(at) for at in range(MOST_POINTS + 500)]
    judged = {query: {"a": 2, "b": 1, "c": 0} for query in queries}
    found = ndcg.compare(judged, {"base": run(3, queries), "new": run(4, queries)}, "nDCG@3", interval="t")
    chart = found.plot.differences().to_dict()
    rows = [row for row in values_in(chart) if "place" in row]
    assert len(rows) == MOST_POINTS and "evenly spaced" in str(chart["title"])
    cells = [row for row in values_in(found.plot.scores().to_dict()) if "queries" in row]
    assert sum(row["queries"] for row in cells) == len(queries)


def test_gain_by_rank():
    found = ndcg.explain(JUDGED, RUNS["base"], "q01", "nDCG@3")
    rows = [row for row in values_in(drawn(found.plot.gain_by_rank())) if "rank" in row]
    assert sum(row["amount"] for row in rows if row["list"] == "run") == pytest.approx(found.dcg)
    assert sum(row["amount"] for row in rows if row["list"] == "ideal") == pytest.approx(found.ideal_dcg)


def test_the_curve_of_a_tuning():
    found = ndcg.tune(JUDGED, RUNS, "nDCG@3", steps=4)
    rows = values_in(drawn(found.plot.curve()))
    assert [row["value"] for row in rows if "low" in row] == [point.value for point in found.points]
    assert {"what": "held out", "value": found.held_out} in rows


def test_without_altair_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(NdcgError, match=r'needs altair; install it with: pip install "ndcg\[plots\]"'):
        ndcg.evaluate(JUDGED, RUNS["base"], "nDCG@3").plot.distribution()


def layers_of(chart):
    """Every layer of a specification, however deep."""
    inner = [part for name in ("layer", "vconcat") for part in chart.get(name, ())]
    return [chart, *(layer for part in inner for layer in layers_of(part))]


def axis_of(chart, channel):
    return next(x for x in (part.get("encoding", {}).get(channel) for part in layers_of(chart)) if x and "title" in x)


def test_the_leaderboard():
    runs = {f"run {at}": run(at) for at in range(5)}
    found = ndcg.compare(JUDGED, runs, ["nDCG@3", "RR"], pairs="all")
    with pytest.raises(UsageError, match="several measures"):
        found.plot.leaderboard()
    with pytest.raises(UsageError, match="AP was not compared"):
        found.plot.leaderboard("AP")
    chart = drawn(found.plot.leaderboard("nDCG@3"))
    rows, board = [row for row in values_in(chart) if "place" in row], found.leaderboards[0]
    assert [(row["run"], row["mean"], row["groups"]) for row in rows] == [
        (each.run, each.mean, each.letters) for each in board.standings
    ]
    assert axis_of(chart, "y")["sort"] == [each.run for each in board.standings]
    assert "BCa bootstrap, 95 %" in str(chart["title"]) and "10 pairs" in str(chart["title"])
    with pytest.raises(UsageError, match="with a baseline"):
        ndcg.compare(JUDGED, RUNS, "nDCG@3").plot.leaderboard()


def test_a_slice_without_a_value_says_so_and_long_intervals_are_cut():
    judged = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 1}}
    language = {"q1": "de", "q2": "fr", "q3": "de"}
    result = ndcg.evaluate(judged, {"q1": ["a"], "q2": ["a"]}, "nDCG@1", by={"l": language}, interval=True)
    chart = drawn(result.plot.slices())
    assert result.entry(slice="l=de").interval["high"] > 6
    assert axis_of(chart, "x")["scale"]["domain"] == [-0.2, 1.2] and "are cut" in str(chart["title"])
    assert "no query counts" in str(chart)
    whole = ndcg.evaluate(JUDGED, RUNS, "nDCG@3", by={"language": LANGUAGE}, interval=True).plot.slices().to_dict()
    assert "domain" not in axis_of(whole, "x")["scale"] and "are cut" not in str(whole["title"])


def test_distributions_have_one_scale_and_whole_numbers():
    result = ndcg.evaluate(JUDGED, {**RUNS, "best": {query: ["a", "b", "c"] for query in QUERIES}}, "nDCG@3")
    chart = drawn(result.plot.distribution())
    tops = {
        tuple(layer["encoding"]["y"]["scale"]["domain"])
        for layer in layers_of(chart)
        if "x2" in layer.get("encoding", ())
    }
    assert tops == {(0, 24)}
    alone = ndcg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "nDCG@3").plot.distribution().to_dict()
    assert axis_of(alone, "y")["axis"]["values"] == [0, 1]


def test_cutoffs_have_their_marks():
    near = drawn(ndcg.evaluate(JUDGED, RUNS, ["nDCG@1", "nDCG@2"]).plot.over_k())
    assert axis_of(near, "x")["axis"]["values"] == [1, 2] and axis_of(near, "x")["scale"]["type"] == "linear"
    far = drawn(ndcg.evaluate(JUDGED, RUNS, ["nDCG@1", "nDCG@10", "nDCG@1000"]).plot.over_k())
    assert axis_of(far, "x")["scale"]["type"] == "log" and "logarithmic" in axis_of(far, "x")["title"]


def test_every_run_has_a_line_of_its_own():
    runs = {f"run {at}": run(at) for at in range(30)}
    chart = drawn(ndcg.evaluate(JUDGED, runs, ["nDCG@1", "nDCG@2"]).plot.over_k())
    line = next(part for part in layers_of(chart) if "strokeDash" in part.get("encoding", {}))["encoding"]
    looks = {
        (colour, tuple(dash))
        for colour, dash in zip(line["color"]["scale"]["range"], line["strokeDash"]["scale"]["range"], strict=True)
    }
    assert len(looks) == 30


def test_differences_around_zero():
    found = ndcg.compare({"q": {"a": 1, "b": 2}}, {"a": {"q": ["a", "b"]}, "b": {"q": ["b", "a"]}}, "nDCG@2")
    low, high = axis_of(drawn(found.plot.distribution()), "x")["scale"]["domain"]
    assert low < 0 < high
    assert "1 higher, 0 lower, 0 the same" in str(found.plot.differences().to_dict()["title"])


def test_a_run_named_ideal():
    found = ndcg.explain(JUDGED, {"ideal": RUNS["base"]}, "q01", "nDCG@3")
    rows = [row for row in values_in(drawn(found.plot.gain_by_rank())) if "rank" in row]
    assert {row["list"] for row in rows} == {"ideal", "ideal list"}
    assert sum(row["amount"] for row in rows if row["list"] == "ideal") == pytest.approx(found.dcg)
