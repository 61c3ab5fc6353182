"""Whether a file is still the one that was read."""

from __future__ import annotations

import os


def stamp(path: str) -> tuple[int, int] | None:
    """Size and time of the last change, None where there is no such file: equal stamps, equal files."""
    try:
        status = os.stat(path)  # noqa: PTH116 (this is loaded at every start, and pathlib need not be)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns
