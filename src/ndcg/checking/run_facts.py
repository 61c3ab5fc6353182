"""What is counted about a run: over all of its rows, in SQL, on one copy of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engines.beside import Beside
from ..engines.local.sql import single
from ..engines.workspace import Workspace
from ..readers.source import Source
from .judgment_facts import JudgmentFacts
from .loose_ids import loose, odd
from .opening import Opened
from .rows import Loaded

if TYPE_CHECKING:
    from ..readers.duck import duckdb

DISAGREES = "query = before and number < last and rank < last_rank"
"""Two neighbours in the order of the scores whose given ranks say the opposite."""

AS_GIVEN = (
    "select query, doc, number, rank, lag(query) over () as before, lag(number) over () as last, "
    "lag(rank) over () as last_rank from {t}"
)
"""Rows with the query, score and rank before them in the order of the input, which is nearly always that of the
scores."""

SORTED = (
    "select query, doc, number, rank, lag(query) over sorted as before, lag(number) over sorted as last, "
    "lag(rank) over sorted as last_rank from {t} window sorted as (partition by query order by number desc, rank)"
)
"""The same in the order of the scores."""

_SAME = "query = before and number = last"
_SINGLE = f"query = before and number <> last and {single('number')} = {single('last')}"
COUNTS = (
    f"count(*) filter ({_SAME}), count(*) filter ({_SINGLE}), list(distinct query) filter ({_SINGLE}), "
    f"count(*) filter ({DISAGREES})"
)
"""What neighbours say: ties, ties in single precision only and their queries, ranks that disagree."""

MANY = 1_000_000
"""Rows from which a thread is worth it."""

SAMPLE = 20_000
"""Rows of a run in which passages are looked for; ten times as many in which odd ids are."""


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

    @classmethod
    def of(cls, ties: int, single: int, queries: list[str] | None, wrong: int) -> Order:
        """From what SQL counts, which has no empty list."""
        return cls(ties, single, frozenset(queries or ()), wrong)


class Looks(NamedTuple):
    """What one look along the rows in the order of the input shows.

    `repeated`: a query may return a document twice. `blocks` are runs of rows of one query, `rises` neighbours whose
    score is above the one before; `order` is right where there is one block per query and no rise.
    """

    repeated: bool
    blocks: int
    rises: int
    order: Order


NO_TIES = Order(0, 0, frozenset(), 0)


@dataclass
class RunFacts:
    """One loaded run and everything that is counted about it, each count once."""

    workspace: Workspace
    opened: Opened
    loaded: Loaded
    judged: JudgmentFacts
    _beside: Beside[Looks] | None = None

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
    def plain(self) -> bool:
        """Whether no id is odd: of the judgments all are asked, of a large run every so many."""
        step = max(1, self.loaded.rows // (10 * SAMPLE))
        of_run = f"select 1 from {{t}} where rowid % {step} = 0 and {odd('doc')}"
        of_judgments = f"select 1 from {{j}} where {odd('doc')}"
        return not self.ask(f"select count(*) from ({of_run} union all {of_judgments})")[0][0]

    @cached_property
    def alike(self) -> str:
        """A table of the judged documents and those of the run, query by query, whose ids are equal or nearly.

        Columns query, judged, doc, grade and score; repeats are repeated. One join finds both, at little more cost.
        """
        table = self.workspace.name("alike")
        self.workspace.connection.execute(
            f"create temp table {table} as select r.query, j.doc as judged, r.doc, j.number as grade, "
            f"r.number as score from {self.loaded.table} r join {self.judged.loaded.table} j "
            f"on j.query = r.query and {loose('j.doc', self.plain)} = {loose('r.doc', self.plain)}"
        )
        return table

    @cached_property
    def matched(self) -> str:
        """A table of the judged documents that the run returns: query, doc, grade, score; repeats are repeated."""
        table = self.workspace.name("matched")
        self.workspace.connection.execute(
            f"create temp table {table} as select query, doc, grade, score from {self.alike} where doc = judged"
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
        if not self._looks.repeated:
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
    def _looks(self) -> Looks:
        """What a look along all rows shows."""
        return self._beside.answer() if self._beside is not None else self._look(self.workspace.connection)

    def begin(self) -> None:
        """Begin to look along the rows of a large run, in a thread: it takes one processor, and nothing else needs it
        soon."""
        if self.loaded.rows >= MANY:
            self._beside = Beside(self.workspace, self._look)

    def _look(self, connection: duckdb.DuckDBPyConnection) -> Looks:
        table = self.loaded.table
        pairs = connection.execute(f"select hash(query, doc) as pair from {table}").fetchnumpy()["pair"]
        pairs.sort()  # a quarter of what counting distinct ones takes
        repeated = bool(np.any(pairs[1:] == pairs[:-1]))
        if self.loaded.ranked:
            return Looks(repeated, 0, 0, NO_TIES)
        blocks, rises, *found = connection.execute(
            "select count(*) filter (query is distinct from before), "
            f"count(*) filter (query = before and number > last), {COUNTS} from ({AS_GIVEN.format(t=table)})"
        ).fetchall()[0]
        return Looks(repeated, blocks, rises, Order.of(*found))

    @cached_property
    def _in_order(self) -> bool:
        """Whether the order of the input is that of the scores, query by query."""
        return self._looks.blocks == self.depths.queries and not self._looks.rises

    @cached_property
    def order(self) -> Order:
        """Ties among neighbours, in double and only in single precision, and neighbours whose ranks disagree."""
        if self.loaded.ranked or self._in_order:
            return self._looks.order
        # Few files are in another order than that of their scores: those are sorted.
        return Order.of(*self.ask(f"select {COUNTS} from ({SORTED})")[0])

    @cached_property
    def disagreements(self) -> list[tuple[str, int, str]]:
        """(query, neighbours, a document) where scores say one order and the given ranks the other."""
        if not self.order.wrong:
            return []
        return self.ask(
            f"select query, count(*), min(doc) from ({AS_GIVEN if self._in_order else SORTED}) "
            f"where {DISAGREES} group by query order by count(*) desc, query"
        )
