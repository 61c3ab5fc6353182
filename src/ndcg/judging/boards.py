"""One query as numbers: who stands where in each run, what is known and what is uncertain."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from ..kernel.batch import Bools, Floats
from ..kernel.completions import Standing, Tied, weights
from ..kernel.sums import divisor
from ..measures.measure import Measure
from ..measures.ndcg import discount, gains_by_document
from ..ranking import Place
from .gather import GROUPED, in_scored_ranks

Uncertain = str | int
"""A document by its id, or by a number where it is any that no run returns."""


class Board(NamedTuple):
    """One query and its rankings: the uncertain documents, and for each run its standing and its groups of documents.

    `discounts` are those of the ranks that count, 1 to k or to the end of the longest list.
    """

    query: str
    grades: Mapping[str, float]
    documents: Sequence[Uncertain]
    standings: Sequence[Standing]
    groups: Sequence[Sequence[Sequence[str]]]
    discounts: Floats
    relevant: bool
    pool: Set[str] | None


class Setting(NamedTuple):
    """What all boards of a call share: the measure, the scope, and the only documents that are uncertain, if named.

    `chosen` maps queries to documents.
    """

    measure: Measure
    scope: str
    chosen: Mapping[str, Container[str]] | None = None


def discounts(measure: Measure, ranks: int) -> Floats:
    """What ranks 1 to `ranks` keep of their gain, cut at k."""
    name, base = discount(measure)
    ranks = ranks if measure.k is None else min(ranks, measure.k)
    return np.array([1.0 / divisor(rank, name, base) for rank in range(1, ranks + 1)])


def board(
    query: str,
    grades: Mapping[str, float],
    lists: Sequence[Sequence[Place]],
    setting: Setting,
    pool: Set[str] | None = None,
) -> Board:
    """The query as numbers, from the places of each run."""
    measure = setting.measure
    gains = gains_by_document(grades, measure)
    scored = [[place for place in places if in_scored_ranks(place, measure)] for places in lists]
    documents = _uncertain(query, grades, lists, scored, setting, pool)
    column = {document: at for at, document in enumerate(documents)}
    longest = max((len(places) for places in lists), default=0)
    ranks = discounts(measure, longest + len(documents) + len(grades))
    source = measure.conventions["ideal"]
    standings, groups = [], []
    for places, head in zip(lists, scored, strict=True):
        returned = {place.document for place in places}
        known = [
            gain
            for document, gain in gains.items()
            if (source != "returned" or document in returned) and (source != "candidates" or document in (pool or ()))
        ]
        inside = [source != "returned" or document in returned for document in documents]
        tied = _grouped(head, measure)
        standings.append(_standing(tied, gains, column, np.array(known, float), np.array(inside, bool)))
        whole = _grouped(places, measure) if source == "returned" else tied
        groups.append([[place.document for place in group] for group in whole])
    relevant = any(gain > 0 for gain in gains.values())
    return Board(query, grades, documents, standings, groups, ranks, relevant, pool)


def _standing(
    groups: Sequence[Sequence[Place]],
    gains: Mapping[str, float],
    column: Mapping[Uncertain, int],
    pool: Floats,
    inside: Bools,
) -> Standing:
    """Groups of places as numbers; documents that stand alone together, for there are many."""
    known: list[tuple[float, int]] = []
    columns: list[tuple[int, int]] = []
    tied = []
    for group in groups:
        if len(group) > 1:
            tied.append(_tied(group, gains, column))
            continue
        place = group[0]
        if place.document in column:
            columns.append((column[place.document], place.rank))
        else:
            known.append((gains.get(place.document, 0.0), place.rank))
    return Standing(
        np.array([gain for gain, _ in known], dtype=float),
        np.array([rank for _, rank in known], dtype=np.int64),
        np.array([at for at, _ in columns], dtype=np.int64),
        np.array([rank for _, rank in columns], dtype=np.int64),
        tied,
        pool,
        inside,
    )


def _tied(group: Sequence[Place], gains: Mapping[str, float], column: Mapping[Uncertain, int]) -> Tied:
    known = [gains.get(place.document, 0.0) for place in group if place.document not in column]
    columns = [column[place.document] for place in group if place.document in column]
    return Tied(group[0].rank, np.array(known, dtype=float), np.array(columns, dtype=np.int64))


def _grouped(places: Sequence[Place], measure: Measure) -> list[list[Place]]:
    """Places as tied groups, where the tie rule looks at a group as a whole; else one by one."""
    if measure.conventions["ties"] not in GROUPED:
        return [[place] for place in places]
    groups: list[list[Place]] = []
    for place in places:
        if place.tied[0] == place.rank:
            groups.append([])
        groups[-1].append(place)
    return groups


def _uncertain(
    query: str,
    grades: Mapping[str, float],
    lists: Sequence[Sequence[Place]],
    scored: Sequence[Sequence[Place]],
    setting: Setting,
    pool: Set[str] | None,
) -> list[Uncertain]:
    """The uncertain documents: those in scored ranks first, then as many others as can enter an ideal."""
    measure = setting.measure
    chosen = setting.chosen
    head = list(dict.fromkeys(place.document for places in scored for place in places if place.grade is None))
    below = list(dict.fromkeys(place.document for places in lists for place in places if place.grade is None))
    if chosen is not None:
        wanted = chosen.get(query, ())
        return [document for document in dict.fromkeys([*head, *below]) if document in wanted]
    known = set(head)
    rest: list[Uncertain] = [document for document in below if document not in known]
    if measure.conventions["ideal"] == "returned":
        rest = rest if setting.scope != "scored" else []
        return [*head, *_first(rest, lists, measure.k)]
    if setting.scope == "scored":
        return list(head)
    if setting.scope == "any":
        limit = measure.k
        if pool is not None:
            outside = sum(document not in known and document not in grades for document in pool)
            limit = outside if limit is None else min(limit, outside)
        rest = list(range(limit or 0))
    return [*head, *(rest if measure.k is None else rest[: measure.k])]


def _first(documents: Sequence[Uncertain], lists: Sequence[Sequence[Place]], k: int | None) -> list[Uncertain]:
    """Of the documents that the same runs return the first k."""
    if k is None:
        return list(documents)
    returned = [{place.document for place in places} for places in lists]
    seen: dict[tuple[bool, ...], int] = {}
    kept = []
    for document in documents:
        kind = tuple(document in run for run in returned)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= k:
            kept.append(document)
    return kept


def linear(found: Board, run: int, ties: str) -> tuple[float, Floats] | None:
    """(known part, weights) of a run's discounted sum, None where it is not linear in the uncertain gains."""
    return weights(found.standings[run], len(found.documents), found.discounts, ties)


def kinds(found: Board, ties: str) -> tuple[list[int], list[int]]:
    """(uncertain documents sorted so that alike ones stand together, how many of each kind).

    Documents are alike where they have the same weight, or stand in the same tied group, in every run.
    """
    signatures: list[list[object]] = [[] for _ in found.documents]
    for run, standing in enumerate(found.standings):
        straight = linear(found, run, ties)
        place: dict[int, tuple[str, int]] = {}
        for column, rank in zip(standing.columns.tolist(), standing.column_ranks.tolist(), strict=True):
            place[column] = ("rank", rank)
        for at, group in enumerate(standing.groups):
            place.update(dict.fromkeys(group.columns.tolist(), ("group", at)))
        for column, signature in enumerate(signatures):
            own = place.get(column) if straight is None else float(straight[1][column])
            signature += [own, bool(standing.inside[column])]
    by_kind: dict[tuple[object, ...], list[int]] = {}
    for column, signature in enumerate(signatures):
        by_kind.setdefault(tuple(signature), []).append(column)
    groups = list(by_kind.values())
    return [column for group in groups for column in group], [len(group) for group in groups]
