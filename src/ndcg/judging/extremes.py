"""The bounds of one query: of the value of one run, or of the difference of two.

Where the discounted sums are linear in the uncertain gains and the rankings share their ideal, the bounds are found
exactly whatever the number of documents. Elsewhere (tied groups that `best` or `worst` sorts; two ideals) all
completions are tried, up to LIMIT of them, and beyond that the bounds are proven outer ones: no completion lies
outside, but none need reach them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernel.batch import Batch, Floats, Ints, Judged, Ranked
from ..kernel.bounds import Ratio, completions, how_many, largest, smallest
from ..kernel.completions import ideals, sums
from ..measures.measure import Measure
from .boards import Board, kinds, linear
from .levels import Levels

LIMIT = 20_000
"""How many completions of one query are tried one by one."""


class Extremes(NamedTuple):
    """The smallest and the largest value over the completions under which the query is not empty.

    `lower_at` and `upper_at` are the levels of the uncertain documents there, None for outer bounds, which nothing need
    reach.
    """

    lower: float
    upper: float
    lower_at: Ints | None
    upper_at: Ints | None

    @property
    def exact(self) -> bool:
        """Whether both are reached."""
        return self.lower_at is not None and self.upper_at is not None


def extremes(board: Board, levels: Levels, measure: Measure) -> Extremes | None:
    """The bounds of the one run of a board, or of the first less the second; None if no completion has any gain."""
    gain = np.array(levels.gains)
    count = len(board.documents)
    if not board.relevant and (not count or gain[-1] <= 0):
        return None
    ties = measure.conventions.text("ties")
    straight = [linear(board, run, ties) for run in range(len(board.standings))]
    shared = len(straight) == 1 or measure.conventions["ideal"] != "returned"
    if shared and all(part is not None for part in straight):
        ratio = _ratio(board, [part for part in straight if part is not None], gain)
        low, high = smallest(ratio), largest(ratio)
        candidates = [at for at in (low, high) if at is not None]
        if board.relevant and not (ratio.pool > 0).any():
            candidates.append(np.full(count, levels.zero))
        if not candidates:
            return None
        return _reached(board, levels, measure, np.array(candidates).reshape(len(candidates), count))
    order, alike = kinds(board, ties)
    if how_many(alike, len(gain)) <= LIMIT:
        tried = np.zeros((how_many(alike, len(gain)), count), dtype=np.int64)
        tried[:, order] = completions(alike, len(gain))
        return _reached(board, levels, measure, tried)
    return _outer(board, levels, measure)


def _ratio(board: Board, parts: Sequence[tuple[float, Floats]], gain: Floats) -> Ratio:
    """One run, or the first less the second, over the ideal that they share."""
    signs = (1.0, -1.0)[: len(parts)]
    fixed = math.fsum(sign * part[0] for sign, part in zip(signs, parts, strict=True))
    kept = np.sum([sign * part[1] for sign, part in zip(signs, parts, strict=True)], axis=0)
    standing = board.standings[0]
    if standing.inside.all():
        return Ratio(fixed, kept, standing.pool, gain, board.discounts)
    raise AssertionError("an uncertain document of a shared ideal is outside of it")


def _reached(board: Board, levels: Levels, measure: Measure, tried: Ints) -> Extremes | None:
    """The smallest and the largest of the completions tried."""
    found = values(board, levels, measure, tried)
    defined = ~np.isnan(found)
    if not defined.any():
        return None
    low, high = int(np.nanargmin(found)), int(np.nanargmax(found))
    return Extremes(float(found[low]), float(found[high]), tried[low], tried[high])


def values(board: Board, levels: Levels, measure: Measure, tried: Ints) -> Floats:
    """The value (or difference) of the board under each completion; NaN where the query is empty under it."""
    runs = [run_values(board, run, levels, measure, tried) for run in range(len(board.standings))]
    return runs[0] if len(runs) == 1 else np.asarray(runs[0] - runs[1])


def run_values(board: Board, run: int, levels: Levels, measure: Measure, tried: Ints) -> Floats:
    """The value of one run under each completion; NaN where the query is empty under it."""
    gain = levels.gains[tried]
    standing, ties = board.standings[run], measure.conventions.text("ties")
    summed = sums(standing, gain, board.discounts, ties)
    ideal = ideals(standing, gain, board.discounts)
    value = np.divide(summed, ideal, out=np.zeros(len(gain)), where=ideal > 0)
    relevant = np.full(len(gain), board.relevant) | (gain > 0).any(axis=1)
    return np.where(relevant, value, np.nan)


def _outer(board: Board, levels: Levels, measure: Measure) -> Extremes:
    """Proven bounds: of a difference from those of its parts, of a value from those of its sum and its ideal."""
    if len(board.standings) == 2:
        first, second = (_alone(board, run, levels, measure) for run in range(2))
        return Extremes(first.lower - second.upper, first.upper - second.lower, None, None)
    standing, ties = board.standings[0], measure.conventions.text("ties")
    ends = levels.gains[np.array([np.zeros(len(board.documents), int), np.full(len(board.documents), -1)])]
    low, high = sums(standing, ends, board.discounts, ties).tolist()
    least, most = ideals(standing, ends, board.discounts).tolist()
    if least <= 0:
        least = float(levels.gains[levels.gains > 0][0] * board.discounts[0])
    lower = low / most if low >= 0 else low / least
    upper = min(1.0, high / least if high >= 0 else high / most)
    if board.relevant and not (standing.pool > 0).any():
        lower, upper = min(lower, 0.0), max(upper, 0.0)
    return Extremes(lower, upper, None, None)


def _alone(board: Board, run: int, levels: Levels, measure: Measure) -> Extremes:
    alone = board._replace(standings=[board.standings[run]], groups=[board.groups[run]])
    if not alone.standings[0].inside.all():
        # What only the other run returns is in no ideal of this one, and at no rank of it.
        standing = alone.standings[0]
        kept = np.flatnonzero(standing.inside)
        place = np.full(len(standing.inside), -1)
        place[kept] = np.arange(len(kept))
        standing = standing._replace(
            columns=place[standing.columns],
            groups=[group._replace(columns=place[group.columns]) for group in standing.groups],
            inside=np.ones(len(kept), bool),
        )
        alone = alone._replace(standings=[standing], documents=[board.documents[at] for at in kept.tolist()])
    found = extremes(alone, levels, measure)
    if found is None:
        return Extremes(0.0, 0.0, None, None)
    if not board.relevant:
        # The query has gain through a document of the other run alone: an ideal of 0 scores 0.
        return found._replace(lower=min(found.lower, 0.0), upper=max(found.upper, 0.0))
    return found


def as_scored(cases: Sequence[tuple[Board, int, Ints]], levels: Levels, measure: Measure) -> list[float]:
    """The value of runs of boards under completions, with the bits that `evaluate` gives for such judgments."""
    judged: list[tuple[int, float, bool]] = []
    rows: list[tuple[int, float, int, int, int]] = []
    returned = []
    for at, (board, run, chosen) in enumerate(cases):
        grades: dict[str, float] = dict(board.grades)
        for document, level in zip(board.documents, chosen.tolist(), strict=True):
            grade = levels.grades[level]
            if grade is None:
                continue
            if isinstance(document, str):
                grades[document] = grade
            else:
                judged.append((at, grade, True))
        judged += [(at, grade, board.pool is None or doc in board.pool) for doc, grade in grades.items()]
        rank = 0
        for group in board.groups[run]:
            start = rank + 1
            for document in group:
                rank += 1
                if document in grades:
                    rows.append((at, grades[document], rank, start, len(group)))
        returned.append(rank)
    query, grade, inside = _columns(judged, 3)
    pool = np.array(inside, bool) if any(board.pool is not None for board, _, _ in cases) else None
    known = Judged(len(cases), np.array(query, np.int64), np.array(grade, float), pool)
    places = _columns(rows, 5)
    of_query, rank_of, group_start, size = (np.array(places[at], dtype=np.int64) for at in (0, 2, 3, 4))
    ranked = Ranked(of_query, np.array(places[1], float), rank_of, group_start, size, np.array(returned, np.int64))
    found: list[float] = measure.family.compute(Batch(known, ranked), measure).value.tolist()
    return found


def _columns(rows: Sequence[tuple[float, ...]], width: int) -> list[tuple[float, ...]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width
