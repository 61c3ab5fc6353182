"""What an interval of few queries is worth is said, and comparisons show one short line of themselves."""

from __future__ import annotations

import json

import pytest

import ndcg
from ndcg.comparison.coverage import COVERAGE, coverage_note

from .building import VALUE, systems


def of(queries, **options):
    return ndcg.compare(
        *systems({"base": [at % 7 / 10 for at in range(queries)], "new": [at % 5 / 10 for at in range(queries)]}),
        VALUE,
        resamples=200,
        **options,
    )


@pytest.mark.parametrize(("queries", "warned"), [(5, True), (19, True), (20, False), (60, False), (99, False)])
def test_a_bootstrap_over_few_queries_says_how_often_it_holds(queries, warned):
    found = of(queries)
    for text in (str(found), found.to_markdown()):
        told = " ".join(text.replace("\\", "").split())
        assert told.count("95 % BCa intervals hold the true difference in") == 1 and "--interval t" in told
    assert any("--interval t" in one for one in json.loads(found.to_json())["warnings"]) == warned


def test_nothing_is_said_where_it_hardly_matters():
    for found in (of(100), of(60, interval="t"), of(1)):
        assert "hold the true difference" not in str(found)


def test_the_shares_are_those_of_the_table_around():
    assert "in 92.3 % of cases and t intervals in 94.8 %" in coverage_note("bca", 50)
    assert "in 91.0 to 93.2 % of cases and t intervals in 94.4 to 94.8 %" in coverage_note("percentile", 30)
    assert "over 10 queries (here are 4) 95 %" in coverage_note("bca", 4)
    assert sorted(COVERAGE)[-1] == 100


def test_clusters_and_leaderboards_count_their_units():
    judged, runs = systems({"base": [at % 7 / 10 for at in range(120)], "new": [at % 5 / 10 for at in range(120)]})
    cluster = {query: str(at % 12) for at, query in enumerate(judged)}
    found = ndcg.compare(judged, runs, VALUE, cluster=cluster, resamples=200)
    assert any(one.startswith("over 12 clusters 95 % BCa") for one in found.warnings)
    assert "hold the true difference" in str(of(30, pairs="all"))


def test_a_comparison_shows_one_short_line_of_itself():
    found = of(30)
    assert repr(found) == "<Comparison <new against base, DCG(gain='linear', empty='zero')@1: -0.0833, unclear>>"
    assert repr(found.pairs[0]) in repr(found) and len(repr(of(30, pairs="all"))) < 120
    judged, runs = systems({name: [0.1, 0.2, 0.3] for name in "abcdefgh"})
    many = ndcg.compare(judged, runs, VALUE, resamples=200)
    assert repr(many).endswith("; and 4 more>") and len(repr(many)) < 400


def test_a_query_without_a_cluster_is_an_error_as_in_evaluate():
    judged, runs = systems({"base": [0.1, 0.2, 0.3], "new": [0.3, 0.2, 0.2]})
    first = next(iter(judged))
    cluster = {query: "s" for query in judged if query != first}
    said = []
    for call in (
        lambda: ndcg.compare(judged, runs, VALUE, cluster=cluster),
        lambda: ndcg.evaluate(judged, runs, VALUE, interval={"cluster": cluster}),
    ):
        with pytest.raises(ndcg.InputError, match="1 counted query is in no cluster") as caught:
            call()
        said.append(str(caught.value))
    assert said[0] == said[1] and first in said[0]
