"""`ndcg_score` and `dcg_score` with the arguments and the values of scikit-learn, without scikit-learn.

Each row of `y_true` and `y_score` is one list: all documents have a judgment, the ideal is the list itself, the gain is
the grade. Tied scores are averaged over all their orders (McSherry & Najork 2008) unless `ignore_ties`.

>>> round(ndcg_score([[3, 1, 0, 2]], [[4, 3, 2, 1]]), 4)
0.9434
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataTypeError, InputError, UsageError
from ..kernel.batch import Floats

Matrix = NDArray[Any]

__all__ = ["dcg_score", "ndcg_score"]

BLOCK = 1 << 20
"""Rows are taken together up to this many documents."""

FORMATS = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


class ParameterError(UsageError, TypeError):
    """A parameter of a wrong type or out of range; like scikit-learn's, a ValueError and a TypeError."""


def dcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """The mean DCG over rows: the sum of grade / log(rank + 1) over the first `k` ranks. Not comparable across lists.

    Raises ValueError for NaN, infinite numbers, one-dimensional input, lists of one document and a wrong parameter.
    """
    _check_parameters(k, ignore_ties, log_base)
    grades, scores, weights = _checked(y_true, y_score, sample_weight)
    _refuse_one_column(grades)
    return _mean(_dcg(grades, scores, _discounts(grades.shape[1], k, log_base), bool(ignore_ties)), weights)


def ndcg_score(
    y_true: object,
    y_score: object,
    *,
    k: int | None = None,
    sample_weight: object = None,
    ignore_ties: bool = False,
) -> float:
    """The mean over rows of DCG / the largest DCG of the same row; rows without any grade above 0 score 0, and count.

    Raises ValueError for negative grades too. The ideal holds only what the row lists: documents that were missed
    must be listed with their grade and a low score, or they are hidden.
    """
    _check_parameters(k, ignore_ties, 2)
    grades, scores, weights = _checked(y_true, y_score, sample_weight)
    if grades.min() < 0:
        raise InputError("ndcg_score should not be used on negative y_true values.", code="negative")
    if grades.ndim > 1 and grades.shape[1] <= 1:
        raise InputError(
            "Computing NDCG is only meaningful when there is more than 1 document. Got 1 instead.", code="one_document"
        )
    _refuse_one_column(grades)
    discounts = _discounts(grades.shape[1], k, 2)
    value = _dcg(grades, scores, discounts, bool(ignore_ties))
    ideal = _dcg(grades, grades, discounts, True)
    return _mean(np.divide(value, ideal, out=np.zeros(len(value)), where=ideal != 0), weights)


def _check_parameters(k: object, ignore_ties: object, log_base: object) -> None:
    if k is not None and (isinstance(k, bool) or not isinstance(k, Integral) or int(k) < 1):
        raise ParameterError(f"k must be a whole number of at least 1 or None, found k={k!r}", code="cutoff")
    if not isinstance(ignore_ties, bool | np.bool_):
        raise ParameterError(f"ignore_ties must be true or false, found {ignore_ties!r}", code="parameter")
    if not isinstance(log_base, Real) or not float(log_base) > 0:
        raise ParameterError(f"log_base must be a number above 0, found {log_base!r}", code="parameter")


def _checked(y_true: object, y_score: object, sample_weight: object) -> tuple[Matrix, Matrix, Floats | None]:
    """Grades, scores and weights as arrays; the lengths agree."""
    grades, scores = _numbers(y_true, "y_true"), _numbers(y_score, "y_score")
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    lengths = [len(grades), len(scores)] + ([] if weights is None else [len(np.atleast_1d(weights))])
    if len(set(lengths)) > 1:
        raise InputError(f"y_true, y_score and sample_weight have different numbers of rows: {lengths}", code="shape")
    if grades.ndim > 1 and grades.shape != scores.shape:
        raise InputError(f"y_true has the shape {grades.shape}, y_score {scores.shape}", code="shape")
    return grades, scores, weights


def _numbers(values: object, name: str) -> Matrix:
    if hasattr(values, "toarray"):
        raise DataTypeError(f"{name} is sparse; pass a dense array: {name}.toarray()", code="sparse")
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        if array.dtype.kind != "O":
            raise InputError(f"{name} must hold numbers, found {array.dtype}", code="not_a_number")
        array = array.astype(np.float64)
    if not 1 <= array.ndim <= 2:
        raise InputError(f"{name} must hold one list per row, found an array of shape {array.shape}", code="shape")
    if not array.size:
        raise InputError(f"{name} is empty: shape {array.shape}, at least one row is needed", code="empty")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity", code="not_finite")
    return array


def _refuse_one_column(grades: Matrix) -> None:
    if grades.ndim == 1 or grades.shape[1] == 1:
        kind = "continuous" if (grades != np.floor(grades)).any() else "binary"
        kind = "multiclass" if kind == "binary" and len(np.unique(grades)) > 2 else kind
        raise InputError(f"Only {FORMATS} formats are supported. Got {kind} instead", code="shape")


def _discounts(documents: int, k: int | None, log_base: float) -> Floats:
    """What each rank keeps of its gain, 0 beyond `k`; logarithms by scalar Python, which gives the same bits anywhere.

    The base divides after the logarithm is taken, as scikit-learn has it.
    """
    base = math.log(log_base)
    ranks = documents if k is None else min(k, documents)
    table = np.zeros(documents)
    if base:
        table[:ranks] = [1 / (math.log(rank + 1) / base) for rank in range(1, ranks + 1)]
    return table


def _dcg(grades: Matrix, scores: Matrix, discounts: Floats, ignore_ties: bool) -> Floats:
    found = np.empty(len(grades))
    for rows in _blocks(grades):
        if ignore_ties:
            # Whichever order NumPy gives to equal scores: scikit-learn leaves it open too.
            order = np.argsort(scores[rows])[:, ::-1]
            found[rows] = np.take_along_axis(grades[rows], order, axis=1) @ discounts
        else:
            found[rows] = _averaged(grades[rows], scores[rows], discounts)
    return found


def _blocks(grades: Matrix) -> Iterator[slice]:
    step = max(1, BLOCK // grades.shape[1])
    for first in range(0, len(grades), step):
        yield slice(first, min(first + step, len(grades)))


def _averaged(grades: Matrix, scores: Matrix, discounts: Floats) -> Floats:
    """DCG of each row with every tied group's mean grade at each of its ranks."""
    rows, documents = grades.shape
    order = np.argsort(scores, axis=1)[:, ::-1]
    ranked = np.take_along_axis(scores, order, axis=1)
    first = np.ones(ranked.shape, dtype=bool)
    np.not_equal(ranked[:, 1:], ranked[:, :-1], out=first[:, 1:])
    starts = np.flatnonzero(first)
    size = np.diff(np.r_[starts, rows * documents])
    group = np.cumsum(first.ravel()) - 1
    gains = np.take_along_axis(grades, order, axis=1).ravel().astype(np.float64)
    worth = np.bincount(group, weights=gains, minlength=len(starts)) / size
    reach = np.r_[0.0, np.cumsum(discounts)]
    begin = starts % documents
    weights = worth * (reach[begin + size] - reach[begin])
    return np.asarray(np.bincount(starts // documents, weights=weights, minlength=rows), dtype=np.float64)


def _mean(values: Floats, weights: Floats | None) -> float:
    return float(np.average(values, weights=weights))
