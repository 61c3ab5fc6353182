"""The first ranks of a run are those that the score was made from, whatever the run is in."""

from __future__ import annotations

import math

import pytest

import ndcg
from ndcg.errors import UsageError
from ndcg.session import open_session
from ndcg.top_lists import top_lists

JUDGED = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}, "q2": {"X": 1}, "q3": {"Y": 2}}
RUN = {"q1": {"B": 2, "A": 2, "Z": 2, "D": 1, "E": 1}, "q2": {"W": 1, "X": 0.5}, "q9": {"A": 1}}


def lists(run, measure, depth, queries=None):
    session = open_session(JUDGED, run)
    with session.workspace:
        return top_lists(session.engine("run"), session.judgments, ndcg.parse(measure), depth, queries)


@pytest.fixture(params=["dict", "file"])
def run(request, tmp_path):
    if request.param == "dict":
        return RUN
    path = tmp_path / "run"
    rows = [f"{query} Q0 {doc} 0 {score} t" for query, docs in RUN.items() for doc, score in docs.items()]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize("ties", ["docid", "docid_desc", "average", "given"])
@pytest.mark.parametrize("depth", [1, 2, 3, 5, 250])
def test_first_ranks(run, ties, depth):
    found = lists(run, f"nDCG(ties={ties})@10", depth)
    order = {"docid_desc": ["Z", "B", "A", "E", "D"], "given": ["B", "A", "Z", "D", "E"]}
    expected = order.get(ties, ["A", "B", "Z", "D", "E"])[:depth]
    assert [place.document for place in found["q1"]] == expected
    assert [place.grade for place in found["q1"]] == [JUDGED["q1"].get(doc) for doc in expected]
    assert [place.document for place in found["q2"]] == ["W", "X"][:depth]
    assert found["q3"] == [] and "q9" not in found


def test_the_condensed_list(run):
    assert [p.document for p in lists(run, "nDCG(unjudged='skip')@10", 3)["q1"]] == ["A", "B", "D"]


def test_they_give_the_score(run):
    row = next(row for row in ndcg.evaluate(JUDGED, run, "DCG@3").per_query if row.query == "q1")
    places = lists(run, "DCG@3", 3, ["q1"])["q1"]
    assert row.value == sum((2.0 ** (place.grade or 0) - 1) / math.log2(place.rank + 1) for place in places)


def test_a_depth_below_one_is_refused():
    with pytest.raises(UsageError, match="at least 1"):
        lists(RUN, "nDCG@10", 0)
