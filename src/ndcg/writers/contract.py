"""What every format's writer is given and gives: rows in, text out, and a reason for what the format cannot hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..readers.source import Role


class Row(NamedTuple):
    """One row: a grade or score as `number`, None where there is none; `rank` likewise; `judge` '' without one."""

    query: str
    doc: str
    number: float | None
    rank: float | None
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be written.

    `scored` and `placed` say whether rows have numbers and ranks, `judges` whether they name judges. `bare` are queries
    without any judgment, or for which a run returned nothing, `failed` those whose search failed; `tag` names the run.
    `rows(order)` gives the rows again and again: in the order of the input (`input`), query by query (`query`), those
    in ranked order (`rank`), or those with the rows of one document together (`pair`).
    `store(path)` writes the rows as a Parquet file.
    """

    role: Role
    scored: bool
    placed: bool
    judges: bool
    tag: str
    bare: tuple[str, ...]
    failed: tuple[str, ...]
    rows: Callable[[str], Iterator[Row]]
    store: Callable[[Path], None]


Problem = Callable[[Row], str | None]
"""Why a row cannot be held, None if it can."""


def any_row(row: Row) -> str | None:
    """No reason: the format holds every row."""
    return None


@dataclass(frozen=True, slots=True)
class Writer:
    """A format that can be written.

    `holds` are the things beyond query, document and grade that the format can carry, out of `scores`, `ranks`,
    `order` (no ranks, but the place of a row says it), `judges`, `bare` (queries without any
    judgment), `nothing` (queries for which a run returned nothing), `failed`, `tag`, `repeats` (a document twice).
    `needs` are the things that it cannot be without. `text` gives its pieces of text; `stores` says that the content
    is stored as Parquet instead. `problem` says why a row cannot be held, `bare_problem` why a query cannot.
    """

    format: str
    roles: tuple[Role, ...]
    text: Callable[[Content], Iterator[str]]
    holds: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    problem: Problem = any_row
    query_problem: Callable[[str], str | None] = lambda query: None
    stores: bool = False


def numeral(value: float) -> str:
    """A number as the shortest text that reads back as the same float; whole numbers without a point.

    >>> numeral(3.0), numeral(0.1), numeral(float("-inf"))
    ('3', '0.1', '-inf')
    """
    if value == 0:
        return "0"
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def quoted(value: str) -> str:
    """A text as JSON."""
    return json.dumps(value, ensure_ascii=False)


_BLANK = re.compile(r"[\s\x00-\x20\x7f\x85\ufeff]")


def unbroken(value: str, word: str) -> str | None:
    """Why an id cannot stand between blanks."""
    found = _BLANK.search(value)
    if found is None:
        return None
    shown = {" ": "a blank", "\t": "a tab", "\n": "a line end", "\r": "a line end"}.get(found[0], repr(found[0]))
    return f"the {word} id holds {shown}"


_TABBED = re.compile(r"[\t\n\r\0]")


def tabless(value: str, word: str) -> str | None:
    """Why an id cannot stand between tabs: it holds one, or a mark of quotation at its start would be taken off."""
    if value.startswith('"'):
        return f"the {word} id begins with a quotation mark"
    if value.startswith("\ufeff"):
        return f"the {word} id begins with a byte order mark"
    found = _TABBED.search(value)
    if found is None:
        return None
    shown = {"\t": "a tab", "\0": "a NUL character"}.get(found[0], "a line end")
    return f"the {word} id holds {shown}"


def first_of(*problems: str | None) -> str | None:
    """The first reason that is one."""
    return next((problem for problem in problems if problem), None)


def whole(row: Row) -> str | None:
    """Why a grade is no whole number."""
    value = row.number
    return None if value is None or value.is_integer() else f"the grade {numeral(value)} is not a whole number"


def finite(row: Row) -> str | None:
    """Why a number cannot stand in JSON."""
    value = row.number
    if value is not None and value in (float("inf"), float("-inf")):
        return "JSON has no infinite numbers"
    return None


def grouped(rows: Iterator[Row]) -> Iterator[tuple[str, list[Row]]]:
    """(query, its rows) of rows that come query by query."""
    held: list[Row] = []
    for row in rows:
        if held and row.query != held[0].query:
            yield held[0].query, held
            held = []
        held.append(row)
    if held:
        yield held[0].query, held


def json_number(value: float) -> Any:
    """A number for a JSON document: whole numbers as integers."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
