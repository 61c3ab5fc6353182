"""Rankings of a run in files or frames: two plans, the cheapest that covers what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from ...errors import Fault, InputError
from ...kernel.batch import Bools, Ints, Ranked
from ...readers.source import Scanned
from ..contract import Listed, Ranking, Request, RunFacts
from ..groups import count_to, ranks_and_groups, tied_again
from ..judgments import Judgments
from ..workspace import Workspace
from . import topk, whole
from .begun import Begun
from .counts import Counts, Starting, count, rows_column
from .looks import added, looks, unsettled
from .rows import Kept, TopRows, placed
from .scan import read_part


class LocalEngine:
    """Answers requests about one scanned run.

    `kept` is what a scan of several runs kept of it already, `begun` a scan of it that runs since before the judgments
    were there.
    """

    def __init__(
        self,
        source: Scanned,
        judgments: Judgments,
        workspace: Workspace,
        *,
        kept: Kept | None = None,
        begun: Begun | None = None,
    ) -> None:
        self.source = source
        self.judgments = judgments
        self.workspace = workspace
        self._kept = kept
        self._begun = begun
        self._top: str | None = None
        self._complete: whole.Loaded | None = None
        self._in_top: list[Request] = []
        self._starting: Starting = {}
        self._unfinished_queries: dict[Request, Bools] = {}

    def rank(self, requests: Sequence[Request]) -> tuple[RunFacts, list[Ranking]]:
        """All rankings in one pass over the run; a second one only where a margin did not suffice."""
        self.close()
        if self._kept is not None and tuple(requests) == self._kept.requests:
            self._top, self._in_top = self._kept.rows_of_run, list(requests)
            return self._kept.facts, [self._answer(request) for request in requests]
        self._kept = None
        self._keep(requests)
        assert self._top is not None
        counts = count(self.workspace, self.judgments, self._top, self._in_top)
        self._starting = counts.starting
        facts = self._facts(counts)
        self._refuse_outside(self._top)
        return facts, [self._answer(request) for request in requests]

    def _keep(self, requests: Sequence[Request]) -> None:
        """One pass: first rows alone where they suffice and fit, else all rows, and first rows from those."""
        from ...readers.duck import duckdb

        arguments = self.workspace, self.source, self.judgments
        begun, self._begun = self._begun, None
        self._top = begun.table(requests, [self.source]) if begun is not None else None
        if self._top is not None:
            self._in_top = list(requests)
            return
        in_top = [request for request in requests if not request.whole]
        if in_top and not topk.fits(self.workspace, in_top, len(self.judgments.queries)):
            in_top = []
        if len(in_top) == len(requests) and all(request.duplicates != "error" for request in requests):
            with suppress(duckdb.OutOfMemoryException):
                self._top, self._in_top = topk.scan(*arguments, in_top), in_top
                return
            in_top = []
        loaded = whole.load(*arguments, None)
        self._complete = whole.looked_over(self.workspace, self.judgments, loaded)
        rows = whole.rows_of(loaded)
        self._top, self._in_top = topk.from_table(*arguments, in_top, rows), in_top

    def _answer(self, request: Request) -> Ranking:
        if request.duplicates == "error":
            self._refuse_repeats(request)
        if request not in self._in_top:
            assert self._complete is not None
            return self._from_whole(request, self._complete)
        assert self._top is not None
        return self._from_top(self._top, self._in_top.index(request), request)

    def close(self) -> None:
        """Forget what was kept from the last pass."""
        for table in (self._top, self._complete.table if self._complete is not None else None):
            if table is not None and self._kept is None:
                self.workspace.connection.execute(f"drop table {table}")
        self._top = self._complete = None
        self._in_top = []
        self._unfinished_queries = {}

    def leading(self, request: Request, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """Rows that hold at least the first ranks of a request, from what the last pass kept."""
        if request not in self._in_top and self._complete is not None:
            rows = self.workspace.connection.execute(
                f"select query, doc, number, rank from {self._complete.table} "
                "where query in (select unnest(?::varchar[])) order by rowid",
                [list(queries)],
            ).fetchall()
            return self._listed(queries, rows)
        unfinished = self._unfinished_queries.get(request)
        codes = self.judgments.codes
        again = [query for query in queries if unfinished is not None and query in codes and unfinished[codes[query]]]
        found = self.lists(again) if again else {}
        kept = [query for query in queries if query not in found]
        if kept and self._top is not None:
            column = rows_column(self._in_top.index(request), request.condense)
            sign = "" if request.order == "docid_desc" else "-"
            rows = self.workspace.connection.execute(
                f"select query, e.d, {sign}e.s, e.r from (select query, unnest({column}) as e, "
                f"generate_subscripts({column}, 1) as place from {self._top} "
                "where query in (select unnest(?::varchar[]))) order by place",
                [kept],
            ).fetchall()
            found.update(self._listed(kept, rows))
        return found

    def _listed(
        self, queries: Sequence[str], rows: Sequence[tuple[str, str, float | None, float | None]]
    ) -> dict[str, list[Listed]]:
        found: dict[str, list[Listed]] = {query: [] for query in queries}
        for query, doc, number, rank in rows:
            found[query].append(Listed(doc, None if self.source.ranked else number, rank))
        return found

    def _facts(self, counts: Counts) -> RunFacts:
        judged, present = self.judgments, counts.present
        failed = np.zeros(len(judged.queries), np.bool_)
        failed_others: dict[str, int] = {}
        known = dict(counts.others[0])
        for query in (query for part in self.source.parts for query in part.failed):
            code = judged.codes.get(query)
            if known.get(query) or (code is not None and present[code] and not failed[code]):
                problem = "the run says that the search of this query failed, and holds documents for it"
                fault = Fault(problem, self.source.described.name, query=query)
                raise InputError(problem, code="failed_with_results", faults=[fault])
            if code is not None:
                failed[code] = present[code] = True
            else:
                failed_others[query] = known.pop(query, 0)
        return RunFacts(
            present,
            failed,
            [*known, *failed_others],
            [*known.values(), *failed_others.values()],
            frozenset(failed_others),
        )

    def _refuse_outside(self, table: str) -> None:
        if self.judgments.pool is None:
            return
        found = self.workspace.connection.execute(
            f"select query, outside from {table} where outside is not null order by query limit 1"
        ).fetchall()
        for row in found:
            problem = "the run returns a document outside the candidate pool of the query"
            raise InputError(
                problem,
                code="outside_pool",
                faults=self._located(row[0], row[1], problem),
                total=1,
                hint="add it to the pool, or score without candidates=",
            )

    def _refuse_repeats(self, request: Request) -> None:
        if self._complete is None or not self._complete.repeated:
            return
        found = self.workspace.connection.execute(
            f"select query, doc from {whole.judged_rows(self.judgments, self._complete.table, request)} "
            "group by query, doc having count(*) > 1 order by min(place) limit 1"
        ).fetchall()
        for row in found:
            problem = "the run returns a document twice"
            raise InputError(problem, code="repeated_document", faults=self._located(row[0], row[1], problem), total=1)

    def _located(self, query: str, document: str, problem: str) -> list[Fault]:
        found = [fault for part in self.source.parts for fault in part.locate([(query, document)], 2)]
        if found:
            last = found[-1]
            return [Fault(problem, last.where, last.line, query, document)]
        return [Fault(problem, self.source.described.name, None, query, document)]

    def _from_whole(self, request: Request, loaded: whole.Loaded) -> Ranking:
        rows = whole.rank(self.workspace, self.source, self.judgments, loaded, request)
        looked = rows.looked
        query, rank, start, size = rows.query, rows.rank, rows.start, rows.size
        kept = rows.rows
        queries = len(self.judgments.queries)
        if request.condense:
            rank, start, size = ranks_and_groups(query, start)
            kept = count_to(query, rank, None, queries)
            looked = tied_again(request, looked, query, rank, start, size)
        return Ranking(Ranked(query, rows.grade, rank, start, size, kept, marks=rows.marks), rows.rows, looked)

    def _from_top(self, table: str, at: int, request: Request) -> Ranking:
        """A ranking from kept rows, with the queries that the margin did not cover ranked in full."""
        workspace, judgments = self.workspace, self.judgments
        queries = len(judgments.queries)
        rows, returned = self._fetched(table, at, request, judged_only=False)
        every = placed(rows, request)
        unfinished = unsettled(request, every, rows, returned)
        scored, kept, places = rows, returned, every
        if request.condense:
            scored, kept = self._fetched(table, at, request, judged_only=True)
            places = placed(scored, request)
            unfinished |= unsettled(request, places, scored, kept)
        self._unfinished_queries[request] = unfinished
        extra: Ranking | None = None
        if unfinished.any():
            loaded = whole.load(workspace, self.source, judgments, unfinished)
            extra = self._from_whole(request, whole.looked_over(workspace, judgments, loaded))
            workspace.connection.execute(f"drop table {loaded}")
            rows, scored = rows.of(~unfinished), scored.of(~unfinished)
            every, places = placed(rows, request), placed(scored, request)
        looked = looks(request, every, rows, returned)
        unique, rank, start, size = places
        if request.condense:
            kept = kept - scored.dropped(request, queries)
            looked = tied_again(request, looked, unique.query, rank, start, size)
        if extra is not None:
            looked = {k: added(seen, extra.looked[k]) for k, seen in looked.items()}
        judged = ~np.isnan(unique.grade)
        ranked = Ranked(
            unique.query[judged],
            unique.grade[judged],
            rank[judged],
            start[judged],
            size[judged],
            kept,
            request.depth,
        )
        if extra is not None:
            ranked = joined(ranked, extra.ranked, unfinished)
        return Ranking(ranked, returned, looked)

    def _fetched(self, table: str, at: int, request: Request, *, judged_only: bool) -> tuple[TopRows, Ints]:
        if self._kept is not None:
            return self._kept.top[at, judged_only]
        rows = topk.fetch(self.workspace, self.judgments, table, at, request, judged_only=judged_only)
        return rows, self._starting[at, judged_only]

    def lists(self, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """The complete rows of a few queries, in input order."""
        found: list[tuple[str, str, float | None, float | None]] = []
        for part in self.source.parts:

            def fetch(rows: str, parameters: tuple[object, ...]) -> list[tuple[str, str, float | None, float | None]]:
                return self.workspace.connection.execute(
                    f"select query, doc, number, rank from ({rows}) where query in (select unnest(?::varchar[]))",
                    [*parameters, list(queries)],
                ).fetchall()

            found += read_part(self.workspace, self.source, part, fetch)
        return self._listed(queries, found)

    def examples(self, limit: int) -> tuple[list[str], list[str]]:
        """Some query ids and some document ids of the run, for messages."""

        def fetch(rows: str, parameters: tuple[object, ...]) -> list[tuple[str, str]]:
            return self.workspace.connection.execute(
                f"select query, doc from ({rows}) limit {limit * 200}", list(parameters)
            ).fetchall()

        rows = read_part(self.workspace, self.source, self.source.parts[0], fetch)
        queries = list(dict.fromkeys(query for query, _ in rows))[:limit]
        return queries, [doc for _, doc in rows[:limit]]


def joined(one: Ranked, other: Ranked, from_other: Bools) -> Ranked:
    """Rankings of different queries as one."""
    query = np.r_[one.query, other.query]
    rank = np.r_[one.rank, other.rank]
    order = np.lexsort((rank, query))

    def column(name: str) -> Ints:
        return np.asarray(np.r_[getattr(one, name), getattr(other, name)][order])

    return Ranked(
        query[order],
        np.r_[one.grade, other.grade][order],
        rank[order],
        column("group_start"),
        column("group_size"),
        np.where(from_other, other.returned, one.returned),
        one.depth,
    )
