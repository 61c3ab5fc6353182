"""The pool of the first ranks of some runs, for a collection that has no judgments yet."""

from __future__ import annotations

from ..engines.judgments import Judgments
from ..errors import InputError
from ..measures.measure import Measure
from ..reading import Reading
from ..session import Session, open_session
from .gather import listed
from .model import JudgeNext, NextRow
from .next import drawn

NO_QUERY = "\x00"
"""The query of judgments that are not there: no run has it."""


def pool_of(
    runs: object, measure: Measure, depth: int, budget: int | None, seed: int, reading: Reading, memory: str | None
) -> JudgeNext:
    """Every (query, document) in the first `depth` ranks of any run; with a budget, those with the best ranks."""
    session = open_session({NO_QUERY: {}}, runs, reading=reading, memory=memory)
    with session.workspace as workspace, workspace.out_of_memory():
        queries = _queries(session, measure)
        session.judgments = Judgments(queries, workspace, _mapping={query: {} for query in queries})
        ranks: dict[tuple[str, str], dict[str, int]] = {}
        for name in session.runs:
            for query, places in listed(session, name, measure, depth, queries).items():
                for place in places:
                    if place.rank <= depth:
                        ranks.setdefault((query, place.document), {})[name] = place.rank
    if not ranks:
        raise InputError("the runs return no document", code="empty_input")
    order = {query: at for at, query in enumerate(queries)}
    pairs = sorted(
        ranks,
        key=lambda pair: (min(ranks[pair].values()), -len(ranks[pair]), order[pair[0]], drawn(seed, *pair)),
    )[:budget]
    rows = tuple(NextRow(query, document, ranks[query, document]) for query, document in pairs)
    return JudgeNext("pool", depth, budget, len(ranks), 0, rows, seed=seed)


def _queries(session: Session, measure: Measure) -> list[str]:
    """The queries of all runs, in the order in which they are met."""
    from ..scoring import request_of

    found: dict[str, None] = {}
    for name in session.runs:
        engine = session.engine(name)
        facts, _ = engine.rank([request_of(measure)._replace(cutoffs=(1,), whole=False)])
        engine.close()
        found.update(dict.fromkeys(facts.others))
    return list(found)
