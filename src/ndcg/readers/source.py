"""The two shapes in which every input leaves the readers: a mapping in memory, or parts to scan.

A reader turns bytes, frames or dicts into one of them and keeps what an error message needs. It knows nothing of
measures. An engine reads a `Mapped` source in Python and a `Scanned` one with DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ..errors import Fault


class Role(StrEnum):
    """What an input holds."""

    JUDGMENTS = "judgments"
    RUN = "run"
    POOL = "candidate pool"


class Described(NamedTuple):
    """How an input was read, for people: shown in the output, never used to compute."""

    name: str
    format: str
    layout: str = ""
    notes: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    """What the input holds besides and nothing reads, such as a title column: a conversion says that it is dropped."""
    tag: str = ""
    """The tag of a run that its file names."""


class Mapped(NamedTuple):
    """An input in memory.

    `rows` maps a query to `{document: number}` (grades of judgments, scores of a run), to a sequence of documents in
    ranked order (a run without scores, or a pool), or to None for a query whose search failed. Ids may still be
    integers; the engine turns them into decimal text and refuses the types the spec refuses.
    `ranked` says that the values are sequences.
    """

    role: Role
    described: Described
    rows: Mapping[object, object]
    ranked: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One file or table of a scanned input.

    `select` is a DuckDB SELECT with exactly these columns, in the order of the input:
      query VARCHAR, doc VARCHAR, number DOUBLE (score of a run, grade of judgments, NULL for a pool or where a run has
      only ranks), rank DOUBLE (NULL where the input has none), fault BOOLEAN (this row must not be scored: a missing
      field, text that is not a number, NaN, an infinite grade).
    `parameters` are its prepared-statement parameters (paths), in the order of their marks in `select`. `tables`
    are Python objects (frames, arrow tables) that `select` names, to be registered on the connection first.
    `careful` is the slower SELECT that decides where the fast one meets a fault or an engine error; None if there is
    no second reading. `faults(limit)` reads the input once more, slowly, and returns the first bad rows with their
    positions and the total count. `locate(pairs, limit)` finds the lines of (query, doc) pairs for error messages.
    `failed` are queries whose search failed, as the input itself records. `labels(limit)` are distinct texts that
    stand where grades should, for an error's way on.
    `plain()` counts the grades that are numbers beside labels.
    `judges` is, where judges are told apart, a SELECT with the parameters of `select` and the columns query VARCHAR,
    doc VARCHAR, judge VARCHAR, grade DOUBLE: every judge's row, before any merging.
    `weights` are the weights of queries and `texts` their wording, where the input itself holds them. `bare` are
    queries that judgments name without a judged document, or a run without a returned one: the same as `{query: {}}`
    in memory.
    """

    name: str
    select: str
    parameters: tuple[object, ...] = ()
    tables: Mapping[str, object] = field(default_factory=dict)
    careful: str | None = None
    careful_parameters: tuple[object, ...] = ()
    faults: Callable[[int], tuple[int, list[Fault]]] = lambda limit: (0, [])
    locate: Callable[[Sequence[tuple[str, str]], int], list[Fault]] = lambda pairs, limit: []
    failed: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    path: str | None = None
    labels: Callable[[int], list[str]] = lambda limit: []
    plain: Callable[[], int] = lambda: 0
    judges: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


class Scanned(NamedTuple):
    """An input to be scanned by DuckDB: one or more parts that are one set of rows.

    `ranked` says that the rows are ordered by `rank` and have no score.
    """

    role: Role
    described: Described
    parts: tuple[Part, ...]
    ranked: bool = False


Source = Mapped | Scanned
