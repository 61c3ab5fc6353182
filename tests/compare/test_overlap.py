"""Overlap and rank-biased overlap: 'no change in score' is not 'no change'."""

from __future__ import annotations

import math
import random

import pytest

import ndcg
from ndcg.comparison.overlap import overlap_at_k, rank_biased_overlap
from ndcg.errors import UsageError

from .building import BASE, JUDGED, NEW, written, written_judgments


def agreement(base, new, depth):
    """What two lists have in common at a depth, going on at the last agreement of the longer one, as Webber, Moffat &
    Zobel have it: the unseen ranks of the shorter list agree as its seen ones do."""
    short, long = sorted((base, new), key=len)
    common = len(set(short[:depth]) & set(long[:depth]))
    last = len(set(short) & set(long))
    whole = len(set(short) & set(long[: len(short)]))
    if depth <= len(short):
        return common / depth
    rate = whole / len(short)
    if depth <= len(long):
        return (common + rate * (depth - len(short))) / depth
    return (last + rate * (len(long) - len(short))) / len(long)


def by_definition(base, new, p):
    return (1 - p) * math.fsum(p ** (depth - 1) * agreement(base, new, depth) for depth in range(1, 4000))


@pytest.mark.parametrize("seed", range(30))
def test_rank_biased_overlap_is_the_sum_of_its_definition(seed):
    random.seed(seed)
    base = random.sample("abcdefghijkl", random.randint(1, 9))
    new = random.sample("abcdefghijkl", random.randint(1, 9))
    for p in (0.5, 0.9, 0.98):
        assert rank_biased_overlap(base, new, p=p) == pytest.approx(by_definition(base, new, p), abs=1e-12)
        assert rank_biased_overlap(new, base, p=p) == rank_biased_overlap(base, new, p=p)


def test_its_ends():
    assert rank_biased_overlap("abc", "abc") == 1.0 and rank_biased_overlap("abc", "xyz") == 0.0
    assert rank_biased_overlap("", "") is None and rank_biased_overlap("", "a") == 0.0
    assert rank_biased_overlap("ab", "ba", p=0.9) == pytest.approx(0.9)
    # Agreement 1, 1/2, 1 at p = 0.9: 0.1 (1 + 0.9 / 2) + 0.9**2.
    assert rank_biased_overlap("abc", "acb", p=0.9) == pytest.approx(0.1 * 1.45 + 0.81)
    with pytest.raises(UsageError, match="between 0 and 1"):
        rank_biased_overlap("a", "a", p=1.0)


def test_overlap_at_k():
    assert overlap_at_k("abcd", "abcd") == 1.0 and overlap_at_k("abcd", "dcba") == 1.0
    assert overlap_at_k("abcd", "ab") == 0.5 and overlap_at_k("", "") is None and overlap_at_k("a", "") == 0.0


@pytest.fixture(params=["dicts", "files"])
def inputs(request, tmp_path):
    """The same judgments and runs in memory and as files."""
    if request.param == "dicts":
        return lambda judged, runs: (judged, runs)

    def files(judged, runs):
        return written_judgments(tmp_path, judged), {name: written(tmp_path, name, run) for name, run in runs.items()}

    return files


def test_a_change_without_a_change_of_score(inputs):
    judged = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    base = {"q1": {"a": 3.0, "x": 2.0, "y": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 2.0, "z": 1.0}}
    new = {"q1": {"a": 3.0, "v": 2.0, "w": 1.0}, "q2": {"b": 1.0}, "q3": {"z": 2.0, "c": 1.0}}
    found = ndcg.compare(*inputs(judged, {"base": base, "new": new}), "nDCG@3").pair().overlap
    assert (found.queries, found.identical, found.same_documents, found.changed, found.silent) == (3, 1, 1, 1, 1)
    assert found.at_k == pytest.approx((1 / 3 + 1 + 1) / 3) and found.first_changed == ("q1", "q3")
    assert found.depth == 3


def test_identical_values_with_other_rankings_are_told_apart(inputs):
    judged = {"q1": {"a": 1}}
    runs = {"base": {"q1": {"a": 2.0, "x": 1.0}}, "new": {"q1": {"a": 2.0, "y": 1.0}}}
    found = ndcg.compare(*inputs(judged, runs))
    assert found.verdict.word == "identical" and found.pair().overlap.silent == 1
    assert "the first 10 ranks of 1 query differ" in found.verdict.sentence


def test_side_by_side(inputs):
    found = ndcg.compare(*inputs(JUDGED, {"base": BASE, "new": NEW}), "nDCG@10", query="q2").side_by_side[0]
    assert (found.base_value, found.new_value) == pytest.approx((0.6590018048024133, 1.0), abs=1e-3)
    assert [(row.base.document, row.base.movement, row.base.moved) for row in found.rows] == [
        ("x", "down", -2),
        ("d", "up", 1),
        ("a", "up", 1),
    ]
    assert [(row.new.document, row.new.movement, row.new.moved) for row in found.rows] == [
        ("d", "up", 1),
        ("a", "up", 1),
        ("x", "down", -2),
    ]
    assert [row.new.grade for row in found.rows] == [2.0, 1.0, None]
    assert found.first_difference == 1 and found.lost == found.gained == () and found.overlap == 1.0
    assert math.fsum(row.gap for row in found.rows) == pytest.approx(
        math.fsum(row.new.contribution for row in found.rows) - math.fsum(row.base.contribution for row in found.rows)
    )


def test_side_by_side_tells_new_from_lower_ranks():
    judged = {"q": {"a": 1}}
    base = {"q": [f"d{at}" for at in range(20)] + ["a"]}
    new = {"q": ["a", "n"] + [f"d{at}" for at in range(20)]}
    rows = ndcg.compare(judged, {"base": base, "new": new}, "nDCG@5", query="q").side_by_side[0].rows
    assert len(rows) == 5
    assert (rows[0].new.movement, rows[0].new.moved) == ("up", 20)
    assert rows[1].new.movement == "new" and rows[4].base.movement == "down"
    assert rows[0].gap == 1.0


def test_contributions_add_up_to_the_value():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG(ties=average)@2", query=["q1", "q2"])
    for beside in found.side_by_side:
        row = next(row for row in found.result.per_query if row.query == beside.query and row.run == "new")
        total = math.fsum(row.new.contribution for row in beside.rows if row.new is not None)
        assert total == pytest.approx(row.dcg)


def test_a_query_that_nobody_knows():
    with pytest.raises(UsageError, match=r"do not know the query 'q77'.*'q[1-5]'"):
        ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, query="q77")


def test_a_missing_query_has_one_side_only():
    beside = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, query="q4").side_by_side[0]
    assert beside.new_status == "missing" and all(row.new is None for row in beside.rows)
    assert [row.base.movement for row in beside.rows] == ["lost", "lost"]
    assert "missing" in str(ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, query="q4"))
