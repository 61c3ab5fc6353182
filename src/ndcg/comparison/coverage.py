"""How often an interval of a difference holds the truth with few queries: the measured shares that every note quotes.

The shares are those of 3,000 intervals of level 95 % for the mean difference of real TREC systems (five collections, AP
and nDCG@20, topics drawn with replacement). A test measures them anew, and the page on statistics shows this table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..compared import Pair, Settings
    from .leaderboard import Leaderboard

COVERAGE: Final[Mapping[int, Mapping[str, float]]] = {
    10: {"t": 0.938, "percentile": 0.870, "bca": 0.851},
    20: {"t": 0.944, "percentile": 0.910, "bca": 0.898},
    50: {"t": 0.948, "percentile": 0.932, "bca": 0.923},
    100: {"t": 0.948, "percentile": 0.936, "bca": 0.935},
}
"""The share of 95 % intervals that hold the true mean difference, by number of queries and by method."""

ENOUGH = max(COVERAGE)
"""From so many queries on, the methods hardly differ."""

FEW = 20
"""Below so many queries a bootstrap interval is warned of."""

NAMES = {"bca": "BCa", "percentile": "percentile"}


def coverage_note(method: str, units: int, what: str = "queries") -> str | None:
    """What share of a bootstrap's 95 % intervals holds the truth over so few queries; None where it hardly matters.

    `units` are the queries that are resampled, or the clusters of them; `what` is what they are called.

    >>> print(coverage_note("bca", 50))
    over 50 queries 95 % BCa intervals hold the true difference in 92.3 % of cases and t intervals in 94.8 %: \
interval='t' (--interval t)
    >>> coverage_note("t", 50), coverage_note("bca", 100), coverage_note("bca", 1)
    (None, None, None)
    """
    if method not in NAMES or not 2 <= units < ENOUGH:
        return None
    around = _around(units, sorted(COVERAGE))
    fewer = f" (here are {units:,})" if units < around[0] else ""
    return (
        f"over {max(units, around[0]):,} {what}{fewer} 95 % {NAMES[method]} intervals hold the true difference in "
        f"{_shares(method, around)} of cases and t intervals in {_shares('t', around)}: interval='t' (--interval t)"
    )


def _around(units: int, sizes: Sequence[int]) -> list[int]:
    """The measured sizes on both sides of a number of units, or the one that it is; the smallest for fewer."""
    if units in sizes or units < sizes[0]:
        return [max(units, sizes[0])]
    return [max(size for size in sizes if size < units), min(size for size in sizes if size > units)]


def _shares(method: str, sizes: Sequence[int]) -> str:
    """The share at one size, or the range between two."""
    told = dict.fromkeys(f"{100 * COVERAGE[size][method]:.1f}" for size in sizes)
    return f"{' to '.join(told)} %"


def units_of(pairs: Sequence[Pair], boards: Sequence[Leaderboard]) -> tuple[int, bool] | None:
    """The fewest queries (or clusters: True) that an interval of a comparison was made of; None where there is none."""
    found = [pair.interval for pair in pairs] + [one.interval for board in boards for one in board.standings]
    sizes = [
        (made.n, False) if made.clusters is None else (made.clusters, True)
        for made in found
        if made is not None and made.low is not None
    ]
    return min(sizes, default=None)


def coverage_of(pairs: Sequence[Pair], boards: Sequence[Leaderboard], settings: Settings) -> str | None:
    """What the intervals of a comparison are worth over so few queries, or None."""
    found = units_of(pairs, boards)
    return None if found is None else coverage_note(settings.interval, found[0], "clusters" if found[1] else "queries")


def few_queries(pairs: Sequence[Pair], boards: Sequence[Leaderboard], settings: Settings) -> list[str]:
    """The same as a warning, below `FEW` queries or clusters."""
    found, note = units_of(pairs, boards), coverage_of(pairs, boards, settings)
    return [note] if note is not None and found is not None and found[0] < FEW else []
