"""`Session`: what one call has read, and the reading of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .engines.contract import Engine
from .engines.judgments import Judgments, load_judgments, load_pool
from .engines.workspace import Workspace
from .given_runs import (
    collapsed_columns,
    implied_features,
    named_runs,
    read_run,
    refuse_without_columns,
    runs_by_tag,
)
from .many_runs import TOGETHER, all_small
from .measures.measure import Measure
from .readers import read
from .readers.declared import refuse_unused
from .readers.passages import Collapse, as_collapse
from .readers.source import Described, Mapped, Role, Scanned, Source
from .reading import Reading
from .results import Input
from .scoring import distinct_requests

if TYPE_CHECKING:
    from .engines.collapse import CollapsedEngine
    from .engines.local.begun import Begun
    from .engines.local.rows import Kept


@dataclass
class Session:
    """Everything that one call has read: judgments, pool, and the runs by name."""

    workspace: Workspace
    judgments: Judgments
    judgments_source: Source
    runs: dict[str, Source]
    pool_source: Source | None = None
    merge: str | None = None
    warnings: list[str] = field(default_factory=list)
    collapse: Collapse | None = None
    collapsed: dict[str, CollapsedEngine] = field(default_factory=dict)
    begun: Begun | None = None

    def beside(self) -> Session:
        """The same session for another thread: a connection of its own to the same database."""
        workspace = self.workspace.beside()
        return replace(self, workspace=workspace, judgments=self.judgments.beside(workspace))

    def engine(self, run: str, kept: Kept | None = None) -> Engine:
        """The engine for a run: plain dicts stay in memory, everything else goes through DuckDB.

        `kept` is what a scan of several runs kept of it.
        """
        source = self.runs[run]
        if self.collapse is not None:
            from .engines.collapse import CollapsedEngine

            self.collapsed[run] = CollapsedEngine(source, self.judgments, self.workspace, self.collapse)
            return self.collapsed[run]
        if isinstance(source, Mapped):
            from .engines.memory import MemoryEngine

            return MemoryEngine(source, self.judgments)
        from .engines.local import LocalEngine

        return LocalEngine(source, self.judgments, self.workspace, kept=kept, begun=self.take_begun())

    def take_begun(self) -> Begun | None:
        """The scan that was begun while the inputs were opened, for whoever asks first."""
        begun, self.begun = self.begun, None
        return begun

    def inputs(self) -> tuple[Input, ...]:
        """How everything was read, for people."""
        sources = [
            ("judgments", self.judgments_source),
            *((f"run {name}", run) for name, run in self.runs.items()),
        ]
        if self.pool_source is not None:
            sources.append(("candidate pool", self.pool_source))
        notes = {f"run {name}": (engine.note,) for name, engine in self.collapsed.items()}
        if self.merge is not None and isinstance(self.judgments_source, Scanned):
            notes["judgments"] = (f"several grades of one document are merged by {self.merge}",)
        return tuple(_described(role, source.described, notes.get(role, ())) for role, source in sources)


def _described(role: str, described: Described, more: tuple[str, ...] = ()) -> Input:
    return Input(role, described.name, described.format, described.layout, (*described.notes, *more))


def open_session(
    qrels: object,
    run: object,
    *,
    candidates: object = None,
    reading: Reading | None = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
    empty_runs: bool = False,
    measures: Sequence[Measure] = (),
) -> Session:
    """Read judgments and pool, and open the runs; nothing is scored yet.

    A run without a single row is an error, unless `empty_runs` declares that it is one that misses every query.
    `measures` are those to come: what they need of a run may be begun beside the reading of the rest.
    """
    reading = reading or Reading()
    workspace = Workspace(memory)
    if any(isinstance(source, str | os.PathLike) for source in (qrels, run)):
        workspace.open_early()
    try:
        judgments_source = read(
            qrels,
            Role.JUDGMENTS,
            format=reading.qrels_format,
            columns=reading.columns_for("qrels"),
            comments=reading.comments,
            labels=reading.labels,
            groups=reading.groups,
            query_ids=reading.query_ids,
        )
        collapse = as_collapse(reading.collapse)
        runs: dict[str, Source] = {}
        begun: Begun | None = None
        early = bool(measures) and candidates is None and collapse is None and not split_tags
        for name, source in ({} if split_tags else named_runs(run, reading.features is not None)).items():
            runs[name] = read_run(
                source,
                empty_runs,
                format=reading.run_format,
                columns=collapsed_columns(reading.columns_for("run"), collapse),
                comments=reading.comments,
                name=None if isinstance(source, str | os.PathLike) else name,
                labels=reading.labels,
                groups=reading.groups,
                features=reading.features or implied_features(judgments_source),
                implied=reading.features is None,
            )
            # The first scan goes on while the other runs are opened.
            if early and len(runs) == TOGETHER:
                begun = _begin(workspace, judgments_source, runs, measures)
        if collapse is not None and collapse.column is not None:
            refuse_without_columns(runs, collapse)
        if split_tags:
            runs = runs_by_tag(run, reading)
        pool_source = None
        if candidates is not None:
            pool_source = read(
                candidates,
                Role.POOL,
                columns=reading.columns_for("candidates"),
                comments=reading.comments,
                groups=reading.groups,
            )
        pools = () if pool_source is None else (pool_source,)
        if not reading.tables:
            refuse_unused(reading.columns_for("qrels"), (judgments_source, *runs.values(), *pools))
        if early and len(runs) < TOGETHER:
            begun = _begin(workspace, judgments_source, runs, measures)
        judgments = load_judgments(judgments_source, workspace, merge)
        if pool_source is not None:
            judgments.pool = load_pool(pool_source, workspace)
    except BaseException:
        workspace.close()
        raise
    return Session(workspace, judgments, judgments_source, runs, pool_source, merge, collapse=collapse, begun=begun)


def _begin(
    workspace: Workspace, judgments: Source, runs: Mapping[str, Source], measures: Sequence[Measure]
) -> Begun | None:
    """The scan of one run, or of the first of many small ones, begun where all inputs are files."""
    scanned = [run for run in runs.values() if not isinstance(run, Mapped)]
    if isinstance(judgments, Mapped) or len(scanned) < len(runs) or not (len(runs) == 1 or all_small(runs)):
        return None
    from .engines.local.begun import begin

    return begin(workspace, judgments, scanned, distinct_requests(measures))
