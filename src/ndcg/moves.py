"""Which single moves would raise a query's score most, and by how much exactly.

A move takes one document from its rank, or from the missed ones, and puts it at another rank; the rest shift. Tied
groups stay together: under `average`, `best` and `worst` a document is put between groups, never into one.

Taking a document with gain g past a document with gain h upwards changes the discounted sum by (g - h) times the
difference of the two discounts, so the best rank of every document follows from running sums. The values of the best
moves are then computed by the kernel itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .kernel.batch import Floats
from .kernel.sums import divisor
from .measures.ndcg import discount
from .single import Groups, Single, values_of

if TYPE_CHECKING:
    from .measures.measure import Measure

TOP = 3
"""How many moves are told."""

EXAMINED = 400
"""How many documents' best moves are computed exactly; they are the best by running sums."""

WITHOUT_GAIN = 10
"""How many documents without gain are tried: of those, the ones at the top stand in the way of most."""


@dataclass(frozen=True, slots=True)
class Move:
    """One document put at another rank.

    `origin` is its rank now, None where the run does not return it. `value` is the score after the move and `change`
    the difference to the score now. `grade` is None for an unjudged document.
    """

    document: str
    grade: float | None
    origin: int | None
    target: int
    value: float
    change: float


def best_moves(
    groups: Groups, single: Single, gains: Mapping[str, float], measure: Measure, value: float
) -> tuple[Move, ...]:
    """The best move of each document, the three best of those, best first; none where nothing raises the value."""
    ranks = {document: rank for rank, document in enumerate((d for group in groups for d in group), 1)}
    found = []
    for document in _candidates(ranks, single, gains, measure):
        best = _best_target(document, ranks.get(document), groups, gains, measure)
        if best is not None:
            found.append((best[0], document, best[1]))
    found.sort(key=lambda item: -item[0])
    found = found[:EXAMINED]
    lists = [moved(groups, document, target) for _, document, target in found]
    values = values_of(lists, single, measure) if lists else []
    moves = [
        Move(document, single.grades.get(document), ranks.get(document), target, after, after - value)
        for (_, document, target), after in zip(found, values, strict=True)
        if after > value
    ]
    moves.sort(key=lambda move: (-move.value, -gains.get(move.document, 0.0), move.origin or 0, move.document))
    return tuple(moves[:TOP])


def _candidates(ranks: Mapping[str, int], single: Single, gains: Mapping[str, float], measure: Measure) -> list[str]:
    """Documents whose move might help: those with gain upwards, the first without gain downwards."""
    own = single.query if measure.conventions["self"] == "drop" else None
    outside = [
        doc
        for doc, gain in gains.items()
        if gain > 0 and doc not in ranks and doc != own and (single.pool is None or doc in single.pool)
    ]
    inside = [doc for doc in ranks if gains.get(doc, 0.0) != 0]
    without = [doc for doc in ranks if gains.get(doc, 0.0) == 0][:WITHOUT_GAIN]
    return [*inside, *outside, *without]


def moved(groups: Groups, document: str, target: int) -> list[Sequence[str]]:
    """The ranking with the document taken out, if it is there, and put at a rank between two groups."""
    rest = without(groups, document)
    at, rank = 0, 1
    while at < len(rest) and rank < target:
        rank += len(rest[at])
        at += 1
    return [*rest[:at], [document], *rest[at:]]


def without(groups: Groups, document: str) -> list[Sequence[str]]:
    """The ranking without a document."""
    rest: list[Sequence[str]] = []
    for group in groups:
        if document in group:
            group = [other for other in group if other != document]
        if group:
            rest.append(group)
    return rest


def placed_gains(groups: Groups, gains: Mapping[str, float], ties: str) -> list[list[float]]:
    """The gain at each rank, group by group, under the tie rule."""
    placed = []
    for group in groups:
        worth = [gains.get(document, 0.0) for document in group]
        if len(worth) > 1 and ties == "average":
            worth = [math.fsum(worth) / len(worth)] * len(worth)
        elif len(worth) > 1 and ties in ("best", "worst"):
            worth.sort(reverse=ties == "best")
        placed.append(worth)
    return placed


def _best_target(
    document: str, origin: int | None, groups: Groups, gains: Mapping[str, float], measure: Measure
) -> tuple[float, int] | None:
    """(discounted sum, rank) of the best place for a document; of equally good places the nearest one."""
    head = _head(without(groups, document), measure.k)
    placed = placed_gains(head, gains, measure.conventions.text("ties"))
    starts = np.cumsum([0, *map(len, placed)]) + 1
    if measure.k is not None:
        starts = starts[starts <= measure.k + 1]
    alone = any(len(group) == 1 and group[0] == document for group in groups)
    targets = starts[starts != origin] if alone else starts
    if not len(targets):
        return None
    gain = np.array([worth for group in placed for worth in group])
    kept = _discounts(measure, len(gain) + 1)
    above = np.concatenate([[0.0], np.cumsum(gain * kept[:-1])])
    shifted = gain * kept[1:]
    below = np.concatenate([np.cumsum(shifted[::-1])[::-1], [0.0]])
    sums = above[targets - 1] + gains.get(document, 0.0) * kept[targets - 1] + below[targets - 1]
    near = targets[sums >= sums.max() - 1e-12 * max(1.0, abs(sums.max()))]
    now = origin if origin is not None else int(starts[-1]) + 1
    target = int(near[np.argmin(np.abs(near - now))])
    return float(sums.max()), target


def _head(groups: Groups, k: int | None) -> Groups:
    """The groups that can stand in the first k ranks, or in the rank below."""
    if k is None:
        return groups
    rank = 0
    for at, group in enumerate(groups):
        rank += len(group)
        if rank > k:
            return groups[: at + 1]
    return groups


def _discounts(measure: Measure, ranks: int) -> Floats:
    """What each rank keeps of its gain, 0 below the cutoff."""
    name, base = discount(measure)
    return np.array(
        [
            1.0 / divisor(rank, name, base) if measure.k is None or rank <= measure.k else 0.0
            for rank in range(1, ranks + 1)
        ]
    )
