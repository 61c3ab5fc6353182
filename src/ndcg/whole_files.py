"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from .errors import UsageError


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A file beside the target to write to; it takes the target's name, and the mode of what was there, at the end.

    Where anything goes wrong nothing has changed; what the system refuses is a UsageError.
    """
    target = Path(os.path.realpath(path))
    temporary: Path | None = None
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        os.close(handle)
        temporary = Path(made)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
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


def write_whole(path: object, text: str) -> None:
    """Write text as UTF-8, whole or not at all, compressed if the name ends in .gz or .zst. What is not a regular file
    (a pipe, a terminal) is written directly.

    Raises UsageError where it cannot be written.
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"{path!r} is not a path", code="path")
    named = cast("str | os.PathLike[str]", path)
    data = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(named))
    if target.exists() and not target.is_file() and not target.is_dir():
        try:
            target.write_bytes(data)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror or error}", code="unwritable") from error
        return
    from .writers.files import write_packed

    with whole(named) as temporary:
        write_packed(temporary, os.fspath(named), [data])


def _umask() -> int:
    """The process's file mode mask; asking for it means setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
