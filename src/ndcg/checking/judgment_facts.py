"""What is counted about judgments: grades, repeats, conflicts, queries without positives. SQL over loaded rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ..engines.judgments import Judgments, load_judgments
from ..engines.workspace import Workspace
from ..readers.source import Scanned, Source
from .opening import Opened
from .rows import Loaded, table_source


class Group(NamedTuple):
    """The grades of one judge, file, month or query: rows, positive rows, and the largest and least grade."""

    name: str
    rows: int
    positive: int
    above_one: int
    least: float
    largest: float
    queries: int


@dataclass
class JudgmentFacts:
    """Loaded judgments and everything that is counted about them, each count once.

    `merge` is the declared rule for several grades, None where there is none.
    """

    workspace: Workspace
    opened: Opened
    loaded: Loaded
    merge: str | None
    _variants: dict[tuple[str, str | None], Judgments] = field(default_factory=dict)

    def ask(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query; `{t}` is the table of judgments."""
        return self.workspace.connection.execute(sql.format(t=self.loaded.table), list(parameters)).fetchall()

    @property
    def source(self) -> Source:
        """Where the rows came from."""
        assert self.opened.source is not None
        return self.opened.source

    @cached_property
    def queries(self) -> list[str]:
        """Judged queries in the order of the input, those without a judged document last."""
        rows = self.ask("select query from {t} group by query order by min(rowid)")
        return list(dict.fromkeys([*(row[0] for row in rows), *self.loaded.bare]))

    @cached_property
    def grades(self) -> dict[float, int]:
        """{grade: rows}, lowest first."""
        return dict(self.ask("select number, count(*) from {t} group by number order by number"))

    @cached_property
    def pairs(self) -> int:
        """Different (query, document) pairs."""
        return int(self.ask("select count(*) from (select distinct query, doc from {t})")[0][0])

    @cached_property
    def repeats(self) -> int:
        """Rows that say again what another row says: same query, document and grade."""
        if self.pairs == self.loaded.rows:
            return 0
        distinct = self.ask("select count(*) from (select distinct query, doc, number from {t})")[0][0]
        return self.loaded.rows - int(distinct)

    @cached_property
    def conflicts(self) -> list[tuple[str, str, list[float]]]:
        """(query, document, grades) of every pair with different grades, in the order of the input."""
        if self.pairs == self.loaded.rows:
            return []
        return self.ask(
            "select query, doc, list(number order by rowid) from {t} group by query, doc "
            "having min(number) <> max(number) order by min(rowid)"
        )

    @cached_property
    def rule(self) -> str | None:
        """The merge rule that this page scores under: the declared one, `max` where grades conflict without one."""
        return self.merge or ("max" if self.conflicts else None)

    @cached_property
    def bare(self) -> list[str]:
        """Queries that the judgments name without a single judged document, in the order of the input."""
        if not self.loaded.bare:
            return []
        judged = {row[0] for row in self.ask("select distinct query from {t}")}
        return [query for query in dict.fromkeys(self.loaded.bare) if query not in judged]

    @cached_property
    def empty(self) -> list[str]:
        """Judged queries without a positive grade, in the order of the input, those without a judgment last."""
        rows = self.ask("select query from {t} group by query having max(number) <= 0 order by min(rowid)")
        return [*(row[0] for row in rows), *self.bare]

    @property
    def only_positive(self) -> bool:
        """Whether there are judgments and all are positive."""
        return bool(self.grades) and min(self.grades) > 0

    @cached_property
    def judged_once(self) -> bool:
        """Whether every query has one positive document at most."""
        rows = self.ask(
            "select coalesce(max(n), 0) from (select count(distinct doc) n from {t} where number > 0 group by query)"
        )
        return int(rows[0][0]) == 1

    def judgments(self, merge: str | None = None, keep: str | None = None) -> Judgments:
        """The judgments to score against: under a merge rule, with only the rows that fulfil an SQL condition."""
        rule = merge or self.rule
        key = (rule or "", keep)
        if key not in self._variants:
            where = f" where {keep}" if keep else ""
            rows = f"select query, doc, number, rank from {self.loaded.table}{where} order by rowid"
            source: Scanned = table_source(self.loaded, self.source, rows)
            self._variants[key] = load_judgments(source, self.workspace, rule)
        return self._variants[key]

    def groups(self, table: str, by: str) -> list[Group]:
        """The grades by a column of a table with `query` and `number`, rows without a value left out."""
        rows = self.ask(
            f"select {by}::varchar as name, count(*), count(*) filter (number > 0), count(*) filter (number > 1), "
            f"min(number), max(number), count(distinct query) from {table} where {by} is not null "
            "group by name order by min(rowid)"
        )
        return [Group(*row) for row in rows]
