"""Several judges of one (query, document): their rows kept apart, for agreement and for messages.

Scoring merges them by the rule that the caller declares (max, min, mean, median); nothing here does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..errors import Fault, InputError
from .source import Source


class JudgeRow(NamedTuple):
    """One judge's grade of a document for a query, as the input has it; `judge` is '' where the row names none."""

    query: str
    document: str
    judge: str
    grade: float


def has_judges(source: Source) -> bool:
    """Whether some part of the judgments tells its judges apart."""
    parts = getattr(source, "parts", ())
    return any(part.judges is not None for part in parts)


def judge_rows(source: Source) -> Iterator[JudgeRow]:
    """Every judge's rows, in the order of the input.

    `source` are judgments from `read`. Faulty rows are left out: reading the judgments has refused them already.
    InputError where no judge column was found.
    """
    if not has_judges(source):
        raise InputError(
            f"{source.described.name}: no judge column",
            code="no_judges",
            hint="name it with columns={'judge': ...} (usual: judge, assessor, annotator, rater)",
        )
    from .duck import duckdb, register

    for part in getattr(source, "parts", ()):
        if part.judges is None:
            continue
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            register(connection, part.tables)
            asked = f"SELECT query, doc, judge, grade FROM ({part.judges}) WHERE grade IS NOT NULL"
            rows = connection.execute(asked, list(part.parameters))
            while chunk := rows.fetchmany(100_000):
                yield from map(JudgeRow._make, chunk)


def by_pair(source: Source) -> Mapping[tuple[str, str], Mapping[str, float]]:
    """{(query, document): {judge: grade}}, for measures of agreement.

    InputError where one judge gave a document two different grades for one query.
    """
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in judge_rows(source):
        grades = found.setdefault((row.query, row.document), {})
        if grades.setdefault(row.judge, row.grade) != row.grade:
            problem = f"judge {row.judge!r} gave two grades, {grades[row.judge]:g} and {row.grade:g}"
            fault = Fault(problem, source.described.name, None, row.query, row.document)
            raise InputError(problem, code="conflicting_grades", faults=[fault])
    return found
