"""Temporary files, deleted at exit: copies of what cannot be read twice or not by DuckDB. And names of tables."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from .lines import unify
from .streams import chunks

_made: list[Path] = []
_labels = itertools.count(1)


def new(suffix: str) -> Path:
    """An empty temporary file of this process, deleted at exit."""
    import tempfile

    handle, path = tempfile.mkstemp(prefix="ndcg-", suffix=suffix)
    os.close(handle)
    if not _made:
        atexit.register(_remove, os.getpid())
    _made.append(Path(path))
    return Path(path)


def label(kind: str) -> str:
    """A name for a table that no other table of this process has."""
    return f"ndcg_{kind}_{next(_labels)}"


def _remove(process: int) -> None:
    if os.getpid() != process:  # a forked child must not take its parent's files away
        return
    for path in _made:
        with contextlib.suppress(OSError):
            path.unlink()


def copy(stream: Iterator[bytes], suffix: str = "") -> Path:
    """The bytes of a stream in a temporary file."""
    path = new(suffix)
    with path.open("wb") as file:
        for chunk in stream:
            file.write(chunk)
    return path


def with_one_line_end(path: str) -> Path:
    """A copy of a text file, decompressed, whose lines all end with \\n; line numbers stay the same."""
    return copy(_unified(path), ".txt")


def _unified(path: str) -> Iterator[bytes]:
    held = b""
    for chunk in chunks(path):
        data = held + chunk
        held = b"\r" if data.endswith(b"\r") else b""
        yield unify(data[:-1] if held else data)
    yield b"\n" if held else b""
