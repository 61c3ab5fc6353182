"""What a run shows of every judged query, as deep as unjudged documents are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..aggregate import STATUSES
from ..engines.contract import Listed
from ..errors import UsageError, choose
from ..measures.measure import Measure
from ..ranking import Place, ranked
from ..results import Entry
from ..scoring import request_of
from ..session import Session

SCOPES = {
    "returned": "every document that the runs return",
    "scored": "the documents in the scored ranks",
    "any": "every document, those that no run returns included",
}
"""Which unjudged documents may turn out relevant, the default first."""

GROUPED = ("average", "best", "worst")


class View(NamedTuple):
    """One run under one measure: the places of each query, and per query status, value and whether it counts.

    Places reach as deep as the scope needs and hold whole tied groups; `values` has None for queries that do not
    count.
    """

    name: str
    places: Mapping[str, Sequence[Place]]
    statuses: Mapping[str, str]
    values: Mapping[str, float | None]


def check_scope(scope: str, measure: Measure, pool: bool) -> None:
    """Refuse an unknown scope, and one without end."""
    if scope not in SCOPES:
        raise choose("scope", scope, list(SCOPES))
    if scope == "any" and measure.k is None and not pool:
        raise UsageError(
            "scope='any' needs a cutoff: a list without end of relevant documents has no ideal",
            code="scope",
            hint=f"measure {measure.name}@10, or give the candidate pool",
        )


def in_scored_ranks(place: Place, measure: Measure) -> bool:
    """Whether a place adds to the score: its rank, or under `average`, `best` and `worst` one of its group's."""
    if measure.k is None:
        return True
    grouped = measure.conventions["ties"] in GROUPED
    return (place.tied[0] if grouped else place.rank) <= measure.k


def views(
    session: Session, measure: Measure, entries: Sequence[Entry], scope: str, at_least: int | None = None
) -> list[View]:
    """Every run as deep as the scope needs (and `at_least` so deep), and what `evaluate` said of each query."""
    judgments = session.judgments
    deep = depth_of(scope, measure)
    if deep is not None and at_least is not None:
        deep = max(deep, at_least)
    found = [listed(session, entry.run, measure, deep, judgments.queries) for entry in entries]
    if scope == "returned" and deep is not None:
        _complete(session, measure, entries, found)
    made = []
    for entry, places in zip(entries, found, strict=True):
        table = entry.rows
        statuses, values = {}, {}
        for at, query in enumerate(judgments.queries):
            statuses[query] = STATUSES[int(table.status[at])]
            values[query] = float(table.value[at]) if table.counted[at] else None
        made.append(View(entry.run, places, statuses, values))
    return made


def depth_of(scope: str, measure: Measure) -> int | None:
    """How deep a run is read at first: the scored ranks, more where deeper documents count; None is the whole list."""
    if measure.k is None or measure.conventions["ideal"] == "returned":
        return None
    return measure.k if scope != "returned" else 4 * measure.k + 100


def _complete(
    session: Session, measure: Measure, entries: Sequence[Entry], found: Sequence[dict[str, list[Place]]]
) -> None:
    """Read the whole list where it was cut before enough unjudged documents stood below the scored ranks.

    No more than k of them can enter the ideal; those that stand in another run's scored ranks are known anyway.
    """
    k = measure.k or 0
    widest = {
        query: max(sum(in_scored_ranks(place, measure) for place in places[query]) for places in found)
        for query in session.judgments.queries
    }
    for entry, places in zip(entries, found, strict=True):
        short = [
            query
            for at, query in enumerate(session.judgments.queries)
            if len(places[query]) < int(entry.rows.returned[at])
            and sum(place.grade is None and not in_scored_ranks(place, measure) for place in places[query])
            < k + widest[query]
        ]
        if short:
            places.update(listed(session, entry.run, measure, None, short))


def listed(
    session: Session, name: str, measure: Measure, depth: int | None, queries: Sequence[str]
) -> dict[str, list[Place]]:
    """The places of queries to a depth, with the whole tied group that it cuts; None is the whole list."""
    request = request_of(measure)._replace(cutoffs=(depth,))
    engine = session.engine(name)
    try:
        if depth is None:
            rows: Mapping[str, Sequence[Listed]] = engine.lists(queries)
        else:
            engine.rank([request])
            rows = engine.leading(request, queries)
    finally:
        engine.close()
    grades = session.judgments.grades_of(*queries)
    grouped = measure.conventions["ties"] in GROUPED
    found = {}
    for query in queries:
        places = ranked(rows.get(query, ()), measure, query, grades.get(query, {}))
        if depth is not None:
            places = [place for place in places if (place.tied[0] if grouped else place.rank) <= depth]
        found[query] = places
    return found
