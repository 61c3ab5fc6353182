"""The systems of a comparison from arguments: files of runs, saved results, and one run of a saved result."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..comparison.saved_systems import is_saved
from ..errors import choose
from ..path_names import run_name
from .names import named

if TYPE_CHECKING:
    from ..results import Result


class Source(NamedTuple):
    """A path, and the run that is picked from it where it is a saved result written as `RESULT.json:RUN`."""

    path: str
    run: str | None

    @property
    def key(self) -> tuple[str, str | None]:
        """What makes two arguments the same system."""
        return self.path if self.path == "-" else os.path.realpath(self.path), self.run


def source(argument: str) -> Source:
    """An argument as path and picked run."""
    if ":" in argument and not Path(argument).exists():
        # Names of runs may hold a colon too, and so may paths.
        for at, char in enumerate(argument):
            if char == ":" and argument[at + 1 :] and is_saved(argument[:at]):
                return Source(argument[:at], argument[at + 1 :])
    return Source(argument, None)


def distinct(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments without those that name a system again, and those."""
    first: dict[tuple[str, str | None], str] = {}
    again: dict[str, None] = {}
    for argument in arguments:
        key = source(argument).key
        if key in first:
            again[argument] = None
        else:
            first[key] = argument
    return list(first.values()), list(again)


def systems(arguments: Sequence[str]) -> dict[str, object]:
    """{name: path, or the result with the one run that was picked}; runs of one name bear that of their file too."""
    sources = [source(argument) for argument in arguments]
    names = dict(zip(arguments, named([one.path for one in sources]), strict=True))
    picked = [one.run for one in sources if one.run is not None]
    found: dict[str, object] = {}
    loaded: dict[str, Result] = {}
    for argument, one in zip(arguments, sources, strict=True):
        if one.run is None:
            found[names[argument]] = one.path
            continue
        if one.path not in loaded:
            from ..saved import load

            loaded[one.path] = load(one.path)
        alone = picked.count(one.run) == 1 and one.run not in {names[a] for a in arguments if source(a).run is None}
        found[one.run if alone else f"{run_name(one.path)}:{one.run}"] = only(loaded[one.path], one.run)
    return found


def only(result: Result, run: str) -> Result:
    """A saved result with one of its runs; UsageError with the names where it holds no such run."""
    runs = list(dict.fromkeys(entry.run for entry in result.entries))
    if run not in runs:
        raise choose("the run of a saved result", run, runs)
    return replace(result, entries=tuple(entry for entry in result.entries if entry.run == run))
