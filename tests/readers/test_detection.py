"""Which format a file has, and what may be given as an input."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg.errors import DataTypeError, InputError, UsageError
from ndcg.readers import FORMATS, inputs

from .conftest import JUDGMENTS, POOL, RUN, ids, read, scan

Write = Callable[..., str]
PLAIN = "q Q0 a 1 2.5 t\n"


@pytest.mark.parametrize(
    ("text", "role", "format"),
    [
        (PLAIN, RUN, "trec_run"),
        ("q 0 a 1\n", JUDGMENTS, "trec_qrels"),
        ("query\tdoc\t1\t2\n".replace("\t", " "), JUDGMENTS, "trec_qrels"),
        ("query,doc,score\nq,a,1\n", RUN, "csv"),
        ("query\tdoc\tscore\nq\ta\t1\n", RUN, "tsv"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n", JUDGMENTS, "beir_qrels"),
        ("q\ta\t1\n", RUN, "ranked"),
        ("q\ta\t1\n", JUDGMENTS, "graded"),
        ('{"q": {"a": 1}}\n', RUN, "json"),
        ('{\n "q": {"a": 1}}\n', RUN, "json"),
        ('{"q":\n {"a": 1}}\n', RUN, "json"),
        ('{"query": "q", "doc": "a", "score": 1}\n', RUN, "jsonl"),
        ('{"query": "q", "docs": ["a"]}\n{"query": "r", "docs": ["a"]}\n', RUN, "jsonl"),
        ("{q Q0 a 1 2.5 t\n", RUN, "trec_run"),
        ("[1] 0 a 1\n", JUDGMENTS, "trec_qrels"),
        ("q: valve\nresults: [a]\n", RUN, "yaml"),
        ("# targets\nq: boiler valve 4\nrelevant: [a]\n", JUDGMENTS, "yaml"),
        ("metric_at: 10\nq: valve\nrelevant: [a]\n", JUDGMENTS, "yaml"),
        ("- q: pump\n  relevant: [a]\n", JUDGMENTS, "yaml"),
        ("pump:\n  P-7: 3\nvalve:\n  P-7: 1\n", JUDGMENTS, "yaml"),
        ("pump:\n- a\n- b\n", RUN, "yaml"),
        ("query: pump\ta\t1\nquery: valve\ta\t1\n", JUDGMENTS, "graded"),
        ("boiler valve\ta\t1\npump\ta\t1\n", JUDGMENTS, "graded"),
        ("boiler valve\ta\t1\n", JUDGMENTS, "graded"),
        ("boiler valve\ta\t1\nboiler valve\tb\t2\n", RUN, "ranked"),
        ("boiler 0\ta\t1\n", JUDGMENTS, "trec_qrels"),
        ("q Q0\ta\t1\n", JUDGMENTS, "trec_qrels"),
        ("query: pump,a,1\nquery: valve,a,1\n", JUDGMENTS, "graded"),
        ("# a, comment\nq 0 a 1\n", JUDGMENTS, "trec_qrels"),
    ],
)
@pytest.mark.parametrize("name", ["file", "file.csv", "file.json", "file.txt"])
def test_content_decides(text: str, role: Any, format: str, name: str, write: Write) -> None:
    source = read(write(text, name), role)
    assert source.described.format == format
    assert scan(source)


@pytest.mark.parametrize(
    ("text", "role", "message"),
    [
        ("1 a 0 0 1\n", JUDGMENTS, r"expected 4 fields \(query iteration doc grade\) or a header line, found 5 fields"),
        ("what is this\n", RUN, "not a number|expected 6 fields|rank or a score"),
        ("one\ntwo\n", RUN, "expected 6 fields"),
        ("\ufeff\n", RUN, "blank lines"),
        ('{"_id": "q1", "text": "boiler valve"}\n', JUDGMENTS, "line 1: no query key; the keys are '_id', 'text'"),
        (
            '{"index": {"_index": "ubi_events"}}\n{"query_id": "q"}\n',
            RUN,
            "line 1: a bulk file of .* neither",
        ),
        ("dummy01 L3\ndummy02 L0\n", JUDGMENTS, "documents and relevance levels, as NTCIREVAL .* names no query"),
        (
            "dummy11 L0\ndummy01 L3\ndummy12\ndummy04 L2\n",
            RUN,
            "documents and relevance levels, as NTCIREVAL .* names no query",
        ),
    ],
)
def test_nothing_fits(text: str, role: Any, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text), role)


def test_numbers_alone_name_no_columns(write: Write) -> None:
    with pytest.raises(InputError, match=r"line 1: the first line holds 5 numbers and no names of columns \[0,10.5,"):
        read(write("0,10.5,7.3,0.1,1\n1,9.5,7.1,0.2,1\n", "rank.test.csv"), JUDGMENTS)


def test_utf16_is_named(write: Write) -> None:
    with pytest.raises(InputError, match="UTF-16"):
        read(write(PLAIN.encode("utf-16")), RUN)


def test_unknown_and_given_formats(write: Write) -> None:
    with pytest.raises(UsageError, match="format 'trec' is not known; choose from"):
        read(write(PLAIN), RUN, format="trec")
    with pytest.raises(UsageError):
        read({"q": {"a": 1}}, RUN, format="nonsense")
    assert read(write("q,a,1\nq,b,2\n"), RUN, format="scored").described.format == "scored"


def test_every_format_is_described_and_readable() -> None:
    readable = set(inputs.FILES) - {"headerless"} | set(inputs.TABLES) | {"mapping"}
    assert readable == set(FORMATS)
    assert all(text.endswith(".") and len(text.split()) > 3 for text in FORMATS.values())


@pytest.mark.parametrize(
    "source",
    [
        (line for line in [PLAIN]),
        [PLAIN.encode()],
        PLAIN.encode(),
        io.StringIO(PLAIN),
        7,
        None,
        {"q"},
        [["q", "a", 1]],
        [{"a": 1}],
    ],
)
def test_what_is_never_taken(source: object) -> None:
    with pytest.raises(DataTypeError, match=r"is not taken as input; pass a path"):
        read(source, RUN)


def test_a_line_or_a_list_of_lines_is_no_path() -> None:
    for source in (PLAIN, [PLAIN], "q Q0 a 1 2.5 t"):
        with pytest.raises(InputError, match=r"no such file|not the data itself"):
            read(source, RUN)


def test_missing_paths(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^no such file: .*nothing$"):
        read(tmp_path / "nothing", RUN)
    with pytest.raises(InputError, match="folder without files"):
        read(tmp_path, RUN)
    with pytest.raises(InputError, match="no file matches"):
        read(str(tmp_path / "*.run"), RUN)


def test_globs_folders_and_lists(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        (tmp_path / f"{number}.run").write_text(PLAIN.replace("a", f"d{number}"))
    (tmp_path / ".hidden").write_text("no")
    expected = [("q", f"d{number}") for number in (1, 2, 3)]
    assert ids(read(str(tmp_path / "*.run"), RUN)) == expected
    assert ids(read(tmp_path, RUN)) == expected
    assert ids(read([tmp_path / "3.run", str(tmp_path / "1.run")], RUN)) == [expected[2], expected[0]]


@pytest.mark.parametrize("name", ["[1].run", "a*.run", "b?.run", "it's {x}.run", "ü \u2028.run", "a**b"])
def test_literal_names_with_wildcards(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(PLAIN)
    (tmp_path / "1.run").write_text(PLAIN.replace("a", "other"))
    (tmp_path / "aa.run").write_text(PLAIN.replace("a", "other"))
    assert ids(read(str(tmp_path / name), RUN)) == [("q", "a")]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(PLAIN))
    writer.start()
    source = read(pipe, RUN)
    writer.join()
    assert ids(source) == ids(source) == [("q", "a")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    assert ids(read("-", RUN)) == [("q", "a")]


def test_pools(write: Write) -> None:
    for text in ("q 0 a 1\n", PLAIN, "q\ta\n", "q\ta\t1\n", "query,doc\nq,a\n", '{"q": ["a"]}'):
        assert ids(read(write(text), POOL)) == [("q", "a")]


@pytest.mark.parametrize(
    ("format", "role"), [("trec_run", JUDGMENTS), ("trec_qrels", RUN), ("graded", RUN), ("ranked", POOL)]
)
def test_a_format_that_cannot_hold_it(format: str, role: Any, write: Write) -> None:
    with pytest.raises(UsageError, match="cannot hold"):
        read(write(PLAIN), role, format=format)


@pytest.mark.parametrize(
    ("text", "found"), [("%PDF-1.4\n", "found 1 field"), ("TERMS OF USE OF VERSION 2\n-----\n\n", "found others")]
)
def test_text_that_is_no_run(write: Write, text: str, found: str) -> None:
    with pytest.raises(InputError, match=rf"expected 6 fields .* or a header line, {found} \["):
        read(write(text), RUN)
