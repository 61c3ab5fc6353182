"""Words that the sentences of findings share: counts with their nouns, shares, examples from ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import Fault
from .findings import SHOWN, Example


def some(count: int, noun: str, many: str | None = None) -> str:
    """A count with its noun.

    >>> some(1, "query", "queries"), some(1200, "row")
    ('1 query', '1,200 rows')
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def queries(count: int, of: int | None = None, kind: str = "judged") -> str:
    """So many queries, or so many of all.

    >>> queries(3, 50), queries(1, 1), queries(2, 2, "run's")
    ('3 of 50 judged queries', 'the only judged query', "all 2 run's queries")
    """
    if of is None:
        return some(count, "query", "queries")
    if count == of:
        return f"the only {kind} query" if of == 1 else f"all {of:,} {kind} queries"
    return f"{count:,} of {of:,} {kind} queries"


def percent(part: float, whole: float) -> str:
    """A share in percent, never 0 or 100 where it is not.

    >>> percent(1, 3), percent(1, 100000), percent(99999, 100000), percent(0, 5)
    ('33 %', 'less than 0.1 %', 'more than 99.9 %', '0 %')
    """
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "less than 0.1 %"
    if 99.9 < share < 100:
        return "more than 99.9 %"
    return f"{share:.0f} %" if share >= 10 or share == int(share) else f"{share:.1f} %"


def of_queries(ids: Iterable[str], what: str = "") -> tuple[Example, ...]:
    """Examples that are queries."""
    return tuple(Example(query, what=what) for query in list(ids)[:SHOWN])


def of_faults(faults: Sequence[Fault], limit: int = SHOWN) -> tuple[Example, ...]:
    """Examples from places in files."""
    return tuple(
        Example(fault.query, fault.document, fault.problem, fault.where, fault.line) for fault in faults[:limit]
    )


def numbers(values: Iterable[float], limit: int = 6) -> str:
    """A few numbers, and that there are more.

    >>> numbers([0.5, 1.0, 2.0], limit=2)
    '0.5, 1, ...'
    """
    listed = list(values)
    return ", ".join(f"{value:g}" for value in listed[:limit]) + (", ..." if len(listed) > limit else "")
