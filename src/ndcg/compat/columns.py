"""trec_eval's measures of one batch: a name as printed, and a value per query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..aggregate import LEAST
from ..errors import Fault, InputError, UsageError
from ..kernel.batch import Batch, Floats, Ranked
from ..kernel.gains import GainError
from ..kernel.relevance import count_at_least, numbered
from ..measures.measure import Measure, make
from ..measures.registry import family_named
from ..measures.trec_names import TrecMeasure, expand, grades_shown
from .shared import Shared, set_f

UNLEVELLED = ("RBP",)
"""Families with a level of their own, which trec_eval's -l does not move."""


@dataclass(frozen=True, slots=True)
class Column:
    """One value per query: trec_eval's measure, the name it prints, and the measure here (None: text or a constant)."""

    trec: TrecMeasure
    name: str
    measure: Measure | None
    level: float = 1
    parameters: tuple[str, ...] = ()


NOTHING_WITHOUT = ("Rndcg",)
"""Measures of gain that are 0 for a query without a document at the level, although they have no level otherwise."""


def columns_of(
    trec: TrecMeasure,
    parameters: tuple[str, ...],
    *,
    version: int,
    level: float = 1,
    documents_in_collection: int = 0,
) -> list[Column]:
    """The columns of one measure with its parameters, at a level of relevance.

    Raises UsageError for parameters that trec_eval refuses too.
    """
    if trec.family is None:
        if trec.takes == "values":
            grades_shown(parameters)
        name = f"{trec.name}_{','.join(parameters)}" if parameters and trec.takes == "values" else trec.name
        return [Column(trec, name, None, level, parameters)]
    made = []
    for name, family_name, cutoff, given in expand(trec, parameters, version):
        family = family_named(family_name)
        options = {"ties": "docid_desc", **given}
        own = {option.name: option.default for option in family.options}
        if "rel" in own and family_name not in UNLEVELLED and (own["rel"] is not None or "rel" in given):
            options["rel"] = level
        if "collection" in own:
            options["collection"] = documents_in_collection
        taken = {option: value for option, value in options.items() if option in own or option in family.conventions}
        measure = make(family, cutoff, taken)
        if isinstance(measure["gain"], tuple):
            # Also for families that do not take the convention: what the table does not name gains its grade.
            measure = replace(measure, conventions=measure.conventions.replace(off_table="grade"))
        made.append(Column(trec, name, measure, level, parameters))
    return made


def condensed(batch: Batch) -> Batch:
    """Only what is judged: unjudged documents, and those with a negative grade, leave the list."""
    ranked = batch.ranked
    kept = ranked.grade >= 0
    query = ranked.query[kept]
    place = numbered(query)
    returned = np.bincount(query, minlength=batch.queries).astype(np.int64)
    rows = Ranked(query, ranked.grade[kept], place, place, np.ones(len(place), dtype=np.int64), returned)
    return Batch(batch.judged, rows, returned)


def cut(batch: Batch, deepest: int) -> Batch:
    """Only the first ranks of each list (trec_eval's -M); the ideal stays as it is."""
    ranked = batch.ranked
    kept = ranked.rank <= deepest
    returned = np.minimum(ranked.returned, deepest)
    rows = Ranked(
        ranked.query[kept],
        ranked.grade[kept],
        ranked.rank[kept],
        ranked.group_start[kept],
        ranked.group_size[kept],
        returned,
    )
    return Batch(batch.judged, rows, returned)


def values(batch: Batch, columns: Sequence[Column], queries: Sequence[str]) -> list[Floats]:
    """Each column's value per query; a geometric mean's is the logarithm that trec_eval adds up.

    Raises InputError where a number leaves the range of a float.
    """
    shared = Shared(batch)
    with np.errstate(over="ignore", invalid="ignore"):
        return [_value(shared, column, queries) for column in columns]


def _value(shared: Shared, column: Column, queries: Sequence[str]) -> Floats:
    measure = column.measure
    if measure is None:
        return np.zeros(len(queries))
    try:
        weighted = column.trec.name == "set_F" and column.parameters
        value = set_f(shared, measure, float(column.parameters[0])) if weighted else shared.value(measure)
    except GainError as error:
        raise InputError(f"{column.name}: grade {error.grade:g} {error.problem}", code="gain") from None
    lost = ~np.isfinite(value)
    if lost.any():
        problem = f"{column.name} is beyond the range of a float"
        query = queries[int(np.flatnonzero(lost)[0])]
        raise InputError(problem, code="overflow", faults=[Fault(problem, "judgments", query=query)])
    if column.trec.name in NOTHING_WITHOUT:
        return np.where(count_at_least(shared.batch.judged, column.level) > 0, value, 0.0)
    if measure.family.aggregate == "geometric":
        return np.array([math.log(max(one, LEAST)) for one in value.tolist()], dtype=np.float64)
    return value


__all__ = ["Column", "UsageError", "columns_of", "condensed", "cut", "values"]
