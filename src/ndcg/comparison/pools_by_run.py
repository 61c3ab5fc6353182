"""Candidate pools by run name, told apart from one pool for all runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ..errors import UsageError, choose, clip
from ..readers.inputs import table_kind


def pools_by_run(candidates: object, runs: Sequence[str]) -> dict[str, object] | None:
    """The pool of each run, where `candidates` is a dict by run name; None where it is one pool for all.

    A mapping is by run name where its keys are exactly the runs' names, where it holds one of them and its values are
    pools by themselves (paths, tables, dicts), or where its values can be nothing but pools.
    """
    if not isinstance(candidates, Mapping):
        return None
    if not any(str(key) in runs for key in candidates) and not (candidates and all(map(_is_pool, candidates.values()))):
        return None
    given = {str(key): value for key, value in candidates.items()}
    lists = all(isinstance(value, list | tuple | set | frozenset) for value in given.values())
    if lists and set(given) != set(runs):
        return None
    lacking = [name for name in runs if name not in given]
    unknown = [name for name in given if name not in runs]
    if lacking or unknown:
        if unknown:
            near = choose("", unknown[0], runs).hint
            raise UsageError(
                f"pools by run name: there is no run {clip(unknown[0])!r}; the runs are {', '.join(runs)}",
                code="pools",
                hint=near or "give one pool for each run",
            )
        raise UsageError(
            f"pools by run name: no pool for the run {lacking[0]!r}", code="pools", hint="give one pool for each run"
        )
    return given


def _is_pool(value: object) -> bool:
    """Whether a value is a pool by itself, and not the documents of a query: a path, a table, or lists by query."""
    if isinstance(value, Mapping):
        return any(isinstance(part, list | tuple | set | frozenset | Mapping) for part in value.values())
    return isinstance(value, str | os.PathLike) or table_kind(value) is not None
