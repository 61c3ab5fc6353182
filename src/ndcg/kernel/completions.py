"""One ranking of one query under many completions of its judgments at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .batch import Bools, Floats, Ints


class Tied(NamedTuple):
    """Two or more documents of equal score from rank `start` on: known gains, and columns of uncertain documents."""

    start: int
    known: Floats
    columns: Ints

    @property
    def size(self) -> int:
        """How many documents there are."""
        return len(self.known) + len(self.columns)


class Standing(NamedTuple):
    """A ranking, as far as anything counts, and the ideal that it is divided by.

    Documents that stand alone are known gains at their ranks, and columns of uncertain ones at theirs; tied documents
    are groups. `pool` are the known gains of the ideal pool; `inside` says which uncertain documents are in it.
    """

    known: Floats
    known_ranks: Ints
    columns: Ints
    column_ranks: Ints
    groups: Sequence[Tied]
    pool: Floats
    inside: Bools


def sums(standing: Standing, gains: Floats, discounts: Floats, ties: str) -> Floats:
    """The discounted sum of the ranking for each row of gains; columns are uncertain documents.

    `average` gives every rank of a group its mean gain, `best` and `worst` sort it.
    """
    kept = _kept(standing.known_ranks, discounts)
    total = gains[:, standing.columns] @ _kept(standing.column_ranks, discounts) + float(standing.known @ kept)
    for group in standing.groups:
        own = discounts[group.start - 1 : group.start - 1 + group.size]
        if not len(own):
            continue
        placed = _joined(group.known, gains[:, group.columns])
        if ties == "average":
            total += placed.mean(axis=1) * own.sum()
            continue
        placed = np.sort(placed, axis=1)
        placed = placed[:, ::-1] if ties == "best" else placed
        total += placed[:, : len(own)] @ own
    summed: Floats = total
    return summed


def _kept(ranks: Ints, discounts: Floats) -> Floats:
    """The discount of each rank, 0 beyond the last that counts."""
    padded = np.append(discounts, 0.0)
    kept: Floats = padded[np.minimum(ranks - 1, len(discounts))]
    return kept


def ideals(standing: Standing, gains: Floats, discounts: Floats) -> Floats:
    """The ideal sum for each row of gains."""
    known = np.sort(standing.pool[standing.pool > 0])[::-1][: len(discounts)]
    placed = np.sort(_joined(known, np.maximum(gains[:, standing.inside], 0.0)), axis=1)[:, ::-1]
    kept = discounts[: placed.shape[1]]
    ideal: Floats = placed[:, : len(kept)] @ kept
    return ideal


def _joined(known: Floats, gains: Floats) -> Floats:
    return np.hstack([np.broadcast_to(known, (len(gains), len(known))), gains])


def weights(standing: Standing, count: int, discounts: Floats, ties: str) -> tuple[float, Floats] | None:
    """(what the known gains add, what each of `count` uncertain documents keeps of its gain).

    None where the sum is not linear in the uncertain gains: a tied group that `best` or `worst` sorts holds one.
    """
    kept = np.zeros(count)
    kept[standing.columns] = _kept(standing.column_ranks, discounts)
    for group in standing.groups:
        own = discounts[group.start - 1 : group.start - 1 + group.size]
        if not len(group.columns):
            continue
        if len(own) and ties != "average":
            return None
        kept[group.columns] = own.sum() / group.size
    return float(sums(standing, np.zeros((1, count)), discounts, ties)[0]), kept
