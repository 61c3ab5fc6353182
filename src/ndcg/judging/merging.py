"""`judge_merge`: filled sheets and their judgments become new judgments; nothing is overwritten silently."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ..counted import counted_noun
from ..engines.judgments import load_judgments
from ..engines.workspace import Workspace
from ..errors import SHOWN, Fault, InputError, UsageError, choose
from ..measures.convention import number_text
from ..readers import read
from ..readers.labels import beside_numbers
from ..readers.source import Role
from ..version import __version__
from .beside import Beside, Cells, Pair, add, columns_of, joined, of_judgments
from .levels import declared_grades
from .sheets import SheetRow, read_sheet, said
from .written import format_of, judgments_text

RULES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "max": max,
    "min": min,
    "mean": lambda grades: math.fsum(grades) / len(grades),
    "median": lambda grades: float(statistics.median(grades)),
}
"""Rules that combine all grades of a pair, those that are there and those that come."""

CONFLICTS = ("keep", "replace", *RULES)
"""What to do with a grade that differs from the one that is there: it stays, it goes, or both are combined."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A pair with different grades: the one that was there (None: none), those that came, and what became of them."""

    query: str
    document: str
    existing: float | None
    filled: tuple[float, ...]
    result: float


@dataclass(frozen=True, slots=True)
class Merged:
    """New judgments and how they came about.

    `existing` pairs were judged before; `added` are new, `confirmed` were filled with the grade they had, `blank` rows
    were left without a grade; `conflicts` were decided by the declared rule. `new_queries` had no judgment before.
    `beside` are the texts that stood beside a grade, such as its judge and the reason, in `kept` columns; CSV, TSV and
    JSON Lines hold them. `lost` names columns of the judgments that could not be read. `warnings` name grades off the
    scale of the judgments so far.
    """

    judgments: Mapping[str, Mapping[str, float]] = field(repr=False)
    existing: int
    added: int
    confirmed: int
    blank: int
    conflicts: tuple[Conflict, ...]
    new_queries: tuple[str, ...]
    rule: str | None
    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    beside: Mapping[Pair, Mapping[str, str]] = field(repr=False, default_factory=dict)
    warnings: tuple[str, ...] = ()
    version: str = __version__

    @property
    def pairs(self) -> int:
        """How many pairs are judged now."""
        return sum(map(len, self.judgments.values()))

    def __repr__(self) -> str:
        return f"<Merged: {counted_noun(self.pairs, 'judgment')}, {self.added} new>"

    def __str__(self) -> str:
        from ..reports.judging_next import merged_text

        return merged_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, object]:
        """Plain data without the judgments themselves and what stands beside them."""
        plain = asdict(self)
        del plain["judgments"], plain["beside"]
        return {**plain, "pairs": self.pairs}

    def to_json(self) -> str:
        """One JSON document."""
        from .model import as_json

        return as_json(self.as_dict())

    def dropped(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """What a file of that name would not hold of what stood beside the grades."""
        held = format_of(os.fspath(path)) != "trec"
        return (*self.lost, *(() if held else (f"column {name!r}" for name in self.kept)))

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the judgments, whole or not at all: CSV, TSV or JSON Lines by the ending of the path, else TREC lines.

        All but TREC also hold what stood beside the grades; `dropped` says what a file does not hold. An ending of .gz
        or .zst compresses. Raises UsageError for a file that is there, unless `overwrite`, for the ending of another
        format, and for ids that the format cannot hold.
        """
        from ..whole_files import write_whole

        text = judgments_text(self.judgments, os.fspath(path), self.kept, self.beside)
        if not overwrite and Path(path).exists():
            raise UsageError(
                f"{path} is there already",
                code="exists",
                hint="name another file, or let it be replaced with overwrite (--overwrite)",
            )
        write_whole(path, text)


def judge_merge(
    qrels: object,
    filled: object,
    *,
    conflicts: str | None = None,
    grades: Iterable[float] | None = None,
    sheet: str | os.PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    comments: bool | None = None,
    labels: object = None,
    groups: object = None,
    merge: str | None = None,
) -> Merged:
    """Judgments with the grades of filled sheets in them.

    `qrels` are the judgments so far, as `evaluate` takes them, or None; `filled` is the path of a sheet that
    `ndcg judge-next` wrote and somebody filled, or several. Rows without a grade are counted and left out. A grade that
    differs from the one that is there, or from another sheet's, is an InputError that names all of them, unless
    `conflicts` declares what counts: keep, replace, max, min, mean or median. `grades` are the only grades that may
    have been given. `sheet` is the sheet as it was written: a row that is not in it is an error, since spreadsheets
    change ids (`007` to `7`). Without `grades`, grades off the scale of `qrels` are a warning. `labels` gives the
    grades of text labels, in `qrels` and in sheets, cell by cell: a number stays a number. `merge` and `groups` are
    those of `evaluate`, for `qrels`.

    >>> import tempfile, pathlib, ndcg
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "filled.csv"
    >>> _ = path.write_text("query,doc,grade\\nq1,B,2\\nq1,C,\\n")
    >>> merged = ndcg.judge_merge({"q1": {"A": 3}}, path)
    >>> merged.judgments, merged.blank
    ({'q1': {'A': 3.0, 'B': 2.0}}, 1)
    """
    if conflicts is not None and conflicts not in CONFLICTS:
        raise choose("conflicts", conflicts, CONFLICTS)
    table = beside_numbers(labels)
    known: dict[str, dict[str, float]] = {}
    before = Beside({})
    if qrels is not None:
        source = read(
            qrels,
            Role.JUDGMENTS,
            format=qrels_format,
            columns=columns,
            comments=comments,
            labels=table,
            groups=groups,
        )
        with Workspace(None) as workspace:
            known = {query: dict(grades) for query, grades in load_judgments(source, workspace, merge).mapping.items()}
        before = of_judgments(qrels, source, columns)
    rows = [row for path in _paths(filled) for row in read_sheet(path, table)]
    given = [row for row in rows if row.grade is not None]
    _check_grades(given, grades)
    if sheet is not None:
        _check_sheet(rows, os.fspath(sheet))
    merged = _merged(known, given, len(rows) - len(given), conflicts)
    beside = _beside(merged, before.cells, given)
    warnings = () if grades is not None else _off_scale(known, given)
    return replace(merged, beside=beside, kept=columns_of(beside), lost=before.lost, warnings=warnings)


def _beside(merged: Merged, before: Cells, rows: Sequence[SheetRow]) -> dict[Pair, dict[str, str]]:
    """What stands beside the grades that are there now: of a grade that was replaced, or not taken, nothing stays."""
    decided = {(each.query, each.document) for each in merged.conflicts}
    left = {"keep": "filled", "replace": "before"}.get(merged.rule or "")
    cells: Cells = {}
    for pair, columns in before.items():
        if not (pair in decided and left == "before"):
            for column, texts in columns.items():
                for text in texts:
                    add(cells, pair, {column: text})
    for row in rows:
        pair = row.query, row.document
        if not (pair in decided and left == "filled"):
            add(cells, pair, row.beside)
    return joined(cells)


def _paths(filled: object) -> list[str]:
    if isinstance(filled, str | os.PathLike):
        return [os.fspath(filled)]
    if isinstance(filled, list | tuple) and filled and all(isinstance(path, str | os.PathLike) for path in filled):
        return [os.fspath(path) for path in filled]
    raise UsageError(f"filled= is the path of a sheet, or a list of them, found {filled!r}", code="filled")


def _check_grades(rows: Sequence[SheetRow], grades: Iterable[float] | None) -> None:
    if grades is None:
        return
    allowed = declared_grades(grades)
    faults = [
        row.fault(f"grade {number_text(row.grade)} is not one of {', '.join(map(number_text, allowed))}")
        for row in rows
        if row.grade is not None and row.grade not in allowed
    ]
    if faults:
        what = said(len(faults), "grade is", "grades are") + " not among those declared"
        raise InputError(what, code="grade", faults=faults)


def _off_scale(known: Mapping[str, Mapping[str, float]], rows: Sequence[SheetRow]) -> tuple[str, ...]:
    """A warning that names grades off the scale of the judgments so far: beyond its ends, or fractions where there was
    none."""
    before = {grade for grades in known.values() for grade in grades.values()}
    if not before:
        return ()
    least, most = min(before), max(before)
    whole = all(float(grade).is_integer() for grade in before)
    odd = [
        (row, row.grade)
        for row in rows
        if row.grade is not None and (not least <= row.grade <= most or (whole and not row.grade.is_integer()))
    ]
    if not odd:
        return ()
    named = [
        f"grade {number_text(grade)} at {row.path} line {row.line}, query {row.query!r}, document {row.document!r}"
        for row, grade in odd[:SHOWN]
    ]
    more = f"; and {len(odd) - SHOWN:,} more" if len(odd) > SHOWN else ""
    return (
        f"{said(len(odd), 'grade is', 'grades are')} off the scale of the judgments so far ({number_text(least)} to "
        f"{number_text(most)}{', whole numbers' if whole else ''}): {'; '.join(named)}{more}",
    )


def _check_sheet(rows: Sequence[SheetRow], sheet: str) -> None:
    written = {(row.query, row.document) for row in read_sheet(sheet)}
    faults = [row.fault("the row is not in the sheet") for row in rows if (row.query, row.document) not in written]
    if faults:
        raise InputError(
            said(len(faults), "row is", "rows are") + f" not in {sheet}",
            code="unknown_row",
            faults=faults,
            hint="a spreadsheet may have changed the ids: import them as text",
        )


def _merged(known: dict[str, dict[str, float]], rows: Sequence[SheetRow], blank: int, rule: str | None) -> Merged:
    existing = sum(map(len, known.values()))
    given: dict[tuple[str, str], list[SheetRow]] = {}
    for row in rows:
        given.setdefault((row.query, row.document), []).append(row)
    result = {query: dict(grades) for query, grades in known.items()}
    decided: list[Conflict] = []
    faults: list[Fault] = []
    added = confirmed = 0
    for (query, document), filled in given.items():
        before = known.get(query, {}).get(document)
        values = [row.grade for row in filled if row.grade is not None]
        different = {*values, *([before] if before is not None else [])}
        grade: float | None = values[0]
        if len(different) > 1:
            grade = _decided(before, values, rule)
            if grade is None:
                faults.append(_conflict(filled, before))
                continue
            decided.append(Conflict(query, document, before, tuple(values), grade))
        elif before is not None:
            confirmed += 1
        added += before is None
        result.setdefault(query, {})[document] = float(grade if grade is not None else values[0])
    if faults:
        raise InputError(
            said(len(faults), "pair has another grade", "pairs have other grades") + " already",
            code="grade_conflict",
            faults=faults,
            hint=f"decide each, or declare a rule with conflicts=: {', '.join(CONFLICTS)}",
        )
    new = tuple(query for query in result if query not in known)
    return Merged(result, existing, added, confirmed, blank, tuple(decided), new, rule)


def _decided(before: float | None, values: Sequence[float], rule: str | None) -> float | None:
    """The grade that a rule gives; None where it gives none: two sheets differ, and only one of them can be kept."""
    if rule is not None and rule in RULES:
        return RULES[rule]([*([before] if before is not None else []), *values])
    if rule == "keep" and before is not None:
        return before
    if rule == "replace" and len(set(values)) == 1:
        return values[0]
    return None


def _conflict(filled: Sequence[SheetRow], before: float | None) -> Fault:
    values = list(dict.fromkeys(row.grade for row in filled if row.grade is not None))
    if before is None or len(values) > 1:
        places = ", ".join(f"{row.path} line {row.line}" for row in filled[1:])
        what = f"grades {', '.join(map(number_text, values))} were given (also in {places})"
        return filled[0].fault(what if before is None else f"{what}, and it has the grade {number_text(before)}")
    return filled[0].fault(f"grade {number_text(values[0])} was given, and it has the grade {number_text(before)}")
