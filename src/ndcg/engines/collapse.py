"""Step 1c: chunks become documents, each with its best chunk. Done on the rows, before any engine ranks them.

Scores are rounded first where the measure rounds them: of chunks with equal scores the first in the input is the best
one, and its place is the document's, which matters where ties follow the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import Fault, InputError
from ..readers.passages import Collapse
from ..readers.source import Mapped, Part, Scanned, Source
from .contract import Engine, Listed, Ranking, Request, RunFacts
from .ids import text_id
from .judgments import Judgments, load_columns
from .local import sql
from .local.scan import scan_into
from .memory.query import to_float32
from .numbers import real
from .workspace import Workspace

_CHUNK = 100_000
_LOOKED = 200
"""So many returned documents are looked at for the form of their ids."""


class CollapsedEngine:
    """Answers requests about a run of chunks as if it were a run of documents.

    Requests that round scores alike share one engine over the collapsed rows.
    """

    def __init__(self, source: Source, judgments: Judgments, workspace: Workspace, collapse: Collapse) -> None:
        self.source, self.judgments, self.workspace, self.collapse = source, judgments, workspace, collapse
        self.rows = self.documents = self.matched = 0
        self._engines: dict[str, Engine] = {}
        self._raw: str | None = None
        self._names: str | None = None
        self._last = "float64"

    @property
    def note(self) -> str:
        """What was collapsed, for people."""
        if not self._engines:
            return f"chunks become documents {self.collapse.words}, best chunk"
        said = f"{self.rows} chunks became {self.documents} documents {self.collapse.words}, best chunk"
        if self.collapse.pattern is not None and not self.matched:
            said += " (it matches no id of the run)"
        return said

    @property
    def rule(self) -> str:
        """The rule as the caller gave it."""
        given = self.collapse.column if self.collapse.pattern is None else self.collapse.pattern.pattern
        return f"collapse={given!r}"

    def unmatched(self) -> str | None:
        """After a pass: a sentence where the pattern changes no id of the run, else None."""
        if self.collapse.pattern is None or self.matched or not self.rows:
            return None
        returned = ", ".join(map(repr, self.examples(3)[1]))
        return f"{self.rule} matches no id of the run ({returned}): nothing was collapsed"

    def judged_chunks(self, judged: Sequence[str]) -> str | None:
        """After a pass: a sentence where judged ids are chunks by the same pattern, which collapses the run alone.

        Judged ids of a form that the documents of the run still have may be documents, and are left alone.
        """
        if self.collapse.pattern is None or not self.matched:
            return None
        chunks = [document for document in judged if self.collapse.document(document) != document]
        if not chunks or any(self.collapse.document(each) != each for each in self.examples(_LOOKED)[1]):
            return None
        few = ", ".join(map(repr, chunks[:3]))
        many = "the judged ids" if len(chunks) == len(judged) else f"{len(chunks):,} of the judged ids"
        one = len(chunks) == 1 and len(judged) > 1
        return (
            f"{self.rule} makes documents of the run's ids alone, but {many} ({few}) "
            f"{'is a chunk' if one else 'are chunks'} by the same pattern, which no "
            "document of the run can match: score without collapse= or judge documents"
        )

    def _engine(self, score_type: str) -> Engine:
        if score_type not in self._engines:
            from .local import LocalEngine
            from .memory import MemoryEngine

            if isinstance(self.source, Mapped):
                made: Engine = MemoryEngine(self._mapped(self.source, score_type), self.judgments)
            else:
                made = LocalEngine(self.best_chunks(self.source, score_type), self.judgments, self.workspace)
            self._engines[score_type] = made
        return self._engines[score_type]

    def rank(self, requests: Sequence[Request]) -> tuple[RunFacts, list[Ranking]]:
        """All rankings, one pass for each way of rounding scores."""
        answers: dict[Request, Ranking] = {}
        facts: RunFacts | None = None
        for score_type in dict.fromkeys(request.score_type for request in requests):
            same = [request for request in requests if request.score_type == score_type]
            facts, rankings = self._engine(score_type).rank(same)
            answers.update(zip(same, rankings, strict=True))
            self._last = score_type
        if facts is None:
            facts, _ = self._engine("float64").rank([])
        return facts, [answers[request] for request in requests]

    def lists(self, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """The documents of a few queries, in the order of their best chunks."""
        return self._engine(self._last).lists(queries)

    def leading(self, request: Request, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """Rows that hold at least the first ranks of a request."""
        return self._engine(request.score_type).leading(request, queries)

    def close(self) -> None:
        """Forget what was kept from the last pass; the collapsed rows stay."""
        for engine in self._engines.values():
            engine.close()

    def examples(self, limit: int) -> tuple[list[str], list[str]]:
        """Some query ids and some document ids of the run, for messages."""
        return self._engine(self._last).examples(limit)

    def _document(self, chunk: str, query: str | None = None) -> str:
        found = self.collapse.document(chunk)
        if not found:
            problem = f"nothing is left of the id {self.collapse.words}"
            fault = Fault(problem, self.source.described.name, None, query, chunk)
            raise InputError(problem, code="collapse", faults=[fault])
        return found

    def _mapped(self, source: Mapped, score_type: str) -> Mapped:
        self.rows = self.documents = self.matched = 0
        rows: dict[object, object] = {}
        for query, documents in source.rows.items():
            if documents is None or isinstance(documents, str | bytes):
                rows[query] = documents
            elif isinstance(documents, Mapping):
                rows[query] = self._scored(query, documents, score_type)
            elif isinstance(documents, Sequence | np.ndarray):
                rows[query] = self._listed(query, documents)
            else:
                rows[query] = documents  # the engine says what is wrong with it
        return source._replace(rows=rows)

    def _ids(self, query: object, chunks: Sequence[object]) -> list[str]:
        name = self.source.described.name
        said = str(query)
        texts = [text_id(chunk, "document", where=name, query=said) for chunk in chunks]
        documents = [self._document(text, said) for text in texts]
        self.rows += len(texts)
        self.matched += sum(map(str.__ne__, texts, documents))
        return documents

    def _scored(self, query: object, chunks: Mapping[object, object], score_type: str) -> dict[str, float]:
        name, said = self.source.described.name, str(query)
        documents = self._ids(query, list(chunks))
        given = [real(score, "score", where=name, query=said, document=str(chunk)) for chunk, score in chunks.items()]
        scores = np.array(given, dtype=np.float64)
        if np.isnan(scores).any():
            problem = "score is NaN, which has no place in an order"
            chunk = list(chunks)[int(np.flatnonzero(np.isnan(scores))[0])]
            raise InputError(problem, code="nan_score", faults=[Fault(problem, name, None, said, str(chunk))])
        with np.errstate(over="ignore"):
            compared = (to_float32(scores) if score_type == "float32" else scores).tolist()
        best: dict[str, int] = {}
        for place, (document, score) in enumerate(zip(documents, compared, strict=True)):
            known = best.get(document)
            if known is None or score > compared[known]:
                best[document] = place
        self.documents += len(best)
        return {document: given[place] for document, place in sorted(best.items(), key=lambda pair: pair[1])}

    def _listed(self, query: object, chunks: Sequence[object] | np.ndarray) -> list[str]:
        kept = list(dict.fromkeys(self._ids(query, list(chunks))))
        self.documents += len(kept)
        return kept

    def best_chunks(self, source: Scanned, score_type: str) -> Scanned:
        """A run of chunks as one of documents, each with the rank and score of its best chunk; both are counted.

        Of chunks whose scores are equal as `score_type` rounds them the first in the input is the best. Raises
        InputError where a pattern leaves nothing of an id.
        """
        workspace, connection = self.workspace, self.workspace.connection
        workspace.allow_spilling()
        if self._raw is None:
            self._raw = workspace.name("chunks")
            scan_into(workspace, source, self._raw, "query, doc, number, rank")
            if self.collapse.pattern is not None:
                self._names = self._documents(self._raw)
        table = workspace.name("collapsed")
        value = sql.score(Request("given", "best", "keep", score_type, False, False, False, ()), source.ranked)
        best = f"min({{'s': 0.0 - {value}, 'p': place, 'n': number, 'r': rank}})"
        rows = f"select query, doc, number, rank, rowid as place from {self._raw}"
        if self._names is not None:
            rows = (
                f"select r.query, coalesce(n.document, r.doc) as doc, r.number, r.rank, r.place "
                f"from ({rows}) r left join {self._names} n on n.doc = r.doc"
            )
        connection.execute(
            f"create temp table {table} as select query, doc, b.n as number, b.r as rank from "
            f"(select query, doc, {best} as b from ({rows}) group by query, doc) order by b.p"
        )
        counts = f"select (select count(*) from {self._raw}), (select count(*) from {table})"
        self.rows, self.documents = connection.execute(counts).fetchall()[0]
        failed = tuple(query for part in source.parts for query in part.failed)
        part = Part(
            name=source.described.name,
            select=f"SELECT query, doc, number, rank, false AS fault FROM {table}",
            failed=failed,
        )
        return source._replace(parts=(part,))

    def _documents(self, raw: str) -> str:
        """A table (doc, document) of the ids that the pattern changes; Python decides, so that all engines agree."""
        connection = self.workspace.connection
        names = self.workspace.name("documents")
        connection.execute(f"create temp table {names} (doc varchar, document varchar)")
        chunks = connection.execute(f"select distinct doc from {raw}").fetchnumpy()["doc"]
        for start in range(0, len(chunks), _CHUNK):
            ids = [str(chunk) for chunk in chunks[start : start + _CHUNK]]
            pairs = [(chunk, document) for chunk in ids if (document := self._document(chunk)) != chunk]
            if not pairs:
                continue
            part = self.workspace.name("documents")
            columns = {name: np.empty(len(pairs), dtype=object) for name in ("doc", "document")}
            columns["doc"][:] = [pair[0] for pair in pairs]
            columns["document"][:] = [pair[1] for pair in pairs]
            load_columns(self.workspace, part, **columns)
            connection.execute(f"insert into {names} select * from {part}; drop table {part}")
        before = f"(select count(*) from {raw} r join {names} n on n.doc = r.doc)"
        self.matched = int(connection.execute(f"select {before}").fetchall()[0][0])
        return names
