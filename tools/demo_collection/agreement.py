"""How far the two readings agree."""

from dataclasses import dataclass

from .judged import first_readings, second_readings

HIGHEST = 3


@dataclass(frozen=True)
class Agreement:
    """The share of equal grades, and kappa with squared weights."""

    pairs: int
    equal: int
    kappa: float


def agreement() -> Agreement:
    """Agreement over the pairs that were read twice."""
    firsts = {(each.query, each.doc): each.grade for each in first_readings()}
    pairs = [(firsts[each.query, each.doc], each.grade) for each in second_readings()]
    return Agreement(len(pairs), sum(a == b for a, b in pairs), weighted_kappa(pairs))


def weighted_kappa(pairs: list[tuple[int, int]]) -> float:
    """One less the ratio of the observed squared difference to the one expected by chance."""
    count = len(pairs)
    observed = sum((a - b) ** 2 for a, b in pairs) / count
    expected = sum((a - b) ** 2 for a, _ in pairs for _, b in pairs) / count**2
    return 1 - observed / expected
