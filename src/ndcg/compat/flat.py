"""Judgments as flat arrays made once, and rankings of whole runs in a few vectorised steps.

The drop-in modules score one run under dozens of measures of one convention. So scores of all queries are packed
together, one sort of (query, score) keys serves every query, and ids are compared only inside tied groups.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engines.ids import all_text
from ..errors import DataTypeError, Fault, InputError
from ..kernel.batch import Batch, Floats, Ints, Judged, Ranked

Rows = Mapping[str, Mapping[str, Any]]
Keys = NDArray[np.uint64]
Refuse = Callable[[str, Mapping[str, Any]], Exception]


REFUSED = (TypeError, AttributeError, OverflowError, struct.error)


@lru_cache(maxsize=4096)
def _packer(count: int) -> Callable[..., bytes]:
    return struct.Struct(f"{count}d").pack


def packed(rows: Rows, refuse: Refuse) -> tuple[Floats, Ints]:
    """All numbers, query after query, and how many each query has; `refuse` makes the error for a query's bad data.

    Packing refuses whatever is no number (text, bytes, None), and joining whatever is no text.
    """
    pieces = []
    lengths = []
    for query, documents in rows.items():
        try:
            "".join(documents)
            pieces.append(_packer(len(documents))(*documents.values()))
        except REFUSED:
            raise refuse(query, documents) from None
        lengths.append(len(documents))
    return np.frombuffer(b"".join(pieces), dtype=np.float64), np.array(lengths, dtype=np.int64)


class FlatJudgments:
    """All judged documents of some queries: ids per query, and query and grade per row."""

    def __init__(self, rows: Rows, refuse: Refuse) -> None:
        self.queries = list(rows)
        self.codes = {query: code for code, query in enumerate(self.queries)}
        self.documents: list[list[str]] = [list(documents) for documents in rows.values()]
        self.grade, lengths = packed(rows, refuse)
        self.query: Ints = np.repeat(np.arange(len(lengths)), lengths)
        self.lengths = lengths

    def of(self, queries: Sequence[str]) -> tuple[Judged, list[list[str]]]:
        """The rows of some of the queries, in that order, and their documents."""
        if queries == self.queries:
            return Judged(len(queries), self.query, self.grade), self.documents
        chosen = np.array([self.codes[query] for query in queries], dtype=np.int64)
        lengths = self.lengths[chosen]
        first = np.cumsum(self.lengths) - self.lengths
        start = np.cumsum(lengths) - lengths
        rows = np.arange(int(lengths.sum())) + np.repeat(first[chosen] - start, lengths)
        judged = Judged(len(queries), np.repeat(np.arange(len(queries)), lengths), self.grade[rows])
        return judged, [self.documents[code] for code in chosen.tolist()]


def _ordered(scores: Floats, code: Ints) -> Keys:
    """One number per row that sorts by query, then by score in single precision, descending; equal scores are equal."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    single += np.float32(0.0)
    bits = single.view(np.uint32)
    return (code.view(np.uint64) << np.uint64(32)) | np.where(bits >> np.uint32(31), bits, bits ^ np.uint32(0x7FFFFFFF))


def _looked_up(run: Rows, documents: Sequence[Sequence[str]], refuse: Refuse) -> tuple[Floats, Ints, Floats]:
    """(all scores, how many each query has, the score of each judged document or NaN).

    One query after the other, while its dict is in the processor's cache.
    """
    pieces: list[bytes] = []
    lengths: list[int] = []
    own: list[float] = []
    nothing = repeat(math.nan)
    for (query, listed), judged in zip(run.items(), documents, strict=True):
        try:
            pieces.append(_packer(len(listed))(*listed.values()))
            "".join(listed)
        except REFUSED:
            raise refuse(query, listed) from None
        lengths.append(len(listed))
        own += map(listed.get, judged, nothing)
    return (
        np.frombuffer(b"".join(pieces), dtype=np.float64),
        np.array(lengths, dtype=np.int64),
        np.array(own, dtype=np.float64),
    )


