"""TREC judgments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ndcg.errors import InputError

from .conftest import JUDGMENTS, POOL, Refused, ids, read, scan

Write = Callable[..., str]


def test_grades_may_be_whole_fractional_negative_or_in_exponent_form(write: Write) -> None:
    text = "q 0 a 1\nq 0 b 0.5\nq 0 c -2\nq 0 d 1e1\nq 0 e 1.0\n"
    assert [row[2] for row in scan(read(write(text), JUDGMENTS))] == [1.0, 0.5, -2.0, 10.0, 1.0]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q 0 a yes", "grade 'yes' is not a number"),
        ("q 0 a nan", "grade is NaN"),
        ("q 0 a inf", "grade is infinite"),
        ("q 0 a 1,5", "grade '1,5' is not a number"),
        ("q 0 a", "expected 4 fields (query iteration doc grade), found 3"),
        ("q 0 a 1 extra", "found 5; an id cannot hold a blank"),
    ],
)
@pytest.mark.parametrize("above", ["q 0 z 1\n", "q  0 z 1\n"])
def test_a_bad_line_is_named(line: str, problem: str, above: str, write: Write) -> None:
    with pytest.raises(Refused) as caught:
        scan(read(write(f"{above}{line}\n"), JUDGMENTS))
    assert problem in caught.value.faults[0].problem
    assert caught.value.faults[0].line == 2


def test_tabs_allow_blanks_in_ids(write: Write) -> None:
    assert ids(read(write("red shoes\t0\tdoc one\t2\n"), JUDGMENTS)) == [("red shoes", "doc one")]


def test_a_comment_in_the_shape_of_data(write: Write) -> None:
    path = write("q 0 a 1\n#x 0 b 2\n")
    with pytest.raises(InputError, match="line 2"):
        read(path, JUDGMENTS)
    assert len(scan(read(path, JUDGMENTS, comments=True))) == 1
    assert len(scan(read(path, JUDGMENTS, comments=False))) == 2


def test_as_a_pool(write: Write) -> None:
    assert scan(read(write("q 0 a 1\n"), POOL)) == [("q", "a", None, None)]


def test_invalid_utf8_has_its_place(write: Write) -> None:
    with pytest.raises(Refused) as caught:
        scan(read(write(b"q 0 a 1\nq 0 caf\xe9 1\n"), JUDGMENTS))
    assert "byte 0xE9 at offset 7 of the line is not valid UTF-8" in caught.value.faults[0].problem
