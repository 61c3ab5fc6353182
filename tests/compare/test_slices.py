"""Slices of a comparison: differences over parts of the queries, their impact, and those against the total."""

from __future__ import annotations

import csv
import io
import json
import math
import random

import pytest

import ndcg
from ndcg.comparison import interval

from .building import VALUE, systems

VALUE_IN_FULL = str(ndcg.parse(VALUE))


def random_systems(queries=30, seed=5):
    rng = random.Random(seed)
    judged, runs = systems(
        {name: [round(rng.random(), 3) for _ in range(queries)] for name in ("base", "new", "third")}
    )
    by = {query: ("de", "en", "fr", None)[rng.randrange(4)] for query in judged}
    weights = {query: float(rng.randrange(0, 9)) for query in judged}
    return judged, runs, by, weights


@pytest.mark.parametrize("weighted", [False, True])
def test_impacts_add_up_and_values_are_those_of_evaluate(weighted):
    judged, runs, by, weights = random_systems()
    options = {"weights": weights} if weighted else {}
    found = ndcg.compare(judged, runs, VALUE, by={"language": by}, resamples=100, **options)
    alone = ndcg.evaluate(judged, runs, VALUE, by={"language": by}, interval=False, **options)
    for pair in found.pairs:
        whole = pair.weighted.difference if weighted else pair.difference
        assert math.fsum(one.impact for one in pair.slices) == pytest.approx(whole, abs=1e-12)
        assert math.fsum(one.share for one in pair.slices) == pytest.approx(1)
        assert sum(one.queries for one in pair.slices) == len(judged)
        impacts = [abs(one.impact) for one in pair.slices]
        assert impacts == sorted(impacts, reverse=True)
        for one in pair.slices:
            base, new = (
                next(e for e in alone.slices if (e.run, e.slice) == (run, one.name)) for run in ("base", pair.new)
            )
            assert (one.macro.base, one.macro.new) == (base.value, new.value)
            assert one.share == pytest.approx(new.part.share) and one.impact == pytest.approx(new.part.impact)
            assert one.contradicts == new.part.contradicts and one.small == new.part.small
            assert not weighted or one.weighted.new == pytest.approx(new.weighted_value)


def test_intervals_are_t_intervals_adjusted_for_the_slices():
    judged, runs, by, _ = random_systems()
    pair = ndcg.compare(judged, {name: runs[name] for name in ("base", "new")}, VALUE, by=by, resamples=100).pair()
    assert len(pair.slices) == 4
    for one in pair.slices:
        inside = [query for query in judged if by[query] == one.value]
        values = [judged[query]["new"] - judged[query]["base"] for query in sorted(inside)]
        expected = interval(values, method="t", level=1 - 0.05 / 4)
        assert one.interval.level == pytest.approx(0.9875)
        assert (one.interval.low, one.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def paradox():
    """The total falls although most of the queries of one slice rise: the other slice falls far."""
    judged, runs = systems({"base": [0.5] * 4 + [0.9] * 4, "new": [0.6] * 4 + [0.1] * 4})
    return judged, runs, {query: "rises" if at < 4 else "falls" for at, query in enumerate(judged)}


def weighted_paradox():
    """Every slice and the total rise by the macro mean; by weight one slice falls, and the total rises all the same."""
    judged, runs = systems({"base": [0.2, 0.2, 0.5, 0.1, 0.1, 0.1], "new": [0.6, 0.6, 0.2, 0.6, 0.6, 0.6]})
    by = {query: "turned" if at < 3 else "other" for at, query in enumerate(judged)}
    weights = dict(zip(judged, (1, 1, 8, 9, 9, 9), strict=True))
    return judged, runs, by, weights


def test_a_slice_that_moves_against_the_weighted_total_is_said():
    judged, runs, by, weights = weighted_paradox()
    found = ndcg.compare(judged, runs, VALUE, by={"kind": by}, weights=weights, resamples=100).pair()
    other, turned = found.slices
    assert (other.contradicts, turned.contradicts) == (False, True)
    assert turned.difference > 0 > turned.weighted.difference and found.weighted.difference > 0
    sentence = "by the weighted mean the total rises, but kind=turned falls"
    assert sentence in found.notes and not any(note.startswith("the total") for note in found.notes)
    alone = ndcg.evaluate(judged, runs, VALUE, by={"kind": by}, weights=weights, interval=False)
    assert f"new against base, {VALUE_IN_FULL}: {sentence}" in alone.warnings
    assert [e.part.value for e in alone.slices if e.part.contradicts] == ["turned"]
    assert not any(one.contradicts for one in ndcg.compare(judged, runs, VALUE, by={"kind": by}).pair().slices)


def test_a_slice_that_moves_against_the_total_is_said():
    judged, runs, by = paradox()
    found = ndcg.compare(judged, runs, VALUE, by={"kind": by}, resamples=100)
    falls, rises = found.pair().slices
    assert (falls.name, rises.name) == ("kind=falls", "kind=rises")
    assert rises.contradicts and not falls.contradicts and rises.small
    assert "the total falls, but kind=rises rises" in found.pair().notes
    text, markdown = " ".join(str(found).split()), found.to_markdown()
    assert "rises *!" in text and "! moves against the total" in text and "adjusted for 2 slices" in text
    assert r"| rises \*! | 4 |" in markdown and "moves against the total" in markdown
    data = json.loads(found.to_json())["pairs"][0]["slices"]
    assert [(one["slice"], one["contradicts"]) for one in data] == [("kind=falls", False), ("kind=rises", True)]
    assert data[0]["difference"] == falls.difference and data[0]["macro"]["interval"]["low"] == falls.interval.low
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["slice"] for row in rows] == ["", "kind=falls", "kind=rises"]
    assert float(rows[1]["impact"]) == falls.impact and rows[2]["contradicts"] == "True"


