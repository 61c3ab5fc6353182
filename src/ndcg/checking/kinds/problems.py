"""Rows and files that `evaluate` refuses: malformed lines, wrong types, files that are not what they should be."""

from __future__ import annotations

from collections.abc import Iterator

from ..data import Data
from ..findings import Found, Kind, Weight
from ..words import of_faults

UNLOADED = "the rows that cannot be read are unknown"


def _bad_rows(data: Data) -> Iterator[Found]:
    for problem in data.problems:
        hint = f"; {problem.hint}" if problem.hint else ""
        yield Found(
            problem.total,
            subject=problem.subject,
            words={"sentence": f"{problem.sentence}{hint}"},
            examples=of_faults(problem.faults, 10),
        )


def _stops(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.scorer is not None and run.scorer.problem is not None:
            yield Found(1, None, run.name, {"measure": data.measure, "problem": run.scorer.problem})


KINDS = (
    Kind(
        "bad_rows",
        Weight.REFUSED,
        "{sentence}",
        "A row that cannot be read is never skipped silently: every scoring command stops there.",
        "correct the rows, or name the format with --qrels-format, --run-format, --columns",
        _bad_rows,
        unknown=UNLOADED,
    ),
    Kind(
        "measure_stops",
        Weight.REFUSED,
        "{measure} cannot be computed: {problem}",
        "A number beyond the range of floats, or a grade without a gain, has no place in a mean.",
        "--gain linear, or a gain table",
        _stops,
        ({"gain": "linear"},),
    ),
)
