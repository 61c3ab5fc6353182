"""How alike two rankings are, whatever they score: 'no change in score' is not 'no change'."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..errors import UsageError

if TYPE_CHECKING:
    from ..ranking import Place

PERSISTENCE = 0.9
"""The persistence of rank-biased overlap: 0.9 gives the first ten ranks 86 % of the weight."""

NAMED = 10
"""How many ids of queries are kept."""

Movement = Literal["same", "up", "down", "new", "lost"]


def overlap_at_k(base: Sequence[str], new: Sequence[str]) -> float | None:
    """The share of documents that two cut lists have in common, 0 to 1; None where both are empty.

    Both are the first k documents; the longer list is the denominator, so that a list that has become shorter is not
    called the same.

    >>> overlap_at_k(["a", "b", "c", "d"], ["b", "a", "x", "y"])
    0.5
    """
    longest = max(len(base), len(new))
    return len(set(base) & set(new)) / longest if longest else None


def rank_biased_overlap(base: Sequence[str], new: Sequence[str], *, p: float = PERSISTENCE) -> float | None:
    """Extrapolated rank-biased overlap of two rankings without ties, 0 to 1; None where both are empty.

    What they have in common at each depth d, divided by d, weighted by p^d, going on below the lists at the agreement
    seen; lists of different length by equation 32 of Webber, Moffat & Zobel 2010, A similarity measure for indefinite
    rankings, TOIS 28(4). An empty list beside one that is not has 0. Raises UsageError unless 0 < p < 1.

    >>> rank_biased_overlap(["a", "b"], ["a", "b"])
    1.0
    >>> round(rank_biased_overlap(["a", "b"], ["b", "a"]), 4)
    0.9
    """
    if not 0 < p < 1:
        raise UsageError(f"the persistence of rank-biased overlap is between 0 and 1, found {p!r}", code="persistence")
    if list(base) == list(new):
        return 1.0 if base else None
    short, long = sorted((base, new), key=len)
    if not short:
        return 0.0
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    common, at_short = 0, 0
    terms = []
    weight = 1.0
    for depth in range(1, len(long) + 1):
        weight *= p
        document = long[depth - 1]
        common += document in seen_short
        seen_long.add(document)
        if depth <= len(short):
            other = short[depth - 1]
            common += other in seen_long
            seen_short.add(other)
            at_short = common
        terms.append(common / depth * weight)
        if depth > len(short):
            terms.append(at_short * (depth - len(short)) / (len(short) * depth) * weight)
    rest = ((common - at_short) / len(long) + at_short / len(short)) * weight
    return min(1.0, (1 - p) / p * math.fsum(terms) + rest)


class Overlap(NamedTuple):
    """How alike the first ranks of two systems are, over judged queries for which at least one returned something.

    `at_k` and `rbo` are means. `identical` counts queries with the same documents in the same order, `same_documents`
    those with the same documents in any order, `changed` the rest; `first_changed` are ids of queries that are not
    identical. `silent` counts the queries that are not identical and yet have the same value.
    """

    depth: int
    queries: int
    at_k: float | None
    rbo: float | None
    p: float
    identical: int
    same_documents: int
    changed: int
    silent: int
    first_changed: tuple[str, ...]


def overlap(
    base: Mapping[str, Sequence[str]],
    new: Mapping[str, Sequence[str]],
    *,
    depth: int,
    p: float = PERSISTENCE,
    same_value: frozenset[str] = frozenset(),
) -> Overlap:
    """Overlap at `depth` and rank-biased overlap of the lists of each query.

    `same_value` are the queries whose value is the same in both systems.
    """
    at_k, rbo, not_identical = [], [], []
    identical = same_documents = silent = 0
    for query, ours in base.items():
        theirs = new.get(query, ())
        ours, theirs = ours[:depth], theirs[:depth]
        share = overlap_at_k(ours, theirs)
        if share is None:
            continue
        at_k.append(share)
        biased = rank_biased_overlap(ours, theirs, p=p)
        rbo.append(0.0 if biased is None else biased)
        if list(ours) == list(theirs):
            identical += 1
            continue
        same_documents += share == 1
        silent += query in same_value
        not_identical.append(query)
    count = len(at_k)
    return Overlap(
        depth=depth,
        queries=count,
        at_k=math.fsum(at_k) / count if count else None,
        rbo=math.fsum(rbo) / count if count else None,
        p=p,
        identical=identical,
        same_documents=same_documents,
        changed=count - identical - same_documents,
        silent=silent,
        first_changed=tuple(not_identical[:NAMED]),
    )


class Placed(NamedTuple):
    """A document at a rank of one system. `grade` is None where it is unjudged.

    `movement` of a document of the new system says where it was in the baseline: up, down or same by `moved` ranks, or
    new; of a document of the baseline, where it is in the new system: the same words seen from there, or lost.
    `contribution` is what the rank adds to the value's numerator, None for measures that are no sum of gains.
    """

    document: str
    rank: int
    score: float | None
    grade: float | None
    movement: Movement
    moved: int | None
    contribution: float | None


class Row(NamedTuple):
    """One rank in both systems; None where a list has ended. `gap` is the new contribution less the baseline's."""

    rank: int
    base: Placed | None
    new: Placed | None
    same: bool
    gap: float | None


