"""pytrec_eval's calls and numbers: `from ndcg.compat import pytrec_eval` runs code that was written for it.

The numbers are those of pytrec_eval-terrier 0.5.11, which holds trec_eval 9.0.8: scores in single precision, ties by
document id descending, gain the grade itself, a query without relevant documents 0. Judged queries that the run lacks
and queries of the run without judgments are absent from the result, so a mean over it is over those in both.

What it refuses with TypeError or ValueError is refused here too, as those; what ends or corrupts the process there (a
cutoff of 0, huge and negative grades, odd ids, empty judgments) has a value or an error that names the place. A NaN
score is an error. NumPy's integers and floats are taken as numbers.

>>> evaluator = RelevanceEvaluator({"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}, {"ndcg_cut.4,10"})
>>> round(evaluator.evaluate({"q1": {"A": 4, "B": 3, "C": 2, "D": 1}})["q1"]["ndcg_cut_4"], 4)
0.7104
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..errors import DataTypeError, Fault, InputError, UsageError
from ..kernel.batch import Floats
from ..measures import trec_names
from . import flat
from .columns import Column, columns_of, condensed, values

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

VERSION = 9

supported_measures: set[str] = {measure.name for measure in trec_names.of_nickname("all_trec", VERSION)}
"""The measures that `RelevanceEvaluator` knows."""

supported_nicknames: dict[str, set[str]] = {
    **{name: {measure.name for measure in trec_names.of_nickname(name, VERSION)} for name in trec_names.NICKNAMES},
    **{name: set(names) for name, names in trec_names.ELSEWHERE.items()},
}
"""What each nickname stands for; those of preferences hold measures that are not supported, as in pytrec_eval."""


class RepeatError(InputError, AssertionError):
    """A document twice for one query; an AssertionError in pytrec_eval."""


class RelevanceEvaluator:
    """Scores runs against judgments of the form {query: {document: whole number}}.

    `measures` are names with or without parameters (`map`, `P_5`, `ndcg_cut.5,10`) or nicknames. `relevance_level` is
    the least grade that counts as relevant; nDCG has no level. With `judged_docs_only_flag` unjudged documents, and
    those with a negative grade, leave the list first. It keeps its own copy of the judgments, may be used for any
    number of runs and can be pickled and copied.

    Raises ValueError for a measure that is not supported and for a wrong parameter, TypeError for ids and grades of a
    wrong type.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if not isinstance(query_relevance, Mapping):
            raise DataTypeError(
                f"Argument query_relevance should be of type dictionary, found {type(query_relevance).__name__}",
                code="shape",
            )
        if not isinstance(relevance_level, int | np.integer) or relevance_level < 1:
            raise DataTypeError(
                f"Argument relevance_level should be positive and a whole number, found {relevance_level!r}",
                code="parameter",
            )
        if not isinstance(judged_docs_only_flag, int | np.bool_):
            raise DataTypeError(
                f"Argument judged_docs_only_flag should be true or false, found {judged_docs_only_flag!r}",
                code="parameter",
            )
        self._condense = bool(judged_docs_only_flag)
        self._columns = columns(measures, int(relevance_level))
        flat.check_queries(query_relevance, "judgments")
        judged = {query: grades for query, grades in query_relevance.items() if _has_rows(query, grades)}
        _refuse_fractions(judged)
        self._judgments = flat.FlatJudgments(judged, _bad_grade)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} for the queries of the run {query: {document: score}} that have judgments.

        Raises TypeError for ids that are no text and scores that are no numbers, and InputError (a ValueError) for a
        NaN score, naming query and document. O(rows).
        """
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise DataTypeError("Argument object scores should be of type dictionary.", code="shape")
        flat.check_queries(scores, "run")
        known = self._judgments.codes
        run = {query: documents for query, documents in scores.items() if query in known}
        if len(run) < len(scores):
            # Never scored, but bad data in them is bad data all the same.
            flat.packed({query: documents for query, documents in scores.items() if query not in known}, _bad_score)
        if not run:
            return {}
        queries = list(run)
        judged, documents = self._judgments.of(queries)
        batch = flat.rank(run, judged, documents, _bad_score)
        found = values(condensed(batch) if self._condense else batch, self._columns, queries)
        return _result(queries, [_key(column) for column in self._columns], self._constants(found))

    def _constants(self, found: Sequence[Floats]) -> list[Floats]:
        """The values, with those that are the same for every query: num_q 1, and 0 for what is text in trec_eval."""
        return [
            np.ones(len(value)) if column.name == "num_q" else value
            for column, value in zip(self._columns, found, strict=True)
        ]


def _result(queries: Sequence[str], names: Sequence[str], found: Sequence[Floats]) -> dict[str, dict[str, float]]:
    if not found:
        return {query: {} for query in queries}
    rows = np.array(found).T.tolist()
    return {query: dict(zip(names, row, strict=True)) for query, row in zip(queries, rows, strict=True)}


def _key(column: Column) -> str:
    """The name in the result: with the cutoff where a measure has one value for each, else the bare name."""
    return column.name if column.trec.takes in ("ranks", "levels") else column.trec.name


def columns(measures: Iterable[str], level: int) -> list[Column]:
    """What a set of measure strings stands for, in trec_eval's order."""
    wanted: dict[str, list[str]] = {}
    for text in measures:
        if not isinstance(text, str):
            raise DataTypeError(f"a measure is text such as 'ndcg_cut_10', found {text!r}", code="measure_syntax")
        for name in sorted(supported_nicknames.get(text, {text})):
            base, parameters = _taken_apart(name)
            wanted.setdefault(base, []).extend(parameters)
    return [
        column
        for name, measure in trec_names.MEASURES.items()
        if name in wanted
        for column in columns_of(measure, _parameters(measure, wanted[name]), version=VERSION, level=level)
    ]


