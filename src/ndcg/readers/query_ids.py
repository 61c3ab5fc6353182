"""Queries named by their wording on one side and by an id on the other: a declared table turns wording into ids."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..errors import SHOWN, DataTypeError, Fault, InputError, clip, of_originals
from . import temporary
from .column_tables import header_of, read_columns
from .columns import is_first_choice, role_of
from .inputs import paths_of
from .source import Described, Mapped, Part, Source

TEXTS = ("text", "query_text", "querytext", "wording", "query", "title", "question", "content")
"""Columns that hold the wording, the most telling first; else the only column beside the id."""

_IDS = ("_id", "id")


class QueryIds(NamedTuple):
    """The id of each wording (`ids`) and where the table came from; `twice` are wordings of several ids."""

    where: str
    ids: Mapping[str, str]
    twice: Mapping[str, tuple[str, ...]]

    def of(self, query: str) -> str:
        """The id of a query: what is no wording of the table stays as it is."""
        return self.ids.get(query, query)


def as_query_ids(given: object) -> QueryIds | None:
    """The table that the caller declares: `{id: wording}`, or a file with a column of ids and one of wording.

    DataTypeError for anything else, InputError where the columns cannot be told or an id has two wordings.

    >>> as_query_ids({"q1": "boiler valve"}).of("boiler valve")
    'q1'
    """
    if given is None or isinstance(given, QueryIds):
        return given
    if isinstance(given, Mapping):
        return _table("query_ids", ((str(query), str(text)) for query, text in given.items()))
    if not isinstance(given, str | os.PathLike):
        raise DataTypeError(
            f"query_ids= is a file with ids and wording of queries, or {{id: wording}}, found {type(given).__name__}",
            code="query_ids",
        )
    path = os.fspath(given)
    if isinstance(path, bytes):
        raise DataTypeError("query_ids= is a path of text, found bytes", code="query_ids")
    files = paths_of(path)  # a pipe or standard input is a copy from here on: it is read more than once
    header = header_of(files[0])
    identifier = _id_column(header, files[0])
    text = _text_column([name for name in header if name != identifier], files[0])
    columns = read_columns(files, [text], role="query", given={"query": identifier}, what="query_ids=")
    rows = ((str(query), str(values[0])) for _, query, values in columns.rows if query is not None and values[0])
    return _table(of_originals(columns.where), rows)


def _id_column(header: list[str], path: str) -> str:
    named = [name for name in header if role_of(name) == "query" and is_first_choice(name)]
    ids = [name for name in named if name.lower().endswith("id")]
    bare = [name for name in header if name.strip().lower() in _IDS]
    for fits in (ids, bare, named):
        if len(fits) == 1:
            return fits[0]
    raise InputError(
        f"{path}: which column holds the ids of queries cannot be told; the columns are {', '.join(map(repr, header))}",
        code="missing_column",
        hint="call it query_id",
    )


def _text_column(others: list[str], path: str) -> str:
    folded = {name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in others}
    found = next((folded[name] for name in TEXTS if name in folded), others[0] if len(others) == 1 else None)
    if found is None:
        raise InputError(
            f"{path}: which column holds the wording cannot be told; the columns beside the id are "
            f"{', '.join(map(repr, others)) or 'none'}",
            code="missing_column",
            hint="call it text",
        )
    return found


def _table(where: str, rows: Iterable[tuple[str, str]]) -> QueryIds:
    wording: dict[str, str] = {}
    by_text: dict[str, list[str]] = {}
    for query, text in rows:
        if wording.setdefault(query, text) != text:
            problem = f"the query has two wordings, {clip(wording[query], 60)!r} and {clip(text, 60)!r}"
            raise InputError(problem, code="query_ids", faults=[Fault(problem, where, query=query)])
        if query not in by_text.setdefault(text, []):
            by_text[text].append(query)
    if not by_text:
        raise InputError(f"{where} holds no query", code="empty")
    twice = {text: tuple(ids) for text, ids in by_text.items() if len(ids) > 1}
    return QueryIds(where, {text: ids[0] for text, ids in by_text.items() if len(ids) == 1}, twice)


def with_ids(source: Source, ids: QueryIds) -> Source:
    """The source with ids in place of wording, and a note of how many queries that were and which have none.

    InputError where a wording stands for several ids, or no query of the source is a wording of the table.
    """
    if isinstance(source, Mapped):
        names = [str(query) for query in source.rows]
        described = _noted(source.described, names, ids)
        rows: dict[object, object] = {}
        for query, held in source.rows.items():
            key = ids.of(query) if isinstance(query, str) else query
            if key in rows:
                problem = f"the query is there by its wording and by its id {key!r}"
                raise InputError(problem, code="query_ids", faults=[Fault(problem, described.name, query=str(query))])
            rows[key] = held
        return source._replace(described=described, rows=rows)
    names = list(dict.fromkeys(name for part in source.parts for name in _queries(part)))
    described = _noted(source.described, names, ids)
    used = {text: ids.ids[text] for text in names if text in ids.ids}
    return source._replace(described=described, parts=tuple(_mapped(part, used) for part in source.parts))


def _queries(part: Part) -> list[str]:
    """The queries of a part, in any order; faulty rows are the engine's to tell of."""
    from .duck import duckdb, register

    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        register(connection, part.tables)
        for select, parameters in ((part.select, part.parameters), (part.careful, part.careful_parameters)):
            if select is None:
                continue
            try:
                asked = f"SELECT query FROM ({select}) WHERE NOT fault GROUP BY query ORDER BY query"
                rows = connection.execute(asked, list(parameters)).fetchall()
            except duckdb.Error:
                continue
            return [str(row[0]) for row in rows] + [*part.bare, *part.failed]
    return [*part.bare, *part.failed]


