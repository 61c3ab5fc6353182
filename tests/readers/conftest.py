"""Scanning a source without an engine, and the folder of real data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg.readers import Mapped, Part, Role, Source, read

Row = tuple[Any, ...]


def scan_part(part: Part, select: str | None = None, parameters: tuple[object, ...] | None = None) -> list[Row]:
    """Rows (query, doc, number, rank, fault) of one reading of a part, in input order."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        for label, table in part.tables.items():
            connection.register(label, table)
        return connection.execute(
            select or part.select, list(part.parameters if parameters is None else parameters)
        ).fetchall()


class Refused(Exception):
    """A part that no reading takes: what its second look says."""

    def __init__(self, total: int, faults: list[Any]) -> None:
        self.total, self.faults = total, faults
        super().__init__("; ".join(map(str, faults)) or "no fault found")


def decide(part: Part) -> list[tuple[Any, ...]]:
    """The rows as an engine gets them: fast, then careful, then Refused with the faults."""
    import duckdb

    readings = [(part.select, part.parameters)]
    if part.careful is not None:
        readings.append((part.careful, part.careful_parameters))
    for select, parameters in readings:
        try:
            rows = scan_part(part, select, parameters)
        except duckdb.Error:
            continue
        if not any(row[4] for row in rows):
            return [row[:4] for row in rows]
    raise Refused(*part.faults(10))


def scan(source: Source) -> list[tuple[Any, ...]]:
    """All rows (query, doc, number, rank) of a source; a mapping's in its own order."""
    if isinstance(source, Mapped):
        rows: list[tuple[Any, ...]] = []
        for query, inner in source.rows.items():
            if isinstance(inner, dict):
                rows += [(str(query), str(doc), number, None) for doc, number in inner.items()]
            else:
                rows += [(str(query), str(doc), None, place) for place, doc in enumerate(inner or (), 1)]
        return rows
    return [row for part in source.parts for row in decide(part)]


def ids(source: Source) -> list[tuple[str, str]]:
    """(query, document) of all rows."""
    return [row[:2] for row in scan(source)]


def shared_folder() -> Path:
    """The folder of real data: NDCG_SHARED, or `shared` beside the repository."""
    return Path(os.environ.get("NDCG_SHARED") or Path(__file__).resolve().parents[3] / "shared")


@pytest.fixture(scope="session")
def data() -> Path:
    """Real data files. Missing ones fail under CI and skip elsewhere."""
    folder = shared_folder() / "data"
    if not folder.is_dir():
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            pytest.fail(f"the data folder {folder} is missing")
        pytest.skip(f"no data folder {folder}")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write bytes or text to a file of this name and return its path."""

    def make(content: bytes | str, name: str = "file.txt") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return str(path)

    return make


RUN, JUDGMENTS, POOL = Role.RUN, Role.JUDGMENTS, Role.POOL

__all__ = ["JUDGMENTS", "POOL", "RUN", "Refused", "decide", "ids", "read", "scan", "scan_part"]
