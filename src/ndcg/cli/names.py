"""Names of runs on the command line: the file's name, and more of its path where two would be the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError
from ..path_names import run_name, told_apart


def named(paths: Sequence[str]) -> dict[str, str]:
    """{name: path}; names that would be equal get as much of their path as makes them differ."""
    names = told_apart(paths, _first)
    found: dict[str, str] = {}
    for name, path in zip(names, paths, strict=True):
        free, number = name, 1
        while free in found:
            number += 1
            free = f"{name}#{number}"
        found[free] = path
    return found


def _first(path: str) -> str:
    return "stdin" if path == "-" else run_name(path)


def runs_in(folder: str) -> list[str]:
    """The files of a folder, one run each, by name; hidden files and folders are left alone."""
    try:
        found = sorted(str(item) for item in Path(folder).iterdir() if item.is_file() and not item.name.startswith("."))
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise UsageError(
            f"no such folder: {folder}" if missing else f"--runs {folder}: {error.strerror or error}",
            code="missing_folder",
            hint=f"{'--runs names' if missing else 'name'} a folder that holds one file per run",
        ) from None
    if not found:
        raise UsageError(f"--runs {folder}: the folder holds no files", code="missing_file")
    return found
