"""Group files: which rows of a feature file without query ids belong together, as LightGBM and XGBoost keep it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from ..counted import counted_noun
from ..errors import SHOWN, Fault, InputError, unreadable
from .lines import numbered

ENDINGS = (".query", ".group")
"""Endings that LightGBM and XGBoost look for beside a feature file."""

WEIGHTS = (".weight",)
"""The ending of LightGBM's file with a weight for each row, which training uses."""


class Groups(NamedTuple):
    """The query of each row: `sizes` of consecutive groups, whose queries are numbered from 1, or an id per row."""

    path: str
    sizes: tuple[int, ...] | None
    ids: tuple[str, ...]

    @property
    def words(self) -> str:
        """How the file was read, for people."""
        if self.sizes is None:
            return f"the queries of the rows are in {self.path}"
        return f"queries numbered from 1 by the {counted_noun(len(self.sizes), 'size')} in {self.path}"

    def queries(self) -> Iterator[str]:
        """The query id of each row."""
        if self.sizes is None:
            return iter(self.ids)
        return chain.from_iterable(repeat(str(number), size) for number, size in enumerate(self.sizes, 1))


def beside(path: str, endings: Sequence[str] = ENDINGS) -> str | None:
    """The group file that lies beside a feature file: `rank.test.query` beside `rank.test` or `rank.test.gz`."""
    stems = [path, *(path[: -len(ending)] for ending in (".gz", ".zst") if path.lower().endswith(ending))]
    return next((stem + ending for stem in stems for ending in endings if Path(stem + ending).is_file()), None)


def read_groups(path: str, rows: int, features: str) -> Groups:
    """A group file for a feature file of so many rows: sizes that add up to the rows, or one id per row.

    InputError where neither fits, where both do, or where a line is no size.
    """
    try:
        lines = [(number, line.decode("utf-8", "backslashreplace").strip(" \t")) for number, line in numbered(path)]
    except OSError as error:
        raise unreadable(error, path) from None
    lines = [(number, text) for number, text in lines if text]
    if not lines:
        raise InputError(f"{path} is empty", code="empty", hint="expected the size of a group on each line")
    whole = all(text.isascii() and text.isdigit() for _, text in lines)
    total = sum(int(text) for _, text in lines) if whole else -1
    if total == rows and len(lines) == rows and rows > 1:
        raise InputError(
            f"{path}: its lines could be sizes or query ids, both fit the {rows} rows of {features}",
            code="ambiguous_groups",
            hint="write the query into the feature file (qid:...)",
        )
    if total == rows:
        _refuse_nothing(path, lines)
        return Groups(path, tuple(int(text) for _, text in lines), ())
    if len(lines) == rows:
        return Groups(path, None, tuple(text for _, text in lines))
    if not whole:
        bad = [(number, text) for number, text in lines if not (text.isascii() and text.isdigit())]
        faults = [Fault("expected the size of a group", path, number, text=text) for number, text in bad[:SHOWN]]
        raise InputError(
            f"{path}: {counted_noun(len(bad), 'bad line')}", code="bad_lines", faults=faults, total=len(bad)
        )
    raise InputError(
        f"{path}: the sizes of its {counted_noun(len(lines), 'group')} add up to {total}, but {features} has "
        f"{rows} rows",
        code="group_sizes",
        hint="the sizes must add up to the rows, or there is one query id per row: was a row filtered?",
    )


def _refuse_nothing(path: str, lines: list[tuple[int, str]]) -> None:
    """A group without rows has no place among numbered queries."""
    empty = [number for number, text in lines if int(text) == 0]
    if empty:
        faults = [Fault("a group of size 0", path, number) for number in empty[:SHOWN]]
        raise InputError(
            f"{path}: {counted_noun(len(empty), 'group')} of size 0", code="bad_lines", faults=faults, total=len(empty)
        )
