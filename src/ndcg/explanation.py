"""`explain`: one query rank by rank, the ideal beside it, what was missed, and what would help most."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from .asked_measures import DEFAULT_MEASURE, one_measure, refuse_without_pool
from .counted import counted_noun
from .errors import InputError, UsageError, clip
from .explained import Explanation, IdealRow, Missed, RankedRow
from .joining import no_common_query
from .kernel.sums import divisor
from .measures.convention import split_parameter
from .measures.conventions import CONVENTIONS
from .moves import Move, best_moves, placed_gains
from .reading import Reading
from .scoring import distinct_requests
from .session import Session, open_session
from .single import Single, grouped, scored

if TYPE_CHECKING:
    from .engines.contract import Engine, RunFacts
    from .measures.measure import Measure
    from .ranking import Place
    from .results import QueryRow


def explain(
    qrels: object,
    run: object,
    query: object,
    measure: object = DEFAULT_MEASURE,
    *,
    candidates: object = None,
    columns: Mapping[str, object] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    comments: bool | None = None,
    labels: object = None,
    features: object = None,
    groups: object = None,
    collapse: object = None,
    query_ids: object = None,
    merge: str | None = None,
    memory: str | None = None,
    **conventions: object,
) -> Explanation:
    """Explain the score of one query of one run under one measure, rank by rank.

    Inputs, options and conventions are those of `evaluate`; the value is the one that `evaluate` gives the query, to
    the last bit. Raises UsageError for a query that neither judgments nor run know, naming the nearest ids. Time
    O(rows) to read, then O(n M) for n returned and M judged documents of the query.

    >>> import ndcg
    >>> judged = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
    >>> found = ndcg.explain(judged, {"q1": ["A", "B", "C", "D"]}, "q1", "nDCG@4", gain="linear")
    >>> round(found.value, 4), found.moves[0].document, found.moves[0].target
    (0.7104, 'E', 2)
    """
    chosen = _explainable(one_measure(explain, measure, conventions))
    wanted = _query_id(query)
    refuse_without_pool([chosen], candidates is not None)
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    session = open_session(
        qrels,
        run,
        candidates=candidates,
        reading=reading,
        merge=merge,
        memory=memory,
        empty_runs=chosen.conventions["empty_run"] == "missing",
    )
    with session.workspace:
        if len(session.runs) != 1:
            raise UsageError(
                f"explain takes one run, found {', '.join(session.runs)}", code="several_runs", hint="pass one of them"
            )
        return _explained(session, wanted, chosen)


def _explainable(measure: Measure) -> Measure:
    """The measure, where it can be followed rank by rank."""
    if not {"gain", "discount"} <= set(measure.family.conventions):
        raise UsageError(
            f"{measure} is not a sum of discounted gains, so there is nothing to explain rank by rank",
            code="not_explained",
            hint="explain takes nDCG, DCG and CG",
        )
    habit = _habit(measure) if measure.k != 0 else "a cutoff of 0"
    if habit is not None:
        raise UsageError(
            f"explain does not follow {habit}, a habit of another tool",
            code="not_explained",
            hint="leave it out to see the query under plain conventions",
        )
    return measure


FOLLOWED = frozenset(
    {
        "gain",
        "off_table",
        "grade_type",
        "no_ideal",
        "empty_missing",
        "empty_list",
        "empty_run",
        "unjudged_query",
        "duplicates",
        "cutoff_zero",
        "gain_type",
    }
)
"""Habits that leave ranks and sums as they are: another gain per grade, or what becomes of a query without a value.
Repeats that stay are followed as long as the query has none."""


def _habit(measure: Measure) -> str | None:
    """The first convention of a measure that adds up something else than the gains of the ranks."""
    for name in measure.family.conventions:
        if name in FOLLOWED:
            continue
        value = measure.conventions[name]
        word = split_parameter(value)[0] if isinstance(value, str) else value
        if word in CONVENTIONS[name].habits or (name == "unjudged_grade" and value is not None):
            return f"{name}={value!r}"
    return None


def _query_id(query: object) -> str:
    from .engines.ids import text_id

    return text_id(query, "query", where="query=")


def _explained(session: Session, query: str, measure: Measure) -> Explanation:
    (name,) = session.runs
    judgments = session.judgments
    engine = session.engine(name)
    # The whole run is looked at, so that what evaluate refuses anywhere in it is refused here.
    facts, _ = engine.rank(distinct_requests([measure]))
    rows = engine.lists([query])[query]
    engine.close()
    failed = _has_failed(session, name, query)
    judged = query in judgments.codes
    if not judged and not rows and not failed:
        raise _unknown(query, judgments.queries, engine.examples(200)[0])
    _refuse_apart(session, name, engine, facts, measure)
    if not judged:
        return _without_judgments(name, query, measure, len(rows), failed)
    pool = judgments.pool.mapping.get(query, frozenset()) if judgments.pool is not None else None
    single = Single(query, judgments.grades_of(query)[query], pool, rows, failed)
    row = scored(name, single, measure, session.workspace)
    return _judged(single, row, measure)


def _refuse_apart(session: Session, name: str, engine: Engine, facts: RunFacts, measure: Measure) -> None:
    """Raise, as `evaluate` does, where run and judgments have no query in common: then no query is merely missing."""
    empty = not facts.others and measure.conventions["empty_run"] == "missing"
    if not facts.present.any() and not empty:
        raise no_common_query(name, session.judgments_source.described.name, engine, session.judgments, facts)


def _has_failed(session: Session, name: str, query: str) -> bool:
    """Whether the run records that the search for the query failed."""
    from .readers.source import Mapped

    source = session.runs[name]
    if isinstance(source, Mapped):
        for key in (query, int(query) if query.isdecimal() and query.isascii() else query):
            if key in source.rows:
                return source.rows[key] is None
        return False
    return any(query in part.failed for part in source.parts)


def _unknown(query: str, judged: Sequence[str], returned: Sequence[str]) -> UsageError:
    known = list(dict.fromkeys([*judged, *returned]))
    same = [other for other in known if _normal(other) == _normal(query)]
    near = list(dict.fromkeys([*same, *get_close_matches(query, known, n=3, cutoff=0.5)]))[:3] or known[:3]
    return UsageError(
        f"neither the judgments nor the run know the query {clip(query)!r}",
        code="unknown_query",
        hint=f"near it are {', '.join(repr(clip(other)) for other in near)}",
    )


def _normal(identifier: str) -> str:
    """An id without what people get wrong: case, blanks around it, leading zeros."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", identifier.strip().casefold())


