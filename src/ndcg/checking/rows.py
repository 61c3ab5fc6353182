"""Rows of an input as a DuckDB table, whatever is wrong with some of them: bad rows are left out and told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ..engines.collapse import CollapsedEngine
from ..engines.ids import all_text, text_id
from ..engines.judgments import Judgments, load_columns
from ..engines.local.scan import insert, read_part
from ..engines.numbers import real
from ..engines.workspace import Workspace
from ..errors import SHOWN, Fault, InputError, NdcgError
from ..readers import read
from ..readers.labels import found_hint
from ..readers.lines import numbered_with_ends
from ..readers.passages import Collapse
from ..readers.source import Mapped, Part, Role, Scanned, Source
from ..readers.temporary import new
from .opening import Opened, Problem

ALL = 1 << 40
"""More faults than any input has: asks for all of them."""


class Loaded(NamedTuple):
    """A table (query, doc, number, rank, part) of an input's sound rows, in its order, and what is known beside it.

    `ranked` says that the rows have ranks and no scores; `failed` are queries whose search failed, `bare` those that
    the input names without a row; `bad` counts the rows left out.
    """

    table: str
    rows: int
    ranked: bool
    failed: tuple[str, ...]
    bare: tuple[str, ...]
    bad: int


def load_rows(workspace: Workspace, opened: Opened) -> Loaded | None:
    """The rows of an opened input; problems met on the way are added to it. None where there is no source."""
    source = opened.source
    if source is None:
        return None
    table = workspace.name("checked")
    columns = "query varchar, doc varchar, number double, rank double, fault boolean, part integer"
    workspace.allow_spilling()
    # Not temporary, so that other connections see it.
    workspace.connection.execute(f"create table {table} ({columns})")
    bad_before = sum(problem.total for problem in opened.problems)
    if isinstance(source, Mapped):
        failed, bare = _copy_mapping(workspace, opened, source, table)
    else:
        for number, part in enumerate(source.parts):
            _copy_part(workspace, opened, source, part, table, number)
        failed = tuple(query for part in source.parts for query in part.failed)
        bare = tuple(query for part in source.parts for query in part.bare)
    rows = int(workspace.connection.execute(f"select count(*) from {table}").fetchall()[0][0])
    bad = sum(problem.total for problem in opened.problems) - bad_before
    return Loaded(table, rows, source.ranked, failed, bare, bad)


def _copy_part(
    workspace: Workspace, opened: Opened, source: Scanned, part: Part, table: str, number: int, again: bool = True
) -> None:
    """Copy the sound rows of one file or table; the last reading there is keeps what it can."""
    select = f"select query, doc, number, rank, fault, {number} from"
    last = part.careful or part.select
    connection = workspace.connection

    def copy(rows: str, parameters: tuple[object, ...]) -> int:
        if rows != last:
            insert(workspace, table, f"{select} ({rows})", parameters)
            return 0
        connection.execute(f"insert into {table} {select} ({rows})", list(parameters))
        bad = int(connection.execute(f"select count(*) from {table} where fault").fetchall()[0][0])
        if bad:
            connection.execute(f"delete from {table} where fault")
        return bad

    try:
        bad = read_part(workspace, source, part, copy)
    except InputError as error:
        opened.problems.append(Problem.of(error, opened.subject, part.name))
        sound = _without_bad_lines(opened, source, part) if again else None
        if sound is not None:
            _copy_part(
                workspace, Opened(opened.subject, opened.where, sound), sound, sound.parts[0], table, number, False
            )
        return
    if bad:
        total, faults = part.faults(SHOWN)
        sentence = f"{part.name}: {bad} bad line{'s' if bad > 1 else ''}"
        hint = found_hint(part.labels(20))
        opened.problems.append(Problem(opened.subject, part.name, sentence, tuple(faults), max(bad, total), hint))


def _without_bad_lines(opened: Opened, source: Scanned, part: Part) -> Scanned | None:
    """The file without the lines that its second look complains of, where those are known; else None."""
    if part.path is None:
        return None
    _, faults = part.faults(ALL)
    lines = {fault.line for fault in faults}
    if not lines or None in lines:
        return None
    target = new(".txt")
    with target.open("wb") as file:
        for number, line, end in numbered_with_ends(part.path):
            if number not in lines:
                file.write(line + end.encode())
    columns = declared_columns(source.described.layout, source.role)
    try:
        sound = read(str(target), source.role, format=source.described.format.split(",")[0], columns=columns)
    except NdcgError:
        return None
    return sound if isinstance(sound, Scanned) and len(sound.parts) == 1 else None


def declared_columns(layout: str, role: Role) -> Mapping[str, str]:
    """The columns that a header line was read with, from the words of the layout."""
    words = {"query": "query", "doc": "doc", "rank": "rank", "number": "grade" if role is Role.JUDGMENTS else "score"}
    pairs = [pair.partition("=") for pair in layout.removeprefix("header line, ").split(", ")]
    found = {words[word]: column for word, sign, column in pairs if sign and word in words}
    constant = next((column for word, _, column in pairs if word == "grade"), None)
    return found if constant is None else {**found, "grade": constant.removesuffix(" for every row")}


def _copy_mapping(
    workspace: Workspace, opened: Opened, source: Mapped, table: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Copy dicts; ids and numbers of a wrong type are problems, one by one. Returns failed and bare queries."""
    where = source.described.name
    queries: list[str] = []
    lengths: list[int] = []
    docs: list[str] = []
    numbers: list[float] = []
    failed: list[str] = []
    bare: list[str] = []
    faults: list[Fault] = []
    total = 0

    def complain(error: NdcgError) -> None:
        nonlocal total
        total += 1
        if len(faults) < SHOWN:
            faults.extend(error.faults or [Fault(error.problem, where)])

    for raw_query, inner in source.rows.items():
        try:
            query = text_id(raw_query, "query", where=where)
        except NdcgError as error:
            complain(error)
            continue
        if inner is None:
            failed.append(query)
            continue
        before = len(docs)
        if isinstance(inner, Mapping) and not source.ranked:
            _add_numbers(inner, query, where, source.role, docs, numbers, complain)
        elif isinstance(inner, list | tuple | set | frozenset | np.ndarray) and source.ranked:
            for doc in inner:
                try:
                    docs.append(text_id(doc, "document", where=where, query=query))
                except NdcgError as error:
                    complain(error)
        else:
            shape = "{document: number}" if not source.ranked else "[document, ...]"
            complain(_shape_error(f"found a {type(inner).__name__}, not {shape}", where, query))
            continue
        if len(docs) == before:
            bare.append(query)
        queries.append(query)
        lengths.append(len(docs) - before)
    ranks = np.concatenate([np.arange(1.0, n + 1) for n in lengths]) if lengths else np.zeros(0)
    number = np.full(len(docs), np.nan) if source.ranked else np.array(numbers, dtype=float)
    repeated = np.repeat(np.array([*queries, ""], dtype=object)[:-1], lengths) if queries else np.zeros(0, object)
    column = np.empty(len(docs), dtype=object)
    column[:] = docs
    raw = workspace.name("mapped")
    load_columns(workspace, raw, query=repeated, doc=column, number=number, rank=ranks, place=np.arange(len(docs)))
    values = "null, rank" if source.ranked else "number, null"
    connection = workspace.connection
    connection.execute(f"insert into {table} select query, doc, {values}, false, 0 from {raw} order by place")
    connection.execute(f"drop table {raw}")
    if not source.ranked:
        total += _drop_no_numbers(workspace, source, table, where, faults)
    if total:
        sentence = f"{where}: {total} bad value{'s' if total > 1 else ''}"
        opened.problems.append(Problem(opened.subject, where, sentence, tuple(faults), total))
    return tuple(failed), tuple(bare)


