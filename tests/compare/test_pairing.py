"""Which queries are compared: common and union, by the declared policy; shares of the traffic; ties."""

from __future__ import annotations

import numpy as np
import pytest

import ndcg
from ndcg.comparison.pairing import matrix, outcome, pair, share_changes

from .building import BASE, JUDGED, NEW, VALUE, systems

NDCG_Q4 = 0.7967075809905066


def test_both_sets_of_queries_are_told():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10").pair()
    assert found.headline == "union" and found.union.queries == 4 and found.common.queries == 3
    # q4 counts 0 for the run that is missing it: 4 x the union = 3 x the common - what the baseline has there.
    assert 4 * found.union.difference == pytest.approx(3 * found.common.difference - NDCG_Q4, abs=1e-12)


def test_the_verdict_follows_the_declared_policy():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10", missing="exclude").pair()
    zero = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10").pair()
    assert found.headline == "common" and found.difference == zero.common.difference
    assert found.union.difference == zero.union.difference and found.union.queries == 4
    assert "missing exclude" in str(ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, missing="exclude"))


def test_opposite_signs_are_flagged():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    assert found.pair().common.difference > 0 > found.pair().union.difference
    assert found.verdict.opposite and "OPPOSITE SIGNS" in str(found)
    assert "Opposite signs" in found.to_markdown() and '"opposite": true' in found.to_json()


def test_the_means_are_those_of_evaluate():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    scored = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    assert found.pair().side.base == scored.entry("base").value
    assert found.pair().side.new == scored.entry("new").value
    assert [system.value for system in found.systems] == [entry.value for entry in scored.entries]


def test_a_failed_query_is_in_neither_set():
    new = {**BASE, "q1": None}
    found = ndcg.compare(JUDGED, {"base": BASE, "new": new}, "nDCG@10").pair()
    assert found.common.queries == found.union.queries == 3
    assert [(one.new_status, one.in_union) for one in found.unmatched] == [("failed", False)]
    zero = ndcg.compare(JUDGED, {"base": BASE, "new": new}, "nDCG@10", failed="zero").pair()
    assert zero.union.queries == 4 and zero.union.difference == pytest.approx(-0.25)


def test_changed_shares_come_before_scores():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    changes = {change.status: change for change in found.shares["new"]}
    # The empty query is the same, but one more query is asked in all: its share is smaller.
    assert set(changes) == {"empty", "missing", "unjudged"}
    assert changes["empty"].entered == changes["empty"].left == () and changes["empty"].new_share == 1 / 6
    assert (changes["missing"].base, changes["missing"].new, changes["missing"].entered) == (0, 1, ("q4",))
    assert changes["missing"].new_share == 1 / 6 and changes["missing"].change == 1 / 6
    assert changes["unjudged"].entered == ("q9",)
    text = str(found)
    assert text.index("traffic") < text.index("verdict")


def test_shares_by_weight():
    rows = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    weights = {"q1": 1, "q2": 1, "q3": 1, "q4": 6, "q5": 1, "q9": 2}
    changes = share_changes(rows.entry("base").rows, rows.entry("new").rows, weights)
    missing = next(change for change in changes if change.status == "missing")
    assert missing.new_share == 6 / 12 and missing.weighted


def test_no_change_of_shares_says_nothing():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": {**BASE, "q1": {"b": 1.0}}})
    assert found.shares == {} and not str(found).startswith("traffic")


def test_the_tie_width_is_declared():
    assert outcome(np.array([0.4 - 0.3, -0.05, 0.2, -0.2]), 0.1) == (1, 2, 1, 0.1)
    assert outcome(np.array([1e-17, 0.0])) == (1, 1, 0, 0.0)
    judged, runs = systems({"base": [0.3, 0.3, 0.3], "new": [0.4, 0.5, 0.1]})
    found = ndcg.compare(judged, runs, VALUE, tie_width=0.1)
    assert found.pair().side.outcome == (1, 1, 1, 0.1)
    assert (found.pair().effect.wins, found.pair().effect.ties, found.pair().effect.losses) == (1, 1, 1)
    assert "at most 0.1" in str(found)


def test_tables_of_different_queries_are_aligned():
    ours = ndcg.evaluate({"q2": {"a": 1}, "q1": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}).entries[0].rows
    theirs = ndcg.evaluate({"q3": {"a": 1}, "q1": {"a": 2}}, {"q1": {"x": 2.0, "a": 1.0}}).entries[0].rows
    found = pair(ours, theirs)
    assert found.queries == ("q2", "q1", "q3")
    assert found.ids(found.common) == ["q1"] and found.ids(found.union) == ["q2", "q1", "q3"]
    assert found.differences(found.common)[0] == pytest.approx(0.6309297535714575 - 1)


@pytest.mark.parametrize("over", ["common", "union"])
def test_the_matrix_of_two_systems_is_their_pairing(over):
    rows = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10")
    tables = {name: rows.entry(name).rows for name in ("base", "new")}
    found, both = matrix(tables, over), pair(*tables.values())
    chosen = getattr(both, over)
    assert list(found.queries) == both.ids(chosen)
    assert np.array_equal(found.values[:, 1] - found.values[:, 0], both.differences(chosen))