def test_crossed_attributes_and_overlap(tmp_path):
    judged, runs, by = paradox()
    lines = [f"{query},{by[query]},{'x' if at % 2 else 'y'}\n" for at, query in enumerate(judged)]
    table = tmp_path / "queries.csv"
    table.write_text("query,kind,tier\n" + "".join(lines))
    pair = ndcg.compare(judged, runs, VALUE, by=f"{table}:kind*tier", resamples=100, slice_least=2).pair()
    assert {one.name for one in pair.slices} == {f"kind*tier={a}*{b}" for a in ("rises", "falls") for b in "xy"}
    assert not any(one.small for one in pair.slices)
    both = {query: ["all", by[query]] for query in judged}
    with pytest.raises(ndcg.InputError, match="two values of 'kind'"):
        ndcg.compare(judged, runs, VALUE, by={"kind": both}, resamples=100)
    found = ndcg.compare(judged, runs, VALUE, by={"kind": both}, resamples=100, slice_overlap="both")
    assert {one.name: one.queries for one in found.pair().slices} == {"kind=all": 8, "kind=rises": 4, "kind=falls": 4}
    assert any("counted in both" in note for one in found.inputs for note in one.notes)


def test_slices_that_a_comparison_does_not_make(tmp_path):
    judged, runs, by = paradox()
    documents = tmp_path / "documents.csv"
    documents.write_text("doc,age\nbase,old\nnew,new\n")
    for options, message in (
        ({"by": f"{documents}:age"}, "tells of documents"),
        ({"by": by, "pairs": "all"}, "a leaderboard has no slices"),
        ({"slice_overlap": "both"}, "none were asked for"),
        ({"by": by, "slice_overlap": "bth"}, "did you mean 'both'"),
        ({"by": by, "slice_least": 0}, "at least 1"),
    ):
        with pytest.raises(ndcg.UsageError, match=message):
            ndcg.compare(judged, runs, VALUE, resamples=100, **options)
    with pytest.raises(ndcg.InputError, match="has a value for none of the queries"):
        ndcg.compare(judged, runs, VALUE, by={"other": "x"}, resamples=100)


def test_saved_results_are_sliced_too():
    judged, runs, by = paradox()
    saved = ndcg.evaluate(judged, runs, VALUE)
    live = ndcg.compare(judged, runs, VALUE, by=by, resamples=100).pair().slices
    assert ndcg.compare(saved, by=by, resamples=100).pair().slices == live
