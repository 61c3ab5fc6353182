"""A line on standard error while work goes on, where standard error is a terminal."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

AFTER = 1.0
"""Seconds before anything is shown."""


class Progress:
    """Shows what is being done and for how long; leaves nothing behind.

    >>> with Progress("scoring", shown=False):
    ...     pass
    """

    def __init__(self, what: str, shown: bool) -> None:
        self._what = what
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        if shown and sys.stderr.isatty():
            self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        started = time.monotonic()
        written = False
        wait = AFTER
        while not self._done.wait(wait):
            wait = 0.5
            sys.stderr.write(f"\r{self._what}, {time.monotonic() - started:.0f} s")
            sys.stderr.flush()
            written = True
        if written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> Progress:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
