"""Names of runs on the command line: the file's name, and more of its path where two would be the same."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError
from ..evaluation import run_name


def named(paths: Sequence[str]) -> dict[str, str]:
    """{name: path}; names that would be equal get as much of their path as makes them differ."""
    names = [_first(path) for path in paths]
    repeated = {name for name, count in Counter(names).items() if count > 1}
    for name in repeated:
        places = [at for at, other in enumerate(names) if other == name]
        for at, longer in zip(places, _told_apart([paths[at] for at in places]), strict=True):
            names[at] = longer
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


def _told_apart(paths: Sequence[str]) -> list[str]:
    """Names for paths whose short names are equal: the fewest last parts that differ, ending dropped if it may be."""
    whole = [Path(os.path.normpath(path)) for path in paths]
    different = list(dict.fromkeys(whole))
    for depth in range(1, max(len(path.parts) for path in different) + 1):
        for short in (True, False):
            names = {
                path: "/".join([*path.parts[-depth:-1], run_name(path.name) if short else path.name])
                for path in different
            }
            if len(set(names.values())) == len(names):
                return [names[path] for path in whole]
    return [str(path) for path in whole]


def runs_in(folder: str) -> list[str]:
    """The files of a folder, one run each, by name; hidden files and folders are left alone."""
    try:
        found = sorted(str(item) for item in Path(folder).iterdir() if item.is_file() and not item.name.startswith("."))
    except OSError as error:
        raise UsageError(
            f"--runs {folder}: {error.strerror or error}",
            code="missing_folder",
            hint="name a folder that holds one file per run",
        ) from None
    if not found:
        raise UsageError(f"--runs {folder}: the folder holds no files", code="missing_file")
    return found
