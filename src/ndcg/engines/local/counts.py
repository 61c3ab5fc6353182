"""How many rows each query of a table of kept rows has: which judged queries are there, and which others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...kernel.batch import Bools, Ints
from ..contract import Request
from ..judgments import Judgments
from ..workspace import Workspace

Starting = Mapping[tuple[int, bool], Ints]
"""How many rows each query's ranking starts from, by the number of its request and whether only judged rows count."""


class Counts(NamedTuple):
    """What a table of kept rows holds. Of several runs, query c of run r counts as query r * queries + c.

    `others` are the queries of each run that have no judgments, in the order of their ids, and their rows.
    """

    present: Bools
    starting: Starting
    others: list[dict[str, int]]


def kinds(requests: Sequence[Request]) -> list[tuple[int, bool]]:
    """The lists that are kept for requests: all rows of each, and the judged ones of those that condense."""
    return [(at, only) for at, request in enumerate(requests) for only in (False, True)[: 1 + request.condense]]


def count_column(at: int, judged_only: bool) -> str:
    """The column that says how many rows a ranking starts from."""
    return f"{'m' if judged_only else 'n'}{at}"


def rows_column(at: int, judged_only: bool) -> str:
    """The column that holds the first rows of a ranking."""
    return f"{'judged' if judged_only else 'top'}{at}"


def count(
    workspace: Workspace, judgments: Judgments, table: str, requests: Sequence[Request], runs: int | None = None
) -> Counts:
    """Look at a table of kept rows once; `runs` is how many runs it holds, None where it is one without a number."""
    wanted = {kind: count_column(*kind) for kind in kinds(requests)}
    number = "0" if runs is None else "t.run"
    columns = "".join(f", t.{column} as {column}" for column in wanted.values())
    rows = workspace.connection.execute(
        f"select coalesce(q.code, -1) as code, {number} as run, t.n as n{columns}, "
        f"case when q.code is null then t.query else '' end as query "
        f"from {table} t left join {judgments.table}_queries q using (query)"
    ).fetchnumpy()
    queries = len(judgments.queries)
    judged = rows["code"] >= 0
    place = rows["code"][judged].astype(np.int64) + rows["run"][judged].astype(np.int64) * queries
    present = np.zeros(queries * (runs or 1), np.bool_)
    present[place] = True
    starting = {}
    for kind, column in wanted.items():
        starting[kind] = np.zeros(len(present), np.int64)
        starting[kind][place] = rows[column][judged]
    others: list[dict[str, int]] = [{} for _ in range(runs or 1)]
    for query, run, n in sorted(zip(*(rows[name][~judged].tolist() for name in ("query", "run", "n")), strict=True)):
        others[run][query] = n
    return Counts(present, starting, others)
