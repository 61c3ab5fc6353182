"""A file that is there whole or not at all, compressed as its name says."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

from ..errors import UsageError

_BATCH = 1 << 20


@contextmanager
def whole(path: str) -> Iterator[Path]:
    """A file beside the target to write to; it takes the target's name if nothing goes wrong, else UsageError."""
    target = Path(os.path.realpath(path))
    temporary: Path | None = None
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        os.close(handle)
        temporary = Path(made)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
        yield temporary
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise UsageError(
                f"cannot write {path}: {error.strerror or error}",
                code="unwritable",
                hint="nothing was changed; name another file",
            ) from error
        raise


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write(path: Path, name: str, pieces: Iterable[str]) -> None:
    """Write text as UTF-8 to `path`, compressed with gzip or zstd if `name` ends in .gz or .zst."""
    with path.open("wb") as file, _packed(file, name) as packed:
        for batch in _batches(pieces):
            packed.write(batch)


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


@contextmanager
def _packed(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    kind = packing(name)
    if kind == ".gz":
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
