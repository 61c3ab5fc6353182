"""Runs as lists of documents per query, best first: what fusion reads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..errors import DataTypeError, Fault, InputError, UsageError
from ..fingerprints import run_rows
from ..given_runs import named_runs
from ..readers import read
from ..readers.source import Role, Scanned, Source
from ..reading import Reading

if TYPE_CHECKING:
    from ..engines.workspace import Workspace

Lists = dict[str, list[tuple[str, float]] | None]
"""{query: (document, score) best first}; None where the search failed."""


def sources_of(runs: object, reading: Reading) -> dict[str, Source]:
    """Every run by name, opened."""
    return {
        name: read(
            given, Role.RUN, format=reading.run_format, columns=reading.columns_for("run"), comments=reading.comments
        )
        for name, given in named_runs(runs).items()
    }


def lists_of(
    sources: Mapping[str, Source], *, needs_scores: bool, depth: int | None, workspace: Workspace | None = None
) -> dict[str, Lists]:
    """The lists of every run, read through `workspace` or one of their own.

    Repeated documents keep their best place, equal scores stand in the order of their ids. A run of ranks alone has
    the negative rank as its score; where scores are needed it is an InputError, as is an infinite score.
    """
    if len(sources) < 2:
        raise UsageError("fusion takes two runs or more", code="fusion", hint="pass them by name: {'bm25': ..., ...}")
    found: dict[str, Lists] = {}
    for name, source in sources.items():
        if source.ranked and needs_scores:
            raise InputError(
                f"run {name} has ranks and no scores, and this fusion adds scores",
                code="no_scores",
                hint="use method='rrf', or normalisation='rank'",
            )
        found[name] = {
            query: None if rows is None else _ranked(rows, source, name, query, needs_scores)[:depth]
            for query, rows in run_rows(source, workspace, f"run {name}")
        }
    return found


def _ranked(
    rows: Iterable[tuple[str, float | None]], source: Source, name: str, query: str, needs_scores: bool
) -> list[tuple[str, float]]:
    by_rank = source.ranked or _is_list(source, query)
    best: dict[str, float] = {}
    for document, number in rows:
        if number is None or math.isnan(number):
            problem = f"the score is {number}"
            raise InputError(problem, code="nan", faults=[Fault(problem, f"run {name}", None, query, document)])
        if needs_scores and math.isinf(number):
            problem = "an infinite score cannot be normalised"
            raise InputError(
                problem,
                code="infinite_score",
                faults=[Fault(problem, f"run {name}", None, query, document)],
                hint="use method='rrf', or normalisation='rank'",
            )
        score = -number if by_rank else number
        if document not in best or score > best[document]:
            best[document] = score
    if needs_scores and by_rank:
        raise DataTypeError(
            f"run {name} lists the documents of query {query!r} without scores, and this fusion adds scores",
            code="no_scores",
            hint="use method='rrf', or normalisation='rank'",
        )
    return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))


def _is_list(source: Source, query: str) -> bool:
    """Whether a query of a mapping holds a list of documents, whose numbers are places."""
    if isinstance(source, Scanned):
        return False
    rows = source.rows.get(query)
    if rows is None and query.isdecimal():
        rows = source.rows.get(int(query))
    return rows is not None and not isinstance(rows, Mapping)
