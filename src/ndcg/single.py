"""One query by itself: its ranking as tied groups, scored by the same kernel and policies as a whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .engines.contract import Looked, Ranking, RunFacts
from .engines.judgments import Judgments, Pool
from .errors import Fault, InputError
from .kernel.batch import Batch, Judged, Ranked
from .ranking import Place, ranked
from .scoring import entry_of, unjudged_document

if TYPE_CHECKING:
    from .engines.contract import Listed
    from .engines.workspace import Workspace
    from .measures.measure import Measure
    from .results import QueryRow

Groups = Sequence[Sequence[str]]
"""A ranking as tied groups of documents, best first; a group of one where nothing ties."""


@dataclass(frozen=True, slots=True)
class Single:
    """One judged query: its grades, its pool (None if there is none), and its rows in one run."""

    query: str
    grades: Mapping[str, float]
    pool: Set[str] | None
    rows: Sequence[Listed]
    failed: bool = False

    def places(self, measure: Measure) -> list[Place]:
        """The documents at their ranks, as the measure reads them."""
        return ranked(self.rows, measure, self.query, self.grades)


def grouped(places: Sequence[Place], measure: Measure) -> list[list[str]]:
    """Places as tied groups; where the tie rule has given each document its own rank, groups of one."""
    if measure.conventions["ties"] not in ("average", "best", "worst"):
        return [[place.document] for place in places]
    groups: list[list[str]] = []
    for place in places:
        if place.tied[0] == place.rank:
            groups.append([])
        groups[-1].append(place.document)
    return groups


def ranked_rows(lists: Sequence[Groups], grades: Mapping[str, float]) -> Ranked:
    """Several rankings of one query as rows for the kernel, each as a query of its own."""
    rows: list[tuple[int, float, int, int, int]] = []
    returned = []
    for at, groups in enumerate(lists):
        rank = 0
        for group in groups:
            start = rank + 1
            for document in group:
                rank += 1
                if document in grades:
                    rows.append((at, grades[document], rank, start, len(group)))
        returned.append(rank)
    table = list(zip(*rows, strict=True)) if rows else [()] * 5
    whole = [np.array(table[column], dtype=np.int64) for column in (0, 2, 3, 4)]
    return Ranked(
        query=whole[0],
        grade=np.array(table[1], dtype=np.float64),
        rank=whole[1],
        group_start=whole[2],
        group_size=whole[3],
        returned=np.array(returned, dtype=np.int64),
    )


def values_of(lists: Sequence[Groups], single: Single, measure: Measure) -> list[float]:
    """The measure's value of each ranking of the query, with the bits that `evaluate` gives for it."""
    size, count = len(single.grades), len(lists)
    grades = np.fromiter(single.grades.values(), np.float64, size)
    inside = None
    if single.pool is not None:
        inside = np.tile(np.fromiter((doc in single.pool for doc in single.grades), np.bool_, size), count)
    judged = Judged(count, np.repeat(np.arange(count), size), np.tile(grades, count), inside)
    computed = measure.family.compute(Batch(judged, ranked_rows(lists, single.grades)), measure)
    values: list[float] = computed.value.tolist()
    return values


def scored(name: str, single: Single, measure: Measure, workspace: Workspace) -> QueryRow:
    """The row of the query as `evaluate` gives it, policies and their errors included."""
    _refuse(name, single, measure)
    judgments = Judgments([single.query], workspace, _mapping={single.query: dict(single.grades)})
    if single.pool is not None:
        judgments.pool = Pool(workspace, _mapping={single.query: frozenset(single.pool)})
    places = single.places(measure)
    ranking = Ranking(
        ranked_rows([grouped(places, measure)], single.grades),
        np.array([_returned(single, measure)]),
        {measure.k: _looked(single, places, measure)},
    )
    facts = RunFacts(np.array([True]), np.array([single.failed]), [], [])
    entry = entry_of(name, judgments, [single.query], facts, ranking, measure, tie_order=False)
    refused = unjudged_document(name, lambda query: single.rows, judgments, entry, measure)
    if refused is not None:
        raise refused
    return entry.rows.row(0, name, str(measure))


def _returned(single: Single, measure: Measure) -> int:
    drop = measure.conventions["self"] == "drop"
    return sum(not (drop and row.document == single.query) for row in single.rows)


def _looked(single: Single, places: Sequence[Place], measure: Measure) -> Looked:
    """What stands in the first k ranks before condensing, and the tied group that the cutoff cuts."""
    k = measure.k
    full = ranked(single.rows, measure.with_conventions({"unjudged": "zero"}), single.query, single.grades)
    head = full[:k]
    tied = 0
    if k is not None and len(places) > k and measure.conventions["ties"] != "given":
        start, end = places[k - 1].tied
        tied = end - start + 1 if end > k else 0
    return Looked(
        judged=np.array([sum(place.grade is not None for place in head)]),
        ranks=np.array([len(head)]),
        tied=np.array([tied]),
        repeats=0,
        own=0,
        disagreements=0,
    )


def _refuse(name: str, single: Single, measure: Measure) -> None:
    """The errors that the rows of the query alone can give."""
    seen: set[str] = set()
    for row in single.rows:
        problem = None
        dropped = measure.conventions["self"] == "drop" and row.document == single.query
        if row.document in seen and measure.conventions["duplicates"] == "error" and not dropped:
            problem, code, hint = "the run returns a document twice", "repeated_document", None
        elif single.pool is not None and row.document not in single.pool:
            problem = "the run returns a document outside the candidate pool of the query"
            code, hint = "outside_pool", "add it to the pool, or score without candidates="
        if problem is not None:
            fault = Fault(problem, name, query=single.query, document=row.document)
            raise InputError(problem, code=code, faults=[fault], hint=hint)
        seen.add(row.document)
