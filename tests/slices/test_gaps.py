"""The worst slice of each attribute: named, measured against total and best, never hidden behind a mean."""

import math
from itertools import count

import numpy as np
import pytest
import scipy.stats

import ndcg
from ndcg.gaps import difference_of
from ndcg.intervals import Asked

TOP, LOW, LOWER = {"A": 2, "X": 1}, {"X": 2, "A": 1}, {"X": 3, "Y": 2, "A": 1}


def made(plan, **options):
    """A result with slices `plan` = {value: [ranks of the relevant document]}; rank 0 misses it."""
    judged, run, by = {}, {}, {}
    for value, ranks in plan.items():
        for at, rank in enumerate(ranks):
            query = f"{value}{at}"
            judged[query], by[query] = {"A": 1}, value
            run[query] = {f"X{n}": 100 - n for n in range(1, max(rank, 1))} | ({"A": 100 - rank} if rank else {"Z": 1})
    return ndcg.evaluate(judged, run, "RR", by={"kind": by}, **options)


def test_a_good_mean_does_not_hide_a_bad_slice():
    result = made({"common": [1] * 95, "rare": [0, 0, 3, 4, 5, 0, 0, 10, 0, 0, 0, 0]})
    (gap,) = result.gaps
    assert result.totals[0].value > 0.89
    assert (gap.worst, gap.best, gap.slices, gap.small) == ("kind=rare", "kind=common", 2, False)
    assert gap.to_total == gap.worst_value - result.totals[0].value < -0.8
    assert gap.to_best == gap.worst_value - 1.0
    assert gap.to_total_interval["high"] < -0.5 and gap.to_best_interval["high"] < -0.5
    assert "the worst slice is kind=rare" in " ".join(str(result).split())


def test_the_gap_to_the_total_is_that_to_the_others_times_their_share():
    result = made({"a": [1, 2, 3] * 5, "b": [2, 3, 4] * 4})
    (gap,) = result.gaps
    tables = {value: result.entry(slice=f"kind={value}").rows for value in "ab"}
    assert gap.worst == "kind=b"
    others = difference_of(tables["b"], tables["a"], Asked(level=0.975))
    for end in ("low", "high", "estimate"):
        assert math.isclose(gap.to_total_interval[end], others[end] * 15 / 27)
    assert math.isclose(gap.to_total_interval["estimate"], gap.to_total)
    assert gap.to_best_interval["low"] == difference_of(tables["b"], tables["a"], Asked(level=0.95))["low"]


def test_levels_are_adjusted_for_all_slices_and_all_pairs():
    result = made({"a": [1, 2, 3] * 5, "b": [2, 2, 4] * 5, "c": [1, 1, 9] * 5, "d": [3, 4, 5] * 5})
    (gap,) = result.gaps
    assert gap.slices == 4
    assert gap.to_total_interval["level"] == pytest.approx(1 - 0.05 / 4)
    assert gap.to_best_interval["level"] == pytest.approx(1 - 0.05 / 6)
    assert "levels adjusted for 4 slices" in " ".join(str(result).split())


def test_small_slices_are_marked_and_have_a_gap_of_their_own():
    result = made({"a": [1] * 12, "b": [2] * 12, "tiny": [9, 8, 10]})
    worst, lowest = result.gaps
    assert (worst.worst, worst.small) == ("kind=b", False) and (lowest.worst, lowest.small) == ("kind=tiny", True)
    assert lowest.to_total_interval["high"] < 0
    assert {entry.part.value: entry.part.small for entry in result.slices} == {"a": False, "b": False, "tiny": True}
    assert "tiny *" in str(result) and "* few counted queries" in " ".join(str(result).split())
    assert [gap.worst for gap in made({"a": [1] * 12, "b": [2] * 12, "tiny": [1, 1]}).gaps] == ["kind=b"]
    assert [gap.small for gap in made({"a": [1, 2], "b": [3]}).gaps] == [True]
    assert [gap.small for gap in made({"a": [1, 2], "b": [3]}, slice_least=1).gaps] == [False]


def test_one_slice_has_no_gap_and_equal_slices_have_none_to_the_best():
    assert made({"a": [1, 2, 3]}).gaps == ()
    gap = made({"a": [1, 2] * 6, "b": [1, 2] * 6}).gaps[0]
    assert gap.to_total == 0 and gap.to_best == 0


