"""`tune`: the weight of a hybrid of two runs, chosen on graded judgments and valued on queries it was not chosen on."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ..asked_measures import DEFAULT_MEASURE, one_measure
from ..counted import counted_noun
from ..errors import InputError, UsageError, whole_number
from ..evaluation import evaluate
from ..kernel.batch import Floats
from ..reading import Reading
from ..scoring import request_of
from ..session import open_session
from ..version import __version__
from .fusing import fused_query
from .lists import Lists, lists_of
from .methods import Fusion, settled

if TYPE_CHECKING:
    from ..comparison import Interval
    from ..measures.measure import Measure
    from ..plots.tunings import TuningPlots
    from ..results import Result

SMALL = 30
"""With fewer counted queries than this, a tuned weight says little, and the result says so."""

HYBRIDS = ("weighted", "rrf")
"""The fusions that have a weight to tune."""


@dataclass(frozen=True, slots=True)
class Point:
    """One weight of the curve: alpha is the share of the second run, the value a macro mean over all queries."""

    alpha: float
    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Fold:
    """Queries held out together: the alpha that was best on the others, and the mean of these under it."""

    queries: int
    alpha: float
    value: float


@dataclass(frozen=True)
class Tuning:
    """The curve of a hybrid's weight, and what the choice is worth on queries it was not made on.

    `alpha` is the share of `second`; the fused score is `(1 - alpha) x first + alpha x second`. `best` is the point
    with the highest mean on all queries (an optimistic value: it was chosen on them). `held_out` is the mean in which
    every query is scored under an alpha chosen on the other folds, `held_out_interval` its interval, and `optimism` is
    `best` less `held_out`. `alone` are the two runs by themselves; `gain` is the interval of the difference of
    `held_out` and the better of them, query by query. `values` is the matrix of per-query values, alphas x `queries`:
    the `counted` ones, which have a value under every alpha and for both runs alone. `left_out` are the other `judged`
    queries, which the declared policies give no value somewhere.
    """

    first: str
    second: str
    measure: str
    declaration: Mapping[str, object]
    method: str
    normalisation: str | None
    k: float | None
    points: tuple[Point, ...]
    best: Point
    held_out: float
    held_out_interval: Interval
    folds: tuple[Fold, ...]
    seed: int
    alone: Mapping[str, float]
    better: str
    gain: Interval
    counted: int
    judged: int
    left_out: tuple[str, ...]
    warnings: tuple[str, ...]
    queries: tuple[str, ...] = field(repr=False, default=())
    values: Floats = field(repr=False, compare=False, default_factory=lambda: np.zeros((0, 0)))
    version: str = __version__

    @property
    def alpha(self) -> float:
        """The weight to use: the best one on all queries."""
        return self.best.alpha

    @property
    def optimism(self) -> float:
        """What the best value promises beyond what the choice is worth on other queries."""
        return self.best.value - self.held_out

    @property
    def plot(self) -> TuningPlots:
        """Charts: `.curve()`."""
        from ..plots.tunings import TuningPlots

        return TuningPlots(self)

    def __repr__(self) -> str:
        return (
            f"<Tuning of {self.first} and {self.second}, {self.measure}: alpha {self.alpha:g}, "
            f"held out {self.held_out:.4f}>"
        )

    def __str__(self) -> str:
        from ..reports.tuning import tuning_text

        return tuning_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, object]:
        """Plain data, without the per-query values."""
        plain = {name: value for name, value in asdict(self).items() if name not in ("queries", "values")}
        return {**plain, "alpha": self.alpha, "optimism": self.optimism}

    def to_json(self) -> str:
        """One JSON document with full precision."""
        from ..saved import dumped

        made: object = json.loads(json.dumps(self.as_dict()))
        return dumped(made, indent=2)


def tune(
    qrels: object,
    runs: object,
    measure: object = DEFAULT_MEASURE,
    *,
    method: str = "weighted",
    normalisation: str | None = None,
    k: float | None = None,
    steps: int = 20,
    folds: int = 5,
    seed: int = 0,
    level: float = 0.95,
    depth: int | None = None,
    candidates: object = None,
    columns: Mapping[str, object] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    comments: bool | None = None,
    labels: object = None,
    features: object = None,
    groups: object = None,
    query_ids: object = None,
    merge: str | None = None,
    memory: str | None = None,
    **conventions: object,
) -> Tuning:
    """Sweep the weight of a hybrid of two runs, and say what the best weight is worth on held-out queries.

    `runs` is a dict of two runs by name. The fused score is `(1 - alpha) x first + alpha x second`, of normalised
    scores (`method="weighted"`, `normalisation` as in `fuse`) or of reciprocal ranks (`method="rrf"`); alpha goes from
    0 to 1 in `steps` steps. Cross-validation over queries: in each of `folds` folds, drawn with `seed`, the alpha that
    is best on the other folds scores the held-out queries; equal means choose the alpha nearest to 0.5. Intervals are
    Student's t over queries at `level`. Inputs and conventions are those of `evaluate`; scoring is done again for
    every alpha.

    Returns a `Tuning`. Raises UsageError for other than two runs or fewer than two folds, InputError where fewer than
    two queries count. Time O(steps x rows).

    >>> import ndcg
    >>> judged = {f"q{i}": {"a": 1} for i in range(4)}
    >>> lexical = {f"q{i}": {"b": 2.0, "a": 1.0} for i in range(4)}
    >>> dense = {f"q{i}": {"a": 0.9, "b": 0.1} for i in range(4)}
    >>> ndcg.tune(judged, {"lexical": lexical, "dense": dense}, "nDCG@1", steps=4, folds=2).held_out
    1.0
    """
    chosen = one_measure(tune, measure, conventions)
    if chosen.family.aggregate != "mean":
        raise UsageError(
            f"{chosen} is no mean over queries ({chosen.family.aggregate}), and tune averages the values of queries",
            code="no_mean",
            hint="take a measure whose value is a mean, such as nDCG@10",
        )
    whole_number("steps", steps, 1)
    whole_number("folds", folds, 2)
    whole_number("seed", seed, 0)
    if depth is not None:
        whole_number("depth", depth, 1)
    if method not in HYBRIDS:
        raise UsageError(
            f"{method!r} has no weight to tune; choose from {', '.join(HYBRIDS)}", code="fusion", hint="see ndcg fuse"
        )
    plain = settled(method, 2, weights=(0.5, 0.5), k=k, normalisation=normalisation)
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, query_ids=query_ids)
    session = open_session(qrels, runs, candidates=candidates, reading=reading, merge=merge, memory=memory)
    with session.workspace as workspace, workspace.out_of_memory():
        if len(session.runs) != 2:
            raise UsageError(f"tune takes two runs, found {', '.join(session.runs)}", code="several_runs")
        judged = session.judgments.mapping
        pool = None if session.judgments.pool is None else session.judgments.pool.mapping
        lists = lists_of(session.runs, needs_scores=plain.needs_scores, depth=depth, workspace=workspace)
    alphas = [step / steps for step in range(steps + 1)]

    def scored(run: Mapping[str, object]) -> Result:
        return evaluate(judged, run, chosen, worst=0, candidates=pool)

    curve = [_values(scored(run)) for run in _hybrids(judged, lists, plain, alphas, chosen)]
    results = {name: scored({query: rows and dict(rows) for query, rows in run.items()}) for name, run in lists.items()}
    alone = {name: _values(result) for name, result in results.items()}
    queries = [query for query in curve[0] if all(query in values for values in (*curve, *alone.values()))]
    if len(queries) < 2:
        raise InputError(
            f"{counted_noun(len(queries), 'query counts', 'queries count')} under every alpha, and a weight needs at "
            "least two",
            code="few_queries",
            hint="judge more",
        )
    values = np.array([[found[query] for query in queries] for found in curve])
    singles = {name: [found[query] for query in queries] for name, found in alone.items()}
    found = _tuning(chosen, plain, alphas, queries, values, singles, folds=folds, seed=seed, level=level)
    told = [f"{name}: {warning}" for name, result in results.items() for warning in result.entries[0].warnings]
    counted = set(queries)
    left_out = tuple(query for query in judged if query not in counted)
    return replace(found, judged=len(judged), left_out=left_out, warnings=(*found.warnings, *told))


def _values(result: Result) -> dict[str, float]:
    """The values of the counted queries."""
    return {row.query: row.value for row in result.per_query if row.value is not None}


Judged = Mapping[str, Mapping[str, float]]


def _hybrids(
    judged: Judged, lists: Mapping[str, Lists], plain: Fusion, alphas: Sequence[float], measure: Measure
) -> Iterator[dict[str, object]]:
    """The fused run of judged queries under every alpha, cut to what the measure looks at."""
    first, second = lists.values()
    both = {query: (first.get(query), second.get(query)) for query in judged if query in first or query in second}
    for alpha in alphas:
        fusion = plain._replace(weights=(1 - alpha, alpha))
        yield {
            query: None
            if one is None and other is None
            else _head(fused_query(query, [one or (), other or ()], fusion), measure)
            for query, (one, other) in both.items()
        }


def _head(run: dict[str, float], measure: Measure) -> dict[str, float]:
    """The documents that the first k ranks can be made of: those that reach the k-th score."""
    k = measure.k
    if k is None or k >= len(run) or request_of(measure).whole or measure.conventions["unjudged"] == "skip":
        return run
    least = list(run.values())[k]
    return {document: score for document, score in run.items() if score >= least}


def _tuning(
    measure: Measure,
    plain: Fusion,
    alphas: Sequence[float],
    queries: Sequence[str],
    values: Floats,
    alone: Mapping[str, Sequence[float]],
    *,
    folds: int,
    seed: int,
    level: float,
) -> Tuning:
    from ..comparison import t_interval

    means = [math.fsum(row) / len(queries) for row in values.tolist()]
    points = tuple(
        Point(alpha, mean, t_interval(row, level=level)) for alpha, mean, row in zip(alphas, means, values, strict=True)
    )
    best = points[_best(values, alphas)]
    held, parts = _held_out(values, alphas, min(folds, len(queries)), seed)
    first, second = alone
    singles = {name: math.fsum(row) / len(queries) for name, row in alone.items()}
    better = max(singles, key=lambda name: singles[name])
    return Tuning(
        first=first,
        second=second,
        measure=str(measure),
        declaration=measure.declaration(),
        method=plain.method,
        normalisation=plain.normalisation,
        k=None if plain.normalisation else plain.k,
        points=points,
        best=best,
        held_out=math.fsum(held.tolist()) / len(queries),
        held_out_interval=t_interval(held, level=level),
        folds=parts,
        seed=seed,
        alone=singles,
        better=better,
        gain=t_interval(held - np.asarray(alone[better]), level=level),
        counted=len(queries),
        judged=len(queries),
        left_out=(),
        warnings=tuple(_warnings(points, best, parts, len(queries))),
        queries=tuple(queries),
        values=values,
    )


def _best(values: Floats, alphas: Sequence[float]) -> int:
    """The alpha with the highest mean; of equal ones the nearest to 0.5, then the smaller."""
    means = [math.fsum(row) / len(row) for row in values.tolist()]
    return min(range(len(alphas)), key=lambda at: (-means[at], abs(alphas[at] - 0.5), alphas[at]))


def _held_out(values: Floats, alphas: Sequence[float], folds: int, seed: int) -> tuple[Floats, tuple[Fold, ...]]:
    """Each query's value under the alpha chosen on the other folds; folds, drawn by PCG64, differ by one at most."""
    order = np.random.Generator(np.random.PCG64(seed)).permutation(values.shape[1])
    held = np.zeros(values.shape[1])
    parts = []
    for part in np.array_split(order, folds):
        others = np.setdiff1d(order, part)
        chosen = _best(values[:, others], alphas)
        held[part] = values[chosen, part]
        parts.append(Fold(len(part), alphas[chosen], math.fsum(held[part].tolist()) / len(part)))
    return held, tuple(parts)


def _warnings(points: Sequence[Point], best: Point, folds: Sequence[Fold], counted: int) -> list[str]:
    found = []
    if counted < SMALL:
        found.append(
            f"only {counted_noun(counted, 'query counts', 'queries count')}: the best alpha of so few is mostly chance"
        )
    if best.alpha in (0.0, 1.0):
        found.append("the best alpha is an end of the range: one run alone is as good as any mixture that was tried")
    if len({point.value for point in points}) == 1:
        found.append("every alpha gives the same value: there is nothing to choose")
    low, high = min(fold.alpha for fold in folds), max(fold.alpha for fold in folds)
    if high - low > 0.3:
        found.append(f"the folds chose alphas from {low:g} to {high:g}: the choice is not stable")
    return found
