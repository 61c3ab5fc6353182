"""Many measures on one run: each distinct ranking is made once, whatever number of conventions is tried on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .engines.contract import Ranking, Request, RunFacts
from .errors import InputError, UsageError
from .joining import check_joined
from .kernel.batch import Bools, Floats
from .measures.measure import Measure
from .scoring import entry_of, plan
from .session import Session

AT_ONCE = 8
"""Rankings that are made in one pass over the run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value of a run under one measure: mean, value per query and which queries count; or why there is none."""

    value: float | None
    values: Floats
    counted: Bools
    problem: str | None = None


class Rescorer:
    """One run of a session, ranked on demand."""

    def __init__(self, session: Session) -> None:
        if len(session.runs) != 1:
            raise UsageError(
                f"dialects are compared on one run, found {len(session.runs)}: {', '.join(session.runs)}",
                code="several_runs",
                hint="name one of them",
            )
        self.run = next(iter(session.runs))
        self.session = session
        self.judgments = session.judgments
        self.engine = session.engine(self.run)
        self.facts: RunFacts | None = None
        self.rankings: list[tuple[Request, Ranking]] = []
        self.outcomes: dict[Measure, Outcome] = {}

    @property
    def queries(self) -> list[str]:
        """The queries in the order of `Outcome.values`."""
        others = self.facts.others if self.facts is not None else []
        return [*self.judgments.queries, *others]

    def score(self, measures: Iterable[Measure]) -> list[Outcome]:
        """The outcome of each measure; measures already seen cost nothing."""
        wanted = list(measures)
        new = [measure for measure in dict.fromkeys(wanted) if measure not in self.outcomes]
        lenient = {measure: _lenient(measure) for measure in new}
        requests = plan(list(dict.fromkeys(lenient.values())))
        distinct = merged([request for request in dict.fromkeys(requests.values()) if self._ranking(request) is None])
        for first in range(0, len(distinct), AT_ONCE):
            part = distinct[first : first + AT_ONCE]
            facts, rankings = self.engine.rank(part)
            self.facts = facts
            self.rankings += zip(part, rankings, strict=True)
        for measure in new:
            ranking = self._ranking(requests[lenient[measure]])
            assert ranking is not None
            self.outcomes[measure] = self._outcome(measure, lenient[measure], ranking)
        return [self.outcomes[measure] for measure in wanted]

    def check(self, measure: Measure) -> list[str]:
        """Sentences about a doubtful join of run and judgments; raises where they share no query."""
        self.score([measure])
        assert self.facts is not None
        lenient = _lenient(measure)
        ranking = self._ranking(plan([lenient])[lenient])
        assert ranking is not None
        entry = entry_of(self.run, self.judgments, self.queries, self.facts, ranking, lenient)
        name = self.session.judgments_source.described.name
        return check_joined(self.run, name, self.engine, self.judgments, self.facts, [entry])

    def _ranking(self, request: Request) -> Ranking | None:
        """A ranking already made that answers a request."""
        return next((ranking for made, ranking in self.rankings if covers(made, request)), None)

    def _outcome(self, measure: Measure, lenient: Measure, ranking: Ranking) -> Outcome:
        nothing = np.zeros(0), np.zeros(0, dtype=np.bool_)
        if measure is not lenient and ranking.looked[measure.k].repeats:
            return Outcome(None, *nothing, "stops: a document is returned twice for one query")
        assert self.facts is not None
        try:
            entry = entry_of(self.run, self.judgments, self.queries, self.facts, ranking, lenient, tie_order=False)
        except InputError as error:
            return Outcome(None, *nothing, f"stops: {error.problem}")
        rows = entry.rows
        return Outcome(entry.value, np.where(rows.counted, rows.value, 0.0), rows.counted)

    def close(self) -> None:
        """Forget the rankings."""
        self.engine.close()


def covers(made: Request, wanted: Request) -> bool:
    """Whether the answer to one request is also that of another: the same order, as deep and as complete."""
    return (
        _key(made) == _key(wanted)
        and (made.whole or not wanted.whole)
        and (made.groups or not wanted.groups)
        and (made.marks or not wanted.marks)
        and set(wanted.cutoffs) <= set(made.cutoffs)
    )


def merged(requests: Iterable[Request]) -> list[Request]:
    """One request for all that want the same order: a whole list holds every cutoff."""
    found: dict[object, Request] = {}
    for request in requests:
        known = found.setdefault(_key(request), request)
        found[_key(request)] = known._replace(
            whole=known.whole or request.whole,
            groups=known.groups or request.groups,
            marks=known.marks or request.marks,
            cutoffs=tuple(dict.fromkeys((*known.cutoffs, *request.cutoffs))),
        )
    return list(found.values())


def _key(request: Request) -> tuple[object, ...]:
    return request.order, request.duplicates, request.self, request.score_type, request.condense


def _lenient(measure: Measure) -> Measure:
    """The measure with repeats dropped: one that stops at them must not stop all others in the same pass."""
    if measure.conventions["duplicates"] != "error":
        return measure
    return measure.with_conventions({"duplicates": "best"})
