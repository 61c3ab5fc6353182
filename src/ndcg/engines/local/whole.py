"""The whole-list plan: every document gets its rank and its tied group in a window, judged ones are kept.

It also serves the few queries that the top-k plan could not finish: a tied group or repeats beyond its margin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.batch import Bools, Floats, Ints
from ...readers.source import Scanned
from ..contract import Cutoff, Looked, Request
from ..judgments import Judgments
from ..workspace import Workspace
from . import sql
from .scan import FaultyRows, read_part
from .topk import floats, joined


@dataclass(frozen=True, slots=True)
class WholeRows:
    """Judged documents of complete rankings, sorted by query and rank, and what was seen per cutoff."""

    query: Ints
    grade: Floats
    rank: Ints
    start: Ints
    size: Ints
    rows: Ints
    distinct: Ints
    looked: dict[Cutoff, Looked]


def load(workspace: Workspace, source: Scanned, judgments: Judgments, queries: Bools | None) -> str:
    """A table (code, query, doc, number, rank, place, outside) of the run's rows for judged queries, or some of them.

    Where `queries` is given, only those are kept.
    """
    connection = workspace.connection
    table = workspace.name("rows")
    wanted = f"{judgments.table}_queries"
    if queries is not None:
        wanted = workspace.name("wanted")
        connection.execute(
            f"create temp table {wanted} as select * from {judgments.table}_queries where code in "
            f"(select unnest(?::bigint[]))",
            [np.flatnonzero(queries).tolist()],
        )
    for number, part in enumerate(source.parts):

        def copy(rows: str, parameters: tuple[object, ...], number: int = number) -> None:
            relation = joined(rows, judgments, grades=False, places=True, number=number)
            outside = "r.outside" if judgments.pool is not None else "false"
            verb = f"insert into {table}" if number else f"create or replace temp table {table} as"
            connection.execute("begin")
            try:
                connection.execute(
                    f"{verb} select q.code, r.query, r.doc, r.number, r.rank, r.place, {outside} as outside, r.fault "
                    f"from ({relation}) r join {wanted} q using (query)",
                    list(parameters),
                )
                if connection.execute(f"select count(*) from {table} where fault").fetchall()[0][0]:
                    raise FaultyRows
                connection.execute("commit")
            except BaseException:
                connection.execute("rollback")
                raise

        read_part(workspace, source, part, copy)
    return table


def rank(workspace: Workspace, source: Scanned, judgments: Judgments, table: str, request: Request) -> WholeRows:
    """Rank all rows of a loaded table under one request."""
    connection = workspace.connection
    count = len(judgments.queries)
    value = sql.score(request, source.ranked)
    order = sql.ordering(request)
    where = "where doc <> query" if request.self == "drop" else ""
    name = workspace.name("whole")
    repeated = connection.execute(
        f"select count(*) > 0 from (select code from {table} {where} group by code "
        "having count(*) > count(distinct doc))"
    ).fetchall()[0][0]
    first = f"select code, query, doc, rank as given, place, {value} as score from {table} {where}"
    numbered = f"select *, row_number() over (partition by code order by {order}) as raw from ({first})"
    if repeated:
        numbered = (
            "select * from (select *, row_number() over (partition by code, doc order by raw) as copy "
            f"from ({numbered})) where copy = 1"
        )
    finite = [k for k in request.cutoffs if k is not None]
    stats = ["count(*) as distinct_docs"]
    for k in request.cutoffs:
        inside = "true" if k is None else f"position <= {k}"
        label = "all" if k is None else str(k)
        stats.append(f"count(*) filter ({inside} and grade is not null) as judged_{label}")
        stats.append(f"count(*) filter ({inside} and doc = query) as own_{label}")
        stats.append(f"count(*) filter ({inside} and score < score_before and given < given_before) as wrong_{label}")
        stats.append(f"max(raw) filter ({inside}) as raw_{label}")
    for k in finite:
        stats.append(f"max(case when position = {k} and first + size - 1 > {k} then size else 0 end) as tied_{k}")
    connection.execute(
        f"""
        create temp table {name} as
        with numbered as ({numbered}),
        placed as (
            select *, row_number() over ordered as position, rank() over scored as first,
                   count(*) over (partition by code, score) as size,
                   lag(score) over ordered as score_before, lag(given) over ordered as given_before
            from numbered
            window ordered as (partition by code order by {order}), scored as (partition by code order by score desc)
        ),
        graded as (
            select p.*, j.grade from placed p left join {judgments.table} j on j.code = p.code and j.doc = p.doc
        )
        select code, {", ".join(stats)},
               list({{'position': position, 'first': first, 'size': size, 'grade': grade}} order by position)
               filter (grade is not null) as judged
        from graded group by code
        """
    )
    rows = connection.execute(
        f"select code, e.position as position, e.first as first, e.size as size, e.grade as grade from "
        f"(select code, unnest(judged) as e from {name}) order by code, position"
    ).fetchnumpy()
    summary = connection.execute(f"select * exclude (judged) from {name} order by code").fetchnumpy()
    raw_rows = connection.execute(f"select code, count(*) as n from {table} {where} group by code").fetchnumpy()
    connection.execute(f"drop table {name}")

    def per_query(column: str) -> Ints:
        values = np.zeros(count, np.int64)
        values[summary["code"]] = np.asarray(summary[column], np.int64)
        return values

    total = np.zeros(count, np.int64)
    total[raw_rows["code"]] = raw_rows["n"]
    distinct = per_query("distinct_docs")
    given = request.order == "given"
    looked: dict[Cutoff, Looked] = {}
    for k in request.cutoffs:
        label = "all" if k is None else str(k)
        ranks = distinct if k is None else np.minimum(distinct, k)
        filled = ranks == k if k is not None else np.zeros(count, np.bool_)
        repeats = np.where(filled, per_query(f"raw_{label}") - ranks, total - distinct)
        own = per_query(f"own_{label}")
        looked[k] = Looked(
            per_query(f"judged_{label}"),
            ranks,
            np.zeros(count, np.int64) if k is None or given else per_query(f"tied_{k}"),
            int(repeats.sum()),
            int(np.count_nonzero(own)),
            int(per_query(f"wrong_{label}").sum()),
        )
    return WholeRows(
        np.asarray(rows["code"], np.int64),
        floats(rows["grade"]),
        np.asarray(rows["position"], np.int64),
        np.asarray(rows["first"], np.int64),
        np.asarray(rows["size"], np.int64),
        total,
        distinct,
        looked,
    )
