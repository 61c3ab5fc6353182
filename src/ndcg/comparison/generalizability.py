"""Is the set of queries large enough to order systems? Generalizability theory: variance components, Erho2 and Phi."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from .all_pairs import residual_mean_square
from .numbers import Matrix, as_matrix, checked_count, checked_share, mean_of, plain, special

PURPOSE = "limits of a reliability coefficient"


@dataclass(frozen=True, slots=True)
class Components:
    """How much of the variance of per-query values is due to systems, to queries, and to both and chance together.

    An estimate below 0 counts as 0. Sources: Brennan 2001; Bodoff & Li 2007.
    """

    systems: float
    queries: float
    residual: float

    def erho2(self, queries: int) -> float | None:
        """The share of variance that is the systems', in comparisons on so many queries; None where all do not vary.

        >>> round(Components(0.6258, 0.8840, 2.7872).erho2(12), 3)
        0.729
        """
        return self._share(self.residual, queries)

    def phi(self, queries: int) -> float | None:
        """The same for values taken as they are, where the difficulty of the queries counts as error.

        >>> round(Components(0.6258, 0.8840, 2.7872).phi(12), 3)
        0.672
        """
        return self._share(self.queries + self.residual, queries)

    def queries_for_erho2(self, target: float) -> int | None:
        """The queries needed for an Erho2 of at least `target`; None where systems do not differ."""
        return self._needed(self.residual, target)

    def queries_for_phi(self, target: float) -> int | None:
        """The queries needed for a Phi of at least `target`; None where systems do not differ."""
        return self._needed(self.queries + self.residual, target)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))

    def _share(self, error: float, queries: int) -> float | None:
        checked_count("queries", queries)
        whole = self.systems + error / queries
        return self.systems / whole if whole > 0 else None

    def _needed(self, error: float, target: float) -> int | None:
        checked_share("target", target)
        if self.systems <= 0:
            return None
        return max(1, math.ceil(target * error / (self.systems * (1 - target)) * (1 - 1e-12)))


@dataclass(frozen=True, slots=True)
class Limits:
    """A coefficient with its limits at a level; None where there is none."""

    value: float | None
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class Reliability:
    """How well `queries` queries order systems like these.

    `erho2` is for the order of systems, `phi` for the values themselves, from 0 to 1. `observed_systems` and
    `observed_queries` are what the components were estimated from. `needed_for_erho2` and `needed_for_phi` are the
    queries that reach `target`. `mean_squares` are (systems, queries, residual). `reason` says what is doubtful.
    """

    erho2: Limits
    phi: Limits
    components: Components
    mean_squares: tuple[float, float, float]
    queries: int
    observed_systems: int
    observed_queries: int
    level: float
    target: float
    needed_for_erho2: int | None
    needed_for_phi: int | None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


def reliability(
    matrix: Matrix, *, queries: int | None = None, target: float = 0.95, level: float = 0.95
) -> Reliability:
    """Erho2 and Phi of a queries x systems matrix, for this number of queries or another. Needs SciPy for the limits.

    At least two systems and two queries are needed; limits from few systems are wide, and they say so.

    >>> found = reliability([[0.2, 0.4, 0.9], [0.1, 0.5, 0.8], [0.3, 0.2, 0.7]])
    >>> round(found.erho2.value, 3), round(found.phi.value, 3), found.needed_for_erho2
    (0.938, 0.938, 4)
    """
    found = as_matrix(matrix, columns=2)
    n, systems = found.shape
    if n < 2:
        raise InputError("reliability needs at least 2 queries, found 1", code="too_few")
    grand = math.fsum(found.ravel().tolist()) / found.size
    between = math.fsum((mean_of(column) - grand) ** 2 for column in found.T) * n / (systems - 1)
    difficulty = math.fsum((mean_of(row) - grand) ** 2 for row in found) * systems / (n - 1)
    return reliability_from_mean_squares(
        between,
        difficulty,
        residual_mean_square(found),
        observed_systems=systems,
        observed_queries=n,
        queries=queries,
        target=target,
        level=level,
    )


def reliability_from_mean_squares(
    systems: float,
    queries_mean_square: float,
    residual: float,
    *,
    observed_systems: int,
    observed_queries: int,
    queries: int | None = None,
    target: float = 0.95,
    level: float = 0.95,
) -> Reliability:
    """The same from the mean squares of a two-way analysis of variance. Needs SciPy.

    Limits of Erho2 are Feldt's (1965), those of Phi are of Arteaga, Jeyaratnam & Franklin (1982), as in the R package
    gt4ireval; a limit below 0 is 0.

    >>> found = reliability_from_mean_squares(
    ...     0.15074, 0.85296, 0.010152, observed_systems=30, observed_queries=50
    ... )
    >>> round(found.erho2.value, 5), found.needed_for_erho2
    (0.93265, 69)
    """
    checked_count("observed_systems", observed_systems, 2)
    checked_count("observed_queries", observed_queries, 2)
    checked_share("level", level)
    checked_share("target", target)
    asked = checked_count("queries", observed_queries if queries is None else queries)
    raw = (
        (systems - residual) / observed_queries,
        (queries_mean_square - residual) / observed_systems,
        residual,
    )
    components = Components(max(raw[0], 0.0), max(raw[1], 0.0), max(raw[2], 0.0))
    below = [name for name, part in zip(("systems", "queries"), raw, strict=False) if part < 0]
    squares = _Squares(systems, queries_mean_square, residual, observed_systems, observed_queries)
    erho2, phi = Limits(components.erho2(asked), None, None), Limits(components.phi(asked), None, None)
    if residual > 0:
        tail = (1 - level) / 2
        erho2 = Limits(erho2.value, squares.erho2(1 - tail, asked), squares.erho2(tail, asked))
        phi = Limits(phi.value, squares.phi(1 - tail, asked), squares.phi(tail, asked))
    return Reliability(
        erho2,
        phi,
        components,
        (systems, queries_mean_square, residual),
        asked,
        observed_systems,
        observed_queries,
        level,
        target,
        components.queries_for_erho2(target),
        components.queries_for_phi(target),
        f"the variance of {' and '.join(below)} was estimated below 0 and counts as 0" if below else None,
    )


@dataclass(frozen=True, slots=True)
class _Squares:
    """Mean squares of systems, queries and residual, and what they were taken from."""

    systems: float
    queries: float
    residual: float
    observed_systems: int
    observed_queries: int

    def erho2(self, share: float, asked: int) -> float:
        """The limit of Erho2 from the quantile of F at `share` (Feldt)."""
        freedom = self.observed_systems - 1
        quantile = _f_quantile(freedom, freedom * (self.observed_queries - 1), share)
        ratio = (self.systems / (self.residual * quantile) - 1) / self.observed_queries
        return _clipped(asked * ratio / (1 + asked * ratio)) if ratio > 0 else 0.0

    def phi(self, share: float, asked: int) -> float:
        """The limit of Phi from quantiles of F at `share` (Arteaga, Jeyaratnam & Franklin)."""
        freedom = self.observed_systems - 1
        endless = _f_quantile(freedom, None, share)
        residual = _f_quantile(freedom, freedom * (self.observed_queries - 1), share)
        queries = _f_quantile(freedom, self.observed_queries - 1, share)
        above = (
            self.systems**2
            - endless * self.systems * self.residual
            + (endless - residual) * residual * self.residual**2
        )
        below = freedom * endless * self.systems * self.residual + queries * self.systems * self.queries
        ratio = above / below if below > 0 else 0.0
        one = self.observed_systems * ratio / (self.observed_systems * ratio + self.observed_queries)
        return _clipped(asked * one / (1 + (asked - 1) * one)) if ratio > 0 else 0.0


def _f_quantile(upper: int, lower: int | None, share: float) -> float:
    """The quantile of an F distribution; `lower` None is endless degrees of freedom below."""
    functions = special(PURPOSE)
    if lower is None:
        return 2.0 * float(functions.gammaincinv(upper / 2, share)) / upper
    return float(functions.fdtri(upper, lower, share))


def _clipped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
