"""Complete lists that fit into memory, ranked by NumPy: numbers leave DuckDB once, ids stay there.

Each row is its query's code, its score and a hash. One sort of the scores and one of the codes give every rank; ids are
compared only inside tied groups. Where a document may repeat, or where ids decide a large part of the ranks, DuckDB's
windows take over: `rank` says so by None.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...kernel.batch import Bools, Floats, Ints, Marks
from ...readers.source import Scanned
from ..contract import Cutoff, Looked, Request
from ..groups import count_to, starts
from ..judgments import Judgments
from ..workspace import Workspace
from .rows import WholeRows
from .topk import floats, or_nan

MOST_ROWS = 4_000_000
"""Longer runs are left to DuckDB, which can spill."""

BYTES_PER_ROW = 150
"""What a row takes at the height of the sorting."""

TIED = 0.25
"""If more of the rows than this tie, DuckDB sorts them all."""

ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the codes of queries over all bits, so that the same document under two queries has two keys."""


class Arrays(NamedTuple):
    """The rows of judged queries, sorted by query, otherwise in the order of the input.

    `place` is the row of the loaded table, `grade` NaN where a document is unjudged, `given` where the input gives no
    rank.
    """

    place: Ints
    code: Ints
    number: Floats
    given: Floats
    own: Bools
    grade: Floats

    def of(self, rows: Bools | Ints) -> Arrays:
        """Some of the rows."""
        place, code, number, given, own, grade = self
        return Arrays(place[rows], code[rows], number[rows], given[rows], own[rows], grade[rows])

    def moved(self, rows: Ints, others: Ints) -> Arrays:
        """What other rows hold at the places of some rows of the same queries and scores."""
        place, given, own, grade = self.place.copy(), self.given.copy(), self.own.copy(), self.grade.copy()
        place[rows], given[rows] = self.place[others], self.given[others]
        own[rows], grade[rows] = self.own[others], self.grade[others]
        return self._replace(place=place, given=given, own=own, grade=grade)


def fetch(workspace: Workspace, judgments: Judgments, table: str) -> Arrays | None:
    """The rows of a loaded table as arrays; None where they are too many, or where a document may repeat."""
    connection = workspace.connection
    count = connection.execute(f"select count(*) from {table}").fetchall()[0][0]
    if count > MOST_ROWS or count * BYTES_PER_ROW > workspace.memory_bytes / 4:
        return None
    rows = connection.execute(
        f"select r.rowid as place, q.code as code, {or_nan('r.number')} as number, {or_nan('r.rank')} as given, "
        f"r.own as own, hash(r.doc) as hash from {table} r join {judgments.table}_queries q using (query)"
    ).fetchnumpy()
    place, code = np.asarray(rows["place"], np.int64), np.asarray(rows["code"], np.int64)
    keys = np.sort(np.asarray(rows["hash"], np.uint64) ^ (code.astype(np.uint64) * ODD))
    if (keys[1:] == keys[:-1]).any():
        return None
    judged = connection.execute(
        f"select r.rowid as place, j.grade as grade from {table} r "
        f"join {judgments.table} j on j.query = r.query and j.doc = r.doc"
    ).fetchnumpy()
    row_of = np.full(count, -1)
    row_of[place] = np.arange(len(place))
    grade = np.full(len(place), np.nan)
    grade[row_of[np.asarray(judged["place"], np.int64)]] = floats(judged["grade"])
    own = np.asarray(rows["own"], np.bool_)
    found = Arrays(place, code, floats(rows["number"]), floats(rows["given"]), own, grade)
    # The join hands rows over in pieces, in no order.
    row_of = row_of[row_of >= 0]
    return found.of(row_of[_by_query(code[row_of], len(judgments.queries))])


