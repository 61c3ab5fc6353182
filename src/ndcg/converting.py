"""The rows of an input as a table to be written in any order, with what the input says beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .engines.ids import text_id
from .engines.judgments import load_columns, load_judgments
from .engines.local.scan import scan_into
from .engines.workspace import Workspace
from .errors import Fault, InputError
from .readers.duck import register
from .readers.judges import has_judges
from .readers.source import Mapped, Role, Scanned, Source
from .writers.contract import Row

_CHUNK = 50_000


@dataclass
class Loaded:
    """Rows in a table (query, doc, number, rank, judge, place); `repeats` were identical and collapsed."""

    workspace: Workspace
    table: str
    role: Role
    scored: bool = True
    placed: bool = False
    judges: bool = False
    bare: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    repeats: int = 0
    merged: int = 0
    where: str = ""

    def ask(self, select: str) -> list[tuple[object, ...]]:
        """The rows of a SELECT, in which {t} stands for the table."""
        found: list[tuple[object, ...]] = self.workspace.connection.execute(select.format(t=self.table)).fetchall()
        return found

    def counts(self) -> tuple[int, int]:
        """(queries, rows)."""
        queries, rows = self.ask("select count(distinct query), count(*) from {t}")[0]
        return int(str(queries)) + len(self.bare) + len(self.failed), int(str(rows))

    def rows(self, order: str) -> Iterator[Row]:
        """The rows in an order of `Content.rows`."""
        columns = "query, doc, number, rank, judge"
        if order == "input":
            select = f"select {columns} from {self.table} order by place"
        else:
            self.workspace.allow_spilling()
            after = {"query": "place", "rank": "rank, place", "pair": "paired, place"}[order]
            paired = ", min(place) over (partition by query, doc) as paired" if order == "pair" else ""
            select = (
                f"select {columns} from (select *, min(place) over (partition by query) as first{paired} "
                f"from {self.table}) order by first, {after}"
            )
        # One reading at a time: the connection holds one open result.
        found = self.workspace.connection.execute(select)
        while chunk := found.fetchmany(_CHUNK):
            yield from map(Row._make, chunk)

    def store(self, path: Path) -> None:
        """Write the rows as Parquet."""
        if self.role is Role.JUDGMENTS:
            columns = "query, doc, number as grade" + (", judge" if self.judges else "")
        else:
            columns = "query, doc" + (", number as score" if self.scored else "") + (", rank" if self.placed else "")
        literal = "'" + str(path).replace("'", "''") + "'"
        self.workspace.connection.execute(
            f"copy (select {columns} from {self.table} order by place) to {literal} (format parquet)"
        )

    def make_ranks(self) -> None:
        """Ranks 1, 2, 3 ... of each query by score, ties by document, in place of what was there."""
        self._remake("number, row_number() over (partition by query order by number desc, doc)::double as rank")
        self.placed = True

    def count_ranks(self) -> None:
        """Ranks 1, 2, 3 ... of each query where the place in the file was the rank."""
        self._remake("number, row_number() over (partition by query order by place)::double as rank")

    def make_scores(self) -> None:
        """Scores that order as the ranks do: minus the rank."""
        self._remake("-rank as number, rank")
        self.scored = True

    def forget_scores(self) -> None:
        """Only the ranks that the scores give are left."""
        self.make_ranks()
        self._remake("null::double as number, rank")
        self.scored = False

    def _remake(self, numbers: str) -> None:
        name = self.workspace.name("converted")
        self.workspace.connection.execute(
            f"create temp table {name} as select query, doc, {numbers}, judge, place from {self.table} order by place"
        )
        self.workspace.connection.execute(f"drop table {self.table}")
        self.table = name


def load(source: Source, workspace: Workspace, *, merge: str | None, judges: bool) -> Loaded:
    """All rows of an input. `judges` keeps the rows of judges apart where they are named and no rule merges them."""
    if source.role is Role.JUDGMENTS:
        if judges and merge is None and has_judges(source):
            return _judged_apart(source, workspace)
        return _judgments(source, workspace, merge)
    return _of_mapping(source, workspace) if isinstance(source, Mapped) else _of_parts(source, workspace)


def _judgments(source: Source, workspace: Workspace, merge: str | None) -> Loaded:
    held = load_judgments(source, workspace, merge)
    table = workspace.name("converted")
    workspace.connection.execute(
        f"create temp table {table} as select query, doc, grade as number, null::double as rank, '' as judge, place "
        f"from {held.table} order by code, place"
    )
    bare = workspace.connection.execute(
        f"select query from {held.table}_queries where query not in (select query from {held.table}) order by code"
    ).fetchall()
    found = tuple(str(row[0]) for row in bare)
    return Loaded(workspace, table, Role.JUDGMENTS, bare=found, repeats=held.repeats, merged=held.merged)


def _judged_apart(source: Source, workspace: Workspace) -> Loaded:
    assert isinstance(source, Scanned)
    scan_into(workspace, source, workspace.name("checked"), "query, doc, number")
    connection, table = workspace.connection, workspace.name("converted")
    connection.execute(
        f"create temp table {table} (query varchar, doc varchar, number double, rank double, judge varchar, "
        "place bigint)"
    )
    for part in source.parts:
        register(connection, part.tables)
        nameless = f"select query, doc, '' as judge, number as grade from ({part.select})"
        connection.execute(
            f"insert into {table} select query, doc, grade, null, coalesce(judge, ''), "
            f"(select count(*) from {table}) + row_number() over () from ({part.judges or nameless})",
            list(part.parameters),
        )
    return Loaded(workspace, table, Role.JUDGMENTS, judges=True, bare=_without_rows(source, table, workspace))


def _without_rows(source: Scanned, table: str, workspace: Workspace, failed: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The queries that the source names and that have no row, in its order; those that failed left out."""
    named = dict.fromkeys(query for part in source.parts for query in part.bare)
    if not named:
        return ()
    known = {row[0] for row in workspace.connection.execute(f"select distinct query from {table}").fetchall()}
    return tuple(query for query in named if query not in known and query not in failed)


