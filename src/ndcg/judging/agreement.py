"""`judge_agreement`: how far judges agree, beyond chance: by pair of judges, by grade, and all together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations

import numpy as np

from ..counted import counted_noun
from ..engines.judgments import load_judgments
from ..engines.workspace import Workspace
from ..errors import Fault, InputError, UsageError, unreadable
from ..kernel.agreement import alpha, coincidences, kappa
from ..measures.convention import number_text
from ..path_names import run_name, told_apart
from ..readers import read
from ..readers.columns import series
from ..readers.judges import by_pair, has_judges
from ..readers.labels import beside_numbers
from ..readers.numbers import problem
from ..readers.source import Role, Source
from ..version import __version__
from .sheets import Table, header_of, read_table

Readings = dict[str, dict[tuple[str, str], float]]
"""{judge: {(query, document): grade}}."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two judges on the pairs that both graded.

    `share` of them got equal grades. `kappa` is Cohen's, `linear` and `quadratic` weigh a disagreement by the
    difference of the grades and by its square; None where chance leaves nothing to correct. `difference` is the mean of
    second less first. `table` counts, row by row of the first judge's grades, the second's.
    """

    first: str
    second: str
    pairs: int
    equal: int
    share: float | None
    kappa: float | None
    linear: float | None
    quadratic: float | None
    difference: float | None
    table: tuple[tuple[int, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class GradeAgreement:
    """One grade: how often it was given to pairs with several judges, and the share of the others who gave it too."""

    grade: float
    given: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of judges.

    `judged` pairs have a grade, `shared` of them two or more. `nominal`, `ordinal` and `interval` are Krippendorff's
    alpha over all judges: 1 is full agreement, 0 what chance gives, None where nothing can be told.
    """

    judges: tuple[str, ...]
    grades: tuple[float, ...]
    judged: int
    shared: int
    nominal: float | None
    ordinal: float | None
    interval: float | None
    pairs: tuple[PairAgreement, ...]
    by_grade: tuple[GradeAgreement, ...]
    version: str = __version__

    def __repr__(self) -> str:
        told = "none" if self.interval is None else f"{self.interval:.4f}"
        return (
            f"<Agreement of {len(self.judges)} judges on {counted_noun(self.shared, 'pair')}: alpha (interval) {told}>"
        )

    def __str__(self) -> str:
        from ..reports.judging_agreement import agreement_text

        return agreement_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """One JSON document with full precision."""
        from .model import as_json

        return as_json(self.as_dict())


def judge_agreement(judgments: object, *, columns: Mapping[str, str] | None = None, labels: object = None) -> Agreement:
    """How far judges agree on the pairs that several of them graded.

    `judgments` maps judges to judgments (anything that `evaluate` takes as qrels), or is a path or a list of paths:
    CSV or Parquet with a judge column, CSV with a column of grades per judge beside query and document (a Quepid book),
    or one file per judge, who is named after it (`anna/grades.csv` and `ben/grades.csv` are two judges); a frame with a
    judge column is taken too. `columns` names columns by role (query, doc, grade, judge), `labels` turns labels into
    grades, as in `evaluate`; beside labels a number stays a number.
    Raises InputError where there are not two judges, or where no pair has two grades.

    Returns an `Agreement`: kappa for every two judges, Krippendorff's alpha over all, the agreement on each grade.
    Distances are those of the grades themselves. Sources: Cohen 1960 and 1968; Krippendorff 2011, Computing
    Krippendorff's alpha-reliability.

    >>> import ndcg
    >>> found = ndcg.judge_agreement({"a": {"q": {"A": 0, "B": 1, "C": 2}}, "b": {"q": {"A": 0, "B": 1, "C": 1}}})
    >>> found.pairs[0].equal, round(found.pairs[0].quadratic, 4), round(found.interval, 4)
    (2, 0.6667, 0.7059)
    """
    readings = readings_of(judgments, columns, labels)
    if len(readings) < 2:
        raise InputError(
            f"there is one judge, {next(iter(readings), 'nobody')!r}; agreement needs two",
            code="one_judge",
            hint="give a file with a judge column, or one file per judge",
        )
    grades = sorted({grade for given in readings.values() for grade in given.values()})
    place = {grade: at for at, grade in enumerate(grades)}
    units: dict[tuple[str, str], list[int]] = {}
    for given in readings.values():
        for pair, grade in given.items():
            units.setdefault(pair, []).append(place[grade])
    shared = sum(len(unit) > 1 for unit in units.values())
    if not shared:
        raise InputError(
            f"no (query, document) has the grades of two judges: {', '.join(readings)}",
            code="nothing_shared",
            hint="check that their ids are the same",
        )
    matrix = coincidences(list(units.values()), len(grades))
    return Agreement(
        judges=tuple(readings),
        grades=tuple(grades),
        judged=len(units),
        shared=shared,
        nominal=alpha(matrix, grades, "nominal"),
        ordinal=alpha(matrix, grades, "ordinal"),
        interval=alpha(matrix, grades, "interval"),
        pairs=tuple(_pair(first, second, readings, grades) for first, second in combinations(readings, 2)),
        by_grade=tuple(_by_grade(at, grade, matrix, units) for at, grade in enumerate(grades)),
    )