def rank(
    workspace: Workspace, source: Scanned, judgments: Judgments, table: str, rows: Arrays, request: Request
) -> WholeRows | None:
    """Rank all rows under one request; None where DuckDB should."""
    if request.self == "drop" and rows.own.any():
        rows = rows.of(~rows.own)
    queries = len(judgments.queries)
    score = _scores(rows, request, ranked=source.ranked)
    code = rows.code
    same = code[1:] == code[:-1]
    if (same & (score[1:] > score[:-1])).any():
        # Few runs are written in another order than that of their scores.
        in_order = np.argsort(-score, kind="stable" if request.order == "given" else None)
        in_order = in_order[_by_query(code[in_order], queries)]
        rows, score = rows.of(in_order), score[in_order]
    groups = np.flatnonzero(starts(code, score))
    bounds = np.append(groups, len(code))
    tied = len(code) - np.count_nonzero(np.diff(bounds) == 1)
    if request.order != "given" and tied:
        if tied > max(1000, TIED * len(code)):
            return None
        rows = rows.moved(*_by_id(workspace, table, rows.place, bounds, request.order))
    total = np.bincount(code, minlength=queries).astype(np.int64)
    before = np.cumsum(total) - total
    hits = np.flatnonzero(~np.isnan(rows.grade))
    position, first, size = _places(hits, code, before, bounds)
    own = np.flatnonzero(rows.own)
    wrong = np.flatnonzero(same & (score[1:] < score[:-1]) & (rows.given[1:] < rows.given[:-1])) + 1
    own_place, wrong_place = own - before[code[own]] + 1, wrong - before[code[wrong]] + 1
    looked: dict[Cutoff, Looked] = {}
    for k in request.cutoffs:
        last = len(code) if k is None else k
        looked[k] = Looked(
            judged=count_to(code[hits], position, k, queries),
            ranks=np.minimum(total, last),
            tied=np.zeros(queries, np.int64)
            if k is None or request.order == "given"
            else _cut_groups(total, code, before, bounds, k),
            repeats=0,
            own=int(np.count_nonzero(np.bincount(code[own[own_place <= last]]))),
            disagreements=int(np.count_nonzero(wrong_place <= last)),
        )
    marks = None
    if request.marks:
        marks = Marks(np.ones(len(hits), np.int64), np.zeros(len(hits), np.bool_), score[hits] == -np.inf)
    return WholeRows(code[hits], rows.grade[hits], position, first, size, total, looked, marks)


def _places(at: Ints, code: Ints, before: Ints, bounds: Ints) -> tuple[Ints, Ints, Ints]:
    """(rank, first rank of the tied group, size of it) of sorted rows.

    `before` are the rows of earlier queries, per query; `bounds` where the tied groups begin, and the end.
    """
    group = np.searchsorted(bounds, at, "right") - 1
    above = before[code[at]] - 1
    return at - above, bounds[group] - above, bounds[group + 1] - bounds[group]


def _cut_groups(total: Ints, code: Ints, before: Ints, bounds: Ints, k: int) -> Ints:
    """Per query, the size of the tied group that the cutoff k cuts, 0 if it cuts none."""
    reached = np.flatnonzero(total >= max(k, 1))
    _, first, size = _places(before[reached] + k - 1, code, before, bounds)
    tied = np.zeros(len(total), np.int64)
    tied[reached] = np.where(first + size - 1 > k, size, 0)
    return tied if k else np.zeros_like(tied)


def _scores(rows: Arrays, request: Request, *, ranked: bool) -> Floats:
    """The number that orders a document, higher first."""
    if ranked:
        return 0.0 - rows.given
    if request.score_type != "float32":
        return rows.number
    with np.errstate(over="ignore"):
        return rows.number.astype(np.float32).astype(np.float64)


def _by_query(code: Ints, queries: int) -> Ints:
    """The places of rows in the order of their queries, otherwise as they are."""
    # NumPy sorts 16-bit numbers by their digits, several times faster than longer ones.
    short = code.astype(np.uint16) if queries <= 1 << 16 else code
    return np.argsort(short, kind="stable")


def _by_id(workspace: Workspace, table: str, place: Ints, bounds: Ints, order: str) -> tuple[Ints, Ints]:
    """The tied rows, and the same rows in the order of their ids inside their groups."""
    size = np.diff(bounds)
    group = np.repeat(np.arange(len(size)), size)
    tied = np.flatnonzero(size[group] > 1)
    connection = workspace.connection
    connection.register("tied_rows", {"place": place[tied], "tied": group[tied], "at": tied})
    direction = "desc" if order == "docid_desc" else "asc"
    rows = connection.execute(
        f"select t.at as at from tied_rows t join {table} r on r.rowid = t.place order by t.tied, r.doc {direction}"
    ).fetchnumpy()
    connection.unregister("tied_rows")
    return tied, np.asarray(rows["at"], np.int64)
