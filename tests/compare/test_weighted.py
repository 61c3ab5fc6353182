"""Weighted means beside the macro means: in every table, with the effective number of queries."""

from __future__ import annotations

import csv
import io
import json

import pytest

import ndcg
from ndcg.comparison import bootstrap_interval, effective_number

from .building import VALUE, systems

NAMES = ("base", "one", "two", "three", "four")


def five():
    judged, runs = systems({name: [(7 * at + 3 * n) % 10 / 10 for at in range(25)] for n, name in enumerate(NAMES)})
    return judged, runs, {query: float(at % 4) for at, query in enumerate(judged)}


def mean(judged, weights, name):
    return sum(weights[query] * judged[query][name] for query in judged) / sum(weights.values())


def test_a_leaderboard_holds_weighted_means_and_ranks_by_the_macro_mean():
    judged, runs, weights = five()
    found = ndcg.compare(judged, runs, VALUE, pairs="all", weights=weights, resamples=200)
    (board,) = found.leaderboards
    plain = ndcg.compare(judged, runs, VALUE, pairs="all", resamples=200).leaderboards[0]
    assert [one.run for one in board.standings] == [one.run for one in plain.standings]
    assert board.effective == pytest.approx(effective_number(list(weights.values())))
    ids = sorted(judged)
    for one in board.standings:
        assert one.weighted == pytest.approx(mean(judged, weights, one.run), abs=1e-12)
        values = [judged[query][one.run] for query in ids]
        expected = bootstrap_interval(values, resamples=200, weights=[weights[query] for query in ids])
        assert one.weighted_interval.low == pytest.approx(expected.low, abs=1e-12)
    data = json.loads(found.to_json())
    assert data["leaderboards"][0]["standings"][0]["weighted"] == board.standings[0].weighted
    assert data["systems"][0]["weighted_value"] == pytest.approx(mean(judged, weights, "base"))
    row = next(csv.DictReader(io.StringIO(found.to_csv())))
    assert float(row["weighted"]) == board.standings[0].weighted and row["effective_queries"] == repr(board.effective)
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "places and groups are by the macro mean" in " ".join(text.split())
        assert f"{board.standings[0].weighted:.4f}" in text


def test_many_comparisons_show_their_weighted_differences():
    judged, runs, weights = five()
    found = ndcg.compare(judged, runs, VALUE, weights=weights, resamples=200)
    assert len(found.pairs) == 4
    for pair in found.pairs:
        shown = f"{pair.weighted.difference:+.4f}"
        for text in (str(found), found.to_markdown(), found.to_latex()):
            assert shown in text and f"{pair.weighted.effective:.1f}" in text
    row = next(csv.DictReader(io.StringIO(found.to_csv())))
    assert float(row["weighted_new"]) == found.pairs[0].weighted.new
    assert float(row["effective_queries"]) == found.pairs[0].weighted.effective


def test_the_effective_number_of_queries_stands_beside_the_weighted_difference():
    judged, runs, _ = five()
    two = {"base": runs["base"], "one": runs["one"]}
    ids = list(judged)
    found = ndcg.compare(judged, two, VALUE, weights={ids[0]: 3, ids[1]: 1}, default_weight=0, resamples=200)
    assert found.pair().weighted.effective == pytest.approx(1.6)
    for text in (str(found), found.to_markdown()):
        told = " ".join(text.split())
        assert "the 25 queries of the weighted difference, 2 of them with a weight above 0, tell as much as 1.6" in told
        assert "23 judged queries without a weight took 0" in told
    assert json.loads(found.to_json())["pairs"][0]["weighted"]["effective"] == pytest.approx(1.6)


def test_weights_that_turn_the_order_are_said():
    judged, runs = systems({"base": [0.5, 0.5, 0.5], "new": [0.7, 0.7, 0.3]})
    weights = dict(zip(judged, (1, 1, 9), strict=True))
    (note,) = [one for one in ndcg.compare(judged, runs, VALUE, weights=weights).pair().notes if "macro" in one]
    assert note == "new is above base by the macro mean and below it by the weighted mean"
    assert not any("macro" in one for one in ndcg.compare(judged, runs, VALUE).pair().notes)


def test_without_weights_nothing_is_weighted():
    judged, runs, _ = five()
    for pairs in ("all", "baseline"):
        found = ndcg.compare(judged, runs, VALUE, pairs=pairs, resamples=200)
        assert "weight" not in str(found) and "weight" not in found.to_markdown()


@pytest.mark.parametrize("pairs", ["baseline", "all"])
def test_where_the_traffic_goes_stands_beside_every_weighted_value(pairs):
    judged = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
    base = {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 1.0}, "q4": {"d": 1.0}}
    new = {"q1": {"a": 1.0}, "q3": None, "q4": {"d": 1.0}}
    weights = {"q1": 4, "q2": 2, "q3": 1, "q4": 2, "q9": 1}
    found = ndcg.compare(judged, {"base": base, "same": base, "new": new}, pairs=pairs, weights=weights, resamples=100)
    alone = ndcg.evaluate(judged, {"base": base, "same": base, "new": new}, weights=weights)
    assert [system.traffic for system in found.systems] == [entry.traffic for entry in alone.totals]
    before = "60.0 % scored, 10.0 % empty, 0.0 % missing, 20.0 % unjudged, 0.0 % failed, 10.0 % in neither"
    after = "40.0 % scored, 0.0 % empty, 20.0 % missing, 20.0 % unjudged, 10.0 % failed, 10.0 % in neither"
    for text in (str(found), found.to_markdown(), found.to_latex()):
        told = " ".join(text.split())
        assert f"base, same: {before}" in told and f"new: {after}" in told
    assert json.loads(found.to_json())["systems"][2]["traffic"]["failed"] == pytest.approx(0.1)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    if pairs == "all":
        assert {row["run"]: row["traffic_scored"] for row in rows} == {"base": "0.6", "same": "0.6", "new": "0.4"}
    else:
        assert [(row["base_traffic_scored"], row["new_traffic_missing"]) for row in rows] == [
            ("0.6", "0.0"),
            ("0.6", "0.2"),
        ]
    plain = ndcg.compare(judged, {"a": base, "b": new}, resamples=100)
    assert all(system.traffic is None for system in plain.systems) and "- traffic" not in plain.to_markdown()
