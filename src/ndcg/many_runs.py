"""The runs of a session scored one after another, or, where they are many small files, several at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .joining import check_joined
from .readers.source import Mapped
from .scoring import score_run

if TYPE_CHECKING:
    from .evaluation import Session
    from .measures.measure import Measure
    from .results import Entry

FEWEST = 4
"""Fewer runs than this are not worth threads."""

SMALL = 16_000_000
"""Bytes of a file that one thread of the engine reads; a larger one keeps all threads busy by itself."""

MOST_AT_ONCE = 4
"""More than this wait for Python, which does one thing at a time."""

Scored = tuple["list[Entry]", list[str]]
"""The entries of a run, and warnings about its ids."""


def scored_runs(session: Session, measures: Sequence[Measure], worst: int) -> Iterator[Scored]:
    """Every run's entries and warnings, in the order of the runs; the first error in that order is raised."""
    at_once = min(MOST_AT_ONCE, os.cpu_count() or 1)
    if at_once < 2 or len(session.runs) < FEWEST or not _all_small(session):
        for name in session.runs:
            yield _scored(session, name, measures, worst)
        return
    from concurrent.futures import ThreadPoolExecutor

    # What all threads read is made before they begin.
    _ = session.judgments.table, session.judgments.numbers
    if session.judgments.pool is not None:
        _ = session.judgments.pool.table

    def task(name: str) -> Scored:
        own = session.beside()
        with own.workspace:
            return _scored(own, name, measures, worst)

    with ThreadPoolExecutor(at_once) as threads:
        running = [threads.submit(task, name) for name in session.runs]
        try:
            for future in running:
                yield future.result()
        finally:
            for future in running:
                future.cancel()


def _scored(session: Session, name: str, measures: Sequence[Measure], worst: int) -> Scored:
    engine = session.engine(name)
    entries, facts = score_run(name, engine, session.judgments, measures, worst)
    judged = session.judgments_source.described.name
    warnings = check_joined(name, judged, engine, session.judgments, facts, entries)
    engine.close()
    return entries, warnings


def _all_small(session: Session) -> bool:
    """Whether every run is in small files, which need no folder to spill to."""
    if session.collapse is not None:
        return False
    for source in session.runs.values():
        if isinstance(source, Mapped):
            return False
        for part in source.parts:
            if part.path is None or part.tables or Path(part.path).stat().st_size > SMALL:
                return False
    return True