def rank(run: Rows, judged: Judged, documents: Sequence[Sequence[str]], refuse: Refuse) -> Batch:
    """The judged documents of each query at their ranks: score in single precision descending, then id descending.

    The queries of `run` are those of `judged`, in the same order.
    """
    scores, lengths, own = _looked_up(run, documents, refuse)
    _refuse_nan(run, scores, lengths)
    keys = _ordered(scores, np.repeat(np.arange(len(lengths)), lengths))
    ordered = np.sort(keys)
    rows = np.flatnonzero(~np.isnan(own))
    mine = _ordered(own[rows], judged.query[rows])
    order = np.argsort(mine)
    rows, mine = rows[order], mine[order]
    query = judged.query[rows]
    start = np.searchsorted(ordered, mine)
    size = np.ones(len(start), dtype=np.int64)
    place = start
    following = np.minimum(start + 1, max(len(ordered) - 1, 0))
    tied = np.flatnonzero((ordered[following] == mine) & (following > start))
    if len(tied):
        after = np.searchsorted(ordered, mine[tied], "right")
        size[tied] = after - start[tied]
        place = start.copy()
        first = np.cumsum(lengths) - lengths
        groups = _Groups(list(run.values()), documents, np.argsort(keys), first.tolist())
        own_first = np.searchsorted(judged.query, query[tied])
        place[tied] += groups.places(query[tied], start[tied], after, rows[tied] - own_first)
        order = np.argsort(place)
        rows, query, place, start, size = rows[order], query[order], place[order], start[order], size[order]
    offset = (np.cumsum(lengths) - lengths - 1)[query]
    return Batch(judged, Ranked(query, judged.grade[rows], place - offset, start - offset, size, lengths), lengths)


class _Groups(NamedTuple):
    """The ids of tied groups: the documents of each query's list and of its judgments, and the lists' sorted order."""

    listed: Sequence[Iterable[str]]
    judged: Sequence[Sequence[str]]
    order: Ints
    first: Sequence[int]

    def places(self, query: Ints, start: Ints, after: Ints, row: Ints) -> list[int]:
        """How many documents of its tied group stand above each judged one: those with a greater id."""
        found: list[int] = []
        group: list[str] = []
        ids: list[str] = []
        current = last = -1
        for code, begin, end, own in zip(query.tolist(), start.tolist(), after.tolist(), row.tolist(), strict=True):
            if code != current:
                # One query's ids after the other: they stay in the processor's cache.
                ids, current = list(self.listed[code]), code
            if begin != last:
                group = [ids[at] for at in (self.order[begin:end] - self.first[code]).tolist()]
                last = begin
            found.append(sum(map(self.judged[code][own].__lt__, group)))
        return found


def _refuse_nan(run: Rows, scores: Floats, lengths: Ints) -> None:
    lost = np.isnan(scores)
    if lost.any():
        at = int(np.flatnonzero(lost)[0])
        code = int(np.searchsorted(np.cumsum(lengths), at, "right"))
        query = list(run)[code]
        document = list(run[query])[at - int(lengths[:code].sum())]
        problem = "score is NaN, which has no place in an order"
        raise InputError(problem, code="nan_score", faults=[Fault(problem, "run", query=query, document=document)])


def first_bad(query: str, documents: object, accepts: Callable[[object], bool], what: str) -> Fault:
    """The first document of a query whose id is no text or whose number is none."""
    if not isinstance(documents, Mapping):
        return Fault(f"found a {type(documents).__name__} in place of {{document: {what}}}", query=query)
    for document, value in documents.items():
        if not isinstance(document, str):
            return Fault(f"document id {document!r} is of type {type(document).__name__}, not text", query=query)
        if not accepts(value):
            return Fault(f"{what} {value!r} is of type {type(value).__name__}", query=query, document=document)
    return Fault(f"a {what} is beyond the range of a float", query=query)


def check_queries(rows: Iterable[object], where: str) -> None:
    """Refuse query ids that are no text."""
    if all_text(rows):
        return
    query = next(query for query in rows if not isinstance(query, str))
    problem = f"query id {query!r} is of type {type(query).__name__}, not text"
    raise DataTypeError(problem, code="id_type", faults=[Fault(problem, where)], hint="turn ids into text")
