"""The ranking of one query held in a dict: sorted scores, and the judged documents looked up in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...kernel.batch import Floats


class Hit(NamedTuple):
    """A judged document in the ranking: its id, its score as compared, its tied group's first rank and size."""

    document: str
    score: float
    start: int
    size: int


class Placed(NamedTuple):
    """A judged document at its rank."""

    rank: int
    start: int
    size: int
    grade: float


def to_float32(scores: Floats) -> Floats:
    """Scores rounded to single precision; beyond its range they become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


class QueryRanking:
    """One query's documents and scores under one self rule and one score type.

    `listed` maps documents to scores, or to their place in a ranked list. `raw` is that ranked list with its repeats,
    None where documents have scores. `scores` are the scores in the order of `listed`.
    """

    __slots__ = ("ascending", "groups", "listed", "raw", "rounded", "scores")

    def __init__(
        self,
        listed: Mapping[str, float],
        scores: Floats,
        raw: Sequence[str] | None,
        *,
        without: str | None,
        score_type: str,
    ) -> None:
        if without is not None and without in listed:
            scores = scores[[doc != without for doc in listed]]
            listed = {doc: score for doc, score in listed.items() if doc != without}
            if raw is not None:
                raw = [doc for doc in raw if doc != without]
                listed = {doc: place for place, doc in enumerate(listed)}
        self.rounded = score_type == "float32" and raw is None
        self.listed = listed
        self.raw = raw
        self.scores = to_float32(scores) if self.rounded else scores
        self.ascending = np.sort(self.scores) if raw is None else None
        self.groups: dict[tuple[float, str], dict[str, int]] = {}

    @property
    def returned(self) -> int:
        """Rows, repeats included."""
        return len(self.listed) if self.raw is None else len(self.raw)

    def hits(self, grades: Mapping[str, float]) -> list[Hit]:
        """The judged documents of the ranking, in no particular order."""
        listed = self.listed
        if len(grades) <= len(listed):
            docs = [doc for doc in grades if doc in listed]
        else:
            docs = [doc for doc in listed if doc in grades]
        return self.look_up(docs)

    def look_up(self, docs: Sequence[str]) -> list[Hit]:
        """Where the tied groups of some documents stand."""
        listed, ascending = self.listed, self.ascending
        if ascending is None:
            return [Hit(doc, -float(listed[doc]), int(listed[doc]) + 1, 1) for doc in docs]
        values = np.array([listed[doc] for doc in docs], dtype=np.float64)
        if self.rounded:
            values = to_float32(values)
        after = np.searchsorted(ascending, values, "right")
        size = after - np.searchsorted(ascending, values, "left")
        start = len(ascending) - after + 1
        return list(map(Hit, docs, values.tolist(), start.tolist(), size.tolist()))

    def rank_of(self, hit: Hit, order: str) -> int:
        """The rank of a document: the first of its tied group, plus its place inside the group."""
        if hit.size == 1:
            return hit.start
        key = hit.score, order
        if key not in self.groups:
            docs = list(self.listed)
            group = [docs[at] for at in np.flatnonzero(self.scores == hit.score).tolist()]
            if order != "given":
                group.sort(reverse=order == "docid_desc")
            self.groups[key] = {doc: place for place, doc in enumerate(group)}
        return hit.start + self.groups[key][hit.document]

    def tied(self, k: int) -> int:
        """The size of the tied group that holds ranks k and k + 1, 0 if they do not tie."""
        ascending = self.ascending
        if ascending is None or len(ascending) <= k:
            return 0
        score = ascending[-k]
        if score != ascending[-k - 1]:
            return 0
        return int(np.searchsorted(ascending, score, "right") - np.searchsorted(ascending, score, "left"))

    def repeats(self, k: int | None) -> int:
        """Repeated documents before the k-th different one (all of them without k)."""
        if self.raw is None or len(self.raw) == len(self.listed):
            return 0
        if k is None or k >= len(self.listed):
            return len(self.raw) - len(self.listed)
        seen: set[str] = set()
        for place, doc in enumerate(self.raw):
            seen.add(doc)
            if len(seen) == k:
                return place + 1 - k
        return 0
