"""Opening inputs that may be broken: what cannot be opened is kept as a problem, the rest is opened all the same."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Fault, InputError, NdcgError
from ..given_runs import collapsed_columns, implied_features, named_runs, refuse_without_columns, runs_by_tag
from ..readers import read
from ..readers.passages import as_collapse
from ..readers.source import Described, Mapped, Role, Scanned, Source
from ..reading import Reading

HALTING = ("missing_file", "input_type")
"""Errors that a page could not say more about: they are raised as they are."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What `evaluate` refuses about one input: the sentence, the places that are known, and how many there are."""

    subject: str | None
    where: str
    sentence: str
    faults: tuple[Fault, ...] = ()
    total: int = 1
    hint: str | None = None
    code: str = "bad_rows"

    @classmethod
    def of(cls, error: NdcgError, subject: str | None, where: str) -> Problem:
        """The problem that an error tells of."""
        return cls(subject, where, error.problem, error.faults, max(error.total, 1), error.hint, error.code)


@dataclass
class Opened:
    """One input: its source (None where nothing of it could be opened) and the problems met."""

    subject: str | None
    where: str
    source: Source | None
    problems: list[Problem] = field(default_factory=list)


def open_input(
    source: object, role: Role, reading: Reading, subject: str | None = None, features: str | None = None
) -> Opened:
    """Open judgments, a run or a pool; of several files those that can be opened.

    `features` is the feature file of the judgments, to which predictions belong that name no other one.

    Raises InputError for a file that is not there and DataTypeError for what is never taken as input.
    """
    where = os.fspath(source) if isinstance(source, str | os.PathLike) else subject or str(role)
    try:
        return Opened(subject, str(where), _read(source, role, reading, subject, features))
    except InputError as error:
        if error.code in HALTING:
            raise
        first = Problem.of(error, subject, str(where))
    files = several_files(source)
    if len(files) < 2:
        return Opened(subject, str(where), None, [first])
    sources: list[Scanned] = []
    problems: list[Problem] = []
    for file in files:
        try:
            opened = _read(file, role, reading, None, features)
        except InputError as error:
            problems.append(Problem.of(error, subject, file))
        else:
            if isinstance(opened, Scanned):
                sources.append(opened)
    if not problems or not sources:
        # The files are sound one by one: what is wrong is that they are together.
        return Opened(subject, str(where), None, problems or [first])
    return Opened(subject, str(where), _together(sources, role, str(where)), problems)


def _read(source: object, role: Role, reading: Reading, subject: str | None, features: str | None) -> Source:
    in_memory = not isinstance(source, str | os.PathLike)
    part = {Role.JUDGMENTS: "qrels", Role.RUN: "run", Role.POOL: "candidates"}[role]
    format = {Role.JUDGMENTS: reading.qrels_format, Role.RUN: reading.run_format}.get(role)
    columns = reading.columns_for(part)
    if role is Role.RUN:
        columns = collapsed_columns(columns, as_collapse(reading.collapse))
    return read(
        source,
        role,
        format=format,
        columns=columns,
        comments=reading.comments,
        name=subject if in_memory and role is Role.RUN else None,
        labels=None if role is Role.POOL else reading.labels,
        groups=reading.groups,
        features=(reading.features or features) if role is Role.RUN else None,
        implied=role is Role.RUN and reading.features is None,
        query_ids=reading.query_ids if role is Role.JUDGMENTS else None,
    )


def _together(sources: list[Scanned], role: Role, where: str) -> Scanned:
    described = sources[0].described
    notes = tuple(note for source in sources for note in source.described.notes)
    formats = ", ".join(dict.fromkeys(source.described.format for source in sources))
    parts = tuple(part for source in sources for part in source.parts)
    return Scanned(role, Described(where, formats, described.layout, notes), parts, sources[0].ranked)


def several_files(source: object) -> list[str]:
    """The files of an input in several files: of a list, a folder or a glob; else nothing."""
    if isinstance(source, list | tuple):
        return [os.fspath(item) for item in source if isinstance(item, str | os.PathLike)]
    if not isinstance(source, str | os.PathLike):
        return []
    path = os.fspath(source)
    if Path(path).is_dir():
        return sorted(str(item) for item in Path(path).iterdir() if item.is_file() and item.name[0] != ".")
    if any(mark in path for mark in "*?[") and not Path(path).exists():
        return sorted(item for item in glob.glob(path, recursive=True) if Path(item).is_file())  # noqa: PTH207
    return []


def open_runs(run: object, reading: Reading, split_tags: bool, judgments: Opened) -> list[Opened]:
    """Every run by name; none where `run` is None."""
    if run is None:
        return []
    if split_tags:
        return [Opened(name, source.described.name, source) for name, source in runs_by_tag(run, reading).items()]
    named: Mapping[str, object] = named_runs(run, reading.features is not None)
    features = implied_features(judgments.source) if judgments.source is not None else None
    opened = [open_input(source, Role.RUN, reading, name, features) for name, source in named.items()]
    collapse = as_collapse(reading.collapse)
    if collapse is not None and collapse.column is not None:
        sources = {one.subject or one.where: one.source for one in opened if one.source is not None}
        refuse_without_columns(sources, collapse)
    return opened


def described(opened: Opened) -> Described | None:
    """How an input was read, in words."""
    return opened.source.described if opened.source is not None else None


__all__ = ["Mapped", "Opened", "Problem", "described", "open_input", "open_runs", "several_files"]
