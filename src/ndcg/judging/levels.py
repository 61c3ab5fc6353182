"""What an unjudged document may turn out to be worth, and the measures for which that is worked out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..engines.judgments import Judgments
from ..engines.numbers import is_real
from ..errors import DataTypeError, UsageError
from ..kernel.batch import Floats
from ..kernel.gains import GainError
from ..measures.convention import number_text, split_parameter
from ..measures.conventions import CONVENTIONS
from ..measures.measure import Measure
from ..measures.ndcg import gains

RATIOS = ("nDCG", "nCG")
"""The measures whose bounds are worked out."""

FOLLOWED = ("grade_type", "gain_type", "empty_missing", "empty_list", "empty_run", "cutoff_zero")
"""Habits that only say what a grade gains, or what a query is worth for which nothing came back."""


class Levels(NamedTuple):
    """The gains that an unjudged document may take, ascending, and for each a grade that has it.

    A grade of None is a document without a judgment: gain 0, which is always among them.
    """

    gains: Floats
    grades: tuple[float | None, ...]

    @property
    def zero(self) -> int:
        """The position of gain 0."""
        return int(np.flatnonzero(self.gains == 0)[0])


def check_measure(measure: Measure, purpose: str) -> None:
    """Refuse measures whose value under other judgments is not worked out here."""
    if measure.name not in RATIOS:
        raise UsageError(
            f"{purpose} for nDCG and nCG, found {measure}",
            code="not_bounded",
            hint="for rank-biased precision the measure RBPResidual says it" if measure.name == "RBP" else None,
        )
    conventions = measure.conventions
    if conventions["unjudged"] != "zero":
        raise UsageError(
            f"{purpose} under unjudged='zero', found {measure}",
            code="not_bounded",
            hint="the value of the condensed list stands beside the bounds",
        )
    if measure.k == 0:
        raise UsageError(f"{purpose} for a cutoff of at least 1, found {measure}", code="not_bounded")
    for name in measure.family.conventions:
        value = conventions[name]
        word = split_parameter(value)[0] if isinstance(value, str) else value
        habit = word in CONVENTIONS[name].habits and name not in FOLLOWED
        if habit or (name == "unjudged_grade" and value is not None):
            raise UsageError(
                f"{purpose} under plain conventions; {name}={value!r} is a habit of another tool",
                code="not_bounded",
                hint="leave it out",
            )


def levels_of(grades: Iterable[object] | None, judgments: Judgments, measure: Measure) -> tuple[list[float], Levels]:
    """The grades that judging may give (those seen in the judgments, or as given) and the gains they lead to."""
    if grades is None:
        chosen: list[float] = np.unique(judgments.numbers.grade).tolist()
    else:
        chosen = declared_grades(grades)
    try:
        worth = gains(np.array(chosen, dtype=np.float64), measure)
    except GainError as error:
        raise UsageError(f"grades=: {error}", code="grades", hint="name grades that the measure takes") from None
    by_gain: dict[float, float | None] = {0.0: None}
    for grade, gain in zip(chosen, worth.tolist(), strict=True):
        by_gain.setdefault(gain + 0.0, grade)
    if max(by_gain) <= 0:
        raise UsageError(
            f"none of the grades {', '.join(map(number_text, chosen)) or '(there are none)'} gains anything, so "
            "judging could change nothing",
            code="grades",
            hint="name the grades that judges may give with grades=",
        )
    ordered = sorted(by_gain)
    return chosen, Levels(np.array(ordered), tuple(by_gain[gain] for gain in ordered))


def declared_grades(grades: object) -> list[float]:
    """The grades of `grades=`, ascending, each once; DataTypeError for what is no series of numbers."""
    if isinstance(grades, str | bytes) or not isinstance(grades, Iterable):
        raise DataTypeError(
            f"grades= is a list of numbers, found {grades!r}", code="grades", hint="grades=[0, 1, 2, 3]"
        )
    return sorted({_grade(grade) for grade in grades})


def _grade(grade: object) -> float:
    if not is_real(grade):
        raise DataTypeError(f"grades= holds {grade!r}, which is not a number", code="grades")
    if not math.isfinite(grade):
        raise UsageError(f"grades= holds {grade!r}, which is not finite", code="grades")
    return float(grade)
