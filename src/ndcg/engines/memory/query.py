"""The ranking of one query held in a dict: sorted scores, and the judged documents looked up in them."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...kernel.batch import Floats


class Hits(NamedTuple):
    """Judged documents in a ranking: ids, scores as compared, first ranks and sizes of their tied groups."""

    documents: list[str]
    scores: list[float]
    starts: list[int]
    sizes: list[int]


FEW = 4
"""So many documents are looked up one by one; NumPy's calls pay off for more."""


def to_float32(scores: Floats) -> Floats:
    """Scores rounded to single precision; beyond its range they become infinite, which NumPy warns of by default."""
    return scores.astype(np.float32).astype(np.float64)


class QueryRanking:
    """One query's documents and scores under one self rule and one score type.

    `listed` maps documents to scores, or to their place in a ranked list. `raw` is that ranked list with its repeats,
    None where documents have scores. `scores` are the scores in the order of `listed`. `every` says that each
    occurrence of a repeated document keeps its rank.
    """

    __slots__ = ("ascending", "every", "groups", "listed", "raw", "rounded", "scores")

    def __init__(
        self,
        listed: Mapping[str, float],
        scores: Floats,
        raw: Sequence[str] | None,
        *,
        without: str | None,
        score_type: str,
        every: bool,
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
        self.every = every and raw is not None and len(raw) > len(listed)
        self.scores = to_float32(scores) if self.rounded else scores
        self.ascending = np.sort(self.scores) if raw is None else None
        self.groups: dict[tuple[float, str], dict[str, int]] = {}

    @property
    def returned(self) -> int:
        """Rows, repeats included."""
        return len(self.listed) if self.raw is None else len(self.raw)

    def hits(self, grades: Mapping[str, float]) -> Hits:
        """The judged documents of the ranking, in no particular order."""
        listed = self.listed
        if self.every and self.raw is not None:
            places = [place for place, doc in enumerate(self.raw) if doc in grades]
            docs = [self.raw[place] for place in places]
            return Hits(docs, [-float(place) for place in places], [place + 1 for place in places], [1] * len(docs))
        if len(grades) <= len(listed):
            docs = [doc for doc in grades if doc in listed]
        else:
            docs = [doc for doc in listed if doc in grades]
        return self.look_up(docs)

    def look_up(self, docs: list[str]) -> Hits:
        """Where the tied groups of some documents stand."""
        listed, ascending = self.listed, self.ascending
        if not docs:
            return Hits([], [], [], [])
        if ascending is None:
            places = [int(listed[doc]) for doc in docs]
            return Hits(docs, [-float(place) for place in places], [place + 1 for place in places], [1] * len(docs))
        found = [listed[doc] for doc in docs]
        if self.rounded:
            values = to_float32(np.array(found, dtype=np.float64))
            scores = values.tolist()
        else:
            scores = list(map(float, found))
        if len(docs) <= FEW:
            bounds = ascending.data
            after = [bisect_right(bounds, score) for score in scores]
            before = [bisect_left(bounds, score, 0, end) for score, end in zip(scores, after, strict=True)]
            starts = [len(bounds) - end + 1 for end in after]
            return Hits(docs, scores, starts, [end - start for start, end in zip(before, after, strict=True)])
        if not self.rounded:
            values = np.array(scores)
        ends = ascending.searchsorted(values, "right")
        sizes = ends - ascending.searchsorted(values, "left")
        return Hits(docs, scores, (len(ascending) + 1 - ends).tolist(), sizes.tolist())

    def ranks(self, hits: Hits, order: str) -> list[int]:
        """The ranks of documents: the first of their tied group, plus their place inside the group."""
        if max(hits.sizes, default=1) == 1:
            return hits.starts
        return [
            start if size == 1 else start + self._places(score, order)[document]
            for document, score, start, size in zip(*hits, strict=True)
        ]

    def rank_of(self, document: str, order: str) -> int:
        """The rank of a document of the list, its first one if it has several."""
        if self.every and self.raw is not None:
            return self.raw.index(document) + 1
        return self.ranks(self.look_up([document]), order)[0]

    def marks(self, hits: Hits) -> list[tuple[int, bool, bool]]:
        """Of each document: how often it is listed, whether it came before, whether its score is minus infinity."""
        times = Counter(self.raw if self.every else ())
        first: dict[str, int] = {}
        for document, start in zip(hits.documents, hits.starts, strict=True):
            first[document] = min(start, first.get(document, start))
        return [
            (times[document] or 1, first[document] < start, score == -math.inf)
            for document, score, start in zip(hits.documents, hits.scores, hits.starts, strict=True)
        ]

    def _places(self, score: float, order: str) -> dict[str, int]:
        """The places of a tied group's documents inside it."""
        key = score, order
        if key not in self.groups:
            docs = list(self.listed)
            group = [docs[at] for at in np.flatnonzero(self.scores == score).tolist()]
            if order != "given":
                group.sort(reverse=order == "docid_desc")
            self.groups[key] = {doc: place for place, doc in enumerate(group)}
        return self.groups[key]

    def holds(self, score: float) -> bool:
        """Whether a document has exactly this score."""
        ascending = self.ascending
        if ascending is None:
            return False
        at = int(ascending.searchsorted(score))
        return at < len(ascending) and bool(ascending[at] == score)

    def tied(self, k: int) -> int:
        """The size of the tied group that holds ranks k and k + 1, 0 if they do not tie."""
        ascending = self.ascending
        if ascending is None or not 0 < k < len(ascending):
            return 0
        score = ascending[-k]
        if score != ascending[-k - 1]:
            return 0
        return int(np.searchsorted(ascending, score, "right") - np.searchsorted(ascending, score, "left"))

    def repeats(self, k: int | None) -> int:
        """Repeated documents before the k-th different one (all of them without k); among the k where they stay."""
        if self.raw is None or len(self.raw) == len(self.listed):
            return 0
        if self.every and k is not None:
            head = self.raw[:k]
            return len(head) - len(set(head))
        if k is None or k > len(self.listed):
            return len(self.raw) - len(self.listed)
        seen: set[str] = set()
        for place, doc in enumerate(self.raw):
            seen.add(doc)
            if len(seen) == k:
                return place + 1 - k
        return 0
