"""Hostile ids through every format that can hold them: text, byte for byte."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import JUDGMENTS, RUN, ids, read

Write = Callable[..., str]

WORDS = [
    "007", "7", "1e5", "100000.0", "NA", "null", "NaN", "nan", "None", "true", "inf", "-0", "0x10", "1_0", "+-1",
    'a"b', '"quoted"', '"open', "'", "''", "d#1", "a,b", "a;b", "\\", "\\N", "\\t", "{x}", "[1]", "*", "%s",
    "é", "e\u0301", "\u00a0", "a\u00a0b", "a\u2028b", "\u2029", "\u3000x", "\ufeffx", "\x85", "\x0b", "\x0c", "\x1c",
    "\x1f", "\x7f", "\x00", "a\x00b", "\U0001f600", "٣", "ｑ", "<http://dbpedia.org/resource/Ærø>", "x" * 5000,
]  # fmt: skip
BLANKS = ["a b", " a", "a ", "two  blanks"]
CELLS = [*BLANKS, "tab\there", "line\nhere", "cr\rhere", "crlf\r\nhere", "#hash", 'a, "b" ,c', '" x', 'x "']

Rows = list[tuple[str, str]]


def pairs(words: list[str]) -> Rows:
    return [(word, word) for word in words] + [("q", word) for word in words]


def trec(rows: Rows, mark: str = " ") -> str:
    return "".join(mark.join([query, "0", doc, "1"]) + "\n" for query, doc in rows)


@pytest.mark.parametrize("mark", [" ", "\t", "  "])
def test_trec(mark: str, write: Write) -> None:
    rows = pairs(WORDS)
    assert ids(read(write(trec(rows, mark)), JUDGMENTS)) == rows
    text = "".join(mark.join([query, "Q0", doc, "1", "2.5", "t"]) + "\n" for query, doc in rows)
    assert ids(read(write(text), RUN)) == rows


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("mark", [" ", "\t", "  "])
def test_trec_one_by_one(word: str, mark: str, write: Write) -> None:
    rows = [("first", "first"), *pairs([word])]  # a byte order mark would go at the very start
    assert ids(read(write(trec(rows, mark), "x"), JUDGMENTS, format="trec_qrels")) == rows


def test_trec_with_tabs_holds_inner_blanks(write: Write) -> None:
    rows = pairs([*WORDS, "a b", "two  blanks"])
    assert ids(read(write(trec(rows, "\t")), JUDGMENTS)) == rows


def test_hashes_at_the_start_of_documents_only(write: Write) -> None:
    rows = [("q", "#d"), ("q#", "#")]
    assert ids(read(write(trec(rows)), JUDGMENTS)) == rows


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv(end: str, write: Write) -> None:
    rows = pairs([*WORDS, *CELLS])
    target = io.StringIO()
    writer = csv.writer(target, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["query", "doc", "grade"])
    writer.writerows([*row, "1"] for row in rows)
    assert ids(read(write(target.getvalue()), JUDGMENTS)) == rows


@pytest.mark.parametrize("cell", CELLS)
def test_line_ends_inside_the_first_id(cell: str, write: Write) -> None:
    rows = [(cell, cell), ("two\nlines", "cr\r"), ("crlf\r\n", "b")]
    text = "".join(json.dumps({"query": query, "doc": doc, "grade": 1}) + "\n" for query, doc in rows)
    assert ids(read(write(text), JUDGMENTS)) == rows


@pytest.mark.parametrize("word", [*WORDS, *CELLS])
def test_csv_one_by_one(word: str, write: Write) -> None:
    target = io.StringIO()
    csv.writer(target).writerows([["query", "doc", "grade"], [word, word, "1"]])
    assert ids(read(write(target.getvalue(), "x"), JUDGMENTS, format="csv")) == [(word, word)]


def test_tsv(write: Write) -> None:
    rows = pairs([*WORDS, *BLANKS, "#hash"])
    text = "query\tdoc\tgrade\n" + "".join(f"{query}\t{doc}\t1\n" for query, doc in rows)
    assert ids(read(write(text), JUDGMENTS)) == rows


def test_json_and_jsonl(write: Write) -> None:
    rows = pairs([*WORDS, *CELLS])
    nested: dict[str, dict[str, int]] = {}
    for query, doc in rows:
        nested.setdefault(query, {})[doc] = 1
    for ascii_only in (True, False):
        found = ids(read(write(json.dumps(nested, ensure_ascii=ascii_only), "x.json"), JUDGMENTS))
        assert sorted(found) == sorted(set(rows))
        text = "".join(
            json.dumps({"query": query, "doc": doc, "grade": 1}, ensure_ascii=ascii_only) + "\n" for query, doc in rows
        )
        assert ids(read(write(text), JUDGMENTS)) == rows


def test_frames_and_parquet(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    rows = pairs([*WORDS, *CELLS])
    columns: dict[str, Any] = {"query": [row[0] for row in rows], "doc": [row[1] for row in rows], "grade": 1}
    assert ids(read(pandas.DataFrame(columns), JUDGMENTS)) == rows
    assert ids(read(pandas.DataFrame(columns).astype({"query": object, "doc": object}), JUDGMENTS)) == rows
    frame = polars.DataFrame({**columns, "grade": [1] * len(rows)})
    assert ids(read(frame, JUDGMENTS)) == rows
    assert ids(read(frame.to_arrow(), JUDGMENTS)) == rows
    frame.write_parquet(tmp_path / "x.parquet")
    assert ids(read(tmp_path / "x.parquet", JUDGMENTS)) == rows
