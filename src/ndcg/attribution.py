"""Why two sets of conventions give two numbers: exact Shapley values over the conventions that differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .errors import UsageError
from .measures.conventions import CONVENTIONS
from .measures.measure import Measure, make
from .measures.nearest import shown
from .rescoring import Rescorer

MOST_PLAYERS = 12
QUERIES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Effect:
    """What a convention does to one query: the change of its value, and whether it enters or leaves the mean."""

    query: str
    change: float
    enters: bool = False
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One convention, or several that are only valid together, and how much of the difference it explains.

    `before` and `after` are the values as they are written. `queries` are those on which it acts, most affected first,
    `acting` how many there are.
    """

    conventions: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    share: float
    acting: int
    queries: tuple[Effect, ...]

    def __str__(self) -> str:
        changes = zip(self.conventions, self.before, self.after, strict=True)
        return ", ".join(f"{name} {before} -> {after}" for name, before, after in changes)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The difference between two measures on one run, taken apart; the parts add up to it."""

    first: str
    second: str
    first_value: float
    second_value: float
    parts: tuple[Part, ...]
    tried: int

    @property
    def difference(self) -> float:
        """The second value less the first."""
        return self.second_value - self.first_value


def attribute(scorer: Rescorer, first: Measure, second: Measure) -> Attribution:
    """How much each differing convention explains of the difference between two measures of one family.

    Every subset of the differing conventions is scored (at most 2 to the 12th), so the Shapley values are exact: each
    convention's change, averaged over all orders in which the conventions can be switched.
    """
    if first.family is not second.family:
        raise UsageError(f"{first} and {second} are different measures", code="different_measures")
    players = _players(first, second)
    mixtures = _mixtures(first, second, players)
    if mixtures is None or any(outcome.problem or outcome.value is None for outcome in scorer.score(mixtures)):
        ends = scorer.score([first, second])
        for measure, outcome in zip((first, second), ends, strict=True):
            if outcome.value is None:
                reason = outcome.problem or "no query counts"
                raise UsageError(
                    f"{measure} has no value on this data: {reason}", code="no_value", hint=_way_on(scorer, measure)
                )
        # Some mixture of the two has no value, so they can only be told apart as a whole.
        players = [tuple(name for player in players for name in player)]
        mixtures = [first, second]
    outcomes = scorer.score(mixtures)
    count = len(players)
    values = [Fraction(outcome.value) for outcome in outcomes if outcome.value is not None]
    plus, minus = _weights(count)
    parts = []
    for at, player in enumerate(players):
        share = Fraction(0)
        change = np.zeros(len(scorer.queries))
        entering = np.zeros(len(scorer.queries))
        for mixture, outcome in enumerate(outcomes):
            size = mixture.bit_count()
            weight = plus[size] if mixture >> at & 1 else -minus[size]
            share += weight * values[mixture]
            change += float(weight) * outcome.values
            entering += float(weight) * outcome.counted
        parts.append(_part(first, second, player, float(share), change, entering, scorer.queries))
    parts.sort(key=lambda part: -abs(part.share))
    return Attribution(str(first), str(second), float(values[0]), float(values[-1]), tuple(parts), len(mixtures))


def _way_on(scorer: Rescorer, measure: Measure) -> str | None:
    """The nearest measure that has a value where this one stops: with another value for what it takes for an error."""
    refused = {
        name: next(choice for choice in CONVENTIONS[name].choices if choice != "error")
        for name in measure.family.conventions
        if measure.conventions[name] == "error"
    }
    if measure.conventions["gain"] == "exp2_to_30":
        refused["gain"] = "exp2"
    for changed in (*({name: value} for name, value in refused.items()), refused):
        other = measure.with_conventions(changed)
        if scorer.score([other])[0].value is not None:
            return f'compare "{other}" instead, which goes on'
    return None


def _weights(count: int) -> tuple[list[Fraction], list[Fraction]]:
    """By the number of switched conventions: the weight of a mixture in the value of one that is switched, and of one
    that is not."""
    whole = math.factorial(count)

    def weight(before: int) -> Fraction:
        return Fraction(math.factorial(before) * math.factorial(count - before - 1), whole)

    plus = [Fraction(0)] + [weight(size - 1) for size in range(1, count + 1)]
    minus = [weight(size) for size in range(count)] + [Fraction(0)]
    return plus, minus


ELSEWHERE = ("cutoff_zero", "empty_run")
"""They say what becomes of calls that cannot be compared: no rank looked at, no row in the run."""


def _players(first: Measure, second: Measure) -> list[tuple[str, ...]]:
    """The conventions that differ; those that are only valid together as one."""
    differing = [
        name
        for name in first.family.conventions
        if first.conventions[name] != second.conventions[name] and name not in ELSEWHERE
    ]
    groups = [[name] for name in differing]
    if {first.conventions["duplicates"], second.conventions["duplicates"]} & {"merged", "joined"}:
        groups = _joined(groups, ("ideal", "ties", "duplicates"))
    together = [("gain", "off_table"), ("empty", "no_ideal"), ("missing", "empty_missing", "empty_list")]
    if "keep" in (first.conventions["negative"], second.conventions["negative"]):
        together.insert(0, ("gain", "negative", "off_table"))
    for names in together[: 2 if together[0][1] == "negative" else 1]:
        groups = _joined(groups, names)
    for names in together[1:]:
        if len(groups) > MOST_PLAYERS:
            groups = _joined(groups, names)
    while len(groups) > MOST_PLAYERS:
        # What becomes of whole queries is decided by few of them: joined from the end, where those conventions stand.
        groups = [*groups[:-2], groups[-2] + groups[-1]]
    if first.k != second.k:
        groups = _with_cutoff(groups)
    return [tuple(group) for group in groups]


def _with_cutoff(groups: list[list[str]]) -> list[list[str]]:
    if len(groups) == MOST_PLAYERS:
        groups = [*groups[:-2], groups[-2] + groups[-1]]
    return [*groups, ["k"]]


def _joined(groups: list[list[str]], names: Sequence[str]) -> list[list[str]]:
    inside = [name for group in groups for name in group if name in names]
    if len(inside) < 2:
        return groups
    rest = [group for group in groups if not set(group) & set(names)]
    return [inside, *rest]


def _mixtures(first: Measure, second: Measure, players: Sequence[tuple[str, ...]]) -> list[Measure] | None:
    """The measure of every subset: bit i set means that player i has the second measure's values."""
    found = []
    for mixture in range(1 << len(players)):
        switched = {name for at, player in enumerate(players) if mixture >> at & 1 for name in player}
        given: dict[str, object] = {
            name: (second if name in switched else first).conventions[name] for name in first.family.conventions
        }
        try:
            found.append(make(first.family, (second if "k" in switched else first).k, {**dict(first.options), **given}))
        except UsageError:
            return None
    return found


def _part(
    first: Measure,
    second: Measure,
    player: tuple[str, ...],
    share: float,
    change: np.ndarray[tuple[int], np.dtype[np.float64]],
    entering: np.ndarray[tuple[int], np.dtype[np.float64]],
    queries: Sequence[str],
) -> Part:
    # Weights of opposite sign leave dust where nothing happens.
    acting = np.flatnonzero((np.abs(change) > 1e-12) | (np.abs(entering) > 1e-12))
    order = acting[np.argsort(-np.abs(change[acting]), kind="stable")]
    effects = tuple(
        Effect(queries[at], float(change[at]), bool(entering[at] > 1e-12), bool(entering[at] < -1e-12))
        for at in order[:QUERIES_SHOWN].tolist()
    )

    def written(measure: Measure) -> tuple[str, ...]:
        return tuple(shown(measure.k if name == "k" else measure.conventions[name]) for name in player)

    return Part(player, written(first), written(second), share, len(acting), effects)
