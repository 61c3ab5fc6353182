"""The systems of a comparison that were scored and saved before: found, matched with the measures, kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..measures.measure import Measure
from ..readers.streams import head
from ..reading import Reading
from ..results import Entry, Result
from .comparable import Identity

if TYPE_CHECKING:
    from .gather import Gathered

SAVED = re.compile(rb'\s*\{\s*"format"\s*:\s*\d+\s*,\s*"results"\s*:')
"""How a saved result begins."""


def is_saved(source: object) -> bool:
    """Whether a path is that of a saved result. Pipes are left alone: what is read from them is gone."""
    if not isinstance(source, str | os.PathLike):
        return False
    try:
        if not Path(os.fspath(source)).is_file():
            return False
        return SAVED.match(head(os.fspath(source), 400)[0]) is not None
    except (OSError, ValueError, TypeError):
        return False


def refuse_rescoring(
    saved: Mapping[str, Result], wanted: Sequence[Measure], reading: Reading, **options: object
) -> None:
    """Saved results are compared as they were scored: other measures, and options of reading, are errors."""
    held = list(dict.fromkeys(entry.measure for result in saved.values() for entry in result.entries))
    for measure in wanted:
        if str(measure) not in held:
            raise UsageError(
                f"the saved results hold {', '.join(held[:6])} and not {measure}",
                code="no_such_measure",
                hint="they are compared as they were scored: score the runs again for other measures and conventions",
            )
    given = {**asdict(reading), **options}
    if given.pop("tables"):
        given["columns"] = None  # they name the columns of attributes, weights or clusters
    for name, value in given.items():
        if value not in (None, False):
            raise UsageError(
                f"{name}= says how runs and judgments are read, and saved results are not read again",
                code="no_effect",
                hint="leave it out",
            )


def saved_entries(name: str, result: Result, measures: Sequence[Measure]) -> dict[str, Entry]:
    """The entries of one system of a saved result by the measure that was asked for.

    The same measure under other conventions is taken too: what differs is then named as not comparable.
    """
    entries = [entry for entry in result.entries if entry.slice is None]
    runs = list(dict.fromkeys(entry.run for entry in entries))
    run = runs[0] if len(runs) == 1 else name
    if run not in runs:
        raise UsageError(
            f"the saved result given as {name!r} holds {len(runs)} runs: {', '.join(runs[:6])}",
            code="several_runs",
            hint=f"pick one by its name: {{{runs[0]!r}: result}} in Python, RESULT.json:{runs[0]} on the command line",
        )
    found: dict[str, Entry] = {}
    for measure in measures:
        own = [entry for entry in entries if entry.run == run]
        same = [entry for entry in own if entry.measure == str(measure)] or [
            entry for entry in own if (entry.declaration.get("measure"), entry.declaration.get("k")) == _kind(measure)
        ]
        if not same:
            raise UsageError(
                f"the saved result of {name!r} holds no {measure}",
                code="no_such_measure",
                hint=f"it holds {', '.join(entry.measure for entry in own)}",
            )
        found[str(measure)] = replace(same[0], run=name)
    return found


def _kind(measure: Measure) -> tuple[str, int | None]:
    return measure.name, measure.k


def identity_of(name: str, result: Result, measures: Sequence[Measure]) -> Identity:
    """One system of a saved result under the measures that were asked for."""
    # Runs of one result object share its judgments; two loads are two origins.
    origin = id(result)
    entries = saved_entries(name, result, measures)
    return Identity(name, origin, entries, partial(_fingerprints_of, result), result.pool_version, result.version)


def _fingerprints_of(result: Result) -> Mapping[str, object]:
    return result.fingerprints


def keep_saved(made: Gathered, saved: Mapping[str, Result]) -> None:
    """The result with the entries of saved systems beside those scored now, and its fingerprints."""
    if not saved:
        return
    entries = [made.entry(name, str(measure)) for name in made.names for measure in made.measures]
    own, first = made.result._fingerprints, next(iter(saved.values()))
    made.result = replace(
        made.result,
        entries=tuple(entries),
        inputs=(*made.result.inputs, *(read for result in saved.values() for read in result.inputs)),
        warnings=tuple(dict.fromkeys(w for result in (made.result, *saved.values()) for w in result.warnings)),
        measures=made.measures,
        pool_version=made.result.pool_version if made.session is not None else first.pool_version,
        _fingerprints=own if made.session is not None else partial(_fingerprints_of, first),
    )
