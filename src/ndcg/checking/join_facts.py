"""Ids of a run that only nearly match those of the judgments: queries in Python, documents by a loose key in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..engines.judgments import load_columns
from ..joining import CAUSES, SEVERAL, Cause, cause_of, suspects
from ..readers.passages import passages
from .run_facts import RunFacts

MOST = 500_000
"""Candidates that are looked at one by one."""

SAMPLE = 20_000
"""Rows of a run in which passages are looked for."""


def odd(column: str) -> str:
    """An SQL condition: the id may have outer blanks, a '.0', or more than one Unicode form."""
    ends = " or ".join(
        f"{test}({column}, {mark})" for test in ("starts_with", "ends_with") for mark in ("' '", "chr(9)")
    )
    return f"(strlen({column}) <> length({column}) or ends_with({column}, '.0') or {ends})"


def loose(column: str, plain: bool) -> str:
    """An SQL key that is equal wherever any cause makes two ids equal (and elsewhere: what it finds is looked at).

    `plain` ids have nothing `odd`, which takes as long to undo as all the rest.
    """
    undone = f"nfc_normalize(trim(replace({column}, '.0', ''), ' \t\u00a0\u3000'))"
    text = column if plain else f"case when {odd(column)} then {undone} else {column} end"
    return f"replace(lower({text}), '0', '')"


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
        plain = self._plain
        rows = self.run.ask(
            f"""
            with unmatched as (
                select coalesce(m.given, j.query) as query, j.query as judged_query, j.doc as judged,
                       {loose("j.doc", plain)} as key
                from (select distinct query, doc from {{j}} anti join {self.run.matched} m using (query, doc)) j
                left join {self.query_map} m on m.judged = j.query
            ),
            candidates as (
                select distinct r.query, u.judged_query, u.judged, r.doc
                from {{t}} r join unmatched u on u.query = r.query and u.key = {loose("r.doc", plain)}
                where r.doc <> u.judged
            )
            select query, judged, doc from candidates c
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

    @cached_property
    def _plain(self) -> bool:
        """Whether no id is odd: of the judgments all are asked, of a large run every so many."""
        step = max(1, self.run.loaded.rows // (10 * SAMPLE))
        of_run = f"select 1 from {{t}} where rowid % {step} = 0 and {odd('doc')}"
        of_judgments = f"select 1 from {{j}} where {odd('doc')}"
        return not self.run.ask(f"select count(*) from ({of_run} union all {of_judgments})")[0][0]

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
