"""One DuckDB connection per call, opened when the first input needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .. import process
from ..errors import UsageError

if TYPE_CHECKING:
    from ..readers.duck import duckdb
    from .beside import Beside


class _Opener:
    """A connection that a thread opens: it takes a while and leaves Python free."""

    def __init__(self) -> None:
        self._opened: duckdb.DuckDBPyConnection | None = None
        self._thread = Thread(target=self._open)
        self._thread.start()

    def _open(self) -> None:
        from ..readers.duck import duckdb

        # What goes wrong here goes wrong once more in `Workspace.connection`, which tells the caller.
        with suppress(duckdb.Error):
            self._opened = duckdb.connect()

    def connection(self) -> duckdb.DuckDBPyConnection | None:
        """What the thread opened; to be asked once."""
        self._thread.join()
        opened, self._opened = self._opened, None
        return opened


_begun: list[_Opener] = []


def begin_opening() -> None:
    """Begin to open a connection for the first workspace of the process, while its other libraries load."""
    if not _begun:
        _begun.append(_Opener())


class Workspace:
    """Opens DuckDB on demand, with the declared memory limit, and closes it at the end.

    `memory` is a size such as '1GB', or None for DuckDB's own limit.
    """

    def __init__(self, memory: str | None = None) -> None:
        self.memory = memory
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._opener: _Opener | None = None
        self._tables = 0
        self._spill: str | None = None
        self.asked: list[Beside[Any]] = []

    def open_early(self) -> None:
        """Begin to open the connection in a thread."""
        if self._connection is None and self._opener is None:
            self._opener = _begun.pop() if _begun else _Opener()

    def _early(self) -> duckdb.DuckDBPyConnection | None:
        """What the thread opened, if one was begun."""
        opener, self._opener = self._opener, None
        return opener.connection() if opener is not None else None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The open connection."""
        if self._connection is None:
            from ..readers.duck import duckdb

            connection = self._early() or duckdb.connect()
            connection.execute("set enable_progress_bar = false; set python_scan_all_frames = false")
            connection.execute("set python_enable_replacements = false")
            if self.memory is not None:
                try:
                    connection.execute(f"set memory_limit = {_quoted(self.memory)}")
                except duckdb.Error as error:
                    raise UsageError(
                        f"memory {self.memory!r} is not a size", code="memory", hint="for example '1GB'"
                    ) from error
            self._connection = connection
        return self._connection

    def beside(self) -> Workspace:
        """A workspace with a connection of its own to the same database, for another thread.

        It sees the tables of this one that are not temporary. Temporary tables are its own.
        """
        other = Workspace(self.memory)
        other._connection = self.connection.cursor()
        other._connection.execute("set python_enable_replacements = false")
        return other

    def allow_spilling(self) -> None:
        """Give DuckDB a folder of its own for what does not fit the memory; called before heavy work."""
        if self._spill is None:
            import tempfile

            self._spill = tempfile.mkdtemp(prefix="ndcg-")
            self.connection.execute(f"set temp_directory = {_quoted(self._spill)}")

    def name(self, stem: str) -> str:
        """A table name that is not in use."""
        self._tables += 1
        return f"{stem}_{self._tables}"

    @property
    def memory_bytes(self) -> int:
        """The memory limit in force, in bytes."""
        text = str(self.connection.execute("select current_setting('memory_limit')").fetchall()[0][0])
        number, unit = text.split()
        return int(float(number) * {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}[unit])

    @contextmanager
    def out_of_memory(self) -> Iterator[None]:
        """Turn DuckDB's complaint about its memory limit into a message with the way on."""
        try:
            yield
        except Exception as error:
            if type(error).__name__ != "OutOfMemoryException":
                raise
            limit = f"memory {self.memory!r}" if self.memory else "DuckDB's memory limit"
            raise UsageError(
                f"{limit} is too small for this run",
                code="memory",
                hint="give more, such as memory='2GB' (--memory 2GB)",
            ) from error

    def close(self) -> None:
        """Close the connection; a later use opens a new one."""
        for question in self.asked:
            question.close()
        self.asked = []
        spilled = self._spill is not None and any(Path(self._spill).iterdir())
        for connection in (self._early(), self._connection):
            if connection is None:
                continue
            if process.OURS and not spilled:
                # The process ends right after its work, and nothing waits for a connection to close.
                Thread(target=connection.close, daemon=True).start()
            else:
                connection.close()
        self._connection = None
        if self._spill is not None:
            import shutil

            shutil.rmtree(self._spill, ignore_errors=True)
            self._spill = None

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
