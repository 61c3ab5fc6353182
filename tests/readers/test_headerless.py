"""Ranked lists without a header: what the third column means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ndcg.errors import InputError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, Refused, read, scan

Write = Callable[..., str]
RANKED = "q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n"


@pytest.mark.parametrize("mark", ["\t", ",", " "])
def test_ranks_that_count(mark: str, write: Write) -> None:
    source = read(write(RANKED.replace("\t", mark)), RUN)
    assert isinstance(source, Scanned)
    assert source.ranked
    assert scan(source) == [("q1", "a", None, 1.0), ("q1", "b", None, 2.0), ("q2", "c", None, 1.0)]
    assert source.described.format == "ranked"


@pytest.mark.parametrize("text", ["q\ta\t2\nq\tb\t1\n", "q\ta\t0.5\nq\tb\t0.4\n", "q\ta\t0\nq\tb\t1\n"])
def test_a_third_column_that_may_be_either(text: str, write: Write) -> None:
    path = write(text)
    with pytest.raises(InputError, match="format='ranked' or format='scored'"):
        read(path, RUN)
    scored, ranked = read(path, RUN, format="scored"), read(path, RUN, format="ranked")
    assert [row[3] for row in scan(scored)] == [None, None]
    assert [row[2] for row in scan(ranked)] == [None, None]
    assert [row[2] for row in scan(scored)] == [row[3] for row in scan(ranked)]


def test_ranks_that_stop_counting_far_below(write: Write) -> None:
    rows = "".join(f"q{at}\td\t1\n" for at in range(9000))
    with pytest.raises(InputError, match="rank or a score"):
        read(write(rows + "q0\te\t3\n"), RUN)
    assert len(scan(read(write(rows + "q0\te\t2\n"), RUN))) == 9001


def test_two_columns_are_in_order(write: Write) -> None:
    source = read(write("q\tb\nq\ta\n"), RUN)
    assert scan(source) == [("q", "b", None, 1.0), ("q", "a", None, 2.0)]
    with pytest.raises(InputError, match="need a grade"):
        read(write("q\tb\nq\ta\n"), JUDGMENTS)
    assert scan(read(write("q\tb\nq\ta\n"), POOL)) == [("q", "b", None, None), ("q", "a", None, None)]


def test_judgments(write: Write) -> None:
    assert scan(read(write("q\ta\t3\nq\tb\t0.5\n"), JUDGMENTS)) == [("q", "a", 3.0, None), ("q", "b", 0.5, None)]


def test_bad_rows(write: Write) -> None:
    with pytest.raises(Refused, match="rank 'x' is not a number"):
        scan(read(write("q\ta\tx\n"), RUN, format="ranked"))
    with pytest.raises(Refused, match="expected 3 fields, found 2"):
        scan(read(write("q\ta\t1\nq\tb\n"), RUN, format="ranked"))
