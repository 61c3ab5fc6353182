"""Fingerprints: the same bytes for the same data, whatever the file, the order of its rows or the engine.

Per query, ids (length first, then UTF-8) and numbers (float64, big endian) sorted by id go into one SHA-256; the
queries' digests, sorted by query id, go into another.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from .errors import Fault, InputError
from .file_stamps import stamp
from .readers.source import Mapped, Scanned, Source

if TYPE_CHECKING:
    from .engines.workspace import Workspace
    from .measures.measure import Measure
    from .session import Session

Row = tuple[str, float | None]


def digest(queries: Mapping[str, Iterable[Row] | None]) -> str:
    """The SHA-256, in hexadecimal, of {query: (document, number or None) rows}; None for a query whose search failed.

    >>> digest({"ab": [("c", 1.0)]}) == digest({"a": [("bc", 1.0)]})
    False
    """
    import hashlib

    whole = hashlib.sha256()
    for query in sorted(queries):
        one = hashlib.sha256()
        rows = queries[query]
        if rows is None:
            one.update(b"failed")
            rows = ()
        for document, number in sorted(rows, key=lambda row: (row[0], row[1] or 0.0)):
            one.update(_prefixed(document))
            if number is not None:
                one.update(struct.pack(">d", number + 0.0))
        whole.update(_prefixed(query))
        whole.update(one.digest())
    return whole.hexdigest()


def _prefixed(identifier: str) -> bytes:
    data = identifier.encode("utf-8", "surrogatepass")
    return struct.pack(">Q", len(data)) + data


def of_measures(measures: Sequence[Measure]) -> str:
    """The SHA-256 of the declarations."""
    import hashlib
    import json

    text = json.dumps([measure.declaration() for measure in measures], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Fingerprints:
    """Computes fingerprints of a session's inputs when they are asked for, reading the inputs again."""

    def __init__(self, session: Session, measures: Sequence[Measure]) -> None:
        self._session = session
        self._measures = tuple(measures)
        self._stamps = {
            path: stamp(path)
            for source in (session.judgments_source, *session.runs.values(), session.pool_source)
            for path in _paths(source)
        }

    def all(self) -> Mapping[str, object]:
        """{judgments, candidates, declaration}; raises InputError if a file has changed since it was scored."""
        from .engines.judgments import load_judgments, load_pool
        from .engines.workspace import Workspace

        session = self._session
        with Workspace(session.workspace.memory) as workspace:
            self._check(session.judgments_source)
            judgments = load_judgments(session.judgments_source, workspace, session.merge).mapping
            pool: Mapping[str, Iterable[str]] | None = None
            if session.pool_source is not None:
                self._check(session.pool_source)
                pool = load_pool(session.pool_source, workspace).mapping
            return {
                "judgments": digest({query: grades.items() for query, grades in judgments.items()}),
                "candidates": None
                if pool is None
                else digest({query: [(doc, None) for doc in docs] for query, docs in pool.items()}),
                "declaration": of_measures(self._measures),
            }

    def run(self, name: str) -> str:
        """The fingerprint of a run's rows: documents and scores, or documents and ranks."""
        return digest(dict(run_rows(self._run(name))))

    def returned(self, name: str) -> dict[str, set[str]]:
        """The documents that a run returned, as the pool that it is where each run is declared to be its pool."""
        return {query: {doc for doc, _ in rows} for query, rows in run_rows(self._run(name)) if rows is not None}

    def _run(self, name: str) -> Source:
        if name not in self._session.runs:
            raise InputError(f"there is no run {name!r}", code="no_such_run")
        source = self._session.runs[name]
        self._check(source)
        return source

    def _check(self, source: Source) -> None:
        for path in _paths(source):
            if stamp(path) != self._stamps[path]:
                raise InputError(f"{path} has changed since it was scored", code="changed_file", hint="score it again")


def run_rows(
    source: Source, workspace: Workspace | None = None, name: str | None = None
) -> Iterator[tuple[str, list[Row] | None]]:
    """(query, rows) of a run, None where its search failed; the place in the list stands for a missing score.

    Files and tables are read through `workspace`, or one of their own. Errors call the run `name`.
    """
    from .engines.ids import text_id
    from .engines.local.scan import FaultyRows, read_part
    from .engines.workspace import Workspace

    if isinstance(source, Mapped):
        name = name or source.described.name
        for query, documents in source.rows.items():
            text = text_id(query, "query", where=name)
            rows: list[Row] | None
            if documents is None:
                rows = None
            elif isinstance(documents, Mapping):
                rows = _scored(documents, name, text)
            elif isinstance(documents, Iterable):
                rows = [
                    (text_id(doc, "document", where=name, query=text), float(at)) for at, doc in enumerate(documents, 1)
                ]
            else:
                rows = []
            yield text, rows
        return
    found: dict[str, list[Row]] = {}
    failed: set[str] = set()
    with nullcontext(workspace) if workspace is not None else Workspace() as reading:
        for part in source.parts:

            def fetch(select: str, parameters: tuple[object, ...]) -> list[tuple[str, str, float]]:
                number = "rank" if source.ranked else "number"
                rows = reading.connection.execute(
                    f"select query, doc, {number}, fault from ({select})", list(parameters)
                ).fetchall()
                if any(fault for *_, fault in rows):
                    raise FaultyRows
                return [(query, doc, value) for query, doc, value, _ in rows]

            for query, doc, number in read_part(reading, source, part, fetch):
                found.setdefault(query, []).append((doc, number))
            for query in part.failed:
                failed.add(query)
    for query, listed in found.items():
        if query not in failed:
            in_order = sorted(listed, key=lambda row: row[1] or 0.0)
            yield query, [(doc, float(at)) for at, (doc, _) in enumerate(in_order, 1)] if source.ranked else listed
    for query in failed:
        yield query, None


def _scored(documents: Mapping[object, object], name: str, query: str) -> list[Row]:
    """The documents of a query with their scores, each checked."""
    from .engines.ids import text_id
    from .engines.numbers import real

    rows: dict[str, float | None] = {}
    for given, score in documents.items():
        document = text_id(given, "document", where=name, query=query)
        if document in rows:
            problem = "a document is there as text and as integer"
            raise InputError(problem, code="repeated_document", faults=[Fault(problem, name, None, query, document)])
        rows[document] = real(score, "score", where=name, query=query, document=document)
    return list(rows.items())


def _paths(source: Source | None) -> list[str]:
    return [part.path for part in source.parts if part.path is not None] if isinstance(source, Scanned) else []