def _noted(described: Described, names: list[str], ids: QueryIds) -> Described:
    doubtful = next((name for name in names if name in ids.twice), None)
    if doubtful is not None:
        listed = ", ".join(map(repr, ids.twice[doubtful][:SHOWN]))
        problem = f"{ids.where} has this wording for {len(ids.twice[doubtful])} queries: {listed}"
        raise InputError(problem, code="query_ids", faults=[Fault(problem, described.name, query=doubtful)])
    known = set(ids.ids.values()) | {query for several in ids.twice.values() for query in several}
    found = [name for name in names if name in ids.ids]
    lost = [name for name in names if name not in ids.ids and name not in known]
    if names and not found:
        listed = ", ".join(repr(clip(name, 40)) for name in names[:3])
        raise InputError(
            f"no query of {described.name} is a wording in {ids.where}: it has {listed}",
            code="query_ids",
            hint="the wording must be the same, letter for letter; a run that names queries by their wording is "
            "converted first (ndcg convert RUN NEW --query-ids FILE)",
        )
    note = f"{len(found)} of {len(names)} queries got the ids of their wording in {ids.where}"
    if lost:
        listed = ", ".join(repr(clip(name, 40)) for name in lost[:3])
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        note += f"; {len(lost)} {'are' if len(lost) > 1 else 'is'} not there: {listed}{more}"
    return described._replace(notes=(*described.notes, note))


def _mapped(part: Part, used: Mapping[str, str]) -> Part:
    """The part with the ids joined to its rows, in their order."""
    label = temporary.label("query_ids")
    table = {"wording": _column(used), "identifier": _column(used.values())}
    wording = {query: text for text, query in used.items()}

    def joined(select: str, columns: str) -> str:
        return (
            f"SELECT coalesce(m.identifier, r.query) AS query, {columns} FROM "
            f"(SELECT *, row_number() OVER () AS placed FROM ({select})) r "
            f"LEFT JOIN {label} m ON m.wording = r.query ORDER BY r.placed"
        )

    def of(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(used.get(name, name) for name in names))

    rows: Callable[[str], str] = lambda select: joined(select, "r.doc, r.number, r.rank, r.fault")  # noqa: E731
    return replace(
        part,
        select=rows(part.select),
        careful=None if part.careful is None else rows(part.careful),
        tables={**part.tables, label: table},
        judges=None if part.judges is None else joined(part.judges, "r.doc, r.judge, r.grade"),
        locate=lambda pairs, limit: part.locate([(wording.get(query, query), doc) for query, doc in pairs], limit),
        bare=of(part.bare),
        failed=of(part.failed),
        weights={used.get(query, query): weight for query, weight in part.weights.items()},
        texts={used.get(query, query): text for query, text in part.texts.items()},
    )


def _column(values: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    held = list(values)
    array = np.empty(len(held), dtype=object)
    array[:] = held
    return array