def _pair(first: str, second: str, readings: Readings, grades: Sequence[float]) -> PairAgreement:
    both = [(readings[first][pair], readings[second][pair]) for pair in readings[first] if pair in readings[second]]
    place = {grade: at for at, grade in enumerate(grades)}
    table = np.zeros((len(grades), len(grades)))
    for one, other in both:
        table[place[one], place[other]] += 1
    equal = sum(one == other for one, other in both)
    return PairAgreement(
        first=first,
        second=second,
        pairs=len(both),
        equal=equal,
        share=equal / len(both) if both else None,
        kappa=kappa(table, grades, "nominal"),
        linear=kappa(table, grades, "linear"),
        quadratic=kappa(table, grades, "quadratic"),
        difference=sum(other - one for one, other in both) / len(both) if both else None,
        table=tuple(tuple(int(count) for count in row) for row in table),
    )


def _by_grade(
    at: int, grade: float, matrix: np.ndarray, units: Mapping[tuple[str, str], Sequence[int]]
) -> GradeAgreement:
    given = sum(unit.count(at) for unit in map(list, units.values()) if len(unit) > 1)
    total = float(matrix[at].sum())
    return GradeAgreement(grade, given, float(matrix[at, at]) / total if total else None)


def readings_of(judgments: object, columns: Mapping[str, str] | None = None, labels: object = None) -> Readings:
    """The grades of every judge."""
    if isinstance(judgments, Mapping):
        return {str(judge): _loaded(_source(source, columns, labels)) for judge, source in judgments.items()}
    if isinstance(judgments, str | os.PathLike):
        judgments = [judgments]
    if hasattr(judgments, "columns") or hasattr(judgments, "column_names"):
        return _by_reader(judgments, "judgments", columns, labels)
    if not isinstance(judgments, list | tuple) or not all(isinstance(path, str | os.PathLike) for path in judgments):
        raise UsageError(
            "judgments are paths, a frame, or a mapping from judges to judgments",
            code="judgments_shape",
            hint="{'anna': qrels}",
        )
    paths = [os.fspath(path) for path in judgments]
    _refuse_repeated(paths)
    found: Readings = {}
    for path, name in zip(paths, told_apart(paths, judge_name), strict=True):
        plain = columns is None and labels is None
        read_here = _from_file(path, name) if plain else _by_reader(path, name, columns, labels)
        for judge, given in read_here.items():
            own = found.setdefault(judge, {})
            for pair, grade in given.items():
                if own.setdefault(pair, grade) != grade:
                    raise _twice(path, None, judge, pair, own[pair], grade)
    return found


def _refuse_repeated(paths: Sequence[str]) -> None:
    """One file is no two judges: each file may be given once."""
    seen: set[str] = set()
    for path in paths:
        where = os.path.realpath(path)
        if where in seen:
            raise UsageError(f"{path} is given twice", code="repeated_file", hint="give each judge's file once")
        seen.add(where)


