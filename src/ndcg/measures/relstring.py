"""trec_eval's relstring: the grades of the first ranks as text. Not a measure, since its value is not a number."""

from __future__ import annotations

from collections.abc import Sequence


def relstring(grades: Sequence[float | None], length: int = 10) -> str:
    """The first `length` grades of a ranking, one character each; None is a document without a judgment.

    A grade from 0 to 9 is its digit, a higher one `>`. `-` is a document outside the pool, `.` one with a
    negative grade (in the pool, but unjudged). trec_eval prints it per query only, between single quotes.

    >>> relstring([0, 2, None, -1, 12])
    '02-.>'
    """
    return "".join(map(_letter, grades[: max(length, 0)]))


def _letter(grade: float | None) -> str:
    if grade is None:
        return "-"
    if grade < 0:
        return "."
    return ">" if grade > 9 else str(int(grade))