def test_a_slice_of_one_query_has_no_interval_and_says_why():
    result = made({"a": [1, 2] * 6, "b": [9]})
    assert result.gaps[-1].to_total_interval["low"] is None
    assert "no interval: one value has no spread" in " ".join(str(result).split())


NUMBERS = count()


def table(values):
    """Rows of queries that no other table holds."""
    judged = {f"q{next(NUMBERS)}": {"A": 1} for _ in values}
    rows = ndcg.evaluate(judged, {query: {"A": 1} for query in judged}, "RR").totals[0].rows
    from dataclasses import replace

    return replace(rows, value=np.asarray(values, dtype=float))


def test_the_interval_of_a_difference_is_close_to_welchs():
    rng = np.random.default_rng(3)
    for sizes, factor in (((12, 30), 0.4), ((40, 40), 1.0), ((25, 30), 1.0), ((10, 200), 0.4)):
        one, other = rng.random(sizes[0]), rng.random(sizes[1]) * factor
        found = difference_of(table(one), table(other), Asked())
        welch = scipy.stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
        width = welch.high - welch.low
        assert abs(found["low"] - welch.low) < 0.06 * width and abs(found["high"] - welch.high) < 0.06 * width
        assert math.isclose(found["estimate"], one.mean() - other.mean())


def test_the_adjusted_interval_covers_the_gap_of_the_worst():
    """Five slices of one true mean: the chosen worst is below by chance, and its interval must hold 0."""
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(300):
        slices = [rng.beta(2, 2, 15) for _ in range(5)]
        worst = min(range(5), key=lambda at: slices[at].mean())
        rest = np.concatenate([slices[at] for at in range(5) if at != worst])
        found = difference_of(table(slices[worst]), table(rest), Asked(level=1 - 0.05 / 5), 0.8)
        covered += found["low"] <= 0 <= found["high"]
    assert covered >= 0.93 * 300


def test_slices_that_share_clusters_have_no_interval_of_their_difference():
    judged = {f"q{at}": {"a": 1} for at in range(24)}
    run = {f"q{at}": ["x"] * (at % 3 == 0) + ["a"] for at in range(24)}
    by = {"side": {query: "xy"[at % 2] for at, query in enumerate(judged)}}
    for clusters, shared in (
        ({query: str(at // 2) for at, query in enumerate(judged)}, True),
        ({query: str(at % 6) for at, query in enumerate(judged)}, False),
    ):
        (gap,) = ndcg.evaluate(judged, run, "RR@5", by=by, interval={"cluster": clusters, "resamples": 200}).gaps
        for interval in (gap.to_total_interval, gap.to_best_interval):
            assert (interval["low"] is None) == shared
            assert not shared or "12 clusters have queries on both sides" in interval["reason"]


def test_slices_that_share_queries_have_no_interval_of_their_difference():
    judged = {f"q{at}": {"a": 1} for at in range(24)}
    run = {f"q{at}": ["x"] * (at % 3 == 0) + ["a"] for at in range(24)}
    by = {"side": {query: ["x", "y"] if at < 4 else "xy"[at % 2] for at, query in enumerate(judged)}}
    (gap,) = ndcg.evaluate(judged, run, "RR@5", by=by, slice_overlap="both").gaps
    assert gap.to_best_interval["low"] is None and "4 queries are in both" in gap.to_best_interval["reason"]
    assert gap.to_total_interval["low"] is not None


def test_queries_without_a_label_are_shown_and_never_called_worst():
    judged = {f"q{at}": {"A": 1} for at in range(40)}
    run = {query: {"A": 1.0} if at < 22 else {"X": 2.0, "A": 1.0} for at, query in enumerate(judged)}
    kinds = {f"q{at}": "new" if at < 11 else "old" for at in range(22)}
    result = ndcg.evaluate(judged, run, "RR", by={"kind": kinds})
    assert result.entry(slice="kind=(no value)").value == 0.5
    (gap,) = result.gaps
    assert gap.slices == 2 and gap.worst in ("kind=new", "kind=old")
    lonely = ndcg.evaluate(judged, run, "RR", by={"kind": {"q1": "new"}})
    assert lonely.gaps == () and len(lonely.slices) == 2
