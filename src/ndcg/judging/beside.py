"""What stands beside a grade, such as who gave it and why: kept through a merge where the new file has a place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from ..readers.columns import role_of
from ..readers.judges import has_judges, judge_rows
from ..readers.lines import numbered
from ..readers.source import Source
from .sheets import JUDGE, read_table, texts_of

Pair = tuple[str, str]
Cells = dict[Pair, dict[str, list[str]]]
"""{(query, document): {column: texts}}, each text once, in the order met."""


class Beside(NamedTuple):
    """What judgments hold beside their grades, and the columns of them that cannot be read."""

    cells: Cells
    lost: tuple[str, ...] = ()


def of_judgments(given: object, source: Source, columns: Mapping[str, str] | None) -> Beside:
    """Every other column of a CSV or TSV file, every other key of a file of JSON Lines with an object per judgment; of
    other inputs the judges, with the names of what is left behind."""
    if columns is None and source.described.format in FILES and isinstance(given, str | os.PathLike):
        found = FILES[source.described.format](os.fspath(given))
        if found is not None:
            return Beside(found)
    cells: Cells = {}
    if has_judges(source):
        for row in judge_rows(source):
            add(cells, (row.query, row.document), {JUDGE: row.judge})
    return Beside(cells, (*source.described.unused, *_of_frame(given, source)))


def _of_file(path: str) -> Cells | None:
    """The other columns of one file with a header; None where it is none."""
    if not Path(path).is_file():
        return None
    try:
        table = read_table(path)
    except InputError:
        return None
    if table.column("grade") is None:
        return None
    cells: Cells = {}
    for _, query, document, fields in table.rows:
        add(cells, (query, document), texts_of(table, fields))
    return cells


def _of_lines(path: str) -> Cells | None:
    """The other keys of one file of JSON Lines; None where an object is no judgment, or it is no file."""
    if not Path(path).is_file():
        return None
    cells: Cells = {}
    for _, line in numbered(path):
        if not line.strip():
            continue
        held = json.loads(line)
        keys = {role_of(key): key for key in reversed(held)}
        if not {"query", "doc", "grade"} <= keys.keys():
            return None
        used = {keys["query"], keys["doc"], keys["grade"]}
        texts = {
            JUDGE if role_of(key) == JUDGE else key: _text(value) for key, value in held.items() if key not in used
        }
        add(cells, (str(held[keys["query"]]), str(held[keys["doc"]])), texts)
    return cells


def _text(value: object) -> str:
    """A value of JSON as text; what is not there is none."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FILES: Mapping[str, Callable[[str], Cells | None]] = {"csv": _of_file, "tsv": _of_file, "jsonl": _of_lines}
"""Formats of files whose further columns are kept."""


def _of_frame(given: object, source: Source) -> list[str]:
    """The columns of a frame or table that were not read."""
    names: Iterable[object] | None = getattr(given, "columns", None)
    if isinstance(given, Mapping) or names is None or callable(names):
        return []
    listed = getattr(given, "column_names", names)
    used = {part.partition("=")[2] for part in source.described.layout.split(", ")}
    return [f"column {str(name)!r}" for name in listed if str(name) not in used]


def add(cells: Cells, pair: Pair, texts: Mapping[str, str]) -> None:
    """Put texts beside a pair, each once."""
    for column, text in texts.items():
        known = cells.setdefault(pair, {}).setdefault(column, [])
        if text and text not in known:
            known.append(text)


def joined(cells: Cells) -> dict[Pair, dict[str, str]]:
    """One text for each column: those of several judges after each other, `anna; ben`."""
    return {
        pair: {column: "; ".join(texts) for column, texts in columns.items() if texts}
        for pair, columns in cells.items()
    }


def columns_of(texts: Mapping[Pair, Mapping[str, str]]) -> tuple[str, ...]:
    """The columns that some pair has a text in, the judge first."""
    names = dict.fromkeys(column for columns in texts.values() for column in columns)
    return tuple(sorted(names, key=lambda name: name != JUDGE))
