"""Short names of files and runs: the file's name, and more of its path where two would be the same."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path


def told_apart(paths: Sequence[str], short: Callable[[str], str]) -> list[str]:
    """A name for each path: `short` of its file name, or as much of the path as makes different files differ.

    Only one and the same path, given twice, has one name twice.

    >>> told_apart(["anna/grades.csv", "ben/grades.csv", "eva.csv"], lambda name: name.removesuffix(".csv"))
    ['anna/grades', 'ben/grades', 'eva']
    """
    names = [short(path) for path in paths]
    repeated = {name for name, count in Counter(names).items() if count > 1}
    for name in repeated:
        places = [at for at, other in enumerate(names) if other == name]
        for at, longer in zip(places, _longer([paths[at] for at in places], short), strict=True):
            names[at] = longer
    return names


def _longer(paths: Sequence[str], short: Callable[[str], str]) -> list[str]:
    """Names for paths whose short names are equal: the fewest last parts that differ, ending dropped if it may be."""
    whole = [Path(os.path.normpath(path)) for path in paths]
    different = list(dict.fromkeys(whole))
    for depth in range(1, max(len(path.parts) for path in different) + 1):
        for without_ending in (True, False):
            names = {
                path: "/".join([*path.parts[-depth:-1], short(path.name) if without_ending else path.name])
                for path in different
            }
            if len(set(names.values())) == len(names):
                return [names[path] for path in whole]
    return [str(path) for path in whole]


def run_name(run: object) -> str:
    """The name of a single run: its file name without the usual endings."""
    first = run[0] if isinstance(run, list | tuple) and run else run
    if not isinstance(first, str | os.PathLike):
        return "run"
    name = Path(os.fspath(first)).name or "run"
    for ending in (
        ".gz",
        ".zst",
        ".run",
        ".trec",
        ".txt",
        ".tsv",
        ".csv",
        ".jsonl",
        ".json",
        ".parquet",
        ".results",
    ):
        if name.endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name
