"""The top-k plan: DuckDB keeps the first rows of each query in one aggregate, several rankings at once.

The state of the aggregate cannot spill to disk, so where it would not fit the memory limit the whole-list plan takes
over: its windows can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel.batch import Floats, Ints
from ...readers.source import Scanned
from ..contract import Request
from ..judgments import Judgments
from ..workspace import Workspace
from . import sql
from .counts import count_column, kinds, rows_column
from .rows import TopRows
from .scan import FaultyRows, read_part

MARGIN = 20
"""Rows fetched beyond the cutoff where whole tied groups are wanted: enough for nearly every one."""

SMALL_MARGIN = 8
"""Rows fetched beyond the cutoff where ids decide: the tied group there is only counted, and repeats are rare."""

DEEPEST = 200
"""Cutoffs beyond this take the whole-list plan."""

MOST_BYTES = 2e9
"""The aggregates' state never grows beyond this, however much memory there is."""

ALWAYS_BYTES = 16e6
"""A state of this size fits whatever limit is set."""

USUAL_BYTES = 200e6
"""A state of this size fits the limit that DuckDB sets itself; where it does not, the other plan takes over."""

BYTES_PER_ROW = 200
"""A kept row of the aggregate's state with an id of usual length."""

AT_ONCE = 8
"""What so many parts kept is merged before the next one is read."""


def kept_depth(request: Request) -> int:
    """How many rows of each query are kept for a ranking."""
    return request.depth + (MARGIN if request.groups else SMALL_MARGIN)


def fits(workspace: Workspace, requests: Sequence[Request], queries: int) -> bool:
    """Whether the aggregates' state stays below a third of the memory limit."""
    if max(request.depth for request in requests) > DEEPEST:
        return False
    size = sum(kept_depth(request) for request in requests) * queries * BYTES_PER_ROW
    if size < (ALWAYS_BYTES if workspace.memory is not None else USUAL_BYTES):
        return True
    return size < min(workspace.memory_bytes / 3, MOST_BYTES)


def scan(workspace: Workspace, source: Scanned, judgments: Judgments, requests: Sequence[Request]) -> str:
    """One pass over each part of the run; returns the table of kept rows.

    Columns: query, n (rows), outside (a document outside the candidate pool, or null), and per ranking how many rows it
    starts from and its first rows (`count_column`, `rows_column`), twice where it is condensed: all, and judged ones.
    """
    connection = workspace.connection
    tables = []
    for number, part in enumerate(source.parts):
        table = workspace.name("top")

        def keep(rows: str, parameters: tuple[object, ...], number: int = number, table: str = table) -> None:
            select = kept_select(source, judgments, requests, rows, number)
            connection.execute(f"create or replace temp table {table} as {select}", list(parameters))
            bad = connection.execute(f"select sum(faults) from {table}").fetchall()[0][0]
            if bad:
                raise FaultyRows

        read_part(workspace, source, part, keep)
        tables.append(table)
        if len(tables) == AT_ONCE:
            tables = [merge(workspace, requests, tables)]
    return tables[0] if len(tables) == 1 else merge(workspace, requests, tables)


def from_table(
    workspace: Workspace, source: Scanned, judgments: Judgments, requests: Sequence[Request], rows: str
) -> str:
    """The same table of kept rows, from rows that were loaded already (with their places)."""
    table = workspace.name("top")
    select = kept_select(source, judgments, requests, rows, None)
    workspace.connection.execute(f"create temp table {table} as {select}")
    return table


def suffice(requests: Sequence[Request]) -> bool:
    """Whether the first rows of each query answer all requests, whatever the order of the input."""
    return not (needs_places(requests) or any(request.whole or request.duplicates == "error" for request in requests))


def needs_places(requests: Sequence[Request]) -> bool:
    """Whether some ranking follows the order of the input."""
    return any(request.order == "given" for request in requests)


def joined(
    source_rows: str, judgments: Judgments, *, grades: bool, places: bool, number: int, pool: bool = True
) -> str:
    """The rows of one part with what the rankings need beside them."""
    place = f", (row_number() over () + {number << 40}) as place" if places else ""
    rows = f"select *{place} from ({source_rows})"
    declared = judgments.pool if pool else None
    if not grades and declared is None:
        return rows
    columns = "r.*"
    joins = ""
    if grades:
        columns += ", j.grade as grade"
        joins += f" left join {judgments.table} j on j.query = r.query and j.doc = r.doc"
    if declared is not None:
        columns += ", c.doc is null and q.query is not null as outside"
        joins += (
            f" left join {declared.table} c on c.query = r.query and c.doc = r.doc"
            f" left join {judgments.table}_queries q on q.query = r.query"
        )
    return f"select {columns} from ({rows}) r{joins}"


