"""The whole-list plan: every document gets its rank and its tied group in a window, judged ones are kept.

It also serves the few queries that the top-k plan could not finish: a tied group or repeats beyond its margin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...kernel.batch import Bools, Ints, Marks
from ...readers.source import Scanned
from ..contract import Cutoff, Looked, Request
from ..judgments import Judgments
from ..workspace import Workspace
from . import arrays, sql
from .arrays import Arrays
from .rows import WholeRows
from .scan import insert, read_part
from .topk import floats, joined


class Loaded(NamedTuple):
    """All rows of a run, or of a few of its queries: the table that holds them, and its rows as arrays where they fit.

    `repeated` says that a judged query may return a document twice; then there are no arrays.
    """

    table: str
    repeated: bool
    rows: Arrays | None


def load(workspace: Workspace, source: Scanned, judgments: Judgments, queries: Bools | None) -> str:
    """A table (query, doc, number, rank, own) of the run's rows in the order of the input, in one pass.

    With `queries` only the rows of those are kept.
    """
    workspace.allow_spilling()
    connection = workspace.connection
    table = workspace.name("rows")
    only, order = "", ""
    if queries is not None:
        wanted = workspace.name("wanted")
        connection.execute(
            f"create temp table {wanted} as select query from {judgments.table}_queries where code in "
            f"(select unnest(?::bigint[]))",
            [np.flatnonzero(queries).tolist()],
        )
        # A join does not keep the order of the rows, so they are numbered first.
        only, order = f"where query in (select query from {wanted})", "order by place"
    connection.execute(f"create temp table {table} ({COLUMNS}, fault boolean)")
    for part in source.parts:

        def copy(rows: str, parameters: tuple[object, ...]) -> None:
            relation = joined(rows, judgments, grades=False, pool=False, places=bool(only), number=0)
            select = f"select query, doc, number, rank, doc = query, fault from ({relation}) {only} {order}"
            insert(workspace, table, select, parameters)

        read_part(workspace, source, part, copy)
    return table


COLUMNS = "query varchar, doc varchar, number double, rank double, own boolean"


def rows_of(table: str) -> str:
    """A SELECT of a loaded table's rows in the shape of the readers, with their places."""
    return f"select query, doc, number, rank, rowid as place, false as fault from {table}"


def judged_rows(judgments: Judgments, table: str, request: Request | None = None) -> str:
    """A SELECT of the rows of judged queries, with their codes and places, that a request ranks."""
    where = " where not own" if request is not None and request.self == "drop" else ""
    return (
        f"(select q.code, r.query, r.doc, r.number, r.rank, r.own, r.rowid as place "
        f"from {table} r join {judgments.table}_queries q using (query){where})"
    )


def looked_over(workspace: Workspace, judgments: Judgments, table: str) -> Loaded:
    """A loaded table with what its rankings want to know of it, looked up once."""
    rows = arrays.fetch(workspace, judgments, table)
    return Loaded(table, rows is None and may_repeat(workspace, judgments, table), rows)


def rank(workspace: Workspace, source: Scanned, judgments: Judgments, loaded: Loaded, request: Request) -> WholeRows:
    """Rank all rows of a loaded table under one request."""
    found = None
    if loaded.rows is not None:
        found = arrays.rank(workspace, source, judgments, loaded.table, loaded.rows, request)
    return found or by_windows(workspace, source, judgments, loaded.table, loaded.repeated, request)