def _taken_apart(text: str) -> tuple[str, tuple[str, ...]]:
    """(supported measure, parameters) of one string."""
    found = trec_names.split(text)
    if found is None or found[0].name not in supported_measures:
        raise UsageError(
            f"unsupported measure {text}; supported are {', '.join(sorted(supported_measures))}", code="unknown_measure"
        )
    return found[0].name, found[1]


def _parameters(measure: trec_names.TrecMeasure, given: Sequence[str]) -> tuple[str, ...]:
    """The parameters of all strings of one measure; equal cutoffs are one."""
    if measure.takes == "nothing" and given:
        warnings.warn(
            f"{measure.name} takes no parameter: {', '.join(given)} is ignored, as in pytrec_eval; "
            "the value is that of the whole list",
            stacklevel=5,
        )
        return ()
    if measure.takes not in ("ranks", "levels"):
        return tuple(given)
    if measure.takes == "ranks":
        return tuple({cutoff.split(".")[0].lstrip("0") or "0": cutoff for cutoff in given}.values())
    return tuple({_number(cutoff): cutoff for cutoff in given}.values())


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _has_rows(query: str, grades: object) -> bool:
    if type(grades) is not dict and not isinstance(grades, Mapping):
        raise _bad_grade(query, grades)
    return len(grades) > 0


def _is_grade(value: object) -> bool:
    return isinstance(value, int | np.integer)


def _refuse_fractions(judged: Mapping[str, Mapping[str, int]]) -> None:
    if set(map(type, chain.from_iterable(grades.values() for grades in judged.values()))) <= {int}:
        return
    for query, grades in judged.items():
        if not all(map(_is_grade, grades.values())):
            raise _bad_grade(query, grades)


def _bad_grade(query: str, grades: object) -> Exception:
    fault = flat.first_bad(query, grades, _is_grade, "grade")
    if isinstance(grades, Mapping) and all(map(_is_grade, grades.values())) and all(isinstance(d, str) for d in grades):
        return InputError(fault.problem, code="overflow", faults=[fault])
    return DataTypeError(
        fault.problem, code="type", faults=[fault], hint="judgments are {query: {document: whole number}}"
    )


def _is_score(value: object) -> bool:
    try:
        flat.packed({"": {"": value}}, lambda query, documents: TypeError())
    except TypeError:
        return False
    return True


def _bad_score(query: str, documents: object) -> Exception:
    fault = flat.first_bad(query, documents, _is_score, "score")
    return DataTypeError(fault.problem, code="type", faults=[fault], hint="a run is {query: {document: number}}")


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One value from those of the queries: their sum for `num_...`, for `gm_...` (logarithms) the geometric mean, else
    their mean. NumPy's sum and mean, as in pytrec_eval; the library's own means are correctly rounded.
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The lines `query Q0 document rank score tag` as {query: {document: score}}; an AssertionError for repeats."""
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(f_run, 1):
        fields = _fields(line, number, "query Q0 document rank score tag")
        _add(run, fields[0], fields[2], _parsed(float, fields[4], number, line), number, line)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The lines `query 0 document grade` as {query: {document: grade}}; an AssertionError for repeats."""
    qrel: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(f_qrel, 1):
        fields = _fields(line, number, "query 0 document grade")
        _add(qrel, fields[0], fields[2], _parsed(int, fields[3], number, line), number, line)
    return qrel


def _fields(line: str, number: int, expected: str) -> list[str]:
    """The fields of a line, separated by ASCII blanks; a byte order mark before the first is no part of it."""
    fields = [field for field in _BLANKS.split(line.removeprefix("\ufeff") if number == 1 else line) if field]
    if len(fields) != len(expected.split()):
        problem = f"expected {len(expected.split())} fields ({expected}), found {len(fields)}"
        raise InputError(problem, code="bad_rows", faults=[Fault(problem, line=number, text=line.rstrip("\r\n"))])
    return fields


_BLANKS = re.compile(r"[ \t\r\n\v\f]+")


def _parsed(kind: Any, text: str, number: int, line: str) -> Any:
    if "_" in text or not text.isascii():
        text = ""
    try:
        return kind(text)
    except ValueError:
        problem = f"expected a {'number' if kind is float else 'whole number'}"
        raise InputError(
            problem, code="bad_rows", faults=[Fault(problem, line=number, text=line.rstrip("\r\n"))]
        ) from None


def _add(rows: dict[str, dict[str, Any]], query: str, document: str, value: Any, number: int, line: str) -> None:
    if document in rows[query]:
        problem = "the document is there twice for this query"
        raise RepeatError(problem, code="repeated_document", faults=[Fault(problem, None, number, query, document)])
    rows[query][document] = value
