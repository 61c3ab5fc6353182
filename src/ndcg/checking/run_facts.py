"""What is counted about a run: over all of its rows, in SQL, on one copy of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..engines.workspace import Workspace
from ..readers.source import Source
from .judgment_facts import JudgmentFacts
from .opening import Opened
from .rows import Loaded

DISAGREES = "query = before and number < last and rank < last_rank"
"""Two neighbours in the order of the scores whose given ranks say the opposite."""


class Depths(NamedTuple):
    """Rows per query: the fewest, the median, the most, and how many queries there are."""

    least: int
    median: float
    most: int
    queries: int


class Order(NamedTuple):
    """What neighbours say in the order of the scores.

    `ties` are rows whose score equals the one before, `single` those that only single precision makes equal, and
    `single_queries` the queries with such rows. `wrong` are rows whose given rank says another order than the score.
    """

    ties: int
    single: int
    single_queries: frozenset[str]
    wrong: int


@dataclass
class RunFacts:
    """One loaded run and everything that is counted about it, each count once."""

    workspace: Workspace
    opened: Opened
    loaded: Loaded
    judged: JudgmentFacts

    def ask(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query; `{t}` is the table of the run, `{q}` that of its queries, `{j}` the judgments."""
        text = sql.format(t=self.loaded.table, q=self.per_query if "{q}" in sql else "", j=self.judged.loaded.table)
        return self.workspace.connection.execute(text, list(parameters)).fetchall()

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.opened.subject or "run"

    @property
    def source(self) -> Source:
        """Where the rows came from."""
        assert self.opened.source is not None
        return self.opened.source

    @cached_property
    def per_query(self) -> str:
        """A table with a row per query: n, lo, hi (scores), ranks (rows with a rank), own, first."""
        table = self.workspace.name("per_query")
        self.workspace.connection.execute(
            f"create temp table {table} as select query, count(*) as n, min(number) as lo, max(number) as hi, "
            f"count(rank) as ranks, count(*) filter (doc = query) as own, min(rowid) as first "
            f"from {self.loaded.table} group by query"
        )
        return table

    @cached_property
    def depths(self) -> Depths:
        """Rows per query."""
        return Depths(
            *self.ask("select coalesce(min(n), 0), coalesce(median(n), 0), coalesce(max(n), 0), count(*) from {q}")[0]
        )

    @cached_property
    def queries(self) -> list[str]:
        """Queries with rows, in the order of the input."""
        return [row[0] for row in self.ask("select query from {q} order by first")]

    @cached_property
    def common(self) -> set[str]:
        """Queries of the run that are judged."""
        return set(self.queries).intersection(self.judged.queries)

    def table_of(self, queries: frozenset[str]) -> str:
        """A table (query) of some queries."""
        table = self.workspace.name("few")
        self.workspace.connection.execute(
            f"create temp table {table} as select unnest(?::varchar[]) as query", [sorted(queries)]
        )
        return table

    @cached_property
    def matched(self) -> str:
        """A table of the judged documents that the run returns: query, doc, grade, score; repeats are repeated."""
        table = self.workspace.name("matched")
        self.workspace.connection.execute(
            f"create temp table {table} as select query, doc, j.number as grade, r.number as score "
            f"from {self.loaded.table} r join {self.judged.loaded.table} j using (query, doc)"
        )
        return table

    @cached_property
    def common_rows(self) -> int:
        """Rows of queries that are judged."""
        return sum(n for query, n in self.ask("select query, n from {q}") if query in self.common)

    @cached_property
    def matched_pairs(self) -> int:
        """Judged documents that the run returns for their query."""
        return int(self.ask(f"select count(*) from (select distinct query, doc from {self.matched})")[0][0])

    @cached_property
    def repeated(self) -> list[tuple[str, str, int]]:
        """(query, document, times) of what is returned more than once, in the order of the input."""
        fetched = self.workspace.connection.execute(f"select hash(query, doc) as pair from {self.loaded.table}")
        pairs = fetched.fetchnumpy()["pair"]
        pairs.sort()  # a quarter of what counting distinct ones takes
        if not np.any(pairs[1:] == pairs[:-1]):
            return []
        return self.ask(
            "select query, doc, count(*) from {t} where hash(query, doc) in "
            "(select hash(query, doc) as h from {t} group by h having count(*) > 1) "
            "group by query, doc having count(*) > 1 order by min(rowid)"
        )

    @cached_property
    def own(self) -> list[str]:
        """Queries that return a document with their own id."""
        return [row[0] for row in self.ask("select query from {q} where own > 0 order by first")]

    @cached_property
    def constant(self) -> list[tuple[str, int]]:
        """(query, rows) of the judged queries whose documents all have one score."""
        if self.loaded.ranked:
            return []
        rows = self.ask("select query, n from {q} where n > 1 and lo = hi order by first")
        return [(query, n) for query, n in rows if query in self.common]

    @cached_property
    def _neighbours(self) -> str:
        """A SELECT of rows with the number (and rank) before them in the order of the scores.

        The order of the input is that order in nearly all files: one look tells, and spares a sort.
        """
        table = self.loaded.table
        blocks, rises = self.ask(
            "select count(*) filter (query is distinct from before), "
            "count(*) filter (query = before and number > last) "
            "from (select query, number, lag(query) over () as before, lag(number) over () as last from {t})"
        )[0]
        if blocks == self.depths.queries and not rises:
            columns = "query, doc, number, rank, lag(query) over () as before, lag(number) over () as last, "
            return f"select {columns} lag(rank) over () as last_rank, lag(doc) over () as last_doc from {table}"
        window = "over (partition by query order by number desc, rank)"
        columns = f"query, doc, number, rank, lag(query) {window} as before, lag(number) {window} as last, "
        return f"select {columns} lag(rank) {window} as last_rank, lag(doc) {window} as last_doc from {table}"

    @cached_property
    def order(self) -> Order:
        """Ties among neighbours, in double and only in single precision, and neighbours whose ranks disagree."""
        if self.loaded.ranked:
            return Order(0, 0, frozenset(), 0)
        largest = "3.4e38"
        within = f"abs(number) < {largest} and abs(last) < {largest} and number::float = last::float"
        ties, single, queries, wrong = self.ask(
            "select count(*) filter (query = before and number = last), "
            f"count(*) filter (query = before and number <> last and {within}), "
            f"list(distinct query) filter (query = before and number <> last and {within}), "
            f"count(*) filter ({DISAGREES}) from ({self._neighbours})"
        )[0]
        return Order(ties, single, frozenset(queries or ()), wrong)

    @cached_property
    def disagreements(self) -> list[tuple[str, int, str]]:
        """(query, neighbours, a document) where scores say one order and the given ranks the other."""
        if not self.order.wrong:
            return []
        return self.ask(
            f"select query, count(*), min(doc) from ({self._neighbours}) "
            f"where {DISAGREES} group by query order by count(*) desc, query"
        )
