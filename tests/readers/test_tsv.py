"""Tab-separated values with a header, and BEIR judgments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import JUDGMENTS, RUN, Refused, ids, read, scan

Write = Callable[..., str]


def test_beir(write: Write) -> None:
    source = read(write("query-id\tcorpus-id\tscore\n1\t007\t2\n"), JUDGMENTS)
    assert scan(source) == [("1", "007", 2.0, None)]
    assert source.described.format == "beir_qrels"
    run = read(write("query-id\tcorpus-id\tscore\n1\t007\t2\n"), RUN)
    assert run.described.format == "tsv"


def test_quotation_marks_that_enclose_nothing(write: Write) -> None:
    text = 'query\tdoc\tgrade\n12" pipe\ta\t1\n"exact" words\tb\t2\n"open\tc\t3\n'
    assert ids(read(write(text), JUDGMENTS)) == [('12" pipe', "a"), ('"exact" words', "b"), ('"open', "c")]


def test_quoted_fields_where_all_are_proper(write: Write) -> None:
    source = read(write('query\tdoc\tgrade\n"a ""b"""\td\t1\n"x\ty"\te\t2\n'), JUDGMENTS)
    assert ids(source) == [('a "b"', "d"), ("x\ty", "e")]
    assert source.described.notes == ("quotation marks enclose fields",)


def test_bad_width(write: Write) -> None:
    with pytest.raises(Refused, match="expected 3 fields, found 2"):
        scan(read(write("query\tdoc\tgrade\nq\ta\n"), JUDGMENTS))


def test_ids_keep_blanks(write: Write) -> None:
    assert ids(read(write("query\tdoc\tgrade\n red shoes \t a\t1\n"), JUDGMENTS)) == [(" red shoes ", " a")]


def test_mixed_line_ends(write: Write) -> None:
    assert ids(read(write("query\tdoc\tgrade\r\nq\ta\t1\nq\tb\t1\r\n"), JUDGMENTS)) == [("q", "a"), ("q", "b")]
