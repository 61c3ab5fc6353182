"""Published comparisons, through the whole way from judgments and runs."""

from __future__ import annotations

import pytest

import ndcg

from .building import DATA, TEXTBOOK, VALUE, column, needs_data, systems


def textbook(**options):
    judged, runs = systems(TEXTBOOK)
    return ndcg.compare(judged, runs, VALUE, **options).pair()


def test_ten_queries_of_the_textbook():
    pair = textbook(tests=["sign_flip", "t", "wilcoxon", "sign"])
    assert pair.difference == pytest.approx(21.4, abs=1e-12)
    assert pair.effect.sd == pytest.approx(29.083, abs=5e-4)
    flips, t, _, sign = pair.tests
    assert flips.p_value == 48 / 1024 and flips.exact
    assert t.statistic == pytest.approx(2.3269, abs=5e-5) and t.p_value / 2 == pytest.approx(0.02249, abs=5e-6)
    # The zero stays out: 7 of 9.
    assert sign.p_value / 2 == pytest.approx(0.0898, abs=5e-5)
    assert (pair.side.outcome.wins, pair.side.outcome.ties, pair.side.outcome.losses) == (7, 1, 2)


def test_the_interval_is_first_and_of_the_difference():
    pair = textbook(interval="t")
    # mean +- t(9) sd / sqrt(10), t(9) = 2.262157
    half = 2.262157 * 29.0829 / 10**0.5
    assert (pair.interval.low, pair.interval.high) == pytest.approx((21.4 - half, 21.4 + half), abs=1e-3)
    assert textbook().interval.method == "bca" and textbook().interval.resamples == 10_000


@needs_data
def test_trec_8_ad_hoc_125_and_126():
    judged, runs = systems(column(DATA / "adhoc8_ap.csv", "run126", "run125"))
    pair = ndcg.compare(judged, runs, VALUE, tests=["t", "wilcoxon", "sign"], tie_width=0.01).pair()
    t, wilcoxon, sign = pair.tests
    assert t.p_value == pytest.approx(0.0013193972, abs=5e-11)
    assert wilcoxon.p_value == pytest.approx(0.003445188, abs=5e-10)
    assert sign.p_value == pytest.approx(0.009559879, abs=5e-10)


@needs_data
@pytest.mark.parametrize(
    ("adjust", "tests", "apart"),
    [("tukey", "t", 71), ("randomised_tukey", "t", 64), ("holm", "t", 57), ("bh", "t", 162)],
)
def test_trec_web_2013_all_pairs(adjust, tests, apart):
    """34 runs, 50 topics, 561 pairs; a Tukey test for independent samples would find 39."""
    judged, runs = systems(column(DATA / "web2013_ndcg20.csv"))
    found = ndcg.compare(judged, runs, VALUE, pairs="all", adjust=adjust, tests=tests, interval="t")
    board = found.leaderboards[0]
    assert len(board.pairs()) == board.family == 561 and board.queries == 50
    count = sum(pair.p_value < 0.05 for pair in board.pairs())
    # The randomised test draws.
    assert count == apart if adjust != "randomised_tukey" else abs(count - apart) <= 3
    assert [round(standing.mean, 4) for standing in board.standings[:3]] == [0.31, 0.282, 0.2594]
