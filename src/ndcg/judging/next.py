"""`judge_next`: the (query, document) pairs whose judging could change most."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..asked_measures import DEFAULT_MEASURE, one_measure
from ..errors import UsageError, choose, whole_number
from ..kernel.batch import Floats
from ..ranking import Place
from ..reading import Reading
from ..session import open_session
from .boards import Setting, board
from .bounds import Survey, boundable, bounds_of, decided, survey
from .extremes import run_values
from .model import JudgeNext, NextRow, UnjudgedBounds

AIMS = ("verdict", "value")

BUDGET = 50
"""How many pairs are named where nothing is said."""

DEPTH = 100
"""How deep runs are looked at for a measure without a cutoff."""

CELLS = 2_000_000
"""Numbers that are worked on at once."""


class Scored(NamedTuple):
    """One pair with what it could change."""

    effect: float
    query: int
    order: bytes
    row: NextRow


def judge_next(
    qrels: object,
    runs: object,
    measure: object = DEFAULT_MEASURE,
    *,
    budget: int | None = BUDGET,
    depth: int | None = None,
    aim: str | None = None,
    grades: Iterable[float] | None = None,
    scope: str = "returned",
    baseline: str | None = None,
    seed: int = 0,
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
) -> JudgeNext:
    """The unjudged (query, document) pairs whose judging could change most, over all runs given.

    Looks at the first `depth` ranks of each run (the cutoff of the measure if left out). With `aim='verdict'`, the
    default for several runs, pairs are ordered by the largest change that one grade can make to the mean difference
    of two runs whose verdict is open; with `aim='value'` to the mean of a run. Pairs of queries for which nothing is
    relevant so far stand after all others: any grade makes such a query count. `budget` limits them (None: all).
    Equal pairs stand in an order drawn with `seed`, which says nothing about the runs. Without judgments (`qrels=None`)
    the pool of the first `depth` ranks is returned, best ranks first. Further options are those of `unjudged_bounds`.

    Returns a `JudgeNext`, whose `bounds` say what all unjudged documents could change and `within` what those named
    could. Time O(documents x grades) per query and run, and twice that of `unjudged_bounds`.

    >>> import ndcg
    >>> judged = {"q": {"A": 2, "B": 1}}
    >>> found = ndcg.judge_next(judged, {"one": {"q": ["X", "A"]}, "two": {"q": ["A", "Y"]}}, "nDCG@2")
    >>> [(row.query, row.document, row.on, row.grade) for row in found.rows]
    [('q', 'X', 'one - two', 2.0), ('q', 'Y', 'one - two', 2.0)]
    """
    for name, value, least in (("budget", budget, 1), ("depth", depth, 1), ("seed", seed, 0)):
        if value is not None:
            whole_number(f"{name}=", value, least)
    if aim is not None and aim not in AIMS:
        raise choose("aim", aim, AIMS)
    chosen = boundable(one_measure(judge_next, measure, conventions))
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    if qrels is None:
        from .pooling import pool_of

        return pool_of(runs, chosen, depth or chosen.k or DEPTH, budget, seed, reading, memory)
    session = open_session(qrels, runs, candidates=candidates, reading=reading, merge=merge, memory=memory)
    with session.workspace as workspace, workspace.out_of_memory():
        ranks = depth or chosen.k or DEPTH
        found = survey(session, chosen, grades, scope, at_least=ranks)
        bounds = bounds_of(found, baseline)
        return _listed(found, bounds, ranks, budget, aim, baseline, seed)


def _listed(
    found: Survey,
    bounds: UnjudgedBounds,
    depth: int,
    budget: int | None,
    aim: str | None,
    baseline: str | None,
    seed: int,
) -> JudgeNext:
    names = [view.name for view in found.views]
    open_pairs = [
        (names.index(pair.first), names.index(pair.second))
        for pair in bounds.pairs
        if pair.verdict in ("open", "unproven")
    ]
    warnings = list(bounds.warnings)
    without = max(entry.summary.queries.unjudged for entry in found.entries)
    if without:
        warnings.append(
            f"{without} {'query' if without == 1 else 'queries'} of a run without any judgment, left out here: pool "
            "them first (--no-judgments)"
        )
    if aim == "verdict" and len(names) < 2:
        raise UsageError(
            "aim='verdict' needs two runs or more", code="aim", hint="use aim='value', or give another run"
        )
    if aim is None:
        aim = "verdict" if open_pairs else "value"
        if bounds.pairs and not open_pairs:
            warnings.append(
                "every verdict holds whatever is judged, so pairs are ordered by their effect on the values"
            )
    elif aim == "verdict" and not open_pairs:
        open_pairs = [(names.index(pair.first), names.index(pair.second)) for pair in bounds.pairs]
        warnings.append("every verdict holds whatever is judged")
    scored, seen = _scored(found, depth, open_pairs if aim == "verdict" else None, seed)
    # A grade makes an empty query count, which moves a mean more than most grades and says nothing of how runs differ.
    scored.sort(key=lambda pair: (pair.row.empty, -pair.effect, pair.query, pair.order))
    rows = tuple(pair.row for pair in scored[:budget])
    chosen: dict[str, set[str]] = {}
    for row in rows:
        chosen.setdefault(row.query, set()).add(row.document)
    within = bounds_of(found, baseline, chosen)
    empty = [pair.row for pair in scored if pair.row.empty]
    return JudgeNext(
        aim,
        depth,
        budget,
        seen,
        seen - len(scored),
        rows,
        bounds,
        within,
        seed=seed,
        warnings=tuple(warnings),
        empty_pairs=len(empty),
        empty_queries=tuple(sorted({row.query for row in empty}, key=found.session.judgments.codes.__getitem__)),
    )


def drawn(seed: int, query: str, document: str) -> bytes:
    """A number that puts pairs in an order which has nothing to do with who returned them."""
    text = f"{seed}\0{len(query)}\0{query}{document}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _scored(found: Survey, depth: int, pairs: Sequence[tuple[int, int]] | None, seed: int) -> tuple[list[Scored], int]:
    """Every pair that can change something, and how many unjudged pairs there are."""
    session, measure = found.session, found.measure
    counted = [[value for value in view.values.values() if value is not None] for view in found.views]
    totals = [(math.fsum(values), len(values)) for values in counted]
    pools = session.judgments.pool.mapping if session.judgments.pool is not None else None
    scored: list[Scored] = []
    seen = 0
    for at, query in enumerate(session.judgments.queries):
        ranks = _ranks(found, query, depth)
        seen += len(ranks)
        if not ranks:
            continue
        setting = Setting(measure, found.scope, {query: ranks})
        pool = None if pools is None else pools.get(query, frozenset())
        change = _changes(found, query, list(ranks), setting, totals, pool)
        scored += _rows(found, at, query, ranks, change, pairs, seed)
    return scored, seen


def _ranks(found: Survey, query: str, depth: int) -> dict[str, dict[str, int]]:
    """The unjudged documents in the first ranks of the runs: {document: {run: rank}}."""
    ranks: dict[str, dict[str, int]] = {}
    for view in found.views:
        for place in _first(view.places[query], depth):
            if place.grade is None:
                ranks.setdefault(place.document, {})[view.name] = place.rank
    return ranks


def _first(places: Sequence[Place], depth: int) -> list[Place]:
    return [place for place in places if place.rank <= depth]


def _changes(
    found: Survey,
    query: str,
    documents: Sequence[str],
    setting: Setting,
    totals: Sequence[tuple[float, int]],
    pool: frozenset[str] | None,
) -> Floats:
    """The change of each run's mean by each document and level alone: runs x documents x levels."""
    measure, levels = found.measure, found.levels
    change = np.zeros((len(found.views), len(documents), len(levels.gains)))
    runs = [run for run, view in enumerate(found.views) if not decided(view, query, measure)]
    if not runs:
        return change
    grades = found.session.judgments.mapping[query]
    here = board(query, grades, [found.views[run].places[query] for run in runs], setting, pool)
    place = {document: at for at, document in enumerate(here.documents)}
    zero = levels.zero
    step = max(1, CELLS // max(1, len(levels.gains) * len(here.documents)))
    for first in range(0, len(documents), step):
        part = documents[first : first + step]
        tried = np.full((len(part), len(levels.gains), len(here.documents)), zero)
        for at, document in enumerate(part):
            tried[at, :, place[document]] = np.arange(len(levels.gains))
        flat = tried.reshape(-1, len(here.documents))
        for at, run in enumerate(runs):
            values = run_values(here, at, levels, measure, flat).reshape(len(part), len(levels.gains))
            now = found.views[run].values[query]
            change[run, first : first + len(part)] = _of_mean(values, now, *totals[run])
    return change


def _of_mean(values: Floats, now: float | None, total: float, count: int) -> Floats:
    """The change of a mean where a query takes other values; NaN is a query that stays out."""
    if now is not None:
        return np.where(np.isnan(values), 0.0, (values - now) / count)
    before = total / count if count else 0.0
    return np.where(np.isnan(values), 0.0, (total + values) / (count + 1) - before)


def _rows(
    found: Survey,
    at: int,
    query: str,
    ranks: Mapping[str, Mapping[str, int]],
    change: Floats,
    pairs: Sequence[tuple[int, int]] | None,
    seed: int,
) -> list[Scored]:
    """The pairs of one query that can change something."""
    names = [view.name for view in found.views]
    if pairs is None:
        effects, on = change, names
    else:
        effects = np.array([change[first] - change[second] for first, second in pairs]).reshape(-1, *change.shape[1:])
        on = [f"{names[first]} - {names[second]}" for first, second in pairs]
    empty = all(view.values[query] is None for view in found.views)
    found_rows = []
    for place, document in enumerate(ranks):
        own = effects[:, place]
        if not own.size:
            continue
        which, level = np.unravel_index(int(np.argmax(np.abs(own))), own.shape)
        largest = float(own[which, level])
        if abs(largest) <= NOISE:
            continue
        grade = found.levels.grades[int(level)]
        row = NextRow(query, document, ranks[document], abs(largest), largest, grade, on[int(which)], empty)
        found_rows.append(Scored(_coarse(abs(largest)), at, drawn(seed, query, document), row))
    return found_rows


NOISE = 1e-15
"""Changes that are rounding and nothing else."""


def _coarse(effect: float) -> float:
    """An effect without its last digits, so that rounding does not order what is equal."""
    return float(f"{effect:.12e}")


def blind_order(found: JudgeNext) -> list[NextRow]:
    """The rows query by query, the documents of each in an order that says nothing about runs, ranks or effects.

    Queries stand in the order of their ids' own draw: that of the list would tell where most is at stake.
    """
    return sorted(
        found.rows, key=lambda row: (drawn(found.seed, row.query, ""), drawn(found.seed, row.query, row.document))
    )
