"""Search responses under their queries, and Quepid's JSON exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.readers import read
from ndcg.readers.judges import by_pair
from ndcg.readers.source import Role, Scanned

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}}


def response(*hits: tuple[str, float | None]) -> dict[str, Any]:
    held = [{"_index": "i", "_id": doc, "_score": score, "_source": {"title": "x"}} for doc, score in hits]
    return {"took": 3, "timed_out": False, "_shards": {"failed": 0}, "hits": {"total": {"value": 9}, "hits": held}}


ERROR = {"error": {"type": "index_not_found_exception"}, "status": 404}
ANSWERS = {"q1": response(("b", 2.5), ("a", 1.5)), "q2": response(), "q3": ERROR}


def statuses(run: object) -> dict[str, str]:
    return {row.query: row.status for row in ndcg.evaluate(JUDGED, run).per_query}


@pytest.mark.parametrize("indent", [None, 1])
def test_responses_under_their_queries_are_a_run(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(ANSWERS, indent=indent))
    source = read(str(path), Role.RUN)
    assert source.described.format == "es_search" and "hit key '_source'" in source.described.unused
    assert statuses(str(path)) == {"q1": "scored", "q2": "missing", "q3": "failed"}
    plain = ndcg.evaluate(JUDGED, {"q1": {"b": 2.5, "a": 1.5}, "q2": {}, "q3": None})
    assert ndcg.evaluate(JUDGED, str(path)).value == plain.value


def test_lines_with_a_response_are_a_run(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"query": q, "response": held}) + "\n" for q, held in ANSWERS.items()))
    assert statuses(str(path)) == {"q1": "scored", "q2": "missing", "q3": "failed"}
    path.write_text("".join(json.dumps({"query": q, **held}) + "\n" for q, held in list(ANSWERS.items())[:2]))
    assert statuses(str(path)) == {"q1": "scored", "q2": "missing", "q3": "missing"}


def test_sorted_responses_are_in_order(tmp_path: Path) -> None:
    answers = {"q1": response(("b", None), ("a", None))}
    (tmp_path / "a.json").write_text(json.dumps(answers))
    (tmp_path / "a.jsonl").write_text(json.dumps({"query": "q1", "response": answers["q1"]}) + "\n")
    expected = ndcg.evaluate(JUDGED, {"q1": ["b", "a"]}).value
    for name in ("a.json", "a.jsonl"):
        assert ndcg.evaluate(JUDGED, str(tmp_path / name)).value == expected, name


def test_partial_responses_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"q1": {**response(("a", 1.0)), "timed_out": True}}))
    assert "1 response timed out or missed shards: lists may be cut" in read(str(path), Role.RUN).described.notes


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (response(("a", 1.0)), "a _search response does not say which query"),
        ({"took": 1, "responses": [response(("a", 1.0)), ERROR]}, "2 responses of _msearch do not say which query"),
    ],
)
def test_responses_without_a_query_are_refused_with_the_way_on(tmp_path: Path, held: Any, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(held))
    with pytest.raises(ndcg.InputError, match=f"{said}.*RESPONSE.*_rank_eval"):
        read(str(path), Role.RUN)


def test_documents_called_hits_are_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"q1": {"hits": 2.0, "a": 1.0}}))
    assert read(str(path), Role.RUN).described.format == "json"


def test_responses_are_no_judgments(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ANSWERS))
    with pytest.raises(ndcg.InputError, match="expected judgments, found _search responses"):
        read(str(path), Role.JUDGMENTS)


BOOK = {
    "name": "b",
    "query_doc_pairs": [
        {
            "query_text": "red shoes",
            "doc_id": "P1",
            "position": 1,
            "judgements": [
                {"rating": 3.0, "user_email": "a@b", "explanation": "yes"},
                {"rating": 2.0, "user_email": None},
            ],
        },
        {"query_text": "red shoes", "doc_id": "P2", "judgements": [{"rating": None, "unrateable": True}]},
        {"query_text": "lamp", "doc_id": "P3", "judgements": []},
    ],
}


def test_a_book_keeps_its_judges(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_text(json.dumps(BOOK))
    source = read(str(path), Role.JUDGMENTS)
    assert isinstance(source, Scanned) and source.described.format == "quepid_json"
    assert by_pair(source) == {("red shoes", "P1"): {"a@b": 3.0, "Anonymous": 2.0}}
    assert source.parts[0].bare == ("lamp",) and "2 unrated documents left out" in source.described.notes
    with pytest.raises(ndcg.InputError, match="two different grades"):
        ndcg.evaluate(str(path), {"red shoes": {"P1": 1.0}})
    assert ndcg.evaluate(str(path), {"red shoes": {"P1": 1.0}}, merge="mean").value == 1.0


@pytest.mark.parametrize("name", ["query_text", "query"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_case_is_read(tmp_path: Path, name: str, listed: bool) -> None:
    ratings: Any = {"P1": 3, "P2": 1.0, "P3": None}
    if listed:
        ratings = [{"doc_id": doc, "rating": rating, "user_email": "a@b"} for doc, rating in ratings.items()]
    path = tmp_path / "case.json"
    path.write_text(
        json.dumps(
            {"case_name": "c", "queries": [{name: "red shoes", "ratings": ratings}, {name: "lamp", "ratings": {}}]}
        )
    )
    source = read(str(path), Role.JUDGMENTS)
    assert isinstance(source, Scanned) and source.described.format == "quepid_json"
    result = ndcg.evaluate(str(path), {"red shoes": {"P2": 2.0, "P1": 1.0}, "lamp": {"x": 1.0}})
    assert [(row.query, row.status, row.judged) for row in result.per_query] == [
        ("red shoes", "scored", 2),
        ("lamp", "empty", 0),
    ]
    with pytest.raises(ndcg.InputError, match="expected a run, found an export of Quepid"):
        read(str(path), Role.RUN)
