"""Ids of a run that only nearly match those of the judgments: queries in Python, documents by a loose key in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..engines.judgments import load_columns
from ..joining import CAUSES, SEVERAL, Cause, cause_of, suspects
from ..readers.passages import passages
from .loose_ids import loose
from .run_facts import SAMPLE, RunFacts

MOST = 500_000
"""Candidates that are looked at one by one."""


class ReturnedPassages(NamedTuple):
    """Passages of judged documents in a run: the pattern that collapses them, the same in SQL, how many rows."""

    pattern: str
    document: str
    rows: int
    examples: list[tuple[str, str, str]]


@dataclass
class JoinFacts:
    """Suspected join failures between one run and the judgments."""

    run: RunFacts

    @cached_property
    def queries(self) -> list[tuple[str, str, Cause]]:
        """(judged query, query of the run, cause) of queries that are not the same and look it."""
        found = suspects(self.run.judged.queries, [*self.run.queries, *self.run.loaded.bare])
        taken: set[str] = set()
        once = []
        for one in found:
            if one.given not in taken:
                taken.add(one.given)
                once.append((one.judged, one.given, one.cause))
        return once

    @cached_property
    def query_map(self) -> str:
        """A table (given, judged) of the run's suspected queries."""
        return self._table(
            "query_map", given=[given for _, given, _ in self.queries], judged=[j for j, _, _ in self.queries]
        )

    def _table(self, name: str, **columns: list[str]) -> str:
        table = self.run.workspace.name(name)
        arrays = {}
        for column, values in columns.items():
            arrays[column] = np.empty(len(values), dtype=object)
            arrays[column][:] = values
        load_columns(self.run.workspace, table, **arrays)
        return table

    @cached_property
    def documents(self) -> list[tuple[str, str, str, Cause]]:
        """(query of the run, judged document, document of the run, cause) of what is not the same and looks it.

        Only judged documents that the run does not return for their query, and documents of the run that are not
        judged themselves.
        """
        if not self.run.common and not self.queries:
            return []
        # Judged documents and documents of the run that are no pair themselves.
        mapped = f"select judged from {self.query_map}" if self.queries else "select null::varchar where false"
        candidates = f"""
            select query, query as judged_query, judged, doc from {self.run.alike} a
            where doc <> judged and query not in ({mapped}) and not exists (
                select 1 from {self.run.matched} m where m.query = a.query and m.doc = a.judged)
        """
        if self.queries:
            candidates += f" union all ({self._in_mapped_queries()})"
        rows = self.run.ask(
            f"""
            select distinct query, judged, doc from ({candidates}) c
            anti join {{j}} j on j.query = c.judged_query and j.doc = c.doc
            order by query, judged, doc limit {MOST}
            """
        )
        found = []
        taken = set()
        for query, judged, given in rows:
            cause = cause_of(judged, given)
            if cause is not None and (query, given) not in taken:
                taken.add((query, given))
                found.append((query, judged, given, cause))
        return found

    def _in_mapped_queries(self) -> str:
        """A SELECT of candidates of judged queries that the run only names otherwise."""
        plain = self.run.plain
        return f"""
            with unmatched as (
                select m.given as query, j.query as judged_query, j.doc as judged, {loose("j.doc", plain)} as key
                from (select distinct query, doc from {{j}} anti join {self.run.matched} m using (query, doc)) j
                join {self.query_map} m on m.judged = j.query
            )
            select r.query, u.judged_query, u.judged, r.doc
            from {{t}} r join unmatched u on u.query = r.query and u.key = {loose("r.doc", plain)}
            where r.doc <> u.judged
        """

    def by_cause(self) -> list[tuple[Cause, list[tuple[str, str, str, Cause]]]]:
        """Suspected documents by what sets them apart, the causes in their order."""
        return [
            (cause, rows)
            for cause in (*CAUSES, SEVERAL)
            if (rows := [row for row in self.documents if row[3].name == cause.name])
        ]

    def joined_rows(self, queries: bool, documents: list[tuple[str, str, str, Cause]]) -> str:
        """A SELECT of the run's rows with suspected ids replaced by those of the judgments."""
        query, doc, joins = "r.query", "r.doc", ""
        if queries:
            query = "coalesce(q.judged, r.query)"
            joins += f" left join {self.query_map} q on q.given = r.query"
        if documents:
            table = self._table(
                "document_map",
                query=[row[0] for row in documents],
                judged=[row[1] for row in documents],
                given=[row[2] for row in documents],
            )
            doc = "coalesce(d.judged, r.doc)"
            joins += f" left join {table} d on d.query = r.query and d.given = r.doc"
        return f"select {query} as query, {doc} as doc, r.number, r.rank from {self.run.loaded.table} r{joins}"

    @cached_property
    def passages(self) -> ReturnedPassages | None:
        """Passages such as `doc#3` of judged documents; a sample of the run decides whether there are any."""
        step = max(1, self.run.loaded.rows // SAMPLE)
        sample = [row[0] for row in self.run.ask(f"select distinct doc from {{t}} where rowid % {step} = 0")]
        seen = passages(sample, (row[0] for row in self.run.ask("select distinct doc from {j}")))
        if seen is None:
            return None
        document = f"regexp_replace(doc, '{seen.pattern}', '')"
        table = self.run.workspace.name("passages")
        self.run.workspace.connection.execute(
            f"create temp table {table} as select query, doc, {document} as document from {self.run.loaded.table} "
            f"where contains(doc, '{seen.sign}')"
        )
        same = f"from {table} p semi join {{j}} j on j.query = p.query and j.doc = p.document"
        count = int(self.run.ask(f"select count(*) {same}")[0][0])
        examples = self.run.ask(f"select p.query, p.doc, p.document {same} order by p.rowid limit 3")
        return ReturnedPassages(seen.pattern, document, count, examples) if count else None
