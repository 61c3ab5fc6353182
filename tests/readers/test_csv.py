"""Comma-separated values with a header."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ndcg.errors import InputError, UsageError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, Refused, ids, read, scan

Write = Callable[..., str]


@pytest.mark.parametrize(
    "header",
    [
        "query,doc,score",
        "Query-ID,Doc ID,SCORE",
        "qid,docno,sim",
        "topic,document,Score",
        "q_id,_id,score",
        "query_id,corpus-id,score",
        "query id,PRODUCT_ID,score",
    ],
)
def test_usual_spellings(header: str, write: Write) -> None:
    source = read(write(f"{header}\nq,a,1.5\n"), RUN)
    assert scan(source) == [("q", "a", 1.5, None)]
    assert source.described.format == "csv"


@pytest.mark.parametrize("grade", ["grade", "relevance", "rel", "label", "rating", "score"])
def test_grade_columns(grade: str, write: Write) -> None:
    assert scan(read(write(f"docid,query,{grade},x\na,q,2,?\n"), JUDGMENTS)) == [("q", "a", 2.0, None)]


def test_rank_and_score(write: Write) -> None:
    assert scan(read(write("qid,doc,rank,score\nq,a,1,5\n"), RUN)) == [("q", "a", 5.0, 1.0)]
    source = read(write("qid,doc,position\nq,a,1\n"), RUN)
    assert scan(source) == [("q", "a", None, 1.0)]
    assert isinstance(source, Scanned)
    assert source.ranked
    assert scan(read(write("qid,doc,rank,score\nq,a,1,5\n"), POOL)) == [("q", "a", None, None)]


def test_given_columns(write: Write) -> None:
    path = write("who,what,how much\nq,a,2\n")
    assert scan(read(path, JUDGMENTS, columns={"query": "who", "doc": "what", "grade": "how much"})) == [
        ("q", "a", 2.0, None)
    ]
    with pytest.raises(InputError, match="no column 'hwo' for query; the columns are 'who', 'what', 'how much'"):
        read(path, JUDGMENTS, columns={"query": "hwo", "doc": "what", "grade": "how much"})
    with pytest.raises(UsageError, match="did you mean 'query'"):
        read(path, JUDGMENTS, columns={"querry": "who", "doc": "what"})


@pytest.mark.parametrize(
    ("header", "role", "message"),
    [
        ("doc,grade,x", JUDGMENTS, "no query column; the columns are 'doc', 'grade', 'x'"),
        ("query,grade,x", JUDGMENTS, "no document column"),
        ("query,doc,x", JUDGMENTS, "no grade column"),
        ("query,doc,x", RUN, "no score or rank column"),
        ("qid,query_id,doc,score", RUN, "'qid' and 'query_id' could each be the query column"),
        ("query,doc,doc,score", RUN, "column .doc. is there more than once"),
    ],
)
def test_missing_and_ambiguous_columns(header: str, role: object, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(f"{header}\na,b,1,2\n"), role)  # type: ignore[arg-type]


def test_an_id_column_goes_before_a_text_column(write: Write) -> None:
    text = "query_id,query,product_id,label\n1,red shoes,9,2\n"
    assert ids(read(write(text), JUDGMENTS)) == [("1", "9")]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("q,a", "expected 3 fields, found 2"),
        ("q,a,1,2", "expected 3 fields, found 4"),
        (",a,1", "the query id is empty"),
        ("q,,1", "the document id is empty"),
        ("q,a,", "grade '' is not a number"),
        ("q,a,nan", "grade is NaN"),
        ("q,a, 1", "grade ' 1' is not a number"),
        ("q,a,0x1", "grade '0x1' is not a number"),
        ('q,"a"b,1', "quotation marks do not match"),
    ],
)
def test_bad_rows_are_named(row: str, problem: str, write: Write) -> None:
    with pytest.raises(Refused) as caught:
        scan(read(write(f"query,doc,grade\nq,z,1\n{row}\n"), JUDGMENTS))
    assert problem in caught.value.faults[0].problem
    assert caught.value.faults[0].line == 3


def test_quoted_fields(write: Write) -> None:
    text = 'query,doc,grade\n"a, b","say ""hi""",1\n"two\nlines",d,2\nx"y,d,3\n'
    assert ids(read(write(text), JUDGMENTS)) == [("a, b", 'say "hi"'), ("two\nlines", "d"), ('x"y', "d")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(end: str, write: Write) -> None:
    text = f"\ufeffquery,doc,grade{end}q,a,1{end}{end}q,b,2"
    assert ids(read(write(text), JUDGMENTS)) == [("q", "a"), ("q", "b")]


def test_header_only_and_blank_first_line(write: Write) -> None:
    with pytest.raises(InputError, match="header and no rows"):
        read(write("query,doc,grade\n"), JUDGMENTS)
    with pytest.raises(InputError, match="blank lines stand before the header"):
        read(write("\nquery,doc,grade\nq,a,1\n"), JUDGMENTS)


def test_invalid_utf8(write: Write) -> None:
    with pytest.raises(Refused, match="byte 0xE9"):
        scan(read(write(b"query,doc,grade\nq,caf\xe9,1\n"), JUDGMENTS))


CELLS = st.text(st.sampled_from('ab ,"\n\r\t#é'), min_size=0, max_size=5)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4),
    raw=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_duckdb_and_python_read_the_same(rows: list[tuple[str, str]], raw: bool, end: str) -> None:
    target = io.StringIO()
    if raw:
        target.write("query,doc,grade" + end + "".join(f"{query},{doc},1{end}" for query, doc in rows))
    else:
        writer = csv.writer(target, lineterminator=end)
        writer.writerow(["query", "doc", "grade"])
        writer.writerows([*row, "1"] for row in rows)
    text = target.getvalue()
    try:
        expected = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row][1:]
        sound = all(len(row) == 3 and row[0] and row[1] and row[2] == "1" for row in expected)
    except csv.Error:
        expected, sound = [], False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.csv"
        path.write_bytes(text.encode())
        try:
            found = ids(read(path, JUDGMENTS, format="csv"))
        except Refused as refused:
            assert not sound
            assert refused.total
        except InputError:
            assert not expected
        else:
            assert found == [(row[0], row[1]) for row in expected]