def kept_select(
    source: Scanned,
    judgments: Judgments | None,
    requests: Sequence[Request],
    rows: str,
    number: int | None,
    keys: str = "query",
) -> str:
    """The SELECT that keeps the first rows of each query; `number` is that of the part, None if rows have places.

    `keys` are what makes a query: its id, and a number of its run before it where several runs are scanned as one.
    Without a condensed ranking and a candidate pool no judgments are needed.
    """
    condensed = any(request.condense for request in requests)
    places = number is not None and needs_places(requests)
    relation = rows
    if judgments is not None:
        relation = joined(rows, judgments, grades=condensed, places=places, number=number or 0)
    columns = [keys, "count(*) as n", "count(*) filter (fault) as faults"]
    if judgments is not None and judgments.pool is not None:
        columns.append("min(doc) filter (outside) as outside")
    for at, judged_only in kinds(requests):
        request = requests[at]
        first = sql.top(request, source.ranked, kept_depth(request), judged_only=judged_only)
        columns.append(f"count(*){sql.kept_rows(request, judged_only=judged_only)} as {count_column(at, judged_only)}")
        columns.append(f"{first} as {rows_column(at, judged_only)}")
    return f"select {', '.join(columns)} from ({relation}) group by {keys}"


def merge(workspace: Workspace, requests: Sequence[Request], tables: Sequence[str]) -> str:
    """The kept rows of several parts made one: the same aggregates over what each part kept."""
    connection = workspace.connection
    merged = workspace.name("top")
    union = "(" + " union all by name ".join(f"select * from {table}" for table in tables) + ")"
    names = [row[0] for row in connection.execute(f"describe {tables[0]}").fetchall()[1:]]
    lists = {rows_column(at, judged_only): requests[at] for at, judged_only in kinds(requests)}
    counts = [
        "min(outside) as outside" if name == "outside" else f"sum({name})::bigint as {name}"
        for name in names
        if name not in lists
    ]
    joins = ""
    for name, request in lists.items():
        # Rows one by one into the same aggregate: collecting and sorting whole lists took five times the memory.
        verb = "max" if request.order == "docid_desc" else "min"
        rows = f"select query, unnest({name}) as e from {union}"
        kept = f"select query, {verb}(e, {kept_depth(request)}) as {name} from ({rows}) group by query"
        joins += f" left join ({kept}) using (query)"
    connection.execute(
        f"create temp table {merged} as select * from "
        f"(select query, {', '.join(counts)} from {union} group by query){joins}"
    )
    for table in tables:
        connection.execute(f"drop table {table}")
    return merged


def fetch(
    workspace: Workspace,
    judgments: Judgments,
    table: str,
    at: int,
    request: Request,
    *,
    judged_only: bool,
    runs: int | None = None,
) -> TopRows:
    """The kept rows of one ranking over judged queries.

    Of a table of several `runs`, query c of run r counts as query r * queries + c.
    """
    connection = workspace.connection
    queries = len(judgments.queries)
    code = "q.code" if runs is None else f"t.run * {queries} + q.code"
    column = rows_column(at, judged_only)
    sign = "" if request.order == "docid_desc" else "-"

    def rows_of(taken: str, again: str) -> Mapping[str, Any]:
        rows = connection.execute(
            f"""
            with kept as (
                select code, judged, query, unnest(taken) as e, generate_subscripts(taken, 1) as place
                from (select {code} as code, q.code as judged, query, {taken} as taken
                      from {table} t join {judgments.table}_queries q using (query))
            )
            select k.code as code, k.place as place, {sign}k.e.s as score, {or_nan("k.e.r")} as given,
                   k.e.d = k.query as own, {or_nan("j.grade")} as grade, {again} as again
            from kept k left join {judgments.table} j on j.code = k.judged and j.doc = k.e.d
            """
        ).fetchnumpy()
        in_order = np.argsort((rows["code"].astype(np.int64) << 32) | rows["place"])
        return {name: values[in_order] for name, values in rows.items()}

    # The margin is there for repeats and for the tied group at the cutoff: without them its rows say nothing.
    depth = request.depth
    untied = f"{column}[{depth}].s <> {column}[{depth + 1}].s"
    rows = rows_of(f"case when {untied} then {column}[:{depth + 1}] else {column} end", "hash(k.e.d)")
    if hashes_repeat(rows["code"], rows["again"]):
        rows = rows_of(column, "row_number() over (partition by k.code, k.e.d order by k.place) > 1")
        again = np.asarray(rows["again"], np.bool_)
    else:
        again = np.zeros(len(rows["code"]), np.bool_)
    return TopRows(
        np.asarray(rows["code"], np.int64),
        floats(rows["score"]),
        floats(rows["given"]),
        floats(rows["grade"]),
        np.asarray(rows["own"], np.bool_),
        again,
    )


def hashes_repeat(query: Ints, hashed: NDArray[np.uint64]) -> bool:
    """Whether some query has a document twice (or, once in a billion runs, two hashes are equal)."""
    both = np.sort(hashed + query.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return bool((both[1:] == both[:-1]).any())


def or_nan(value: str) -> str:
    """NaN for null: columns with nulls arrive as masked arrays, which are slower to make and to load."""
    return f"coalesce({value}, 'nan'::double)"


def floats(column: Any) -> Floats:
    """A column of numbers with NaN where DuckDB had null."""
    # Asking for numpy.ma would load it, which costs more than scoring a small run.
    if hasattr(column, "mask"):
        return np.asarray(np.ma.filled(column.astype(np.float64), np.nan))
    return np.asarray(column, dtype=np.float64)