class SideBySide(NamedTuple):
    """The first ranks of one query in two systems.

    `first_difference` is the first rank at which they differ, None where the lists are the same. `lost` are documents
    of the baseline that the new system's ranks do not hold, `gained` the reverse.
    """

    query: str
    measure: str
    base: str
    new: str
    base_value: float | None
    new_value: float | None
    base_status: str
    new_status: str
    depth: int
    rows: tuple[Row, ...]
    first_difference: int | None
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    overlap: float | None
    rbo: float | None


def side_by_side(
    base: Sequence[Place],
    new: Sequence[Place],
    contributions: tuple[Sequence[float], Sequence[float]] | None,
    /,
    *,
    depth: int,
    p: float = PERSISTENCE,
    **about: object,
) -> SideBySide:
    """Two lists of one query beside each other; `about` are the fields that only the caller knows.

    Movements are found in the lists as given, which may be longer than `depth`: a document that was at rank 14 is not
    called new.
    """
    ours = {place.document: place.rank for place in base}
    theirs = {place.document: place.rank for place in new}
    rows = []
    first = None
    for at in range(min(depth, max(len(base), len(new)))):
        left = _placed(base, at, theirs, contributions[0] if contributions else None, "lost")
        right = _placed(new, at, ours, contributions[1] if contributions else None, "new")
        same = left is not None and right is not None and left.document == right.document
        if not same and first is None:
            first = at + 1
        gap = None
        if contributions is not None:
            gap = (right.contribution or 0.0 if right else 0.0) - (left.contribution or 0.0 if left else 0.0)
        rows.append(Row(at + 1, left, right, same, gap))
    cut_base = [place.document for place in base[:depth]]
    cut_new = [place.document for place in new[:depth]]
    return SideBySide(
        depth=depth,
        rows=tuple(rows),
        first_difference=first,
        lost=tuple(doc for doc in cut_base if doc not in set(cut_new)),
        gained=tuple(doc for doc in cut_new if doc not in set(cut_base)),
        overlap=overlap_at_k(cut_base, cut_new),
        rbo=rank_biased_overlap(cut_base, cut_new, p=p),
        **about,  # type: ignore[arg-type]
    )


def _placed(
    places: Sequence[Place],
    at: int,
    elsewhere: Mapping[str, int],
    contributions: Sequence[float] | None,
    absent: Movement,
) -> Placed | None:
    if at >= len(places):
        return None
    place = places[at]
    contribution = contributions[at] if contributions is not None and at < len(contributions) else None
    other = elsewhere.get(place.document)
    if other is None:
        return Placed(place.document, place.rank, place.score, place.grade, absent, None, contribution)
    # For the new system: it came from `other`; for the baseline: it goes to `other`.
    moved = other - place.rank if absent == "new" else place.rank - other
    movement: Movement = "same" if moved == 0 else "up" if moved > 0 else "down"
    return Placed(place.document, place.rank, place.score, place.grade, movement, moved, contribution)