def _without_judgments(name: str, query: str, measure: Measure, returned: int, failed: bool) -> Explanation:
    status = "failed" if failed else "unjudged"
    convention = "failed" if failed else "unjudged_query"
    if measure.conventions[convention] == "error":
        raise InputError(
            f"query {query!r} is {status}", code=f"{status}_query", hint=f"{convention}='error' was declared"
        )
    sentence = (
        f"the run has {counted_noun(returned, 'document')} for it, but it has no judgments, so it is never scored"
    )
    if failed:
        sentence = "its search failed, as the run records, and it has no judgments"
    return Explanation(name, query, str(measure), measure.declaration(), status, sentence, None, returned=returned)


def _judged(single: Single, row: QueryRow, measure: Measure) -> Explanation:
    from .measures.ndcg import gains_by_document

    places = single.places(measure)
    if len({place.document for place in places}) < len(places):
        raise UsageError(
            f"the run returns a document twice for query {single.query!r}, and explain does not follow "
            f"duplicates={measure.conventions['duplicates']!r}, a habit of another tool",
            code="not_explained",
            hint="use duplicates='best' to see the query with each document once",
        )
    groups = grouped(places, measure)
    gains = gains_by_document(single.grades, measure)
    moves: tuple[Move, ...] = ()
    if row.status == "scored" and row.value is not None:
        moves = best_moves(groups, single, gains, measure, row.value)
    rows, order = _rows(places, groups, gains, measure)
    return Explanation(
        run=row.run,
        query=row.query,
        measure=row.measure,
        declaration=measure.declaration(),
        status=row.status,
        sentence=_sentence(row, measure),
        value=row.value,
        dcg=row.dcg,
        ideal_dcg=row.ideal_dcg,
        returned=row.returned,
        judged_at_k=row.judged_at_k,
        tied_at_cutoff=row.tied_at_cutoff,
        rows=rows,
        ideal=_ideal(single, order, gains, measure),
        missed=_missed(single, order, gains, measure),
        moves=moves,
    )


