"""Many small runs kept by one scan: what each would cost by itself is paid once.

The rows of all runs carry the number of their run, and a query of one run is another group than the same query of the
next. Each run is then answered by an engine of its own, from its part of what was kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...kernel.batch import Ints
from ...readers.source import Scanned
from ..contract import Request, RunFacts
from ..judgments import Judgments
from ..workspace import Workspace
from . import topk
from .begun import Begun, alike
from .counts import count, kinds
from .rows import Kept, TopRows


def answerable(requests: Sequence[Request], judgments: Judgments) -> bool:
    """Whether first rows suffice for all requests, whatever the order of the input and without a candidate pool."""
    return judgments.pool is None and topk.suffice(requests)


def begin(
    workspace: Workspace, sources: Sequence[Scanned], judgments: Judgments, requests: Sequence[Request]
) -> Begun | None:
    """Begin to scan runs together.

    None where a run is more than one file without failed searches, or their first rows may not fit the memory.
    """
    if not alike(sources) or not topk.fits(workspace, requests, len(judgments.queries) * len(sources)):
        return None
    _ = judgments.table  # made here, not in the thread
    return Begun(workspace, sources, *select_of(sources, judgments, requests), requests)


def select_of(
    sources: Sequence[Scanned], judgments: Judgments | None, requests: Sequence[Request]
) -> tuple[str, list[object]]:
    """The SELECT that keeps the first rows of several runs, and its parameters."""
    parts = [source.parts[0] for source in sources]
    rows = " union all ".join(f"select {number} as run, * from ({part.select})" for number, part in enumerate(parts))
    select = topk.kept_select(sources[0], judgments, requests, rows, None, keys="run, query")
    return select, [parameter for part in parts for parameter in part.parameters]


def kept(workspace: Workspace, table: str, judgments: Judgments, requests: Sequence[Request], runs: int) -> list[Kept]:
    """What a scan of several runs kept of each, in the order of the runs, fetched at once."""
    counts = count(workspace, judgments, table, requests, runs)
    queries = len(judgments.queries)
    top: list[dict[tuple[int, bool], tuple[TopRows, Ints]]] = [{} for _ in range(runs)]
    for at, judged_only in kinds(requests):
        fetched = topk.fetch(workspace, judgments, table, at, requests[at], judged_only=judged_only, runs=runs)
        for run, own in enumerate(top):
            first, last = run * queries, (run + 1) * queries
            own[at, judged_only] = fetched.between(first, last), counts.starting[at, judged_only][first:last]
    present = counts.present.reshape(runs, queries)

    def facts(run: int) -> RunFacts:
        others = counts.others[run]
        return RunFacts(present[run], np.zeros(queries, np.bool_), [*others], [*others.values()])

    return [
        Kept(tuple(requests), f"(select * from {table} where run = {run})", facts(run), top[run]) for run in range(runs)
    ]
