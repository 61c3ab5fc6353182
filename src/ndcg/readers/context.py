"""What every format reader is given, and what it gives back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..errors import DataTypeError, InputError
from .labels import Labels
from .source import Part, Role


def path_of(given: object, word: str) -> str | None:
    """A path as text, or None; anything else is a DataTypeError. InputError for a pipe: the file is read again."""
    if given is None:
        return None
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(path, str):
        raise DataTypeError(f"{word}= is the path of a file, found {given!r}", code=word)
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113
        raise InputError(
            f"{word}={path!r} is no file that can be read more than once",
            code=word,
            hint="write what comes out of a pipe into a file and name that",
        )
    return path


@dataclass(frozen=True, slots=True)
class Context:
    """The caller's wishes: what the input holds, declared columns, comment lines, several run tags in one file.

    `labels` maps the labels of judgments to grades. `groups` is the group file of a feature file without query ids.
    `features` is the feature file whose rows a run's predictions belong to; `implied` says that nobody named it:
    it is the judgments' file, meant only where a run turns out to be predictions. `shared` are the roles of columns
    that are declared for all inputs at once.
    """

    role: Role
    columns: Mapping[str, str] = field(default_factory=dict)
    comments: bool | None = None
    several_tags: bool = False
    labels: Labels | None = None
    groups: str | None = None
    features: str | None = None
    implied: bool = False
    shared: frozenset[str] = frozenset()

    def without_numbers(self, part: Part) -> Part:
        """The part with number and rank NULL: a pool is only (query, document) rows."""

        def bare(select: str) -> str:
            nothing = "CAST(NULL AS DOUBLE)"
            return f"SELECT query, doc, {nothing} AS number, {nothing} AS rank, fault FROM ({select})"

        return replace(part, select=bare(part.select), careful=bare(part.careful) if part.careful else None)


class Piece(NamedTuple):
    """One file or table as read: a part to scan, or rows of a mapping (`mapping`), and how it was read, in words.

    `tag` is the run tag of a TREC file. `unused` is what the file holds besides and nothing reads. `rowless`: it names
    queries and holds no row, so that it is neither scored nor ranked. `constant`: the declared grade is that of every
    row.
    """

    format: str
    part: Part | None
    layout: str = ""
    notes: tuple[str, ...] = ()
    ranked: bool = False
    mapping: Mapping[object, object] | None = None
    tag: str = ""
    unused: tuple[str, ...] = ()
    rowless: bool = False
    constant: bool = False
