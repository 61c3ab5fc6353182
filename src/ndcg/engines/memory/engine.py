"""Rankings of a run held in dicts.

Only judged documents need a rank, and the rank of a document is one more than the number of documents above it. So
per query the scores are sorted once, and each judged document is looked up in the sorted scores; ids are compared
only inside tied groups.
"""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import cast

import numpy as np

from ...errors import DataTypeError, Fault, InputError
from ...kernel.batch import Floats
from ...readers.source import Mapped
from ..contract import Listed, Ranking, Request, RunFacts
from ..ids import all_text, text_id, text_keys
from ..judgments import Judgments
from ..numbers import real
from .collect import Collector
from .query import Hits, QueryRanking

FLAGS = (0.0, 1.0)
"""What True and False become as numbers: only a query with such a score may hold a bool."""


class MemoryEngine:
    """Answers requests about one run of the form {query: {document: score}} or {query: [document, ...]}."""

    def __init__(self, source: Mapped, judgments: Judgments) -> None:
        self.source = source
        self.judgments = judgments
        self.name = source.described.name
        self.rows = self._by_text_query()

    def _by_text_query(self) -> Mapping[str, object]:
        rows = self.source.rows
        if all_text(rows):
            return cast(Mapping[str, object], rows)
        return text_keys(rows, self.name)

    def rank(self, requests: Sequence[Request]) -> tuple[RunFacts, list[Ranking]]:
        """All rankings in one pass over the run."""
        queries = self.judgments.queries
        present = np.zeros(len(queries), np.bool_)
        failed = np.zeros(len(queries), np.bool_)
        collectors = [Collector(request, len(queries)) for request in requests]
        mapping, pool = self.judgments.mapping, self.judgments.pool
        others = [query for query in self.rows if query not in self.judgments.codes]
        with np.errstate(over="ignore"):
            for code, query in enumerate(queries):
                if query not in self.rows:
                    continue
                present[code] = True
                documents = self.rows[query]
                if documents is None:
                    failed[code] = True
                    continue
                listed, raw = self._documents(query, documents)
                if listed:
                    if pool is not None:
                        self._check_pool(query, listed, pool.mapping.get(query, frozenset()))
                    self._rank_query(code, query, listed, raw, mapping[query], collectors)
            self._check_others(others)
        facts = RunFacts(
            present,
            failed,
            others,
            [self._length(query) for query in others],
            frozenset(query for query in others if self.rows[query] is None),
        )
        return facts, [collector.finish() for collector in collectors]

    def _check_others(self, queries: Sequence[str]) -> None:
        """Queries without judgments are never scored, but bad data in them is bad data all the same."""
        for query in queries:
            documents = self.rows[query]
            if documents is not None:
                listed, raw = self._documents(query, documents)
                scores = self._scores(query, listed) if raw is None else np.zeros(0)
                ranking = QueryRanking(listed, scores, raw, without=None, score_type="float64", every=False)
                self._refuse_bad_scores(query, listed, ranking)

    def _length(self, query: str) -> int:
        documents = self.rows[query]
        return len(documents) if isinstance(documents, Sized) else 0

    def _documents(
        self, query: str, documents: object
    ) -> tuple[Mapping[str, float] | dict[str, int], list[str] | None]:
        """{document: score}, or {document: place} and the list with its repeats for a ranked list."""
        if isinstance(documents, Mapping):
            if all_text(documents):
                return cast(Mapping[str, float], documents), None
            texts = {text_id(doc, "document", where=self.name, query=query): s for doc, s in documents.items()}
            if len(texts) < len(documents):
                problem = "a document is there as text and as integer"
                raise InputError(problem, code="repeated_document", faults=[Fault(problem, self.name, query=query)])
            return texts, None
        if isinstance(documents, str | bytes) or not isinstance(documents, Sequence | np.ndarray):
            problem = f"the results are a {type(documents).__name__}, not {{document: score}} or [document, ...]"
            raise DataTypeError(problem, code="run_shape", faults=[Fault(problem, self.name, query=query)])
        raw = list(documents)
        if not all_text(raw):
            raw = [text_id(doc, "document", where=self.name, query=query) for doc in raw]
        different = dict.fromkeys(raw)
        return dict(zip(different, range(len(different)), strict=True)), raw

    def _check_pool(self, query: str, listed: Iterable[str], pool: frozenset[str]) -> None:
        for doc in listed:
            if doc not in pool:
                problem = "the run returns a document outside the candidate pool of the query"
                raise InputError(
                    problem,
                    code="outside_pool",
                    faults=[Fault(problem, self.name, query=query, document=doc)],
                    hint="add it to the pool, or score without candidates=",
                )

    def _rank_query(
        self,
        code: int,
        query: str,
        listed: Mapping[str, float],
        raw: list[str] | None,
        grades: Mapping[str, float],
        collectors: Sequence[Collector],
    ) -> None:
        scores = self._scores(query, listed) if raw is None else np.zeros(len(listed))
        made: dict[tuple[str, str, bool], tuple[QueryRanking, Hits]] = {}
        for collector in collectors:
            request = collector.request
            without = query if request.self == "drop" else None
            if raw is not None and request.duplicates == "error" and len(raw) > len(listed):
                self._refuse_repeat(query, raw, without)
            key = request.self, request.score_type, collector.every
            if key not in made:
                ranking = QueryRanking(
                    listed, scores, raw, without=without, score_type=request.score_type, every=collector.every
                )
                self._refuse_bad_scores(query, listed, ranking)
                made[key] = ranking, ranking.hits(grades)
            collector.add(code, query, *made[key], grades)

    def _refuse_bad_scores(self, query: str, listed: Mapping[str, float], ranking: QueryRanking) -> None:
        ascending = ranking.ascending
        if ascending is None:
            return
        if len(ascending) and math.isnan(ascending[-1]):
            doc = list(ranking.listed)[int(np.flatnonzero(np.isnan(ranking.scores))[0])]
            problem = "score is NaN, which has no place in an order"
            raise InputError(problem, code="nan_score", faults=[Fault(problem, self.name, query=query, document=doc)])
        if ranking.listed is not listed or any(map(ranking.holds, FLAGS)):
            deque(self._real(query, listed), maxlen=0)

    def _scores(self, query: str, listed: Mapping[str, float]) -> Floats:
        """The scores as float64. Packing refuses text, bytes and None, not bool: `_refuse_bad_scores` does."""
        try:
            return np.frombuffer(struct.pack(f"{len(listed)}d", *listed.values()))
        except (TypeError, ValueError, OverflowError, struct.error):
            return np.fromiter(self._real(query, listed), np.float64, len(listed))

    def _real(self, query: str, listed: Mapping[str, float]) -> Iterator[float]:
        """The scores one by one, each checked; raises an error naming the document."""
        for doc, score in listed.items():
            yield real(score, "score", where=self.name, query=query, document=doc)

    def _refuse_repeat(self, query: str, raw: Sequence[str], without: str | None) -> None:
        seen: set[str] = set()
        for doc in raw:
            if doc in seen and doc != without:
                problem = "the run returns a document twice"
                raise InputError(
                    problem,
                    code="repeated_document",
                    faults=[Fault(problem, self.name, query=query, document=doc)],
                )
            seen.add(doc)

    def lists(self, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """The complete rows of a few queries, in input order."""
        found: dict[str, list[Listed]] = {}
        for query in queries:
            documents = self.rows.get(query)
            if documents is None:
                found[query] = []
                continue
            listed, raw = self._documents(query, documents)
            if raw is not None:
                found[query] = [Listed(doc, None, float(place + 1)) for place, doc in enumerate(raw)]
            else:
                found[query] = [Listed(doc, float(score)) for doc, score in listed.items()]
        return found

    def leading(self, request: Request, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """Rows that hold the first ranks: those whose scores reach the deepest cutoff."""
        if request.whole or request.condense or request.score_type != "float64":
            return self.lists(queries)
        found: dict[str, list[Listed]] = {}
        depth = request.depth + 1
        for query in queries:
            documents = self.rows.get(query)
            if not isinstance(documents, Mapping) or len(documents) <= depth:
                found.update(self.lists([query]))
                continue
            listed, _ = self._documents(query, documents)
            scores = self._scores(query, listed)
            reached = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
            docs = list(listed)
            found[query] = [Listed(docs[at], float(scores[at])) for at in reached.tolist()]
        return found

    def close(self) -> None:
        """Nothing is kept."""

    def examples(self, limit: int) -> tuple[list[str], list[str]]:
        """Some query ids and some document ids of the run, for messages."""
        queries = list(self.rows)[:limit]
        docs = [row.document for query in queries for row in self.lists([query])[query][:limit]]
        return queries, docs[:limit]
