"""Spreadsheets whose query cell is empty where the one above holds on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ndcg.errors import InputError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, Refused, ids, read, scan

Write = Callable[..., str]

GOVUK = (
    "queryEntry.query,queryEntry.targets.score,queryEntry.targets.uri\n"
    "boiler grant,3,/boilers\n"
    ',2,"/heat,pumps"\n'
    ",,\n"
    "passport,3,/passport\n"
    ",1,/renew\n"
)


def test_the_known_header(write: Write) -> None:
    source = read(write(GOVUK), JUDGMENTS)
    assert source.described.format == "fill_down"
    assert [row[:3] for row in scan(source)] == [
        ("boiler grant", "/boilers", 3.0),
        ("boiler grant", "/heat,pumps", 2.0),
        ("passport", "/passport", 3.0),
        ("passport", "/renew", 1.0),
    ]
    assert "the query of 2 rows is that of the row above" in source.described.notes
    assert len(ids(read(write(GOVUK), POOL))) == 4


def test_other_headers_are_declared(write: Write) -> None:
    text = "query,doc,grade,note\nq,a,1,x\n,b,2,\nr,,,\ns,c,0,\n"
    with pytest.raises(Refused, match="the query id is empty"):
        scan(read(write(text), JUDGMENTS))
    source = read(write(text), JUDGMENTS, format="fill_down")
    assert [row[:3] for row in scan(source)] == [("q", "a", 1.0), ("q", "b", 2.0), ("s", "c", 0.0)]
    assert isinstance(source, Scanned) and source.parts[0].bare == ("r",)
    assert source.described.unused == ("column 'note'",)
    tabs = read(write("Frage\tDok\tNote\nq\ta\t1\n\tb\t2\n"), JUDGMENTS, format="fill_down", columns=GERMAN)
    assert [row[:3] for row in scan(tabs)] == [("q", "a", 1.0), ("q", "b", 2.0)]
    run = read(write("query,doc,rank\nq,a,1\n,b,2\n"), RUN, format="fill_down")
    assert scan(run) == [("q", "a", None, 1.0), ("q", "b", None, 2.0)]


GERMAN = {"query": "Frage", "doc": "Dok", "grade": "Note"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (",3,/a\n", "line 2: the first row has no query"),
        ("q,3,/a\n,x,/b\n", "line 3, query 'q', document '/b': grade 'x' is not a number"),
        ("q,3,/a\n,,/b\n", "line 3, query 'q', document '/b': the grade is empty"),
        ("q,3,/a\n,2,\n", "line 3, query 'q'.*the document id is empty"),
        ("q,3,/a\n,2\n", "line 3: expected 3 fields, found 2"),
        ('q,3,/a\n,2,"/b\n', "line 3"),
    ],
)
def test_bad_rows(rows: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(GOVUK.partition("\n")[0] + "\n" + rows), JUDGMENTS)
