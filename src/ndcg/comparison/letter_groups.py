"""Groups of systems that a test cannot tell apart, as letters beside a leaderboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

from ..errors import InputError
from .all_pairs import pairwise_tests, randomised_tukey_hsd, tukey_hsd
from .numbers import Matrix, as_matrix, checked_share, mean_of, plain
from .outcomes import PairTests

METHODS = ("randomised_tukey", "tukey")
"""Methods of `indistinguishable_groups` that test all pairs at once; others are named test+adjustment."""


@dataclass(frozen=True, slots=True)
class Groups:
    """A compact letter display: two systems share a letter exactly when the test does not tell them apart.

    `order` lists columns, best mean first; `means`, `letters` go by column. `groups` are the columns under each letter,
    best first. `tests` are the p-values that decided at 1 - `tests.level`.
    """

    order: tuple[int, ...]
    means: tuple[float, ...]
    letters: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    tests: PairTests

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**plain(self), "tests": self.tests.as_dict()}


def indistinguishable_groups(
    matrix: Matrix,
    *,
    method: str = "randomised_tukey",
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    tie_width: float = 0.0,
) -> Groups:
    """Groups of systems that a test of all pairs does not tell apart, from a queries x systems matrix.

    `method` is 'randomised_tukey', 'tukey' (blocked; needs SciPy), or a paired test and an adjustment such as
    'sign_flip+holm'. `resamples` are 10,000 for randomised Tukey and 100,000 for a paired test if left out; `tie_width`
    is for the sign test. Systems in one group were not told apart; that does not show that they are equal.

    >>> found = indistinguishable_groups([[0.9, 0.2, 0.3]] * 5 + [[0.8, 0.3, 0.1]] * 5)
    >>> found.letters
    ('a', 'b', 'b')
    """
    checked_share("level", level)
    found = as_matrix(matrix)
    means = tuple(mean_of(column) for column in found.T)
    order = tuple(sorted(range(len(means)), key=lambda at: (-means[at], at)))
    if len(means) < 2:
        none = PairTests(method, 1, len(found), (), (), (), level, None)
        return Groups(order, means, ("a",), ((0,),), none)
    if method == "randomised_tukey":
        tests = randomised_tukey_hsd(
            found, level=level, resamples=10_000 if resamples is None else resamples, seed=seed
        )
    elif method == "tukey":
        tests = tukey_hsd(found, level=level)
    else:
        test, _, adjustment = method.partition("+")
        tests = pairwise_tests(
            found,
            test=test,
            adjustment=adjustment or "holm",
            level=level,
            resamples=100_000 if resamples is None else resamples,
            seed=seed,
            tie_width=tie_width,
        )
    groups = compact_letters(tests.matrix(), order=order, level=level)
    return Groups(order, means, letters_of(groups, len(means)), groups, tests)


def compact_letters(
    p_values: Sequence[Sequence[float]], *, order: Sequence[int] | None = None, level: float = 0.95
) -> tuple[tuple[int, ...], ...]:
    """The largest sets of systems of which no two have p of at most 1 - level, from a square table of p-values.

    Every system is in one of them; two systems that were not told apart share at least one. They come in the order of
    their members in `order` (best first), as do their members.

    >>> compact_letters([[1, 0.3, 0.01], [0.3, 1, 0.2], [0.01, 0.2, 1]])
    ((0, 1), (1, 2))
    """
    count = len(p_values)
    if any(len(row) != count for row in p_values):
        raise InputError("p_values: as many rows as columns were expected", code="shape")
    checked_share("level", level)
    places = list(range(count)) if order is None else list(order)
    rank = {system: place for place, system in enumerate(places)}
    # p of exactly 0.05 rejects at level 0.95, whose complement is 0.05 only up to rounding.
    alpha = (1 - level) * (1 + 1e-9)
    alike = [{other for other in range(count) if other != one and p_values[one][other] > alpha} for one in range(count)]
    found = [tuple(sorted(group, key=rank.__getitem__)) for group in _cliques(alike, set(), set(range(count)), set())]
    return tuple(sorted(found, key=lambda group: [rank[system] for system in group]))


def letters_of(groups: Sequence[Sequence[int]], systems: int) -> tuple[str, ...]:
    """The letters of each system: 'a' for the first group, and so on; after 52 groups numbers in brackets."""
    made = [""] * systems
    for at, group in enumerate(groups):
        for system in group:
            made[system] += ascii_letters[at] if at < len(ascii_letters) else f"({at + 1})"
    return tuple(made)


def _cliques(alike: Sequence[set[int]], chosen: set[int], candidates: set[int], seen: set[int]) -> Iterator[set[int]]:
    """The largest sets of systems that are all alike (Bron and Kerbosch 1973, with a pivot)."""
    if not candidates and not seen:
        yield chosen
        return
    pivot = max(candidates | seen, key=lambda system: len(alike[system] & candidates))
    for system in sorted(candidates - alike[pivot]):
        yield from _cliques(alike, chosen | {system}, candidates & alike[system], seen & alike[system])
        candidates = candidates - {system}
        seen = seen | {system}
