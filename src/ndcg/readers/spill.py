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
"""query, document, number, rank (numbers as text, '' where there is none), line in the original."""


class Spill:
    """Rows written to a temporary file; the Part is made after, when it shows which numbers there are."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.path = new(".csv")
        self.count = 0
        self._file = self.path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Write one more row."""
        self._writer.writerow(row)
        self.count += 1

    def close(self) -> None:
        """No more rows come."""
        self._file.close()

    def part(self, where: str, word: str, *, number: bool, rank: bool) -> Part:
        """The Part that scans the rows; they are sound, the caller has checked them."""
        self.close()
        table = Table(
            str(self.path), ",", '"', False, 5, 0, 1, 2 if number else None, 3 if rank else None, word, ours=True
        )

        def locate(pairs: Sequence[tuple[str, str]], limit: int) -> list[Fault]:
            wanted = set(pairs)
            found: list[Fault] = []
            with self.path.open(encoding="utf-8", newline="") as file:
                for query, doc, value, place, line in csv.reader(file):
                    if (query, doc) in wanted:
                        found.append(Fault(f"{word} {value or place}", where, int(line), query, doc))
                        if len(found) >= limit:
                            break
            return found

        made = part(table, where)
        return replace(made, careful=None, careful_parameters=(), locate=locate, path=where)
