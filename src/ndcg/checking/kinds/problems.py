"""Rows and files that `evaluate` refuses: malformed lines, wrong types, files that are not what they should be."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import of_originals
from ..data import Data
from ..findings import Found, Kind, Weight
from ..words import of_faults

CORRECT = "correct the rows, or name the format with --qrels-format or --run-format"

_OTHERWISE = {
    "empty": "write the file again: it holds nothing",
}
"""What settles a problem that brings no advice of its own, by its code."""

UNLOADED = "the rows that cannot be read are unknown"


def _bad_rows(data: Data) -> Iterator[Found]:
    for problem in data.problems:
        yield Found(
            problem.total,
            subject=problem.subject,
            words={"sentence": of_originals(problem.sentence)},
            examples=of_faults(problem.faults, 10),
            option=of_originals(problem.hint or _OTHERWISE.get(problem.code, CORRECT)),
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
        CORRECT,
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
