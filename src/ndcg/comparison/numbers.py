"""What every statistic takes: finite numbers, options that are checked, and SciPy where it is needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataTypeError, InputError, UsageError, choose, missing_extra

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = Sequence[float] | NDArray[Any]
Matrix = Sequence[Sequence[float]] | NDArray[Any]

ALTERNATIVES = ("two-sided", "greater", "less")
"""What is tested against: any difference, a mean above 0, a mean below 0."""

TOLERANCE = 1e-12
"""Two sums of n numbers are equal when they differ by less than this share of the sum of their sizes.

Values of nDCG with few grades lie on a grid: sums that are equal on paper differ in their last bits.
"""


def as_values(values: Numbers, name: str = "values") -> Floats:
    """The numbers as a float64 array of one dimension; NaN, infinity and what is no number are errors."""
    found = _floats(values, name)
    if found.ndim != 1:
        raise InputError(f"{name}: one number per query was expected, found {found.ndim} dimensions", code="shape")
    _finite(found, name)
    # Only the ratio of weights counts, so they may have any size.
    if name != "weights":
        _squarable(found, name)
    return found


def as_matrix(matrix: Matrix, name: str = "matrix", columns: int = 1) -> Floats:
    """The numbers as a float64 array of queries x systems, with at least `columns` columns and one row."""
    found = _floats(matrix, name)
    if found.ndim != 2:
        raise InputError(
            f"{name}: a row per query and a column per system were expected, found {found.ndim} dimension(s)",
            code="shape",
        )
    if found.shape[0] < 1 or found.shape[1] < columns:
        raise InputError(
            f"{name}: at least 1 query and {columns} system(s) are needed, found {found.shape[0]} x {found.shape[1]}",
            code="shape",
        )
    _finite(found, name)
    _squarable(found, name)
    return found


def needed(values: Floats, name: str, least: int = 1) -> None:
    """InputError where there are fewer values than that."""
    if len(values) < least:
        raise InputError(f"{name}: at least {least} value(s) are needed, found {len(values)}", code="too_few")


def _floats(values: object, name: str) -> Floats:
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "iufbO" or given.dtype.kind == "b":
            raise TypeError
        return np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataTypeError(
            f"{name}: numbers were expected, found {type(values).__name__}", code="not_numbers"
        ) from None


def _finite(found: Floats, name: str) -> None:
    bad = np.argwhere(~np.isfinite(found))
    if len(bad):
        at = tuple(int(place) for place in bad[0])
        place = ", ".join(str(part + 1) for part in at)
        raise InputError(
            f"{name}: number {place} is {found[at]}, which no statistic can use",
            code="not_finite",
            hint="leave out the queries without a value first",
        )


def _squarable(found: Floats, name: str) -> None:
    """InputError for numbers so large that their squares, or sums of those, overflow."""
    largest = float(np.abs(found).max(initial=0.0))
    if largest > LARGEST:
        raise InputError(
            f"{name}: {largest:g} is too large, its square overflows",
            code="too_large",
            hint="compare a measure with a bound, such as nDCG, or divide the values",
        )


LARGEST = 1e150
"""The largest number that statistics work with."""


def mean_of(values: Floats) -> float:
    """The correctly rounded mean, the same for every order of the values."""
    return math.fsum(values.tolist()) / len(values)


def spread_of(values: Floats) -> float:
    """The standard deviation with n - 1, from correctly rounded sums; exactly 0 where all values are equal.

    Values are equal that differ by rounding alone: 0.3 - 0.2 and 0.4 - 0.3 are, though their last bits are not.
    """
    if len(values) < 2 or float(np.ptp(values)) <= TOLERANCE * float(np.abs(values).max()):
        return 0.0
    centre = mean_of(values)
    return math.sqrt(math.fsum(((values - centre) ** 2).tolist()) / (len(values) - 1))


def checked_alternative(alternative: str) -> str:
    """The alternative, if it is one."""
    if alternative not in ALTERNATIVES:
        raise choose("alternative", alternative, ALTERNATIVES)
    return alternative


def checked_share(name: str, value: float) -> float:
    """A number above 0 and below 1, such as a level."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0.0 < value < 1.0:
        raise UsageError(f"{name}={value!r} is not a number between 0 and 1", code="share")
    return float(value)


def checked_count(name: str, value: int, least: int = 1) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise UsageError(f"{name}={value!r} is not a whole number of at least {least}", code="count")
    return int(value)


def checked_positive(name: str, value: float) -> float:
    """A finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0.0 < value < math.inf:
        raise UsageError(f"{name}={value!r} is not a number above 0", code="positive")
    return float(value)


def checked_width(value: float) -> float:
    """A tie width: a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0.0 <= value < math.inf:
        raise UsageError(f"tie_width={value!r} is not a number of at least 0", code="tie_width")
    return float(value)


def special(purpose: str) -> Any:
    """The module scipy.special, or one sentence on how to install it."""
    try:
        import scipy.special
    except ImportError:
        raise missing_extra("SciPy", "statistics", purpose) from None
    return scipy.special


def stats(purpose: str) -> Any:
    """The module scipy.stats, or one sentence on how to install it."""
    try:
        import scipy.stats
    except ImportError:
        raise missing_extra("SciPy", "statistics", purpose) from None
    return scipy.stats


def plain(value: object) -> Any:
    """A result as plain data that JSON can hold: dicts, lists, numbers, None for what is not finite."""
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value
