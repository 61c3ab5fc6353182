"""Texts for judges, from the shapes in which collections come."""

from __future__ import annotations

import gzip

import pytest

import ndcg
from ndcg.demo import COLLECTION
from ndcg.judging.texts import read_texts


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.csv", 'query,text\nq1,how to\nq2,"say ""hi"""\n', "query"),
        ("a.csv", 'id,query\nq1,how to\nq2,"say ""hi"""\n', "query"),
        ("a.csv", 'qid,query,kind\nq1,how to,x\nq2,"say ""hi""",y\n', "query"),
        ("a.tsv", 'q1\thow to\nq2\tsay "hi"\n', "query"),
        ("a.tsv", 'query_id\ttext\nq1\thow to\nq2\tsay "hi"\n', "query"),
        (
            "a.jsonl",
            '{"_id": "q1", "text": "how to"}\n{"_id": "q2", "text": "say \\"hi\\"", "metadata": {}}\n',
            "query",
        ),
        (
            "a.jsonl",
            '{"_id": "q1", "title": "", "text": "how\\n to"}\n\n{"doc": "q2", "text": "say \\"hi\\""}\n',
            "doc",
        ),
        ("a.json", '{"q1": "how to",\n "q2": {"text": "say \\"hi\\""}}', "query"),
        ("a.json", '[{"id": "q1", "text": "how to"}, {"id": "q2", "title": "say", "text": "say \\"hi\\""}]', "doc"),
    ],
)
def test_shapes(tmp_path, name, text, kind):
    path = tmp_path / name
    path.write_text(text)
    assert read_texts(str(path), {"q1", "q2", "q3"}, kind) == {"q1": "how to", "q2": 'say "hi"'}
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert read_texts(str(tmp_path / f"{name}.gz"), {"q2"}, kind) == {"q2": 'say "hi"'}


def test_titles(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"_id": 7, "title": "Head", "text": "body"}\n{"_id": "8", "title": "Head"}\n')
    assert read_texts(str(path), {"7", "8"}, "doc") == {"7": "Head: body", "8": "Head"}


def test_the_demo_collection():
    found = read_texts(str(COLLECTION / "documents.jsonl.gz"), {"json.dumps", "nothing"}, "doc")
    assert list(found) == ["json.dumps"] and found["json.dumps"].startswith("json.dumps: Serialize")
    assert read_texts(str(COLLECTION / "queries.csv"), {"q01"}, "query") == {"q01": "json.dumps"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a,b,c\n1,2,3\n", "no id column"),
        ("query,text\nq1\n", "expected 2 fields, found 1"),
        ('{"_id": "a", "text": "x"}\n{"_id": \n', "line 2.*not JSON"),
        ('{"_id": "a", "text": "x"}\n[1]\n', "expected an object"),
        ('{"_id": "a", "text": "x"}\n{"text": "x"}\n', "no id among"),
        ('{"_id": true, "text": "x"}\n', "neither text nor"),
        ('{"_id": "q1", "other": "x"}\n', "no text among"),
        ("[1, 2]", "list of objects"),
        ("[1, 2", "is not JSON"),
    ],
)
def test_bad_files(tmp_path, text, message):
    path = tmp_path / "a"
    path.write_text(text)
    with pytest.raises(ndcg.InputError, match=message):
        read_texts(str(path), {"q1", "True", "a"}, "query")
