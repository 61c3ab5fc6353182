"""Predictions of a model: one score for each row of a feature file, in the same order.

A column of numbers; RankLib's `query, place, score`; or a table with a header, one of whose columns is the score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from ..errors import SHOWN, DataTypeError, Fault, InputError
from . import numbers
from .columns import choose_score, role_of
from .context import Context, Piece
from .delimited import header_fields
from .lines import numbered
from .spill import Spill
from .streams import head
from .svmlight import Features, Row
from .trec_lines import BLANKS


class Score(NamedTuple):
    """One prediction: its line, its text, and where the file names them the query and place of its row."""

    line: int
    text: str
    query: str | None = None
    place: str | None = None
    problem: str | None = None


def is_column_of_numbers(rows: Iterable[bytes]) -> bool:
    """Whether every line is one number."""
    return all(numbers.is_number(row.decode("utf-8", "replace").strip(" \t")) for row in rows)


def read(path: str, context: Context) -> Piece:
    """Read one file of predictions for the rows of the feature file."""
    if context.features is None:
        raise InputError(
            f"{path} is a column of numbers: predictions, whose rows are in a feature file",
            code="no_features",
            hint="name that file with features= (--features FILE)",
        )
    return _piece(_scores(path, context), path, context, context.features)


def from_values(values: Any, context: Context, where: str) -> Piece:
    """Predictions in memory: a list, an array or a series of numbers."""
    from math import isnan

    assert context.features is not None
    listed = values.tolist() if hasattr(values, "tolist") else list(values)

    def scores() -> Iterator[Score]:
        for number, value in enumerate(listed, 1):
            if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__"):
                raise DataTypeError(f"{where}: prediction {number} is {value!r}, not a number", code="score_type")
            problem = "score is NaN" if isnan(value) else None
            yield Score(number, repr(float(value)), problem=problem)

    made = _piece(scores(), where, context, context.features)
    return made if made.part is None else made._replace(part=replace(made.part, path=None))


def _piece(scores: Iterator[Score], where: str, context: Context, path: str) -> Piece:
    """Rows and scores side by side: their numbers must be equal, and every score sound."""
    features = Features(path, context.groups, context.labels)
    rows = features.rows()
    faults: list[Fault] = []
    total = given = 0
    spill = Spill()
    places: dict[str, int] = {}
    for score in scores:
        given += 1
        row = next(rows, None)
        if row is None:
            continue
        places[row.query] = places.get(row.query, -1) + 1
        problem = score.problem or _problem(score, row, places[row.query])
        if problem:
            total += 1
            if len(faults) < SHOWN:
                faults.append(Fault(problem, where, score.line, row.query, row.doc))
            continue
        spill.add((row.query, row.doc, score.text, "", score.line))
    for _ in rows:  # what is wrong with the rows shows when all were read
        pass
    features.refuse()
    if given != features.count:
        raise InputError(
            f"{where} holds {given} predictions, but {path} has {features.count} rows",
            code="prediction_count",
            hint="there is one prediction per row, in the same order: was a row filtered?",
        )
    if total:
        raise InputError(
            f"{where}: {total} bad line{'s' if total > 1 else ''}", code="bad_lines", faults=faults, total=total
        )
    part = spill.part(where, "score", number=True, rank=False)
    return Piece("predictions", part, f"a score for each row of {path}, line by line; {features.words}")


def _problem(score: Score, row: Row, place: int) -> str | None:
    if score.query is not None and score.query != row.query:
        return f"the prediction is for query {score.query!r}, the row on line {row.line} belongs to another"
    if score.place is not None and score.place != str(place):
        return f"the prediction is for place {score.place} of its query, the row on line {row.line} has place {place}"
    return numbers.problem(score.text, "score")


def _scores(path: str, context: Context) -> Iterator[Score]:
    """The predictions of a file, blank lines at its end left out."""
    if head(path, 4)[0] == b"PAR1":
        raise InputError(
            f"{path} is a Parquet file; predictions for the rows of a feature file are text, one per line",
            code="layout",
            hint="leave features= (--features) out if it names query and document",
        )
    lines = ((number, line.decode("utf-8", "backslashreplace")) for number, line in numbered(path))
    first = next(((number, line) for number, line in lines if line.strip(BLANKS)), None)
    if first is None:
        raise InputError(f"{path} is empty", code="empty", hint="expected one prediction per line")
    from itertools import chain

    if _is_plain(first[1], context):
        yield from _without_last_blanks(chain([first], lines), _plain)
        return
    delimiter = "\t" if "\t" in first[1] else ","
    if delimiter not in first[1] and len(_words(first[1])) > 1:
        problem = f"expected one prediction per line, found {len(_words(first[1]))} fields"
        raise InputError(problem, code="layout", faults=[Fault(problem, path, first[0], text=first[1])])
    names = header_fields(first[1], delimiter)
    at = names.index(choose_score(names, context.columns, path))

    def field(number: int, line: str) -> Score:
        fields = header_fields(line, delimiter)
        if len(fields) != len(names):
            return Score(number, "", problem=f"expected {len(names)} fields, found {len(fields)}")
        return Score(number, fields[at])

    yield from _without_last_blanks(lines, field)


def _words(line: str) -> list[str]:
    """What blanks and tabs separate, and nothing else does."""
    return [word for word in re.split("[ \t]+", line) if word]


def _is_plain(line: str, context: Context) -> bool:
    """Whether the first line is data, one number or RankLib's three fields; otherwise it names columns."""
    fields = _words(line)
    if len(fields) == 1 and "," not in line:
        return role_of(fields[0]) != "score" and fields[0] != context.columns.get("score")
    return len(fields) == 3 and numbers.is_number(fields[2])


def _plain(number: int, line: str) -> Score:
    fields = _words(line)
    if len(fields) == 3:
        return Score(number, fields[2], fields[0], fields[1])
    if len(fields) != 1:
        return Score(number, "", problem=f"expected one number, found {len(fields)} fields")
    return Score(number, fields[0])


def _without_last_blanks(lines: Iterable[tuple[int, str]], made: Any) -> Iterator[Score]:
    """Scores of lines; a blank line is one only where a line with text follows."""
    blank: list[int] = []
    for number, line in lines:
        if not line.strip(BLANKS):
            blank.append(number)
            continue
        for missing in blank:
            yield Score(missing, "", problem="the line is blank, so its row has no prediction")
        blank = []
        yield made(number, line)
