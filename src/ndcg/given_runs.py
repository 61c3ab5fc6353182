"""The runs that a call was given: their names, their columns, and each as a source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .errors import InputError, UsageError
from .path_names import run_name
from .readers import is_several_runs, read
from .readers.declared import Declared
from .readers.passages import Collapse
from .readers.source import Described, Mapped, Role, Source
from .reading import Reading

WITHOUT_COLUMNS = ("trec_run", "ranked", "scored", "msmarco_run", "openliveq_run", "predictions", "json")
"""Formats of runs that have no columns to name."""


def named_runs(run: object, predictions: bool = False) -> dict[str, object]:
    """Runs by name. One run is named after its file, or `run` where it is in memory.

    Of `predictions` a dict is always several runs.
    """
    if is_several_runs(run) or (predictions and isinstance(run, Mapping)):
        assert isinstance(run, Mapping)
        named = {str(name): source for name, source in run.items()}
        if len(named) < len(run):
            raise UsageError("two runs have the same name, once as text and once as a number", code="run_names")
        return named
    return {run_name(run): run}


def runs_by_tag(run: object, reading: Reading) -> dict[str, Source]:
    """Every tag of TREC run files as a run of its own; the file's name stands before a tag that two files bear."""
    from .readers.tags import by_tag

    found: dict[str, Source] = {}
    for name, source in named_runs(run).items():
        if not isinstance(source, str | os.PathLike):
            raise UsageError("split_tags= takes paths of TREC run files", code="split_tags")
        columns = reading.columns_for("run")
        for tag, tagged in by_tag(os.fspath(source), comments=reading.comments, columns=columns).items():
            key = tag if tag not in found else f"{name} {tag}"
            if key in found:
                raise UsageError(f"two runs are called {key!r}", code="run_names", hint="name the files apart")
            found[key] = tagged
    return found


def read_run(source: object, empty_runs: bool, **reading: Any) -> Source:
    """A run as it is read; one without rows is an empty mapping where that is declared to be a run."""
    try:
        return read(source, Role.RUN, **reading)
    except InputError as error:
        if not empty_runs or error.code != "empty":
            raise
        return Mapped(Role.RUN, Described(str(reading["name"] or source), "no rows"), {})


def implied_features(judgments: Source) -> str | None:
    """The feature file that predictions without another one belong to: that of the judgments, if they are one."""
    if isinstance(judgments, Mapped) or judgments.described.format != "svmlight" or len(judgments.parts) > 1:
        return None
    return judgments.parts[0].path or judgments.described.name


def collapsed_columns(columns: Mapping[str, str] | None, collapse: Collapse | None) -> Mapping[str, str] | None:
    """The columns of a run, the document being the column that collapses its chunks."""
    if collapse is None or collapse.column is None:
        return columns
    # What has no columns at all is refused in the words of collapse=, by `refuse_without_columns`.
    shared = columns.shared if isinstance(columns, Declared) else ()
    return Declared({**(columns or {}), "doc": collapse.column}, (*shared, "doc"))


def refuse_without_columns(runs: Mapping[str, Source], collapse: Collapse) -> None:
    """A column can only collapse the chunks of a run that has columns."""
    for name, source in runs.items():
        if isinstance(source, Mapped) or source.described.format in WITHOUT_COLUMNS:
            raise UsageError(
                f"collapse={collapse.column!r} names a column, and run {name} ({source.described.format}) has none",
                code="collapse",
                hint="a pattern with other characters than letters, digits, blanks, - and _ is applied to the ids",
            )
