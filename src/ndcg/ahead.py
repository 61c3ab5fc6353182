"""Looking at the bytes of large files in processes of their own, while this one loads its libraries.

Only the command does so, before it has threads: a look takes a twentieth of the time of a run, and there is a core to
spare until the engine works. Where anything goes wrong nothing is lost: the look is made again.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from . import process
from .file_stamps import stamp

LARGE = 16_000_000
"""Bytes of a file from which a look is worth a process."""

MOST = 4
"""Files that are looked at ahead; the others wait for their turn."""

_BEGUN: dict[str, tuple[int, int, tuple[int, int]]] = {}
"""By path: the process, the end of its pipe, and size and time of the file when it began."""


def begin(paths: Iterable[str], look: Callable[[str], tuple[Any, ...]]) -> None:
    """Begin `look` for the first large files among the paths; nothing where the system or the process cannot."""
    if not process.OURS or sys.platform != "linux" or (os.cpu_count() or 1) < 2:
        return
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return
    stamps = {path: stamp(path) for path in paths if os.path.isfile(path)}  # noqa: PTH113
    large = {path: found for path, found in stamps.items() if found is not None and found[0] >= LARGE}
    for path, found in islice(large.items(), MOST):
        _begin(path, look, found)


def _begin(path: str, look: Callable[[str], tuple[Any, ...]], found: tuple[int, int]) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        _BEGUN[path] = child, reading, found
        return
    code = 1
    try:
        os.close(reading)
        os.write(writing, marshal.dumps(tuple(look(path))))
        code = 0
    finally:
        # Neither buffers nor exit functions of the parent are this process's to run.
        os._exit(code)


def taken(path: str) -> tuple[Any, ...] | None:
    """What the look at a file showed; None where none was begun, it failed, or the file has changed since."""
    if path not in _BEGUN:
        return None
    child, reading, before = _BEGUN.pop(path)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    with suppress(ChildProcessError):
        if os.waitpid(child, 0)[1] != 0:
            return None
    if not data or stamp(path) != before:
        return None
    found: tuple[Any, ...] = marshal.loads(data)
    return found
