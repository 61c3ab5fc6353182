"""Chance-corrected agreement of judges, on counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .batch import Floats

Weight = Callable[[Floats, Floats], Floats]


def _nominal(first: Floats, second: Floats) -> Floats:
    return np.asarray(first != second, dtype=np.float64)


def _linear(first: Floats, second: Floats) -> Floats:
    return np.abs(first - second)


def _quadratic(first: Floats, second: Floats) -> Floats:
    return np.asarray((first - second) ** 2)


WEIGHTS: Mapping[str, Weight] = {"nominal": _nominal, "linear": _linear, "quadratic": _quadratic}
"""How far two grades are apart: not at all or fully, by their difference, by its square."""


def kappa(table: Floats, grades: Sequence[float], weight: str) -> float | None:
    """Cohen's (weighted) kappa of two judges: 1 less observed distance over the distance expected by chance.

    `table[i, j]` counts the pairs that the first judge graded i and the second j. None where chance expects no
    distance at all: one judge, or both, gave a single grade.
    """
    values = np.array(grades, dtype=np.float64)
    distance = WEIGHTS[weight](values[:, None], values[None, :])
    total = float(table.sum())
    if not total:
        return None
    expected = float((distance * np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) / total
    return 1.0 - float((distance * table).sum()) / expected if expected > 0 else None


def coincidences(units: Sequence[Sequence[int]], grades: int) -> Floats:
    """The coincidence matrix of all judges: every ordered pair of grades of one unit, weighted 1 / (judges - 1).

    `units` are the positions of the grades that each unit got; units with fewer than two count nothing.
    """
    matrix = np.zeros((grades, grades))
    for unit in units:
        if len(unit) < 2:
            continue
        counts = np.bincount(unit, minlength=grades).astype(np.float64)
        matrix += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return matrix


def alpha(matrix: Floats, grades: Sequence[float], metric: str) -> float | None:
    """Krippendorff's alpha from a coincidence matrix; `metric` is nominal, ordinal or interval.

    None where no disagreement can be expected: all grades are one, or no unit has two.
    """
    margins = matrix.sum(axis=1)
    total = float(margins.sum())
    if total <= 1:
        return None
    if metric == "ordinal":
        # The distance of two grades is the number of grades given between them, each end counting half.
        upto = np.cumsum(margins) - margins / 2
        distance = (upto[:, None] - upto[None, :]) ** 2
    else:
        values = np.array(grades, dtype=np.float64)
        distance = (_nominal if metric == "nominal" else _quadratic)(values[:, None], values[None, :])
    expected = float((distance * np.outer(margins, margins)).sum()) / (total - 1)
    return 1.0 - float((distance * matrix).sum()) / expected if expected > 0 else None