def by_windows(
    workspace: Workspace, source: Scanned, judgments: Judgments, table: str, repeated: bool, request: Request
) -> WholeRows:
    """The same by DuckDB, whatever the size; `repeated` as `may_repeat` says of the table.

    One sort places every row; tied groups are found among neighbours and counted apart, since they are few.
    """
    connection = workspace.connection
    count = len(judgments.queries)
    placed, groups = workspace.name("placed"), workspace.name("groups")
    rows_placed = placed_select(source, judgments, table, repeated, request)
    connection.execute(f"create temp table {placed} as {rows_placed}")
    connection.execute(
        f"create temp table {groups} as select code, score, min(position) as first, count(*) as size "
        f"from {placed} where tied group by code, score"
    )
    marked = ", p.times as times, p.again as again, p.lowest as lowest" if request.marks else ""
    rows = connection.execute(
        f"select p.code as code, p.grade as grade, p.position as position, coalesce(g.first, p.position) as first, "
        f"coalesce(g.size, 1) as size{marked} "
        f"from {placed} p left join {groups} g on g.code = p.code and g.score = p.score "
        f"where p.grade is not null order by p.code, p.position"
    ).fetchnumpy()
    stats = ["count(*) as documents"]
    for k in request.cutoffs:
        inside = "true" if k is None else f"position <= {k}"
        stats.append(f"count(*) filter ({inside} and grade is not null) as judged_{k}")
        stats.append(f"count(*) filter ({inside} and own) as own_{k}")
        stats.append(f"count(*) filter ({inside} and disagrees) as wrong_{k}")
        stats.append(f"max(raw) filter ({inside}) as raw_{k}")
        if repeated and request.repeats_stay:
            stats.append(f"count(*) filter ({inside} and again) as again_{k}")
    summary = connection.execute(f"select code, {', '.join(stats)} from {placed} group by code").fetchnumpy()
    ranked = judged_rows(judgments, table, request)
    returned = connection.execute(f"select code, count(*) as n from {ranked} group by code").fetchnumpy()
    total = per_query(count, returned, "n")
    distinct = per_query(count, summary, "documents")
    looked: dict[Cutoff, Looked] = {}
    for k in request.cutoffs:
        ranks = distinct if k is None else np.minimum(distinct, k)
        filled = ranks == k if k is not None else np.zeros(count, np.bool_)
        tied = np.zeros(count, np.int64)
        if k is not None and request.order != "given":
            cut = connection.execute(
                f"select code, size from {groups} where first <= {k} and first + size - 1 > {k}"
            ).fetchnumpy()
            tied = per_query(count, cut, "size")
        looked[k] = Looked(
            judged=per_query(count, summary, f"judged_{k}"),
            ranks=ranks,
            tied=tied,
            repeats=int(
                per_query(count, summary, f"again_{k}").sum()
                if f"again_{k}" in summary
                else np.where(filled, per_query(count, summary, f"raw_{k}") - ranks, total - distinct).sum()
            ),
            own=int(np.count_nonzero(per_query(count, summary, f"own_{k}"))),
            disagreements=int(per_query(count, summary, f"wrong_{k}").sum()),
        )
    connection.execute(f"drop table {placed}; drop table {groups}")
    return WholeRows(
        np.asarray(rows["code"], np.int64),
        floats(rows["grade"]),
        np.asarray(rows["position"], np.int64),
        np.asarray(rows["first"], np.int64),
        np.asarray(rows["size"], np.int64),
        total,
        looked,
        _marks(rows) if request.marks else None,
    )


def _marks(rows: Mapping[str, Any]) -> Marks:
    """The marks of the fetched rows."""
    return Marks(
        np.asarray(rows["times"], np.int64), np.asarray(rows["again"], np.bool_), np.asarray(rows["lowest"], np.bool_)
    )


def placed_select(source: Scanned, judgments: Judgments, table: str, repeated: bool, request: Request) -> str:
    """Every document that keeps a rank: code, position, raw (position before repeats went), score, grade, own, tied
    with a neighbour, and whether its given rank disagrees with the order of the scores; where repeats stay or marks
    are asked for, how often it is listed, whether it came before, and whether its score is minus infinity.
    """
    value = sql.score(request, source.ranked)
    order = sql.ordering(request)
    rows = judged_rows(judgments, table, request)
    rows = f"select code, doc, rank as given, place, own, {value} as score from {rows}"
    raw = "position"
    more = ""
    if request.marks or (repeated and request.repeats_stay):
        every = "over (partition by p.code, p.doc"
        more = (
            f", count(*) {every}) as times, row_number() {every} order by position) > 1 as again, "
            "p.score = '-inf'::double as lowest"
        )
    if repeated and not request.repeats_stay:
        raw = "raw"
        rows = f"select *, row_number() over (partition by code order by {order}) as raw from ({rows})"
        rows = f"select * from ({rows}) qualify row_number() over (partition by code, doc order by raw) = 1"
    return f"""
        select p.code, position, {raw} as raw, p.score, j.grade, p.own,
               coalesce(p.score = before or p.score = after, false) as tied,
               coalesce(p.score < before and p.given < given_before, false) as disagrees{more}
        from (
            select *, row_number() over ordered as position, lag(score) over ordered as before,
                   lead(score) over ordered as after, lag(given) over ordered as given_before
            from ({rows}) window ordered as (partition by code order by {order})
        ) p left join {judgments.table} j on j.code = p.code and j.doc = p.doc
    """


def may_repeat(workspace: Workspace, judgments: Judgments, table: str) -> bool:
    """Whether a judged query returns a document twice, or two of its documents share a hash."""
    rows = judged_rows(judgments, table)
    groups = f"select 1 from {rows} group by code, hash(doc) having count(*) > 1 limit 1"
    return bool(workspace.connection.execute(groups).fetchall())


def per_query(count: int, rows: Mapping[str, object], column: str) -> Ints:
    """A fetched column spread over all queries, 0 where a query has no row."""
    values = np.zeros(count, np.int64)
    values[np.asarray(rows["code"], np.int64)] = np.asarray(rows[column], np.int64)
    return values