def _shape_error(problem: str, where: str, query: str) -> InputError:
    return InputError(problem, code="shape", faults=[Fault(problem, where, query=query)])


def _add_numbers(
    inner: Mapping[object, object],
    query: str,
    where: str,
    role: Role,
    docs: list[str],
    numbers: list[float],
    complain: Callable[[NdcgError], None],
) -> None:
    """Add one query's documents and numbers; plain ones all at once."""
    if all_text(inner) and set(map(type, inner.values())) <= {int, float}:
        try:
            numbers.extend(map(float, inner.values()))  # type: ignore[arg-type]
            docs.extend(inner)  # type: ignore[arg-type]
        except OverflowError:
            del numbers[len(docs) :]
        else:
            return
    word = "grade" if role is Role.JUDGMENTS else "score"
    for raw_doc, raw in inner.items():
        try:
            doc = text_id(raw_doc, "document", where=where, query=query)
            number = real(raw, word, where=where, query=query, document=doc)
        except NdcgError as error:
            complain(error)
            continue
        docs.append(doc)
        numbers.append(number)


def _drop_no_numbers(workspace: Workspace, source: Mapped, table: str, where: str, faults: list[Fault]) -> int:
    """Take NaN (and infinite grades) out of the table; returns how many, and adds the first to `faults`."""
    word = "grade" if source.role is Role.JUDGMENTS else "score"
    # A NaN of NumPy may arrive as null.
    bad = f"coalesce({'isnan(number)' if word == 'score' else 'not isfinite(number)'}, true)"
    connection = workspace.connection
    total = int(connection.execute(f"select count(*) from {table} where {bad}").fetchall()[0][0])
    if total:
        rows = connection.execute(
            f"select query, doc, number from {table} where {bad} order by rowid limit {max(0, SHOWN - len(faults))}"
        ).fetchall()
        faults += [
            Fault(f"{word} {'nan' if value is None else value} is not a number that can be used", where, None, q, d)
            for q, d, value in rows
        ]
        connection.execute(f"delete from {table} where {bad}")
    return total


def table_source(loaded: Loaded, source: Source, rows: str | None = None, ranked: bool | None = None) -> Scanned:
    """A source over loaded rows (or over another SELECT of them), for the engine and the merging of judgments."""
    chosen = rows or f"select query, doc, number, rank from {loaded.table}"
    part = Part(
        name=source.described.name,
        select=f"select query, doc, number, rank, false as fault from ({chosen})",
        failed=loaded.failed,
        bare=loaded.bare if source.role is Role.JUDGMENTS else (),
    )
    return Scanned(source.role, source.described, (part,), loaded.ranked if ranked is None else ranked)


def collapsed(workspace: Workspace, opened: Opened, loaded: Loaded, judgments: Judgments, collapse: Collapse) -> Loaded:
    """The rows of a run of chunks as rows of documents, each with its best chunk."""
    assert opened.source is not None
    source = table_source(loaded, opened.source)
    documents = CollapsedEngine(source, judgments, workspace, collapse).best_chunks(source, "float64")
    table = workspace.name("collapsed_rows")
    workspace.connection.execute(
        f"create table {table} as select query, doc, number, rank, false as fault, 0 as part "
        f"from ({documents.parts[0].select})"
    )
    rows = int(workspace.connection.execute(f"select count(*) from {table}").fetchall()[0][0])
    return loaded._replace(table=table, rows=rows)
