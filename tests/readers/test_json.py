"""JSON objects of queries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ndcg.errors import InputError
from ndcg.readers import Mapped, Scanned

from .conftest import JUDGMENTS, POOL, RUN, read, scan

Write = Callable[..., str]


def test_dict_of_dicts(write: Write) -> None:
    source = read(write('{"q": {"007": 2, "b": 0.5, "c": "1e1"}, "r": {}}'), JUDGMENTS)
    assert isinstance(source, Mapped)
    assert source.rows == {"q": {"007": 2, "b": 0.5, "c": 10.0}, "r": {}}
    assert not source.ranked


def test_dict_of_lists_and_failed_queries(write: Write) -> None:
    source = read(write('{"q": ["b", "a", 7], "r": null, "s": []}'), RUN)
    assert isinstance(source, Mapped)
    assert source.rows == {"q": ["b", "a", 7], "r": None, "s": []}
    assert source.ranked
    assert read(write('{"q": null, "r": {"a": 1}}'), RUN).ranked is False
    pool = read(write('{"q": ["b", "a"]}'), POOL)
    assert isinstance(pool, Mapped)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q": {"a": 1, "b": 2, "a": 3}}', "query 'q', document 'a': the key stands twice"),
        ('{"q": {"a": 1}, "q": {"b": 2}}', "query 'q': the key stands twice"),
        ('{"q": {"a": "high"}}', "query 'q', document 'a': grade 'high' is not a number"),
        ('{"q": {"a": "0x10"}}', "grade '0x10' is not a number"),
        ('{"q": {"a": NaN}}', "grade is NaN"),
        ('{"q": {"a": Infinity}}', "grade is infinite"),
        ('{"q": {"a": null}}', "grade null is not a number"),
        ('{"q": {"a": true}}', "grade true is not a number"),
        ('{"q": {"a": {"b": 1}}}', "is not a number"),
        ('{"q": {"": 1}}', "the document id is empty"),
        ('{"q": ["a"]}', "judgments need grades"),
        ('{"q": null, "r": {"a": 1}}', "only a run"),
        ('{"q": {"a": 1}, "r": ["b"]}', "every query holds an object"),
        ("{}", "has no queries"),
        ('{"q": {"a": 1}', "not valid JSON"),
        ('{"q": \n {"a" 1}}', "line 2"),
    ],
)
def test_refused(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text, "file.json"), JUDGMENTS)


@pytest.mark.parametrize("item", ["1.5", "true", "null", '["a"]', '{"a": 1}'])
def test_ids_in_lists(item: str, write: Write) -> None:
    with pytest.raises(InputError, match="the document id is"):
        read(write(f'{{"q": ["a", {item}]}}'), RUN)


def test_infinite_scores_are_fine(write: Write) -> None:
    assert scan(read(write('{"q": {"a": Infinity, "b": "-inf"}}'), RUN))[0][2] == float("inf")


def test_a_list_of_rows(write: Write) -> None:
    source = read(write('[{"query": "q", "doc": "a", "grade": 1}, {"query": "q", "doc": 7, "grade": 2}]'), JUDGMENTS)
    assert isinstance(source, Scanned)
    assert scan(source) == [("q", "a", 1.0, None), ("q", "7", 2.0, None)]


def test_several_files(write: Write) -> None:
    first, second = write('{"q": {"a": 1}}', "1.json"), write('{"q": {"b": 2}, "r": {"a": 1}}', "2.json")
    assert scan(read([first, second], RUN)) == [("q", "a", 1, None), ("q", "b", 2, None), ("r", "a", 1, None)]
    with pytest.raises(InputError, match="query 'q', document 'a': the document stands in two files"):
        read([first, write('{"q": {"a": 2}}', "3.json")], RUN)


def test_lists_of_objects_under_queries_name_the_way_on(write: Write) -> None:
    path = write('{"q1": [{"corpus_id": "b", "score": 0.1}]}')
    with pytest.raises(InputError, match=r"not text; write an object per query, \[\{\"query\": ..., \"results\""):
        read(path, RUN)
