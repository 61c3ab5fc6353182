"""A scan that is begun before its answer is needed: reading the judgments, or scoring other runs, goes on beside it.

It answers only where all is well. Whatever goes wrong in it goes wrong once more in the scan that follows, which tells
the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ... import process
from ...readers.source import Scanned
from ..beside import Beside
from ..contract import Request
from ..workspace import Workspace
from . import topk
from .scan import LARGE

if TYPE_CHECKING:
    from ...readers.duck import duckdb

SHORTEST = 6
"""Bytes of the shortest row of judgments: no file holds more queries than its size allows."""


class Begun:
    """A running scan of `runs`, the SELECT of kept rows for some requests; `table` waits for it."""

    def __init__(
        self,
        workspace: Workspace,
        runs: Sequence[Scanned],
        select: str,
        parameters: Sequence[object],
        requests: Sequence[Request],
    ) -> None:
        self._workspace = workspace
        self._runs = tuple(runs)
        self._requests = tuple(requests)
        self._table = workspace.name("top")
        self._sound = Beside(workspace, partial(self._scan, select, list(parameters)))

    def _scan(self, select: str, parameters: list[object], connection: duckdb.DuckDBPyConnection) -> bool:
        """Make the table; whether all rows are sound."""
        from ...readers.duck import duckdb

        with suppress(duckdb.Error):
            connection.execute(f"create table {self._table} as {select}", parameters)
            return not connection.execute(f"select sum(faults) from {self._table}").fetchall()[0][0]
        return False

    def table(self, requests: Sequence[Request], runs: Sequence[Scanned]) -> str | None:
        """The table of kept rows (see `topk.scan`), None where requests or runs are others or a row is in doubt."""
        process.waiting()
        asked = tuple(requests) == self._requests and list(map(id, runs)) == list(map(id, self._runs))
        if self._sound.answer() and asked:
            return self._table
        self._workspace.connection.execute(f"drop table if exists {self._table}")
        return None


def begin(
    workspace: Workspace, judgments: Scanned, runs: Sequence[Scanned], requests: Sequence[Request]
) -> Begun | None:
    """Begin to scan a run in one file, or several together, before the judgments are there.

    None where more than first rows are asked for, or memory may be short.
    """
    needs_judgments = any(request.condense for request in requests)
    if needs_judgments or not topk.suffice(requests) or not all(_one_file(run) for run in runs):
        return None
    paths = [judged.path for judged in judgments.parts]
    sizes = [Path(path).stat().st_size for path in paths if path is not None and not path.endswith((".gz", ".zst"))]
    most = sum(sizes) // SHORTEST * len(runs)
    if len(sizes) < len(paths) or not topk.fits(workspace, requests, most):
        return None
    if len(runs) > 1:
        from .together import select_of

        return Begun(workspace, runs, *select_of(runs, None, requests), requests) if alike(runs) else None
    part = runs[0].parts[0]
    if part.path is not None and Path(part.path).stat().st_size > LARGE:
        workspace.allow_spilling()
    select = topk.kept_select(runs[0], None, requests, part.select, None)
    return Begun(workspace, runs, select, part.parameters, requests)


def _one_file(run: Scanned) -> bool:
    return len(run.parts) == 1 and run.parts[0].path is not None and not run.parts[0].tables


def alike(runs: Sequence[Scanned]) -> bool:
    """Whether runs can be scanned together: each one file without failed searches, all with scores or all without."""
    return len({run.ranked for run in runs}) == 1 and all(_one_file(run) and not run.parts[0].failed for run in runs)
