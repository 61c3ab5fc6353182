"""Ids of a run that only nearly match those of the judgments: queries in Python, documents by a loose key in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..engines.judgments import load_columns
from ..joining import CAUSES, SEVERAL, Cause, cause_of, suspects
from .run_facts import RunFacts

MOST = 500_000
"""Candidates that are looked at one by one."""

SEPARATORS = ("#", "::", "%%", "@", ":", "_", "-", "/", ".")
"""What stands between a document and the number of its passage, the most telling first."""

SAMPLE = 20_000
"""Rows of a run in which passages are looked for."""


def loose(column: str) -> str:
    """An SQL key that is equal wherever any cause makes two ids equal (and elsewhere: what it finds is looked at)."""
    bare = f"replace(replace({column}, '.0', ''), '0', '')"
    return f"lower(nfc_normalize(trim({bare}, ' \t\u00a0\u3000')))"


@dataclass
class Passages:
    """Documents of a run that are passages of judged ones: their separator, the SQL of the document's id, how many."""

    separator: str
    stem: str
    count: int
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

    def _table(self, stem: str, **columns: list[str]) -> str:
        table = self.run.workspace.name(stem)
        arrays = {}
        for name, values in columns.items():
            arrays[name] = np.empty(len(values), dtype=object)
            arrays[name][:] = values
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
        rows = self.run.ask(
            f"""
            with unmatched as (
                select coalesce(m.given, j.query) as query, j.query as judged_query, j.doc as judged,
                       {loose("j.doc")} as key
                from (select distinct query, doc from {{j}}) j left join {self.query_map} m on m.judged = j.query
                anti join {{t}} r on r.query = coalesce(m.given, j.query) and r.doc = j.doc
            ),
            candidates as (
                select distinct r.query, u.judged_query, u.judged, r.doc
                from {{t}} r join unmatched u on u.query = r.query and u.key = {loose("r.doc")} where r.doc <> u.judged
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
    def passages(self) -> Passages | None:
        """Passages such as `doc#3` of a judged `doc`, where the run returns them; a sample of the run decides."""
        step = max(1, self.run.loaded.rows // SAMPLE)
        for separator in SEPARATORS:
            mark = "".join(f"\\x{ord(char):02x}" for char in separator)
            shape = f"^(.+){mark}(?:[A-Za-z]{{1,8}}{mark}?)?[0-9]+$"
            stem = f"regexp_extract(doc, '{shape}', 1)"
            inside = f"contains(doc, '{separator}')"
            found = self.run.ask(
                f"select count(*) from (select doc, {stem.replace('{', '{{').replace('}', '}}')} as stem from "
                f"{{t}} where rowid % {step} = 0 and {inside}) s semi join {{j}} j on j.doc = s.stem "
                "where stem <> '' and not exists (select 1 from {j} k where k.doc = s.doc)"
            )[0][0]
            if not found:
                continue
            text = stem.replace("{", "{{").replace("}", "}}")
            where = f"{inside} and {text} <> ''"
            count, examples = (
                self.run.ask(f"select count(*) from {{t}} where {where} and {text} in (select doc from {{j}})")[0][0],
                self.run.ask(
                    f"select t.query, t.doc, j.doc from {{t}} t join {{j}} j on j.query = t.query and "
                    f"j.doc = {text.replace('(doc,', '(t.doc,')} where {where.replace('(doc,', '(t.doc,')} "
                    "order by t.rowid limit 3"
                ),
            )
            if examples:
                return Passages(separator, stem, int(count), examples)
        return None
