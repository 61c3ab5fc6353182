"""Several systems against one baseline at once: the maximum of their statistics under turned signs (maxT)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ..errors import UsageError, choose
from .draws import all_sign_flip_sums, sign_flip_sums
from .numbers import TOLERANCE, Floats, Integers, Matrix, as_matrix, checked_alternative, checked_count
from .outcomes import SeveralTests

COUNTED = 16
"""Up to so many queries with any difference, all arrangements of signs are counted."""

STEPS = ("step-down", "single-step")


def max_t(
    differences: Matrix,
    *,
    alternative: str = "two-sided",
    steps: str = "step-down",
    exact: bool | None = None,
    resamples: int = 100_000,
    seed: int = 0,
) -> SeveralTests:
    """Westfall and Young's maxT over columns of per-query differences with one baseline (queries x comparisons).

    The signs of all differences of a query turn together, which keeps how the comparisons depend on each other; each
    t statistic is compared with the largest of its family in every arrangement. 'single-step' takes the largest of all,
    'step-down' of those not yet rejected: never weaker, and the chance of even one false rejection stays below the
    level. All arrangements are counted for up to 16 queries with a difference, otherwise p = (b + 1) / (resamples + 1).
    Sources: Westfall & Young 1993; Boytsov, Belova & Westfall 2013.

    >>> found = max_t([[0.1, 0.2], [0.3, 0.1], [0.2, 0.4], [0.1, -0.1]])
    >>> found.p_values, found.adjusted
    ((0.125, 0.375), (0.125, 0.375))
    """
    checked_alternative(alternative)
    if steps not in STEPS:
        raise choose("steps", steps, STEPS)
    checked_count("resamples", resamples)
    checked_count("seed", seed, 0)
    found = as_matrix(differences, "differences")
    n, comparisons = found.shape
    sizes = np.sqrt(np.array([math.fsum(column) for column in (found**2).T.tolist()]))
    # The sum over the root of the sum of squares grows with t, by the same rule for every column, and signs leave the
    # squares alone: the same order as t without a variance for every arrangement.
    scaled = found / np.where(sizes > 0, sizes, 1.0)
    scaled = scaled[(scaled != 0).any(axis=1)]
    seen = np.array([math.fsum(column) for column in scaled.T.tolist()])
    counted = len(scaled) <= COUNTED if exact is None else exact
    if counted and len(scaled) > 2 * COUNTED:
        raise UsageError(
            f"exact=True: 2**{len(scaled)} arrangements of signs are too many to count",
            code="too_many",
            hint="leave exact out to draw them",
        )
    tables: Iterable[Floats] = (
        all_sign_flip_sums(scaled) if counted else [sign_flip_sums(scaled, resamples, seed)] if len(scaled) else []
    )
    if not len(scaled):
        tables = [np.zeros((1, comparisons))]
    order = np.argsort(-_directed(seen, alternative), kind="stable")
    bar = _directed(seen, alternative) - TOLERANCE * np.maximum(np.abs(scaled).sum(axis=0), 1.0)
    raw, least, total = _counts(tables, bar, order, alternative, steps)
    more = 0 if counted else 1
    adjusted = (least + more) / (total + more)
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return SeveralTests(
        f"maxT, {steps}",
        tuple(_t(float(number), n) for number in seen),
        tuple(((raw + more) / (total + more)).tolist()),
        tuple(adjusted.tolist()),
        alternative,
        n,
        counted,
        total,
        None if counted else seed,
    )


def _directed(numbers: Floats, alternative: str) -> Floats:
    """What is large when the alternative holds."""
    if alternative == "two-sided":
        return np.abs(numbers)
    return numbers if alternative == "greater" else -numbers


def _counts(
    tables: Iterable[Floats], bar: Floats, order: Integers, alternative: str, steps: str
) -> tuple[Integers, Integers, int]:
    """How often each statistic, and the largest of its family, reaches the one seen; and of how many arrangements."""
    raw = np.zeros(len(bar), dtype=np.int64)
    family = np.zeros(len(bar), dtype=np.int64)
    total = 0
    for table in tables:
        reached = _directed(table, alternative)
        raw += np.count_nonzero(reached >= bar, axis=0)
        if steps == "single-step":
            family += np.count_nonzero(reached.max(axis=1)[:, None] >= bar, axis=0)
        else:
            largest = np.maximum.accumulate(reached[:, order[::-1]], axis=1)[:, ::-1]
            family[order] += np.count_nonzero(largest >= bar[order], axis=0)
        total += len(table)
    return raw, family, total


def _t(scaled_sum: float, n: int) -> float | None:
    """Student's t of a column from its sum over the root of its sum of squares."""
    rest = n - scaled_sum**2
    if scaled_sum == 0.0:
        return 0.0
    return scaled_sum * math.sqrt((n - 1) / rest) if rest > n * TOLERANCE and n > 1 else None
