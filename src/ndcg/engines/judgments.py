"""The judgments and the candidate pool of a call: read once, joined with every run.

Both are kept in whichever form they came (mapping or DuckDB table) and turned into the other on demand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import numpy as np

from ..errors import DataTypeError, Fault, InputError, UsageError, choose, shown
from ..kernel.batch import Judged
from ..readers.source import Mapped, Scanned, Source
from .ids import all_text, refuse_surrogates, text_id, text_keys
from .numbers import real
from .workspace import Workspace

MERGES = {"max": "max", "min": "min", "mean": "avg", "median": "median"}
"""Declared rules for several grades of one (query, document), and the SQL aggregate of each."""


@dataclass
class Judgments:
    """Grades by query and document, after merging.

    `repeats` counts identical rows that collapsed, `merged` rows that a merge rule combined. `bare` are the queries
    that the input names without a single judged document: they are among `queries`, and empty under every measure.
    """

    queries: list[str]
    workspace: Workspace
    repeats: int = 0
    merged: int = 0
    bare: tuple[str, ...] = ()
    _mapping: dict[str, dict[str, float]] | None = None
    _table: str | None = None
    pool: Pool | None = None
    _numbers: Judged | None = field(default=None, repr=False)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The position of each judged query."""
        return {query: code for code, query in enumerate(self.queries)}

    @cached_property
    def mapping(self) -> dict[str, dict[str, float]]:
        """{query: {document: grade}}, queries in the order of the input."""
        if self._mapping is None:
            self._mapping = {query: {} for query in self.queries}
            rows = self.workspace.connection.execute(
                f"select query, doc, grade from {self._table} order by code, place"
            )
            while chunk := rows.fetchmany(100_000):
                for query, doc, grade in chunk:
                    self._mapping[query][doc] = grade
        return self._mapping

    @cached_property
    def table(self) -> str:
        """A DuckDB table (code, query, doc, grade), and beside it `<table>_queries` (code, query)."""
        if self._table is None:
            name = self.workspace.name("judgments")
            mapping = self._mapping or {}
            lengths = [len(grades) for grades in mapping.values()]
            load_columns(
                self.workspace,
                name,
                code=np.repeat(np.arange(len(lengths)), lengths),
                query=_objects([query for query, grades in mapping.items() for _ in grades]),
                doc=_objects([doc for grades in mapping.values() for doc in grades]),
                grade=np.array([grade for grades in mapping.values() for grade in grades.values()], dtype=float),
                place=np.arange(sum(lengths)),
            )
            load_columns(self.workspace, f"{name}_queries", code=np.arange(len(lengths)), query=_objects(self.queries))
            self._table = name
        return self._table

    @property
    def numbers(self) -> Judged:
        """The same as flat arrays for the kernel."""
        if self._numbers is None:
            self._numbers = self._from_mapping() if self._mapping is not None else self._from_table()
        return self._numbers

    def grades_of(self, *queries: str) -> dict[str, dict[str, float]]:
        """{query: {document: grade}} of a few queries, without fetching all of them."""
        if self._mapping is not None:
            return {query: self._mapping.get(query, {}) for query in queries}
        found: dict[str, dict[str, float]] = {query: {} for query in queries}
        rows = self.workspace.connection.execute(
            f"select query, doc, grade from {self.table} where code in (select unnest(?::bigint[]))",
            [[self.codes[query] for query in queries if query in self.codes]],
        ).fetchall()
        for query, doc, grade in rows:
            found[query][doc] = grade
        return found

    def beside(self, workspace: Workspace) -> Judgments:
        """The same judgments, read through the connection of another thread."""
        pool = replace(self.pool, workspace=workspace) if self.pool is not None else None
        return replace(self, workspace=workspace, pool=pool)

    def _from_mapping(self) -> Judged:
        mapping = self.mapping
        lengths = [len(grades) for grades in mapping.values()]
        grade = np.fromiter((g for grades in mapping.values() for g in grades.values()), float, sum(lengths))
        in_pool = None
        if self.pool is not None:
            pool = self.pool.mapping
            in_pool = np.fromiter(
                (doc in pool.get(query, ()) for query, grades in mapping.items() for doc in grades),
                bool,
                sum(lengths),
            )
        return Judged(len(self.queries), np.repeat(np.arange(len(lengths)), lengths), grade, in_pool)

    def _from_table(self) -> Judged:
        connection = self.workspace.connection
        pool = self.pool.table if self.pool is not None else None
        join = f"left join {pool} p on p.query = j.query and p.doc = j.doc" if pool else ""
        inside = ", p.doc is not null as inside" if pool else ""
        rows = connection.execute(
            f"select j.code, j.grade{inside} from {self.table} j {join} order by j.code, j.place"
        ).fetchnumpy()
        in_pool = np.asarray(rows["inside"], dtype=bool) if pool else None
        return Judged(len(self.queries), np.asarray(rows["code"], np.int64), np.asarray(rows["grade"]), in_pool)

    def examples(self, limit: int) -> tuple[list[str], list[str]]:
        """Some query ids and some judged document ids, for messages."""
        if self._mapping is not None:
            docs: list[str] = []
            for grades in self._mapping.values():
                docs += list(grades)[: limit - len(docs)]
                if len(docs) >= limit:
                    break
            return self.queries[:limit], docs
        rows = self.workspace.connection.execute(f"select doc from {self.table} limit {limit}").fetchall()
        return self.queries[:limit], [row[0] for row in rows]


