"""What trec_eval prints: per query and in the end, in its order, its rounding and its columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..aggregate import LEAST
from ..kernel.batch import Batch, Floats
from ..measures.relstring import relstring
from ..measures.trec_names import grades_shown
from .columns import Column, condensed, cut, values
from .trec_files import Inputs, Zscores

MISSING_ZSCORE = -1000000.0

UNTOUCHED = ("num_ret", "utility", "rbp_resid")
"""Measures that version 10 sets to 0 for a query without results; those that start with `unj` as well."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for, beside the measures."""

    version: int = 9
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    deepest: int | None = None


class NoResults(Exception):
    """A judged query without results, which ends version 10 without -c; `printed` is what it prints before."""

    def __init__(self, query: str, printed: str) -> None:
        self.query = query
        self.printed = printed
        super().__init__(query)


def printed(inputs: Inputs, columns: Sequence[Column], asked: Asked, zscores: Zscores | None = None) -> str:
    """Everything trec_eval writes to standard output. Raises NoResults where version 10 stops halfway."""
    batch = _listed(inputs, asked)
    found = values(batch, columns, inputs.queries)
    codes = sorted(range(len(inputs.queries)), key=inputs.queries.__getitem__)
    counted = [code for code in codes if inputs.present[code] or (asked.complete and asked.version >= 10)]
    table = np.array(found).reshape(len(columns), len(inputs.queries)).T.copy()
    lines: list[str] = []
    sums = [0.0] * len(columns)
    for code in counted if asked.version < 10 else codes:
        query = inputs.queries[code]
        if not inputs.present[code]:
            if not asked.complete:
                raise NoResults(query, "".join(lines))
            _reset(table[code], columns)
        row = table[code].tolist()
        if zscores is not None:
            row = [_standard(zscores, query, column, value) for column, value in zip(columns, row, strict=True)]
        for at, value in enumerate(row):
            sums[at] += value
        if asked.per_query:
            for column, value in zip(columns, row, strict=True):
                if column.trec.name == "relstring":
                    lines.append(_line(column.name, query, _grades(batch, inputs, code, column, asked)))
                elif column.trec.per_query:
                    lines.append(_value_line(column, query, value, zscores is not None))
    if asked.summary:
        lines += _summary(inputs, columns, sums, len(counted), asked, zscores is not None)
    return "".join(lines)


def _listed(inputs: Inputs, asked: Asked) -> Batch:
    """The lists after -c, -M and -J; version 10 gives a query without results one document that nobody judged."""
    batch = inputs.batch
    if asked.complete and asked.version >= 10:
        returned = np.maximum(batch.ranked.returned, 1)
        batch = Batch(batch.judged, batch.ranked._replace(returned=returned), returned)
    if asked.deepest is not None:
        batch = cut(batch, asked.deepest)
    return condensed(batch) if asked.judged_only else batch


def _reset(row: Floats, columns: Sequence[Column]) -> None:
    for at, column in enumerate(columns):
        if column.name in UNTOUCHED or column.name.startswith("unj"):
            row[at] = 0.0


def _standard(zscores: Zscores, query: str, column: Column, value: float) -> float:
    """How many standard deviations a value is from the mean; -1000000 where that is not known."""
    mean, deviation = zscores.get((query, column.name), (math.nan, 1.0))
    if math.isnan(mean) or (not deviation and value != mean):
        return MISSING_ZSCORE
    return (value - mean) / deviation if deviation else 0.0


def _grades(batch: Batch, inputs: Inputs, code: int, column: Column, asked: Asked) -> str:
    """The first grades of a list between quotes."""
    if not inputs.present[code] and column.name == "relstring":
        return "''"
    length = grades_shown(column.parameters)
    rows = slice(*np.searchsorted(batch.ranked.query, [code, code + 1]).tolist())
    grades: list[float | None] = [None] * max(0, min(length, int(batch.ranked.returned[code])))
    for rank, grade in zip(batch.ranked.rank[rows].tolist(), batch.ranked.grade[rows].tolist(), strict=True):
        if rank <= len(grades):
            grades[rank - 1] = grade
    return f"'{relstring(grades, length)}'"


def _summary(
    inputs: Inputs, columns: Sequence[Column], sums: Sequence[float], counted: int, asked: Asked, standard: bool
) -> list[str]:
    queries = len(inputs.queries) if asked.complete else counted
    lines = []
    for column, total in zip(columns, sums, strict=True):
        name, measure = column.trec.name, column.measure
        if name == "runid":
            lines.append(_line(name, "all", inputs.tag))
        elif name == "num_q":
            lines.append(_value_line(column, "all", queries, standard))
        elif measure is not None:
            value = total
            if name == "num_rel" and asked.complete:
                # Whatever -l says.
                value = int(np.count_nonzero(inputs.batch.judged.grade > 0))
            if measure.family.aggregate == "geometric":
                value = math.exp((total + (queries - counted) * math.log(LEAST)) / queries)
            elif column.trec.prints != "whole":
                value = total / queries
            lines.append(_value_line(column, "all", value, standard))
    return lines


def _value_line(column: Column, query: str, value: float, standard: bool) -> str:
    whole = column.trec.prints == "whole" and not standard
    return ("Z" if standard else "") + _line(column.name, query, str(int(value)) if whole else f"{value:6.4f}")


def _line(name: str, query: str, text: str) -> str:
    return f"{name:<22}\t{query}\t{text}\n"
