"""JSON Lines and arrays, one object per query: unknown scores, failed searches, queries that stand twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, read, scan

Write = Callable[..., str]
Text = Callable[..., str]


def as_lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def as_array(*records: Any) -> str:
    return json.dumps(records)


@pytest.fixture(params=[as_lines, as_array], ids=["lines", "array"])
def text(request: pytest.FixtureRequest) -> Text:
    made: Text = request.param
    return made


SIMILAR = {"query": "q", "results": [{"doc": "b", "similarity": 0.1, "title": "x"}, {"doc": "a", "similarity": 0.4}]}


@pytest.mark.parametrize("key", ["similarity", "distance", "@search.score", "_distance"])
def test_a_number_under_an_unknown_key_may_be_the_score(key: str, text: Text, write: Write) -> None:
    held = [{"doc": "b", key: 0.1}, {"doc": "a", key: "0.4"}]
    with pytest.raises(InputError) as caught:
        read(write(text({"query": "q", "results": held})), RUN)
    said = str(caught.value)
    assert caught.value.code == "unknown_score"
    assert repr(key) in said
    assert "columns={'run': {'rank': 'results'}}" in said
    if "distance" in key:
        assert "give its negative" in said
    else:
        assert f"columns={{'run': {{'score': {key!r}}}}}" in said
    # Named, the score orders; a pool has no order to doubt.
    scored = read(write(text({"query": "q", "results": held})), RUN, columns={"score": key})
    assert scan(scored) == [("q", "b", 0.1, None), ("q", "a", 0.4, None)]
    assert scan(read(write(text({"query": "q", "results": held})), POOL)) == [
        ("q", "b", None, None),
        ("q", "a", None, None),
    ]


def test_the_order_of_the_list_can_be_declared(text: Text, write: Write) -> None:
    path = write(text(SIMILAR, {"query": "r", "results": ["c"]}))
    source = read(path, RUN, columns={"rank": "results"})
    assert source.ranked
    assert scan(source) == [("q", "b", None, 1.0), ("q", "a", None, 2.0), ("r", "c", None, 1.0)]
    assert source.described.layout == "one object per query, ranked by the order of the list"
    # Also against scores that are known.
    held = [{"doc": "b", "score": 0.1}, {"doc": "a", "score": 0.4}]
    source = read(write(text({"query": "q", "results": held})), RUN, columns={"rank": "results"})
    assert scan(source) == [("q", "b", None, 1.0), ("q", "a", None, 2.0)]


def test_objects_of_ids_are_ranked_by_the_list_and_that_is_said(text: Text, write: Write) -> None:
    held = [{"doc": "b", "title": "pump", "_version": 3}, {"doc": "a", "title": "valve"}]
    source = read(write(text({"query": "q", "results": held})), RUN)
    assert scan(source) == [("q", "b", None, 1.0), ("q", "a", None, 2.0)]
    assert source.described.layout == "one object per query, ranked by the order of the list"


def test_places_and_ranks_do_not_mix(write: Write) -> None:
    held = [{"doc": "b", "rank": 5}, {"doc": "a"}]
    with pytest.raises(InputError, match="1 of 2 rows have a rank, the others only their place"):
        read(write(as_lines({"query": "q", "results": held})), RUN)


def test_the_hint_is_that_of_the_command(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    from ndcg.cli.main import main

    judgments = write("query,doc,grade\nq,a,3\nq,b,1\n", name="judgments.csv")
    run = write(as_lines(SIMILAR), name="run.jsonl")
    assert main(["evaluate", judgments, run]) == 2
    said = capsys.readouterr().err
    assert "--columns run.score=similarity" in said
    assert "--columns run.rank=results" in said
    assert main(["evaluate", judgments, run, "--columns", "run.score=similarity"]) == 0
    assert capsys.readouterr().out.startswith("nDCG@10 of run: 1.0000")
    assert main(["evaluate", judgments, run, "--columns", "run.rank=results"]) == 0
    assert capsys.readouterr().out.startswith("nDCG@10 of run: 0.7098")


def test_rows_with_an_unknown_score(write: Write) -> None:
    with pytest.raises(InputError, match=r"no score and no rank; if 'similarity' ranks .*'score': 'similarity'"):
        read(write(as_lines(*({"query": "q", "doc": doc, "similarity": 1} for doc in "ab"))), RUN)


def test_ids_named_id(text: Text, write: Write) -> None:
    path = write(text({"query": "q", "results": [{"id": "b", "score": 0.1}]}))
    with pytest.raises(InputError, match=r"no document key; the keys are 'id', 'score'; .*\{'run': \{'doc': 'id'\}\}"):
        read(path, RUN)
    assert scan(read(path, RUN, columns={"doc": "id"})) == [("q", "b", 0.1, None)]


RESULTS = {"query": "q", "results": [{"doc": "a", "score": 1}]}


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"query": "q", "results": None}, RESULTS, "FIRST says that its search failed, SECOND holds its results"),
        (RESULTS, {"query": "q", "results": None}, "FIRST holds its results, SECOND says that its search failed"),
        (RESULTS, {"query": "q", "error": "timeout"}, "FIRST holds its results, SECOND says that its search failed"),
        (RESULTS, {"query": "q", "results": [["b", 1]]}, "stand twice: in FIRST and in SECOND"),
        ({"query": "q", "results": []}, RESULTS, "stand twice: in FIRST and in SECOND"),
        (RESULTS, {"query": "q", "doc": "b", "score": 1}, "FIRST holds its results, SECOND holds one of its rows"),
        ({"query": "q", "doc": "b", "score": 1}, {"query": "q", "failed": True}, "FIRST .* rows, SECOND says"),
    ],
)
def test_two_answers_to_one_query(first: Any, second: Any, message: str, text: Text, write: Write) -> None:
    other = {"query": "z", "results": [{"doc": "a", "score": 1}]}
    path = write(text(first, second, other))
    places = (r"\$\[0\]", r"\$\[1\]") if text is as_array else ("line 1", "line 2")
    with pytest.raises(InputError, match=message.replace("FIRST", places[0]).replace("SECOND", places[1])):
        read(path, RUN)


def test_bad_rows_of_an_array_are_named_by_their_path(write: Write) -> None:
    rows = [{"query": "q", "doc": "a", "grade": 1}, {"query": "q", "doc": "b", "grade": "x"}, {"query": "q"}, 7]
    path = write(as_array(*rows), name="rows.json")
    with pytest.raises(InputError, match="3 bad rows") as caught:
        read(path, JUDGMENTS)
    assert [str(fault) for fault in caught.value.faults] == [
        f"{path}, query 'q', document 'b': $[1]: grade 'x' is not a number",
        f"{path}, query 'q': $[2]: no document key; the keys are 'query'",
        f"{path}: $[3]: expected an object",
    ]
    source = read(write(as_array(rows[0], {"query": "q", "doc": "a", "grade": 2}), name="two.json"), JUDGMENTS)
    assert isinstance(source, Scanned)
    said = [f"{fault.line} {fault.problem}" for fault in source.parts[0].locate([("q", "a")], 9)]
    assert said == ["None $[0]: grade 1.0", "None $[1]: grade 2.0"]


INSIDE = {
    "query": "q",
    "results": [{"id": "b", "metadata": {"score": 0.1, "page": 3}}, {"id": "a", "metadata": {"score": 0.4}}],
}


def test_a_score_one_level_deeper_may_have_ranked_the_list(text: Text, write: Write) -> None:
    path = write(text(INSIDE))
    with pytest.raises(
        InputError, match=r"'metadata\.score' with numbers.*'score': 'metadata\.score'.*'rank': 'results'"
    ):
        read(path, RUN, columns={"doc": "id"})
    named = read(path, RUN, columns={"doc": "id", "score": "metadata.score"})
    assert scan(named) == [("q", "b", 0.1, None), ("q", "a", 0.4, None)]
    listed = read(path, RUN, columns={"doc": "id", "rank": "results"})
    assert scan(listed) == [("q", "b", None, 1.0), ("q", "a", None, 2.0)]


def test_names_with_points_reach_into_objects(text: Text, write: Write) -> None:
    rows = [{"query": {"id": "q"}, "hit": {"id": doc}, "score": score} for doc, score in (("a", 1), ("b", 2))]
    source = read(write(text(*rows)), RUN, columns={"query": "query.id", "doc": "hit.id"})
    assert scan(source) == [("q", "a", 1.0, None), ("q", "b", 2.0, None)]
    # A key that holds a point is itself, and a number inside that is no score leaves the order of the list.
    plain = {"query": "q", "results": [{"doc.id": "a", "meta": {"page": 3}}, {"doc.id": "b", "meta": {"page": 1}}]}
    assert scan(read(write(text(plain)), RUN, columns={"doc": "doc.id"})) == [
        ("q", "a", None, 1.0),
        ("q", "b", None, 2.0),
    ]


def test_a_failure_may_be_told_twice_and_rows_come_one_by_one(write: Write) -> None:
    source = read(
        write(
            as_lines(
                {"query": "q", "failed": True},
                {"query": "q", "error": "again"},
                SIMILAR | {"query": "r", "results": ["a"]},
            )
        ),
        RUN,
    )
    assert isinstance(source, Scanned)
    assert source.parts[0].failed == ("q",)
    rows = [{"query": "q", "doc": doc, "score": 1} for doc in "ab"]
    assert len(scan(read(write(as_lines(*rows)), RUN))) == 2
    # Judgments and pools of one query may come in several objects: they have no order.
    halves = [{"query": "q", "judgments": [{"doc": doc, "grade": 1}]} for doc in "ab"]
    assert len(scan(read(write(as_lines(*halves)), JUDGMENTS))) == 2


@pytest.mark.parametrize("error", ["timeout", {"type": "x"}, True, ["shard 3"], 500])
def test_errors_are_failed_searches(error: Any, text: Text, write: Write) -> None:
    records = [
        {"query": "q1", "results": [{"doc": "a", "score": 1}], "error": error},
        {"query": "q2", "error": error},
        {"query": "q3", "results": [], "error": error},
        {"query": "q4", "results": [{"doc": "a", "score": 1}], "error": None},
        {"query": "q5", "results": [{"doc": "a", "score": 1}], "error": ""},
        {"query": "q6", "failed": True},
    ]
    source = read(write(text(*records)), RUN)
    assert isinstance(source, Scanned)
    assert source.parts[0].failed == ("q1", "q2", "q3", "q6")
    assert source.described.notes == ("4 failed queries recorded, 3 by an error that the run states",)
    assert [row[0] for row in scan(source)] == ["q4", "q5"]
    assert not source.described.unused


def test_an_error_of_a_row_may_be_a_measurement(write: Write) -> None:
    rows = [{"query": "q", "doc": "a", "score": 1, "error": 0.25}, {"query": "r", "doc": "a", "score": 1}]
    assert len(scan(read(write(as_lines(*rows)), RUN))) == 2


def test_failed_searches_in_a_result(write: Write) -> None:
    judgments = {query: {"a": 1} for query in ("q1", "q2")}
    path = write(as_lines(RESULTS | {"query": "q1"}, RESULTS | {"query": "q2", "error": "timeout"}))
    result = ndcg.evaluate(judgments, path, "nDCG@5")
    assert [(row.query, row.status) for row in result.per_query] == [("q1", "scored"), ("q2", "failed")]
    assert result.value == 1.0


@pytest.mark.parametrize("judged", ["q", "other"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_failure_in_one_file_and_results_in_another(judged: str, first: int, write: Write) -> None:
    files = [
        write(as_lines(record), name=f"{at}.jsonl")
        for at, record in enumerate((RESULTS, {"query": "q", "failed": True}))
    ]
    judgments = {judged: {"a": 1}}
    with pytest.raises(InputError, match="query 'q': the run says that the search of this query failed, and holds"):
        ndcg.evaluate(judgments, files[first:] + files[:first], "nDCG@5")
