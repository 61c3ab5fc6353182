"""Text in pieces to a file, compressed as its name says, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

_BATCH = 1 << 20


def write(path: Path, name: str, pieces: Iterable[str]) -> None:
    """Write text as UTF-8 to `path`, compressed with gzip or zstd if `name` ends in .gz or .zst."""
    write_packed(path, name, _batches(pieces))


def write_packed(path: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write bytes to `path`, compressed with gzip or zstd if `name` ends in .gz or .zst."""
    with path.open("wb") as file, _packed(file, name) as packed:
        for piece in pieces:
            packed.write(piece)


def to_standard_output(pieces: Iterable[str]) -> None:
    """Write text as UTF-8 to standard output."""
    stream = getattr(sys.stdout, "buffer", None)
    for batch in _batches(pieces):
        if stream is None:
            sys.stdout.write(batch.decode("utf-8"))
        else:
            stream.write(batch)
    sys.stdout.flush()


def _batches(pieces: Iterable[str]) -> Iterator[bytes]:
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size > _BATCH:
            yield "".join(held).encode("utf-8")
            held, size = [], 0
    yield "".join(held).encode("utf-8")


def packing(name: str) -> str:
    """'.gz', '.zst' or ''."""
    suffix = Path(name).suffix.lower()
    return suffix if suffix in (".gz", ".zst") else ""


def ending(path: str) -> str:
    """The ending in lower case, of what is inside where the name says that it is compressed.

    >>> ending("runs/BM25.RUN.gz"), ending("bm25.csv")
    ('.run', '.csv')
    """
    name = Path(path)
    return (Path(name.stem) if packing(name.name) else name).suffix.lower()


@contextmanager
def _packed(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    kind = packing(name)
    if kind == ".gz":
        import gzip

        # No time of writing: the same content is the same bytes.
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif kind == ".zst":
        import zstandard

        writer: Any = zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)
        with writer:
            yield writer
    else:
        yield file
