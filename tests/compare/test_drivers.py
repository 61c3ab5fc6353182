"""The queries behind a difference."""

from __future__ import annotations

import pytest

import ndcg
from ndcg.errors import InputError

from .building import VALUE, systems


def compared(base, new, **options):
    judged, runs = systems({"base": base, "new": new})
    return ndcg.compare(judged, runs, VALUE, **options).pair()


def test_the_fewest_queries_that_make_80_percent():
    found = compared([0.0, 0.0, 0.0, 0.1, 0.0], [0.5, 0.3, 0.1, 0.0, 0.0]).drivers
    assert (found.needed, found.queries, found.against) == (2, 5, 1)
    assert [change.query for change in found.first] == ["q0", "q1"]
    down = compared([0.5, 0.3, 0.1, 0.0, 0.0], [0.0, 0.0, 0.0, 0.1, 0.0]).drivers
    assert (down.needed, down.against) == (2, 1)


def test_exactly_80_percent_is_enough_whatever_the_rounding():
    found = compared([0.0] * 10, [0.1] * 10).drivers
    assert found.needed == 8


def test_a_sum_of_0_has_no_drivers():
    found = compared([0.0, 0.5], [0.5, 0.0])
    assert found.drivers.needed is None and found.drivers.first == () and found.drivers.queries == 2


def test_weights_decide_the_order():
    weights = {"q0": 1, "q1": 10, "q2": 1, "q3": 0}
    found = compared([0.0, 0.0, 0.9, 0.9], [0.5, 0.2, 0.5, 0.0], weights=weights)
    assert [change.query for change in found.gains] == ["q1", "q0"]
    assert [round(change.weighted, 9) for change in found.gains] == [2.0, 0.5]
    assert [change.query for change in found.losses] == ["q2"]
    # (0.5 + 10 x 0.2 - 0.4) / 12 beside the plain mean.
    assert found.weighted.difference == pytest.approx(2.1 / 12) and found.difference == pytest.approx(-0.6 / 4)
    assert found.weighted.interval.estimate == pytest.approx(2.1 / 12)


def test_weights_and_clusters_from_a_file(tmp_path):
    table = tmp_path / "queries.csv"
    table.write_text("query,searches,session\nq0,1,a\nq1,10,a\nq2,1,b\nq3,0,b\n")
    given = {"weights": f"{table}:searches", "clusters": f"{table}:session"}
    found = compared([0.0, 0.0, 0.9, 0.9], [0.5, 0.2, 0.5, 0.0], **given)
    assert found.weighted.difference == pytest.approx(2.1 / 12)
    assert found.interval.clusters == 2 and found.tests[0].n == 2
    # Two clusters with sums 0.7 and -1.3: every arrangement of their signs is as large as the one seen or 2.0.
    assert found.p_value == 1.0


def test_clusters_are_resampled_whole():
    """Copies of one query in one cluster tell no more than the query."""
    base, new = [0.0, 0.0, 0.0, 0.1], [0.1, 0.2, 0.3, 0.0]
    clusters = {f"q{at}": str(at // 3) for at in range(12)}
    alone = compared(base, new)
    copied = compared([v for v in base for _ in range(3)], [v for v in new for _ in range(3)], clusters=clusters)
    assert copied.interval.low == pytest.approx(alone.interval.low, abs=1e-12)
    assert copied.interval.high == pytest.approx(alone.interval.high, abs=1e-12)
    assert copied.p_value == alone.p_value


def test_a_judged_query_without_a_weight_is_an_error():
    with pytest.raises(InputError, match="no weight"):
        compared([0.1, 0.2], [0.2, 0.1], weights={"q0": 1})
    assert compared([0.1, 0.2], [0.2, 0.1], weights={"q0": 1}, default_weight=1).weighted.difference == 0


def test_biggest_changes_are_limited():
    found = compared([0.0] * 30, [0.01 * at for at in range(30)], movers=3)
    assert [change.query for change in found.gains] == ["q29", "q28", "q27"] and found.losses == ()