def _sentence(row: QueryRow, measure: Measure) -> str:
    """What became of the query, in words."""
    policy = measure.conventions[row.status] if row.status in ("empty", "missing", "failed") else None
    worth = {"exclude": "it is not counted", "zero": "it counts 0", "one": "it counts 1"}.get(str(policy), "")
    if row.status == "empty":
        none = f"none of its {row.judged} judged documents has a positive gain"
        if row.judged == 1:
            none = "its only judged document has no positive gain"
        return f"{none}, so nothing can be gained: {worth} (empty={policy})"
    if row.status == "missing":
        return f"the run returned no document for it: {worth} (missing={policy})"
    if row.status == "failed":
        return f"its search failed, as the run records: {worth} (failed={policy})"
    if row.ideal_dcg == 0:
        return "its ideal pool is without gain although a judged document has some, so it scores 0"
    have = "has" if row.relevant == 1 else "have"
    judged = counted_noun(row.judged, "judged document")
    return f"{row.relevant} of {judged} {have} gain; the run returned {row.returned}"


def _rows(
    places: Sequence[Place], groups: Sequence[Sequence[str]], gains: Mapping[str, float], measure: Measure
) -> tuple[tuple[RankedRow, ...], list[str]]:
    """The scored ranks, and all documents in the order shown: tied groups by gain under `best` and `worst`."""
    ties = measure.conventions.text("ties")
    by_document = {place.document: place for place in places}
    order: list[str] = []
    for group in groups:
        if ties in ("best", "worst"):
            group = sorted(group, key=lambda doc: gains.get(doc, 0.0), reverse=ties == "best")
        order += group
    worth = [gain for group in placed_gains(groups, gains, ties) for gain in group]
    total, rows = 0.0, []
    for rank, document in enumerate(order[: measure.k], 1):
        place, below = by_document[document], _divisor(rank, measure)
        contribution = worth[rank - 1] / below
        total += contribution
        tied = place.tied if place.tied[1] > place.tied[0] else None
        rows.append(
            RankedRow(rank, document, place.score, place.grade, worth[rank - 1], 1 / below, contribution, total, tied)
        )
    return tuple(rows), order


def _divisor(rank: int, measure: Measure) -> float:
    from .measures.ndcg import discount

    name, base = discount(measure)
    return divisor(rank, name, base)


def _ideal(single: Single, order: Sequence[str], gains: Mapping[str, float], measure: Measure) -> tuple[IdealRow, ...]:
    """The ideal list: documents of the pool with positive gain, highest first, cut at k."""
    source = measure.conventions["ideal"]
    pool = set(order) if source == "returned" else single.pool if source == "candidates" else None
    best = sorted(
        (doc for doc, gain in gains.items() if gain > 0 and (pool is None or doc in pool)),
        key=lambda doc: (-gains[doc], -single.grades[doc], doc),
    )
    total, rows = 0.0, []
    for rank, document in enumerate(best[: measure.k], 1):
        below = _divisor(rank, measure)
        contribution = gains[document] / below
        total += contribution
        rows.append(IdealRow(rank, document, single.grades[document], gains[document], 1 / below, contribution, total))
    return tuple(rows)


def _missed(single: Single, order: Sequence[str], gains: Mapping[str, float], measure: Measure) -> tuple[Missed, ...]:
    """Judged documents with gain outside the scored ranks, highest gain first."""
    ranks = {document: rank for rank, document in enumerate(order, 1)}
    k = measure.k
    found = [
        Missed(document, single.grades[document], gain, ranks.get(document))
        for document, gain in gains.items()
        if gain > 0 and (document not in ranks or (k is not None and ranks[document] > k))
    ]
    return tuple(sorted(found, key=lambda missed: (-missed.gain, -missed.grade, missed.document)))
