"""One number grammar: the regular expression, DuckDB's cast under guard, and every reader."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import duckdb
import pytest

from ndcg.errors import InputError
from ndcg.readers import numbers

from .conftest import RUN, Refused, read, scan

Write = Callable[..., str]
GOOD = [
    "0",
    "-0",
    "1",
    "+1",
    "007",
    "1.",
    ".5",
    "-.5e3",
    "1e5",
    "1E-05",
    "inf",
    "-INF",
    "+Infinity",
    "1e-400",
    "9" * 40,
]
BAD = [
    "nan",
    "-NaN",
    "",
    "1_000",
    "+-1",
    "--1",
    "0x10",
    "1,5",
    "1.2.3",
    "1e",
    "e5",
    ".",
    "٣",
    "1d",
    "infinit",
    "high",
    "1e400",
]
PARTS = [
    "0",
    "1",
    "9",
    ".",
    "e",
    "E",
    "+",
    "-",
    "_",
    " ",
    "\t",
    "inf",
    "nan",
    "x",
    ",",
    "\v",
    "\u00a0",
    "٣",
    "\0",
    "d",
    "%",
]


@pytest.mark.parametrize("text", GOOD)
def test_numbers(text: str, write: Write) -> None:
    assert numbers.problem(text, "score") is None
    for content in (
        f"q Q0 a 1 {text} t\n",
        f"q\tQ0\ta\t1\t {text} \tt\n",
        f"query,doc,score\nq,a,{text}\n",
        f'{{"q": {{"a": "{text}"}}}}',
    ):
        assert scan(read(write(content), RUN))[0][2] == float(text)


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_number(text: str, write: Write) -> None:
    assert numbers.problem(text, "score")
    contents = [f"q Q0 z 1 1 t\nq Q0 a 1 {text} t\n", f"query,doc,score\nq,a,{text}\n", json.dumps({"q": {"a": text}})]
    for content in contents:
        with pytest.raises((Refused, InputError)):
            scan(read(write(content), RUN))


def test_sql_and_python_agree_on_every_short_text() -> None:
    texts = sorted({"".join(parts) for length in (1, 2, 3) for parts in itertools.product(PARTS, repeat=length)})
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (text VARCHAR)")
        connection.execute("INSERT INTO t SELECT unnest(?)", [texts])
        for finite in (False, True):
            fault = numbers.sql_is_fault("text", finite=finite)
            rows = connection.execute(f"SELECT text, try_cast(text AS DOUBLE), {fault} FROM t").fetchall()
            for text, value, bad in rows:
                assert bad == (numbers.problem(text, "score", finite=finite) is not None), text
                assert bad or value == float(text), text


def test_the_cheap_suspicion_misses_nothing() -> None:
    texts = sorted({"".join(parts) for length in (1, 2, 3) for parts in itertools.product(PARTS, repeat=length)})
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (text VARCHAR)")
        connection.execute("INSERT INTO t SELECT unnest(?)", [texts])
        rows = connection.execute(f"SELECT text, {numbers.sql_is_suspect('text')} FROM t").fetchall()
    assert all(suspect or numbers.is_number(text) for text, suspect in rows)


def test_words() -> None:
    assert numbers.problem("NaN", "score") == "score is NaN"
    assert numbers.problem("high", "score") == "score 'high' is not a number"
    assert numbers.problem("inf", "grade", finite=True) == "grade is infinite"
    assert numbers.value_problem(float("nan"), "grade") == "grade is NaN"
