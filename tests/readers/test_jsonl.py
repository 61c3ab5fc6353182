"""JSON Lines, by row and by query."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ndcg.errors import InputError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, read, scan

Write = Callable[..., str]


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_an_object_per_row(write: Write) -> None:
    text = lines({"query_id": "q", "docid": "a", "score": 2}, {"query_id": 7, "docid": "b", "score": "1.5"})
    assert scan(read(write(text), RUN)) == [("q", "a", 2.0, None), ("7", "b", 1.5, None)]
    text = lines({"qid": "q", "doc": "a", "rank": 1, "score": 3}, {"qid": "q", "doc": "a", "rank": 2, "score": 1})
    assert scan(read(write(text), RUN)) == [("q", "a", 3.0, 1.0), ("q", "a", 1.0, 2.0)]


def test_an_object_per_query(write: Write) -> None:
    text = lines(
        {"query": "q", "results": [{"doc": "a", "score": 2}, {"doc": "b", "score": 1}]},
        {"query": "r", "results": {"a": 1}},
        {"query": "s", "results": [["a", 3]]},
        {"query": "t", "results": []},
        {"query": "u", "failed": True},
    )
    source = read(write(text), RUN)
    assert scan(source) == [("q", "a", 2.0, None), ("q", "b", 1.0, None), ("r", "a", 1.0, None), ("s", "a", 3.0, None)]
    assert isinstance(source, Scanned)
    assert source.parts[0].failed == ("u",)
    assert source.described.notes == ("1 failed query recorded",)


def test_ranked_lists(write: Write) -> None:
    source = read(write(lines({"query": "q", "docs": ["b", "a"]}, {"query": "r", "docs": ["c"]})), RUN)
    assert source.ranked
    assert scan(source) == [("q", "b", None, 1.0), ("q", "a", None, 2.0), ("r", "c", None, 1.0)]
    pool = read(write(lines({"query": "q", "docs": ["b"]}, {"query": "r", "docs": ["c"]})), POOL)
    assert scan(pool) == [("q", "b", None, None), ("r", "c", None, None)]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ('{"query": "q"', "line 2: not valid JSON"),
        ("[1]", "line 2: expected an object"),
        ('{"doc": "a", "grade": 1}', "line 2: no query key; the keys are 'doc', 'grade'"),
        ('{"query": "q", "grade": 1}', "line 2, query 'q': no document key"),
        ('{"query": "q", "doc": "a"}', "no grade"),
        ('{"query": "q", "doc": "a", "grade": null}', "the grade is null"),
        ('{"query": "q", "doc": 1.5, "grade": 1}', "the document id is 1.5, not text"),
        ('{"query": true, "doc": "a", "grade": 1}', "the query id is true, not text"),
        ('{"query": "q", "doc": "a", "grade": NaN}', "grade is NaN"),
        ('{"query": "q", "doc": "a", "grade": 1, "grade": 2}', "stands twice"),
        ('{"query": "q", "doc": "\\\\ud800", "grade": 1}', "surrogate"),
    ],
)
def test_bad_lines(second: str, message: str, write: Write) -> None:
    text = lines({"query": "q", "doc": "z", "grade": 1}) + second.replace("\\\\", "\\") + "\n"
    with pytest.raises(InputError, match=message):
        read(write(text), JUDGMENTS, format="jsonl")


def test_scores_on_some_rows_only(write: Write) -> None:
    text = lines({"query": "q", "doc": "a", "score": 1}, {"query": "q", "doc": "b", "rank": 1})
    with pytest.raises(InputError, match="1 of 2 rows have no score"):
        read(write(text), RUN)


def test_locate_and_hostile_ids(write: Write) -> None:
    text = lines({"query": 'q"\n', "doc": "a,\t\u2028", "grade": 1}, {"query": 'q"\n', "doc": "a,\t\u2028", "grade": 2})
    source = read(write(text), JUDGMENTS)
    assert [row[:2] for row in scan(source)] == [('q"\n', "a,\t\u2028")] * 2
    assert isinstance(source, Scanned)
    found = source.parts[0].locate([('q"\n', "a,\t\u2028")], 9)
    assert [(fault.line, fault.problem) for fault in found] == [(1, "grade 1.0"), (2, "grade 2.0")]