@dataclass
class Pool:
    """The documents that a ranker was allowed to order, per query."""

    workspace: Workspace
    _mapping: dict[str, frozenset[str]] | None = None
    _table: str | None = None

    @cached_property
    def mapping(self) -> dict[str, frozenset[str]]:
        """{query: documents}."""
        if self._mapping is None:
            found: dict[str, set[str]] = {}
            rows = self.workspace.connection.execute(f"select query, doc from {self._table}")
            while chunk := rows.fetchmany(100_000):
                for query, doc in chunk:
                    found.setdefault(query, set()).add(doc)
            self._mapping = {query: frozenset(docs) for query, docs in found.items()}
        return self._mapping

    @cached_property
    def table(self) -> str:
        """A DuckDB table of distinct (query, doc)."""
        if self._table is None:
            mapping = self._mapping or {}
            self._table = self.workspace.name("pool")
            load_columns(
                self.workspace,
                self._table,
                query=_objects([query for query, docs in mapping.items() for _ in docs]),
                doc=_objects([doc for docs in mapping.values() for doc in docs]),
            )
        return self._table


def _objects(values: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def load_columns(workspace: Workspace, table: str, **columns: np.ndarray) -> None:
    """Make a DuckDB table from NumPy columns."""
    connection = workspace.connection
    types = {"O": "varchar", "f": "double", "i": "bigint"}
    casts = ", ".join(f"{name}::{types[column.dtype.kind]} as {name}" for name, column in columns.items())
    if len(next(iter(columns.values()))) == 0:
        empty = ", ".join(f"null::{types[column.dtype.kind]} as {name}" for name, column in columns.items())
        connection.execute(f"create table {table} as select {empty} where false")
        return
    connection.register("incoming_columns", columns)
    try:
        connection.execute(f"create table {table} as select {casts} from incoming_columns")
    except Exception:
        refuse_surrogates(value for column in columns.values() if column.dtype.kind == "O" for value in column)
        raise
    finally:
        connection.unregister("incoming_columns")


def load_judgments(source: Source, workspace: Workspace, merge: str | None) -> Judgments:
    """Judgments from a source; raises InputError for conflicting, NaN and infinite grades."""
    if merge is not None and merge not in MERGES:
        raise choose("merge rule", merge, list(MERGES))
    if isinstance(source, Mapped):
        return _from_mapped(source, workspace)
    return _from_scanned(source, workspace, merge)


def _from_mapped(source: Mapped, workspace: Workspace) -> Judgments:
    where = source.described.name
    if source.ranked:
        raise UsageError(
            f"{where}: judgments map each query to {{document: grade}}, found a list of documents",
            code="judgments_shape",
        )
    mapping: dict[str, dict[str, float]] = {}
    for query, raw_grades in text_keys(source.rows, where).items():
        if not isinstance(raw_grades, Mapping):
            raise DataTypeError(
                f"{where}: judgments of query {query!r} are a {type(raw_grades).__name__}, not {{document: grade}}",
                code="judgments_shape",
            )
        mapping[query] = _checked_grades(raw_grades, query, where)
    if not mapping:
        raise InputError(f"{where} hold no query", code="empty_input", hint="give {query: {document: grade}}")
    bare = tuple(query for query, grades in mapping.items() if not grades)
    return Judgments(list(mapping), workspace, bare=bare, _mapping=mapping)


def _checked_grades(raw: Mapping[object, object], query: str, where: str) -> dict[str, float]:
    """Grades with text ids and finite numbers; raises DataTypeError or InputError naming the document."""
    grades: dict[str, float] = {}
    plain = all_text(raw) and set(map(type, raw.values())) <= {int, float}
    if plain and _all_finite(raw):
        return cast(dict[str, float], dict(zip(raw, map(float, cast(Iterable[float], raw.values())), strict=True)))
    for raw_doc, raw_grade in raw.items():
        doc = cast(str, raw_doc) if plain else text_id(raw_doc, "document", where=where, query=query)
        grade = cast(float, raw_grade) if plain else real(raw_grade, "grade", where=where, query=query, document=doc)
        if not _is_finite(grade):
            problem = f"grade {shown(grade)} is not a finite number"
            raise InputError(problem, code="grade", faults=[Fault(problem, where, query=query, document=doc)])
        if doc in grades:
            problem = "document is there as text and as integer"
            raise InputError(problem, code="repeated_document", faults=[Fault(problem, where, None, query, doc)])
        grades[doc] = float(grade)
    return grades


def _is_finite(grade: float) -> bool:
    try:
        return math.isfinite(grade)
    except OverflowError:
        return False  # a whole number beyond the range of a float


def _all_finite(raw: Mapping[object, object]) -> bool:
    try:
        return math.isfinite(sum(cast(Iterable[float], raw.values())))
    except OverflowError:
        return False


def _from_scanned(source: Scanned, workspace: Workspace, merge: str | None) -> Judgments:
    from .local.scan import scan_into

    connection = workspace.connection
    raw = workspace.name("judgment_rows")
    scan_into(workspace, source, raw, "query, doc, number as grade")
    table = workspace.name("judgments")
    aggregate = MERGES[merge] if merge else "min"
    connection.execute(
        f"create table {table}_queries as select (row_number() over (order by first) - 1)::bigint as code, query "
        f"from (select query, min(rowid) as first from {raw} group by query)"
    )
    bare = _add_bare(workspace, source, f"{table}_queries")
    rows, kept, conflicts = connection.execute(
        f"select coalesce(sum(n), 0), count(*), count(*) filter (low <> high) from "
        f"(select count(*) n, min(grade) low, max(grade) high from {raw} group by query, doc)"
    ).fetchall()[0]
    if conflicts and merge is None:
        raise _conflict(workspace, source, raw, int(conflicts))
    same = rows == kept
    connection.execute(
        f"create table {table} as select q.code, j.query, j.doc, j.grade, j.place from "
        + (
            f"(select *, rowid as place from {raw}) j"
            if same
            else f"(select query, doc, {aggregate}(grade) as grade, min(rowid) as place "
            f"from {raw} group by query, doc) j"
        )
        + f" join {table}_queries q using (query) order by q.code"
    )
    connection.execute(f"drop table {raw}")
    queries = [row[0] for row in connection.execute(f"select query from {table}_queries order by code").fetchall()]
    dropped = int(rows) - int(kept)
    return Judgments(
        queries,
        workspace,
        repeats=0 if merge else dropped,
        merged=dropped if merge else 0,
        bare=bare,
        _table=table,
    )


def _add_bare(workspace: Workspace, source: Scanned, table: str) -> tuple[str, ...]:
    """Queries that the input names without a judged document come after the others; returns them."""
    bare = list(dict.fromkeys(query for part in source.parts for query in part.bare))
    if bare:
        before = workspace.connection.execute(f"select count(*) from {table}").fetchall()[0][0]
        workspace.connection.execute(
            f"insert into {table} select (place + (select count(*) from {table}) - 1)::bigint, query from "
            f"(select query, row_number() over (order by place) as place from "
            f"(select unnest(?::varchar[]) as query, generate_subscripts(?::varchar[], 1) as place) "
            f"where query not in (select query from {table}))",
            [bare, bare],
        )
        added = workspace.connection.execute(f"select query from {table} where code >= {before} order by code")
        return tuple(row[0] for row in added.fetchall())
    return ()


def _conflict(workspace: Workspace, source: Scanned, raw: str, total: int) -> InputError:
    """The error for two grades of one document: the first pairs, with both lines where there are lines."""
    pairs = workspace.connection.execute(
        f"select query, doc, list(grade order by rowid) from {raw} group by query, doc "
        f"having min(grade) <> max(grade) order by min(rowid) limit 5"
    ).fetchall()
    faults = [fault for part in source.parts for fault in part.locate([(pair[0], pair[1]) for pair in pairs], 10)] or [
        Fault(f"grades {', '.join(f'{grade:g}' for grade in grades)}", source.described.name, None, query, doc)
        for query, doc, grades in pairs
    ]
    return InputError(
        f"{source.described.name}: {total} document{'s have' if total > 1 else ' has'} two different grades "
        "for one query",
        code="conflicting_grades",
        faults=faults,
        total=max(total, len(faults)),
        hint="declare how to combine them with merge='max', 'min', 'mean' or 'median'",
    )


def load_pool(source: Source, workspace: Workspace) -> Pool:
    """The candidate pool from a source: a set of documents per query."""
    if isinstance(source, Mapped):
        where = source.described.name
        mapping: dict[str, frozenset[str]] = {}
        for query, docs in text_keys(source.rows, where).items():
            if isinstance(docs, str | bytes) or not hasattr(docs, "__iter__"):
                raise DataTypeError(
                    f"{where}: the pool of query {query!r} is not a list of documents", code="pool_shape"
                )
            mapping[query] = frozenset(text_id(doc, "document", where=where, query=query) for doc in docs)
        if not mapping:
            raise InputError(f"{where} holds no query", code="empty_input")
        return Pool(workspace, _mapping=mapping)
    from .local.scan import scan_into

    raw, table = workspace.name("pool_rows"), workspace.name("pool")
    scan_into(workspace, source, raw, "query, doc")
    workspace.connection.execute(f"create table {table} as select distinct query, doc from {raw}")
    return Pool(workspace, _table=table)
