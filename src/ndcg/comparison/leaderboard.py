"""Many systems at once: a leaderboard with groups that the data cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..counted import counted_noun
from ..errors import UsageError
from ..weights import relative, weighted_mean
from .drivers import weights_of
from .intervals import bootstrap_intervals, effective_number
from .letter_groups import METHODS, indistinguishable_groups
from .pairing import matrix
from .sides import widened

if TYPE_CHECKING:
    from ..compared import Settings
    from ..results import QueryTable
    from .outcomes import Interval, PairTests


class Standing(NamedTuple):
    """One system of a leaderboard.

    `place` counts from 1, best mean first; systems with the same mean have the same place. `mean` is over the queries
    of the leaderboard, `interval` is for this mean alone, `best` the difference to the first. Two systems share one of
    the `letters` exactly when the test does not tell them apart. `weighted` is the weighted mean over the same queries
    with its interval, where weights were given and a query has any; places and letters are by the macro mean.
    """

    place: int
    run: str
    mean: float
    interval: Interval
    letters: str
    best: float
    weighted: float | None = None
    weighted_interval: Interval | None = None


class Against(NamedTuple):
    """Two systems: the mean difference of the better less the worse, and the p-value for the family of all pairs."""

    better: str
    worse: str
    difference: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All systems under one measure, best first.

    `over` is 'common' or 'union': the queries, `queries` of them, as the declared `missing` asks. `groups` are the
    largest sets of systems of which no two are told apart, best first. `family` is the number of pairs, `method` how
    they were tested together and `critical_difference` the least difference that is told apart, where the method has
    one. `effective` is Kish's effective number of queries under the weights, None without weights.
    """

    measure: str
    over: str
    queries: int
    method: str
    family: int
    level: float
    critical_difference: float | None
    standings: tuple[Standing, ...]
    groups: tuple[tuple[str, ...], ...]
    tests: PairTests = field(repr=False)
    runs: tuple[str, ...] = field(repr=False)
    effective: float | None = None

    def __repr__(self) -> str:
        first = self.standings[0]
        return f"<{counted_noun(len(self.standings), 'system')}, {self.measure}: {first.run} {first.mean:.4f} first>"

    @property
    def weighted_best(self) -> str | None:
        """The system with the best weighted mean, the first of those that are equal; None without weights."""
        known = [standing for standing in self.standings if standing.weighted is not None]
        return max(known, key=lambda standing: standing.weighted or 0.0).run if known else None

    def pairs(self) -> tuple[Against, ...]:
        """Every pair of systems, in the order of the leaderboard."""
        place = {standing.run: at for at, standing in enumerate(self.standings)}
        found = []
        tests = self.tests
        for (one, other), difference, p_value in zip(tests.pairs, tests.differences, tests.adjusted, strict=True):
            better, worse = self.runs[one], self.runs[other]
            if place[better] > place[worse]:
                better, worse, difference = worse, better, -difference
            found.append(Against(better, worse, difference + 0.0, p_value))
        found.sort(key=lambda pair: (place[pair.better], place[pair.worse]))
        return tuple(found)

    def p_value(self, one: str, other: str) -> float:
        """The p-value of two systems by name, for the family of all pairs."""
        for run in (one, other):
            if run not in self.runs:
                raise UsageError(f"there is no run {run!r}", code="no_such_run", hint=f"there are {self.runs}")
        return self.tests.p_value(self.runs.index(one), self.runs.index(other))

    def as_dict(self) -> dict[str, Any]:
        """Plain data: standings first, every pair last."""
        from ..compared import plain

        return {
            "measure": self.measure,
            "over": self.over,
            "queries": self.queries,
            "method": self.method,
            "family": self.family,
            "level": self.level,
            "critical_difference": self.critical_difference,
            "effective": self.effective,
            "weighted_best": self.weighted_best,
            "exact": self.tests.exact,
            "resamples": self.tests.resamples,
            "seed": self.tests.seed,
            "standings": plain(self.standings),
            "groups": plain(self.groups),
            "pairs": plain(self.pairs()),
        }


def leaderboard(
    measure: str,
    tables: Mapping[str, QueryTable],
    over: str,
    settings: Settings,
    weights: Mapping[str, float] | None = None,
) -> Leaderboard:
    """The leaderboard of all systems over their common queries or their union (missing queries score 0).

    `weights` add the weighted means; places and groups are by the macro mean.
    Raises UsageError where no query counts for all systems.
    """
    found = matrix(tables, over)
    if not found.queries:
        raise UsageError(
            f"{measure}: no query has a value for all {len(found.systems)} systems",
            code="no_common_query",
            hint="declare missing='zero' to count what is missing as 0"
            if over == "common"
            else "evaluate each run (ndcg evaluate) to see why its queries are left out",
        )
    method, draws = settings.adjust, settings.resamples
    if method not in METHODS:
        method, draws = f"{settings.tests[0]}+{method}", settings.flips
    groups = indistinguishable_groups(
        found.values,
        method=method,
        level=settings.level,
        resamples=draws,
        seed=settings.seed,
        tie_width=widened(settings.tie_width),
    )
    intervals = bootstrap_intervals(
        found.values,
        method=settings.interval,
        level=settings.level,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    beside: Sequence[Interval | None] = [None] * len(found.systems)
    effective = None
    column = None if weights is None else weights_of(found.queries, weights)
    if column is not None and column.any():
        shares = relative(column)
        effective = effective_number(shares)
        beside = bootstrap_intervals(
            found.values,
            method=settings.interval,
            level=settings.level,
            resamples=settings.resamples,
            seed=settings.seed,
            weights=shares,
        )
    first = groups.means[groups.order[0]]
    standings: list[Standing] = []
    for at, system in enumerate(groups.order, 1):
        mean = groups.means[system]
        place = standings[-1].place if standings and standings[-1].mean == mean else at
        letters = groups.letters[system]
        weighted = beside[system]
        standings.append(
            Standing(
                place,
                found.systems[system],
                mean,
                intervals[system],
                letters,
                mean - first,
                None if column is None else weighted_mean(found.values[:, system], column),
                weighted,
            )
        )
    return Leaderboard(
        measure=measure,
        over=over,
        queries=len(found.queries),
        method=groups.tests.method,
        family=groups.tests.family,
        level=settings.level,
        critical_difference=groups.tests.critical_difference,
        standings=tuple(standings),
        groups=tuple(tuple(found.systems[system] for system in group) for group in groups.groups),
        tests=groups.tests,
        runs=found.systems,
        effective=effective,
    )
