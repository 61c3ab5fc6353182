"""Rows from Python in a temporary file that DuckDB scans: for formats that only Python takes apart."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import Fault
from .delimited import Table, part
from .source import Part
from .temporary import new

Row = tuple[str, str, str, str, int]
"""query, document, number, rank (numbers as text, '' where there is none), line in the original (0: it has none)."""

_BATCH = 20_000
"""Rows that are held before they are written."""


class Spill:
    """Rows written to a temporary file; the Part is made after, when it shows which numbers there are."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.path = new(".csv")
        self.count = 0
        self._held: list[tuple[object, ...]] = []
        for row in rows:
            self.add(row)

    def add(self, row: Row, judge: str = "", place: str = "") -> None:
        """Write one more row; `judge` gave the grade; `place` (a JSON path) is said where a message names the row."""
        self._held.append((*row, judge, place))
        self.count += 1
        if len(self._held) >= _BATCH:
            self.close()

    def close(self) -> None:
        """Write what is held. The file is never left open: a reader may stop anywhere."""
        with self.path.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(self._held)
        self._held.clear()

    def part(self, where: str, word: str, *, number: bool, rank: bool, judges: bool = False) -> Part:
        """The Part that scans the rows; they are sound, the caller has checked them. `judges`: each row has one."""
        self.close()
        places = (2 if number else None, 3 if rank else None)
        table = Table(str(self.path), ",", '"', False, 7, 0, 1, *places, word, ours=True, judge=5 if judges else None)

        def locate(pairs: Sequence[tuple[str, str]], limit: int) -> list[Fault]:
            wanted = set(pairs)
            found: list[Fault] = []
            with self.path.open(encoding="utf-8", newline="") as file:
                for query, doc, value, placed, line, judge, place in csv.reader(file):
                    if (query, doc) in wanted:
                        said = f"{place}: " if place else ""
                        said += f"{word} {value or placed}" + (f" by judge {judge!r}" if judges else "")
                        found.append(Fault(said, where, int(line) or None, query, doc))
                        if len(found) >= limit:
                            break
            return found

        made = part(table, where)
        return replace(made, careful=None, careful_parameters=(), locate=locate, path=where)
