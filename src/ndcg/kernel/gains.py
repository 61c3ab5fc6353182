"""Grades to gains. Each distinct grade is turned into its gain once, by scalar Python.

NumPy's own exp2 and power change bits with the processor; a table made by Python does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .batch import Bools, Floats

GainRule = Callable[[float], float]


class GainError(ValueError):
    """A grade that has no finite gain under the declared conventions."""

    def __init__(self, grade: float, problem: str) -> None:
        self.grade = grade
        self.problem = problem
        super().__init__(f"grade {grade:g} {problem}")


def exp2(grade: float) -> float:
    """2^grade - 1 (Burges et al. 2005)."""
    return float(2.0**grade - 1.0)


def exp2_int64(grade: float) -> float:
    """2^grade - 1 as whole numbers of 64 bits give it: they turn over, and the power is 0 from grade 64 on.

    Tools raise an integer column to a power without asking whether it fits. Fractional grades are no such column.
    """
    if grade != int(grade):
        return exp2(grade)
    if grade < 0:
        raise GainError(grade, "is negative, and whole numbers have no negative powers")
    return float(2 ** int(grade) - 1) if grade <= 63 else -1.0


def exp2_to_30(grade: float) -> float:
    """2^grade - 1 from a table of the whole grades 0 to 30, which has no other entry."""
    if grade != int(grade) or not 0 <= grade <= 30:
        raise GainError(grade, "is not a whole number from 0 to 30, the only labels that LightGBM takes")
    return exp2(grade)


def linear(grade: float) -> float:
    """The grade itself (Järvelin & Kekäläinen 2002)."""
    return grade


def binary(grade: float) -> float:
    """1 for a grade above 0."""
    return 1.0 if grade > 0 else 0.0


def judged(grade: float) -> float:
    """1 for every judged document: tools that only ask whether an id is in the set."""
    return 1.0


def from_table(table: tuple[tuple[float, float], ...], outside: str = "error") -> GainRule:
    """The gain that a table gives; a grade outside it is an error, gains nothing, or gains itself."""
    gains = dict(table)

    def rule(grade: float) -> float:
        if grade not in gains and outside != "error":
            return grade if outside == "grade" else 0.0
        if grade not in gains:
            raise GainError(grade, f"is not in the gain table, which has {', '.join(f'{g:g}' for g in gains)}")
        return gains[grade]

    return rule


def gains_of(
    grades: Floats,
    rule: GainRule,
    *,
    negative: str,
    min_grade: float | None,
    whole: bool = False,
    single: bool = False,
    infinite: bool = False,
) -> Floats:
    """The gain of each grade.

    `whole` cuts grades to whole numbers towards 0 first. A negative grade is clamped to gain 0, refused, or kept,
    before `rule` is asked; grades below `min_grade` gain nothing. `single` rounds gains to single precision. Raises
    GainError for a refused grade and for a gain that overflows, unless it may be `infinite`.
    """
    if whole:
        grades = np.trunc(grades)
    distinct, position = np.unique(grades, return_inverse=True)
    worth = [_gain(grade, rule, negative, min_grade) for grade in distinct.tolist()]
    if single:
        worth = [to_single(gain) for gain in worth]
    for grade, gain in zip(distinct.tolist(), worth, strict=True):
        if not math.isfinite(gain) and not (infinite and gain > 0):
            raise GainError(grade, f"has a gain beyond the range of a {'single-precision ' if single else ''}float")
    table = np.array(worth, dtype=np.float64)
    return table[position] if len(table) else np.zeros(0)


def is_removed(grade: float, negative: str) -> bool:
    """Whether a document with this grade leaves the list before ranks are given."""
    return grade < 0 and (negative == "remove" or (negative == "padding" and grade == -1))


def removed(grades: Floats, negative: str, whole: bool) -> Bools:
    """Which rows leave the list before ranks are given."""
    if whole:
        grades = np.trunc(grades)
    return np.asarray(grades < 0 if negative == "remove" else grades == -1)


def _gain(grade: float, rule: GainRule, negative: str, min_grade: float | None) -> float:
    if grade < 0 and negative == "error":
        raise GainError(grade, "is negative")
    if grade < 0 and rule is not judged and (negative == "clamp" or is_removed(grade, negative)):
        return 0.0
    if min_grade is not None and grade < min_grade:
        return 0.0
    try:
        return rule(grade)
    except OverflowError:
        return math.inf


def to_single(gain: float) -> float:
    """A gain rounded to single precision; beyond its range it is infinite."""
    with np.errstate(over="ignore"):
        return float(np.float32(gain))