def _twice(path: str, line: int | None, judge: str, pair: tuple[str, str], one: float, other: float) -> InputError:
    what = f"judge {judge!r} gave it both {number_text(one)} and {number_text(other)}"
    return InputError(what, code="grade_conflict", faults=[Fault(what, path, line, *pair)], hint="keep one of them")


def _source(judgments: object, columns: Mapping[str, str] | None, labels: object) -> Source:
    return read(judgments, Role.JUDGMENTS, columns=columns, labels=beside_numbers(labels))


def _by_reader(judgments: object, name: str, columns: Mapping[str, str] | None, labels: object) -> Readings:
    """The judges that the readers tell apart, else all as one judge."""
    source = _source(judgments, columns, labels)
    if not has_judges(source):
        return {name: _loaded(source)}
    found: Readings = {}
    for pair, grades in by_pair(source).items():
        for judge, grade in grades.items():
            found.setdefault(judge or name, {})[pair] = grade
    return found


def _loaded(source: Source) -> dict[tuple[str, str], float]:
    with Workspace(None) as workspace:
        mapping = load_judgments(source, workspace, None).mapping
    return {(query, doc): grade for query, grades in mapping.items() for doc, grade in grades.items()}


def judge_name(path: str) -> str:
    """The judge whose file it is: its name without the usual endings."""
    name = run_name(path)
    return name.removesuffix(".qrels") or name


def _from_file(path: str, name: str) -> Readings:
    """The judges of one file: by its judge column, by its columns of grades, or the file as one judge."""
    try:
        header = header_of(path)
    except OSError as error:
        raise unreadable(error, path) from None
    if header is None:
        return _by_reader(path, name, None, None)
    table = read_table(path)
    grade = table.column("grade")
    if grade is not None:
        return _long(path, name, table, grade)
    return _wide(path, table)


def _long(path: str, name: str, table: Table, grade: int) -> Readings:
    found: Readings = {}
    for line, query, document, fields in table.rows:
        judge = (fields[table.judge].strip() if table.judge is not None else "") or name
        if not fields[grade].strip():
            continue
        value = _number(path, line, query, document, fields[grade].strip())
        own = found.setdefault(judge, {})
        if own.setdefault((query, document), value) != value:
            raise _twice(path, line, judge, (query, document), own[query, document], value)
    return found


def _wide(path: str, table: Table) -> Readings:
    """A column of grades per judge, as Quepid's books have it; blank cells are no grades."""
    judges = [at for at in range(len(table.names)) if at not in (table.query, table.document)]
    names = [table.names[at] for at in judges]
    if len(set(names)) < len(names):
        raise InputError(f"{path}: two columns have the name of one judge", code="ambiguous_column")
    found: Readings = {name: {} for name in names}
    for line, query, document, fields in table.rows:
        for at, name in zip(judges, names, strict=True):
            if fields[at].strip():
                value = _judged(path, line, (query, document), fields[at].strip(), name, names)
                if found[name].setdefault((query, document), value) != value:
                    raise _twice(path, line, name, (query, document), found[name][query, document], value)
    return {name: given for name, given in found.items() if given}


def _judged(path: str, line: int, pair: tuple[str, str], text: str, name: str, names: Sequence[str]) -> float:
    """A grade in a judge's column; what is none says which column was taken for a judge's."""
    wrong = problem(text, "grade", finite=True)
    if wrong is None:
        return float(text)
    wrong = f"column {name!r} was taken for a judge's: {wrong}"
    raise InputError(
        wrong,
        code="grade",
        faults=[Fault(wrong, path, line, *pair)],
        hint=f"name the columns of the judges with columns={{'grade': {series(names) or 'PATTERN*'!r}}}, or the grades "
        "of labels with labels=",
    )


def _number(path: str, line: int, query: str, document: str, text: str) -> float:
    wrong = problem(text, "grade", finite=True)
    if wrong is not None:
        raise InputError(wrong, code="grade", faults=[Fault(wrong, path, line, query, document)])
    return float(text)
