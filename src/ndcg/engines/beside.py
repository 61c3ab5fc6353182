"""An answer that a thread looks for while the caller goes on: DuckDB leaves Python free, some questions a processor."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from .workspace import Workspace

if TYPE_CHECKING:
    from ..readers.duck import duckdb

Answer = TypeVar("Answer")


class Beside(Generic[Answer]):
    """Asks `question` in a thread, through a connection of its own to the tables that are not temporary.

    The workspace closes it: a question that nobody waits for any more is stopped.
    """

    def __init__(self, workspace: Workspace, question: Callable[[duckdb.DuckDBPyConnection], Answer]) -> None:
        self._question = question
        self._answer: list[Answer] = []
        self._problem: BaseException | None = None
        self._connection = workspace.connection.cursor()
        self._thread = Thread(target=self._ask)
        self._thread.start()
        workspace.asked.append(self)

    def _ask(self) -> None:
        try:
            self._answer.append(self._question(self._connection))
        except BaseException as problem:  # told to whoever asks for the answer
            self._problem = problem

    def answer(self) -> Answer:
        """Wait for it; raises what went wrong."""
        self._thread.join()
        if self._problem is not None:
            raise self._problem
        return self._answer[0]

    def close(self) -> None:
        """Stop asking."""
        while self._thread.is_alive():
            # DuckDB forgets an interrupt that comes before the question has begun.
            self._connection.interrupt()
            self._thread.join(0.05)
        self._connection.close()
