"""`unjudged_bounds`: what unjudged documents could make of the value of each run and of the verdict between runs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..asked_measures import DEFAULT_MEASURE, one_measure, refuse_without_pool
from ..errors import choose
from ..evaluation import score_session
from ..measures.measure import Measure
from ..reading import Reading
from ..results import Entry
from ..session import Session, open_session
from .boards import Board, Setting, board
from .extremes import Extremes, as_scored, extremes
from .gather import View, check_scope, in_scored_ranks, views
from .levels import Levels, check_measure, levels_of
from .means import highest_mean, lowest_mean, mean
from .model import PairBounds, QueryBounds, RunBounds, UnjudgedBounds

APART = 0.02
"""From this difference in judged@k on, two runs are not judged alike."""


class Survey(NamedTuple):
    """Everything that one call has found out: entries of the measure and of its condensed form, and the views."""

    session: Session
    measure: Measure
    grades: list[float]
    levels: Levels
    scope: str
    entries: list[Entry]
    condensed: list[Entry]
    views: list[View]
    warnings: tuple[str, ...]


def unjudged_bounds(
    qrels: object,
    runs: object,
    measure: object = DEFAULT_MEASURE,
    *,
    grades: Iterable[float] | None = None,
    scope: str = "returned",
    baseline: str | None = None,
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
) -> UnjudgedBounds:
    """The smallest and the largest nDCG@k that any judging of the unjudged documents could give, of each run.

    "All unjudged are worthless" and "all are perfect" are not these bounds: the ideal moves too. `grades` are the
    grades that judges may give (those seen in the judgments if left out); a document may also stay without one and be
    worth nothing. `scope` says which documents may turn out relevant: those that the runs return ('returned', below
    rank k included, for they enter the ideal), those in the scored ranks alone ('scored'), or any ('any', or all of the
    candidate pool where one is given). For two and more runs the mean difference of every pair (of every run with
    `baseline`) is bounded as well, over documents that count for both at once: its verdict holds, or is open.
    Inputs and conventions are those of `evaluate`.

    Returns an `UnjudgedBounds`. The bounds are exact, that is reached by a completion, and its value is the one that
    `evaluate` gives for it; only with `ties='best'` or `'worst'` inside tied groups, and for pairs under
    `ideal='returned'`, more than 20,000 completions of a query give a proven outer bound instead, marked by `exact`.
    Time O(levels x documents) per query and step, a handful of steps. Source: fractional programming, Dinkelbach 1967.

    >>> import ndcg
    >>> judged = {"q": {"A": 2, "B": 1}}
    >>> found = ndcg.unjudged_bounds(judged, {"q": ["A", "X"]}, "nDCG@1", gain="linear")
    >>> found.runs[0].value, found.runs[0].lower, found.runs[0].upper      # X may be as good as A, never better
    (1.0, 1.0, 1.0)
    """
    chosen = boundable(one_measure(unjudged_bounds, measure, conventions))
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    session = open_session(qrels, runs, candidates=candidates, reading=reading, merge=merge, memory=memory)
    with session.workspace as workspace, workspace.out_of_memory():
        return bounds_of(survey(session, chosen, grades, scope), baseline)


def boundable(measure: Measure) -> Measure:
    """The measure, where bounds of it can be worked out."""
    check_measure(measure, "the worth of unjudged documents is worked out")
    return measure


def survey(
    session: Session, measure: Measure, grades: Iterable[float] | None, scope: str, at_least: int | None = None
) -> Survey:
    """Score all runs, plain and condensed, and read their lists as deep as the scope needs, or `at_least` so deep."""
    refuse_without_pool([measure], session.pool_source is not None)
    check_scope(scope, measure, session.pool_source is not None)
    known, levels = levels_of(grades, session.judgments, measure)
    condensed = measure.with_conventions({"unjudged": "skip"})
    result = score_session(session, [measure, condensed], worst=0)
    entries = [result.entry(run=name, measure=measure) for name in session.runs]
    skipped = [result.entry(run=name, measure=condensed) for name in session.runs]
    seen = views(session, measure, entries, scope, at_least)
    return Survey(session, measure, known, levels, scope, entries, skipped, seen, result.warnings)


def bounds_of(
    found: Survey, baseline: str | None = None, chosen: Mapping[str, Container[str]] | None = None
) -> UnjudgedBounds:
    """The bounds of every run, and of every pair (of every run with the baseline).

    With `chosen` ({query: documents}) only these are uncertain, and all other unjudged documents worthless.
    """
    setting = Setting(found.measure, found.scope, chosen)
    runs = tuple(_run(found, at, setting) for at in range(len(found.views)))
    pairs = tuple(pair_bounds(found, first, second, setting) for first, second in pairs_of(found, baseline))
    return UnjudgedBounds(
        measure=str(found.measure),
        declaration=found.entries[0].declaration,
        grades=tuple(found.grades),
        scope=found.scope if chosen is None else "chosen",
        runs=runs,
        pairs=pairs,
        warnings=tuple(dict.fromkeys([*found.warnings, *_of_entries(found), *_warnings(found, runs)])),
    )


def pairs_of(found: Survey, baseline: str | None) -> list[tuple[int, int]]:
    """The pairs of runs to compare: all, or every other run with the baseline."""
    names = [view.name for view in found.views]
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        raise choose("baseline", baseline, names)
    base = names.index(baseline)
    return [(at, base) for at in range(len(names)) if at != base]


def _of_entries(found: Survey) -> list[str]:
    """What `evaluate` warns of, run by run where there are several."""
    several = len(found.entries) > 1
    return [f"{entry.run}: {each}" if several else each for entry in found.entries for each in entry.warnings]


def _warnings(found: Survey, runs: Sequence[RunBounds]) -> list[str]:
    """Sentences about runs that are not judged alike."""
    shares = sorted(
        ((run.judged_at_k, run.run) for run in runs if run.judged_at_k is not None), key=lambda pair: pair[0]
    )
    if len(shares) < 2 or shares[-1][0] - shares[0][0] <= APART:
        return []
    at = f"judged@{found.measure.k}" if found.measure.k is not None else "the share of judged documents"
    (low, lowest), (high, highest) = shares[0], shares[-1]
    return [
        f"{at} differs: {lowest} {low:.4f}, {highest} {high:.4f}; a run whose documents are judged less is penalised "
        "for it, so judge more before comparing them"
    ]


def boards_for(found: Survey, runs: Sequence[int], setting: Setting) -> list[Board | None]:
    """The board of every judged query for some runs; None where a policy alone decides what a run is worth."""
    session = found.session
    pools = session.judgments.pool.mapping if session.judgments.pool is not None else None
    boards: list[Board | None] = []
    mapping = session.judgments.mapping
    for query in session.judgments.queries:
        if any(decided(found.views[run], query, found.measure) for run in runs):
            boards.append(None)
            continue
        lists = [found.views[run].places[query] for run in runs]
        pool = None if pools is None else pools.get(query, frozenset())
        boards.append(board(query, mapping[query], lists, setting, pool))
    return boards


def decided(view: View, query: str, measure: Measure) -> bool:
    """Whether a policy decides the value whatever is judged: nothing came back, and that is not simply worth 0.

    Where nothing came back and counts 0, every completion gives 0, as the sum over no ranks does.
    """
    value = view.values[query]
    if view.statuses[query] == "failed":
        return value is None
    if view.places[query]:
        return False
    if value is None or view.statuses[query] == "empty":
        # With a relevant document it would be missing.
        return measure.conventions["missing"] != "zero"
    return False


def _run(found: Survey, at: int, setting: Setting) -> RunBounds:
    view, entry = found.views[at], found.entries[at]
    queries = _bounded(found, [at], boards_for(found, [at], setting), setting)
    counted, entering = _parts(queries)
    summary = entry.summary
    return RunBounds(
        run=view.name,
        value=summary.value,
        lower=lowest_mean([low for low, _ in counted], [low for low, _ in entering]),
        upper=highest_mean([high for _, high in counted], [high for _, high in entering]),
        condensed=found.condensed[at].summary.value,
        judged_at_k=summary.judged_at_k,
        unjudged=sum(query.unjudged for query in queries),
        counted=len(counted) + sum(query.leaves for query in queries),
        entering=len(entering) - sum(query.leaves for query in queries),
        exact=all(query.exact for query in queries),
        queries=tuple(queries),
    )


def pair_bounds(found: Survey, first: int, second: int, setting: Setting) -> PairBounds:
    """The bounds of the mean difference of two runs, over the queries that count for both."""
    queries = _bounded(found, [first, second], boards_for(found, [first, second], setting), setting)
    counted, entering = _parts(queries)
    lower = lowest_mean([low for low, _ in counted], [low for low, _ in entering])
    upper = highest_mean([high for _, high in counted], [high for _, high in entering])
    difference = mean([query.value for query in queries if query.value is not None])
    exact = all(query.exact for query in queries)
    return PairBounds(
        first=found.views[first].name,
        second=found.views[second].name,
        difference=difference,
        lower=lower,
        upper=upper,
        verdict=verdict_of(difference, lower, upper, exact),
        counted=len(counted) + sum(query.leaves for query in queries),
        entering=len(entering) - sum(query.leaves for query in queries),
        exact=exact,
        holding=sum(verdict_of(query.value, query.lower, query.upper, True) == "holds" for query in queries),
        queries=tuple(queries),
    )


def verdict_of(difference: float | None, lower: float | None, upper: float | None, exact: bool) -> str:
    """Whether the sign of a difference survives its bounds.

    >>> verdict_of(0.2, 0.1, 0.3, True), verdict_of(0.2, -0.1, 0.3, True), verdict_of(0.2, -0.1, 0.3, False)
    ('holds', 'open', 'unproven')
    """
    if difference is None or lower is None or upper is None:
        return "open"
    if difference == lower == upper == 0:
        return "equal"
    if (difference > 0 and lower > 0) or (difference < 0 and upper < 0):
        return "holds"
    return "open" if exact else "unproven"


def _parts(queries: Sequence[QueryBounds]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """(bounds of the queries that count in any case, bounds of those that need not: they may enter, or leave)."""
    counted: list[tuple[float, float]] = []
    entering: list[tuple[float, float]] = []
    for query in queries:
        if query.lower is None or query.upper is None:
            continue
        (entering if query.enters or query.leaves else counted).append((query.lower, query.upper))
    return counted, entering


def _bounded(found: Survey, runs: Sequence[int], boards: Sequence[Board | None], setting: Setting) -> list[QueryBounds]:
    """The bounds of every judged query for one run, or for the first less the second."""
    measure, levels = found.measure, found.levels
    solved = [None if board is None else extremes(board, levels, measure) for board in boards]
    exact = _exact_values(boards, solved, levels, measure, runs)
    queries = []
    for at, query in enumerate(found.session.judgments.queries):
        views = [found.views[run] for run in runs]
        now = [view.values[query] for view in views]
        value = None if None in now else _difference([part for part in now if part is not None])
        status = next((view.statuses[query] for view in views if view.statuses[query] != "scored"), "scored")
        here, ends = boards[at], solved[at]
        if here is None or ends is None:
            leaves = value is not None and here is None and _leaves(found, views, query, setting)
            queries.append(QueryBounds(query, status, value, value, value, 0, True, False, leaves))
            continue
        lower, upper = exact.get(at, (ends.lower, ends.upper))
        if value is not None:
            # The judgments as they are, and what a policy gives an empty query, are completions too.
            lower, upper = min(lower, value), max(upper, value)
        unjudged = _unjudged(found, runs, query)
        queries.append(QueryBounds(query, status, value, lower, upper, unjudged, ends.exact, value is None))
    return queries


def _leaves(found: Survey, views: Sequence[View], query: str, setting: Setting) -> bool:
    """Whether a query that a policy gives a value because it is empty may turn out to be missing, and not count.

    Something relevant must turn up for it: in what another run returns, or anywhere where the scope is any document.
    """
    if not any(view.statuses[query] == "empty" and not view.places[query] for view in views):
        return False
    if found.levels.gains[-1] <= 0:
        return False
    chosen = None if setting.chosen is None else setting.chosen.get(query, ())
    if setting.scope == "any" and chosen is None:
        pool = found.session.judgments.pool
        grades = found.session.judgments.mapping[query]
        return pool is None or any(document not in grades for document in pool.mapping.get(query, ()))
    return any(
        place.grade is None
        and (setting.scope != "scored" or in_scored_ranks(place, found.measure))
        and (chosen is None or place.document in chosen)
        for view in views
        for place in view.places[query]
    )


def _difference(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else values[0] - values[1]


def _unjudged(found: Survey, runs: Sequence[int], query: str) -> int:
    """Different unjudged documents in the scored ranks of the runs."""
    measure = found.measure
    return len(
        {
            place.document
            for run in runs
            for place in found.views[run].places[query]
            if place.grade is None and in_scored_ranks(place, measure)
        }
    )


def _exact_values(
    boards: Sequence[Board | None],
    solved: Sequence[Extremes | None],
    levels: Levels,
    measure: Measure,
    runs: Sequence[int],
) -> dict[int, tuple[float, float]]:
    """The bounds that are reached, to the bits that `evaluate` gives under those completions, by place of the query."""
    cases, places = [], []
    for at, (here, ends) in enumerate(zip(boards, solved, strict=True)):
        if here is None or ends is None or ends.lower_at is None or ends.upper_at is None:
            continue
        places.append(at)
        for chosen in (ends.lower_at, ends.upper_at):
            cases += [(here, run, chosen) for run in range(len(runs))]
    values = np.array(as_scored(cases, levels, measure)).reshape(len(places), 2, len(runs))
    ends_found = values[:, :, 0] if len(runs) == 1 else values[:, :, 0] - values[:, :, 1]
    return {at: (float(low), float(high)) for at, (low, high) in zip(places, ends_found.tolist(), strict=True)}
