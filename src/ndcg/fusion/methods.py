"""How the lists of several systems for one query become one: data where it can be, arithmetic in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..counted import counted_noun
from ..engines.numbers import is_real
from ..errors import UsageError, choose
from .normalisations import NORMALISATIONS

DEFAULT_K = 60.0
"""The constant of reciprocal rank fusion in the paper and in nearly every engine."""

ABSENT = ("zero", "lowest")
"""What a list may add for a document that it does not hold."""

List = Sequence[tuple[str, float]]
"""(document, score) of one system for one query, best first, no document twice."""


class Method(NamedTuple):
    """A named fusion: what a document is worth in one sentence, and what it needs.

    `scores` says that it adds normalised scores (otherwise reciprocal ranks), `weighted` that weights may be given,
    `counted` that the sum is multiplied by the number of lists that hold the document.
    """

    sentence: str
    source: str
    scores: bool = True
    weighted: bool = False
    counted: bool = False


METHODS = {
    "rrf": Method(
        "the sum of weight / (k + rank) over the lists that hold the document",
        "Cormack, Clarke and Buettcher 2009",
        scores=False,
        weighted=True,
    ),
    "combsum": Method("the sum of its normalised scores", "Fox and Shaw 1994"),
    "combmnz": Method(
        "the sum of its normalised scores, times the number of lists that hold it", "Fox and Shaw 1994", counted=True
    ),
    "weighted": Method("the sum of weight x normalised score", "Bruch, Gai and Ingber 2023", weighted=True),
}
"""Every fusion by name; the first is the default."""


class Fusion(NamedTuple):
    """A fusion with its options settled: method, weights of the lists, the k of reciprocal ranks, normalisation.

    `absent` is what a list adds for a document that it does not hold: `zero`, or `lowest`, its least number.
    """

    method: str
    weights: tuple[float, ...]
    k: float
    normalisation: str | None
    absent: str

    @property
    def needs_scores(self) -> bool:
        """Whether ranks alone do not suffice."""
        return METHODS[self.method].scores and self.normalisation != "rank"

    def __str__(self) -> str:
        parts = [f"k={self.k:g}"]
        if METHODS[self.method].scores:
            parts = [f"normalisation={self.normalisation}", f"absent={self.absent}"]
        if METHODS[self.method].weighted:
            parts.append(f"weights={', '.join(f'{weight:g}' for weight in self.weights)}")
        return f"{self.method} ({'; '.join(parts)})"


def settled(
    method: str,
    lists: int,
    *,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    normalisation: str | None = None,
    absent: str | None = None,
) -> Fusion:
    """Check names and weights; raises UsageError naming the choices, and for an option that would do nothing."""
    if method not in METHODS:
        raise choose("fusion method", method, list(METHODS))
    known = METHODS[method]
    if normalisation is not None and normalisation not in NORMALISATIONS:
        raise choose("normalisation", normalisation, list(NORMALISATIONS))
    if normalisation is not None and not known.scores:
        raise UsageError(f"{method} adds reciprocal ranks: a normalisation of scores has no effect", code="fusion")
    if k is not None and known.scores:
        raise UsageError(f"{method} adds scores: the k of reciprocal ranks has no effect", code="fusion")
    if k is not None and not (is_real(k) and math.isfinite(k) and float(k) >= 0):
        raise UsageError(f"k of reciprocal ranks is a number of at least 0, found {k!r}", code="fusion")
    if absent is not None and absent not in ABSENT:
        raise choose("absent", absent, ABSENT)
    if absent == "lowest" and not known.scores:
        raise UsageError(f"{method}: a document that a list does not hold adds 0 and nothing else", code="fusion")
    scale = (normalisation or "minmax") if known.scores else None
    if known.counted and scale == "zscore":
        raise UsageError(
            f"{method} multiplies by the number of lists that hold a document, and zscore gives negative numbers, "
            "which that would turn around",
            code="fusion",
            hint="use minmax, sum, max, three_sigma or rank",
        )
    nothing = absent or (NORMALISATIONS[scale].absent if scale else "zero")
    return Fusion(method, _weights(method, lists, weights), DEFAULT_K if k is None else float(k), scale, nothing)


def _weights(method: str, lists: int, weights: Sequence[float] | None) -> tuple[float, ...]:
    if weights is None:
        if method == "weighted":
            raise UsageError("weighted fusion needs a weight for each run", code="fusion", hint="weights=[0.3, 0.7]")
        return (1.0,) * lists
    if not METHODS[method].weighted:
        raise UsageError(f"{method} takes no weights", code="fusion", hint="method='weighted' does")
    if isinstance(weights, str | Mapping) or not isinstance(weights, Iterable):
        raise UsageError(
            f"weights are numbers in the order of the runs, found {weights!r}", code="fusion", hint="weights=[0.3, 0.7]"
        )
    values = tuple(weights)
    if len(values) != lists:
        raise UsageError(
            f"{counted_noun(len(values), 'weight was', 'weights were')} given for {lists} runs",
            code="fusion",
            hint="one for each run",
        )
    for weight in values:
        if not (is_real(weight) and math.isfinite(weight) and float(weight) >= 0):
            raise UsageError(f"a weight is a finite number of at least 0, found {weight!r}", code="fusion")
    if not any(values):
        raise UsageError("every weight is 0, so nothing would be ranked", code="fusion", hint="give one above 0")
    return tuple(map(float, values))


def contributions(ranked: List, fusion: Fusion) -> tuple[list[float], float]:
    """What each document of a list adds before weights, and what a document that the list does not hold adds.

    Raises ValueError where the normalisation has no value for these scores.
    """
    if not METHODS[fusion.method].scores:
        return [1.0 / (fusion.k + rank) for rank in range(1, len(ranked) + 1)], 0.0
    assert fusion.normalisation is not None
    try:
        numbers = NORMALISATIONS[fusion.normalisation].scale([score for _, score in ranked])
    except OverflowError:
        numbers = [math.inf]
    if not all(map(math.isfinite, numbers)):
        raise ValueError("the scores are too large, or too far apart, for a float to hold them on that scale")
    if METHODS[fusion.method].counted and min(numbers) < 0:
        raise ValueError(f"{fusion.method} multiplies by the number of lists, which turns negative scores around")
    return numbers, min(numbers) if fusion.absent == "lowest" else 0.0


def fused(lists: Sequence[List], fusion: Fusion) -> dict[str, float]:
    """{document: fused score} of one query, best first, equal scores in the order of their ids.

    Sums are correctly rounded (`math.fsum`), so the order of the lists never changes a bit. A system without a document
    for the query adds nothing, and a list of weight 0 takes no part: its documents are not in the fused list unless
    another list holds them. Raises ValueError where the normalisation has no value for these scores, where combmnz
    would multiply a negative number, and where a fused score is beyond the range of a float.

    >>> both = [[("a", 9.0), ("b", 1.0)], [("b", 0.9)]]
    >>> fused(both, settled("rrf", 2))
    {'b': 0.03252247488101534, 'a': 0.01639344262295082}
    """
    terms: dict[str, list[float]] = {}
    held: dict[str, int] = {}
    present = []
    for ranked, weight in zip(lists, fusion.weights, strict=True):
        if ranked and weight:
            numbers, absent = contributions(ranked, fusion)
            present.append(
                ({doc: number * weight for (doc, _), number in zip(ranked, numbers, strict=True)}, absent * weight)
            )
    for found, _ in present:
        for doc in found:
            held[doc] = held.get(doc, 0) + 1
    for found, absent in present:
        for doc in held:
            terms.setdefault(doc, []).append(found.get(doc, absent))
    worth = {doc: _summed(values) for doc, values in terms.items()}
    if METHODS[fusion.method].counted:
        worth = {doc: value * held[doc] for doc, value in worth.items()}
    for doc, value in worth.items():
        if not math.isfinite(value):
            raise ValueError(f"the fused score of document {doc!r} is beyond the range of a float")
    return dict(sorted(worth.items(), key=lambda pair: (-pair[1], pair[0])))


def _summed(values: Sequence[float]) -> float:
    """The correctly rounded sum; infinite where it is beyond the range of a float."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.inf
