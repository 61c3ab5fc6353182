"""What the lines of one run say of each query: one of its rows, all its results, or that its search failed.

Of results given twice nobody knows which list was shown, and a search that failed returned nothing: a query of which
two lines say such things is an error, not a longer ranking.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .json_walk import below

_SAID = {"row": "holds one of its rows", "results": "holds its results", "failed": "says that its search failed"}


class Answers:
    """The first line of each query and what that line is; how many searches failed by an error of their own.

    `array` says that the numbers count the objects of an array, not lines.
    """

    def __init__(self, *, array: bool = False) -> None:
        self.array = array
        self.by_error: dict[str, None] = {}
        self._first: dict[str, tuple[int, str]] = {}

    def conflict(self, query: str, line: int, kind: str) -> str | None:
        """Remember what one more line is ('row', 'results', 'failed'); what is wrong with it beside the first."""
        first, known = self._first.setdefault(query, (line, kind))
        if first == line or (kind == known and kind != "results"):
            return None
        if kind == known:
            return f"the results of this query stand twice: in {self._at(first)} and in {self._at(line)}"
        return f"{self._at(first)} {_SAID[known]}, {self._at(line)} {_SAID[kind]}"

    def _at(self, number: int) -> str:
        return below("$", number - 1) if self.array else f"line {number}"

    def note(self, failed: int) -> str:
        """The failed queries, counted."""
        said = f"{failed} failed quer{'ies' if failed > 1 else 'y'} recorded"
        return f"{said}, {len(self.by_error)} by an error that the run states" if self.by_error else said


def has_error(record: Mapping[str, Any], *, row: bool) -> bool:
    """Whether the object of a query says that its search failed: `error` is true, a text, an object or a list.

    A number is an error (500) only where the object is no `row`: there it may measure one.
    """
    error = record.get("error")
    if isinstance(error, int | float) and not isinstance(error, bool):
        return error != 0 and not row
    return bool(error)
