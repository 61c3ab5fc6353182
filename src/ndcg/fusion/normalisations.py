"""Scores of one list brought to a common scale, so that lists of different systems can be added."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Normalisation(NamedTuple):
    """A named scale: what it does in one sentence, where it comes from, and the function from scores to numbers.

    `absent` is what a document that the list does not hold is worth: `zero`, or `lowest`, the least number of the list,
    for scales on which 0 would rank an absent document above returned ones.
    """

    sentence: str
    source: str
    scale: Callable[[Sequence[float]], list[float]]
    absent: str = "zero"


def _unchanged(scores: Sequence[float]) -> list[float]:
    return list(scores)


def _minmax(scores: Sequence[float]) -> list[float]:
    low, high = min(scores), max(scores)
    if low == high:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def _share(scores: Sequence[float]) -> list[float]:
    low = min(scores)
    total = math.fsum(score - low for score in scores)
    if total == 0:
        return [1.0 / len(scores)] * len(scores)
    return [(score - low) / total for score in scores]


def _max(scores: Sequence[float]) -> list[float]:
    high = max(scores)
    if high <= 0:
        raise ValueError("the highest score is not above 0, so scores cannot be divided by it")
    return [score / high for score in scores]


def _zscore(scores: Sequence[float]) -> list[float]:
    mean, spread = _moments(scores, 0)
    return [(score - mean) / spread if spread else 0.0 for score in scores]


def _three_sigma(scores: Sequence[float]) -> list[float]:
    if len(scores) == 1:
        return [0.5]
    mean, spread = _moments(scores, 1)
    if spread == 0:
        return [0.5] * len(scores)
    return [min(1.0, max(0.0, (score - (mean - 3 * spread)) / (6 * spread))) for score in scores]


def _moments(scores: Sequence[float], lost: int) -> tuple[float, float]:
    """Mean and standard deviation, with `len - lost` degrees of freedom."""
    mean = math.fsum(scores) / len(scores)
    return mean, math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - lost))


def _rank(scores: Sequence[float]) -> list[float]:
    """Scores come best first, so the place is the rank."""
    return [1.0 - at / len(scores) for at in range(len(scores))]


NORMALISATIONS = {
    "minmax": Normalisation(
        "(score - least) / (greatest - least); 1 where all are equal", "Lee 1997; OpenSearch min_max", _minmax
    ),
    "zscore": Normalisation(
        "(score - mean) / standard deviation of the list; 0 where all are equal",
        "Montague and Aslam 2001 (ZMUV)",
        _zscore,
        absent="lowest",
    ),
    "sum": Normalisation(
        "(score - least) / sum of these; equal shares where all are equal", "Montague and Aslam 2001", _share
    ),
    "max": Normalisation("score / greatest score, which must be above 0", "Lee 1995", _max),
    "three_sigma": Normalisation(
        "mean - 3 standard deviations is 0, mean + 3 is 1, beyond is cut; 0.5 where all are equal",
        "Qdrant's distribution-based score fusion",
        _three_sigma,
    ),
    "rank": Normalisation("1 - (rank - 1) / length of the list", "Renda and Straccia 2003", _rank),
    "none": Normalisation("scores as they are", "Fox and Shaw 1994", _unchanged),
}
"""Every normalisation by name; the first is the default."""
