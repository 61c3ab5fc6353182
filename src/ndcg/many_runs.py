"""The runs of a session scored one after another, or, where they are many small files, together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from .joining import check_joined
from .readers.source import Mapped, Source
from .scoring import distinct_requests, score_run

if TYPE_CHECKING:
    from .engines.local.begun import Begun
    from .engines.local.rows import Kept
    from .measures.measure import Measure
    from .readers.source import Scanned
    from .results import Entry
    from .session import Session

FEWEST = 4
"""Fewer runs than this are not worth one scan, or threads."""

SMALL = 16_000_000
"""Bytes of a file that one thread of the engine reads; a larger one keeps all threads busy by itself."""

TOGETHER = 32
"""Runs of one scan: the time to plan it grows with them, and each holds a read buffer."""

MOST_AT_ONCE = 4
"""More than this wait for Python, which does one thing at a time."""

Scored = tuple["list[Entry]", list[str]]
"""The entries of a run, and warnings about its ids."""


def scored_runs(session: Session, measures: Sequence[Measure], worst: int) -> Iterator[Scored]:
    """Every run's entries and warnings, in the order of the runs; the first error in that order is raised."""
    names = list(session.runs)
    if session.collapse is not None or not all_small(session.runs):
        yield from _in_turn(session, names, measures, worst)
        return
    from .engines.local import together

    if together.answerable(distinct_requests(measures), session.judgments):
        yield from _together(session, names, measures, worst)
    else:
        yield from _at_once(session, names, measures, worst)


def _in_turn(session: Session, names: Sequence[str], measures: Sequence[Measure], worst: int) -> Iterator[Scored]:
    """One run after another."""
    for name in names:
        yield _scored(session, name, measures, worst)


def _together(session: Session, names: Sequence[str], measures: Sequence[Measure], worst: int) -> Iterator[Scored]:
    """Many runs by each scan."""
    from .engines.local import together

    workspace, judgments, requests = session.workspace, session.judgments, distinct_requests(measures)
    groups = [names[at : at + TOGETHER] for at in range(0, len(names), TOGETHER)]

    def sources_of(names: Sequence[str]) -> list[Scanned]:
        return [source for name in names if not isinstance(source := session.runs[name], Mapped)]

    def begin(names: Sequence[str]) -> Begun | None:
        return together.begin(workspace, sources_of(names), judgments, requests)

    begun = session.take_begun() or begin(groups[0])
    for group, following in zip_longest(groups, groups[1:]):
        table = begun.table(requests, sources_of(group)) if begun is not None else None
        # The next scan runs while Python scores what this one kept.
        begun = begin(following) if following is not None else None
        if table is None:
            # A row is in doubt, or memory is short: each run is read by itself, which decides.
            yield from _at_once(session, group, measures, worst)
            continue
        for name, own in zip(group, together.kept(workspace, table, judgments, requests, len(group)), strict=True):
            yield _scored(session, name, measures, worst, own)
        workspace.connection.execute(f"drop table {table}")


def _at_once(session: Session, names: Sequence[str], measures: Sequence[Measure], worst: int) -> Iterator[Scored]:
    """Each run scanned by itself, several at the same time."""
    at_once = min(MOST_AT_ONCE, os.cpu_count() or 1)
    if at_once < 2:
        yield from _in_turn(session, names, measures, worst)
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
        running = [threads.submit(task, name) for name in names]
        try:
            for future in running:
                yield future.result()
        finally:
            for future in running:
                future.cancel()


def _scored(session: Session, name: str, measures: Sequence[Measure], worst: int, kept: Kept | None = None) -> Scored:
    engine = session.engine(name, kept)
    entries, facts = score_run(name, engine, session.judgments, measures, worst)
    judged = session.judgments_source.described.name
    warnings = check_joined(name, judged, engine, session.judgments, facts, entries)
    engine.close()
    return entries, warnings


def all_small(runs: Mapping[str, Source]) -> bool:
    """Whether there are several runs, all in small files, which need no folder to spill to."""
    if len(runs) < FEWEST:
        return False
    for source in runs.values():
        if isinstance(source, Mapped):
            return False
        for part in source.parts:
            if part.path is None or part.tables or Path(part.path).stat().st_size > SMALL:
                return False
    return True
