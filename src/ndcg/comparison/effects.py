"""How large a difference is: standardised, and as wins and losses."""

from __future__ import annotations

import math

import numpy as np

from .numbers import Numbers, as_values, checked_width, mean_of, needed, spread_of
from .outcomes import Effect


def effect_size(differences: Numbers, *, tie_width: float = 0.0) -> Effect:
    """Mean, standard deviation, dz = mean / sd, Hedges' g and wins, ties and losses of per-query differences.

    Hedges' g is dz times the exact correction of its bias, gamma(f / 2) / (sqrt(f / 2) gamma((f - 1) / 2)) with
    f = n - 1, so it needs three differences. Differences of at most `tie_width` in size are ties. Sources: Cohen 1988;
    Hedges 1981.

    >>> found = effect_size([0.1, 0.3, 0.0, -0.1])
    >>> round(found.dz, 4), (found.wins, found.ties, found.losses), found.probability_of_superiority
    (0.4392, (2, 1, 1), 0.625)
    """
    checked_width(tie_width)
    found = as_values(differences, "differences")
    needed(found, "differences")
    n, mean, spread = len(found), mean_of(found), spread_of(found)
    dz = mean / spread if spread > 0 else None
    wins = int(np.count_nonzero(found > tie_width))
    losses = int(np.count_nonzero(found < -tie_width))
    return Effect(
        n,
        mean,
        spread,
        dz,
        dz * small_sample_correction(n - 1) if dz is not None and n > 2 else None,
        wins,
        n - wins - losses,
        losses,
        float(tie_width),
        (wins + (n - wins - losses) / 2) / n,
    )


def small_sample_correction(freedom: int) -> float:
    """Hedges' factor for a standardised difference with so many degrees of freedom (at least 2)."""
    return math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)) / math.sqrt(freedom / 2)