def _of_parts(source: Scanned, workspace: Workspace) -> Loaded:
    raw, table = workspace.name("scanned"), workspace.name("converted")
    scan_into(workspace, source, raw, "query, doc, number, rank")
    connection = workspace.connection
    connection.execute(
        f"create temp table {table} as select query, doc, number, rank, '' as judge, rowid as place from {raw}"
    )
    connection.execute(f"drop table {raw}")
    numbers, ranks, count = connection.execute(f"select count(number), count(rank), count(*) from {table}").fetchall()[
        0
    ]
    failed = tuple(dict.fromkeys(query for part in source.parts for query in part.failed))
    scored, placed = not source.ranked and numbers == count, ranks == count
    _refuse_failed_rows(source.described.name, table, workspace, failed)
    bare = _without_rows(source, table, workspace, failed)
    loaded = Loaded(workspace, table, Role.RUN, scored=scored, placed=placed, bare=bare, failed=failed)
    if placed and not scored and not loaded.ask("select 1 from {t} where rank <> place + 1 limit 1"):
        loaded.count_ranks()
    return loaded


def _of_mapping(source: Mapped, workspace: Workspace) -> Loaded:
    where, table = source.described.name, workspace.name("converted")
    queries: list[str] = []
    docs: list[str] = []
    numbers: list[float] = []
    failed: list[str] = []
    bare: list[str] = []
    ranks: list[float] = []
    for raw, held in source.rows.items():
        query = text_id(raw, "query", where=where)
        if held is None:
            failed.append(query)
            continue
        assert isinstance(held, Mapping | list | tuple)
        if not held:
            bare.append(query)
        for place, doc in enumerate(held, 1):
            queries.append(query)
            docs.append(text_id(doc, "document", where=where, query=query))
            ranks.append(float(place))
            numbers.append(float("nan") if source.ranked else float(held[doc]))
    columns = {"query": _objects(queries), "doc": _objects(docs), "number": np.array(numbers, float)}
    raw_table = workspace.name("mapped")
    load_columns(workspace, raw_table, **columns, rank=np.array(ranks, float), place=np.arange(len(docs)))
    number, rank = ("null::double", "rank") if source.ranked else ("number", "null::double")
    workspace.connection.execute(
        f"create temp table {table} as select query, doc, {number} as number, {rank} as rank, '' as judge, place "
        f"from {raw_table}"
    )
    scored = not source.ranked
    return Loaded(
        workspace, table, Role.RUN, scored=scored, placed=source.ranked, bare=tuple(bare), failed=tuple(failed)
    )


def _objects(values: list[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _refuse_failed_rows(where: str, table: str, workspace: Workspace, failed: tuple[str, ...]) -> None:
    """A query cannot have failed and returned something."""
    if not failed:
        return
    known = {row[0] for row in workspace.connection.execute(f"select distinct query from {table}").fetchall()}
    both = next((query for query in failed if query in known), None)
    if both is not None:
        problem = "the query is recorded as failed and has documents"
        raise InputError(problem, code="failed_with_rows", faults=[Fault(problem, where, query=both)])
