"""Reading a TREC file of either shape: what its bytes show decides the layout, then a Part that SQL can scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ..errors import Fault, InputError
from . import temporary
from .labels import Labels, labels_among
from .lines import Look, look
from .source import Part
from .trec_lines import Layout, Shape, all_tabs, data_lines, parse, plain, shaped, sound_line
from .trec_sql import careful, strict

_HEAD_BYTES = 1 << 16
_HEAD_LINES = 120


class Read(NamedTuple):
    """One TREC file as read: the part to scan, its layout in words, notes, and the run tag of its first line."""

    part: Part
    layout: str
    notes: tuple[str, ...]
    tag: str


def read_part(
    path: str,
    shape: Shape,
    *,
    name: str,
    comments: bool | None,
    several_tags: bool = False,
    labels: Labels | None = None,
) -> Read:
    """One TREC file. An empty file and an ambiguous '#' line are InputErrors."""
    seen = look(path)
    if seen.free is None:
        raise InputError(f"{name} is not text: it holds many control characters", code="not_text")
    skip = comments is not False
    if comments is None and seen.hashes:
        _refuse_ambiguous(path, shape, name)
    first = _head(path, skip)
    if not first:
        what = "holds only comments and blank lines" if seen.size else "is empty"
        raise InputError(f"{name} {what}", code="empty", hint=f"expected {shape.what} rows")
    layout = Layout(all_tabs(first, shape), skip, _first_tag(path, shape, skip, first), several_tags, labels)
    return _part(path, shape, layout, seen, first, name)


def _part(path: str, shape: Shape, layout: Layout, seen: Look, first: list[tuple[int, bytes]], name: str) -> Read:
    # DuckDB refuses a file that ends its lines in two ways: it gets a copy, messages keep the original.
    scanned = str(temporary.with_one_line_end(path)) if seen.mixed else path
    slow = careful(scanned, shape, layout, seen.free or "", seen.held)
    # The strict reading supposes that only its separator is blank.
    ragged = seen.has("\v", "\f") or (not layout.tabs and (seen.has("\t") or not plain(first, shape)))
    skipped = seen.hashes if layout.comments else 0
    fast = slow
    if not (ragged or skipped or layout.labels):
        fast = strict(scanned, shape, layout, seen.held)
    elif not (layout.tabs or any(line[:1].isspace() for _, line in first)):
        # A pattern that need not look for blanks before the query takes less time.
        fast = careful(scanned, shape, layout, seen.free or "", seen.held, indented=False)
    part = Part(
        name=name,
        select=fast[0],
        parameters=fast[1],
        careful=None if fast is slow else slow[0],
        careful_parameters=() if fast is slow else slow[1],
        faults=lambda limit: faults(path, shape, layout, name, limit),
        locate=lambda pairs, limit: locate(path, shape, layout, name, pairs, limit),
        path=path,
        labels=lambda limit: unlike_numbers(path, shape, layout, limit),
        plain=lambda: _plain(path, shape, layout),
    )
    words = "tab-separated" if layout.tabs else "separated by blanks"
    notes = (f"{skipped} comment line{'s' if skipped != 1 else ''} skipped",) if skipped else ()
    return Read(part, f"{len(shape.fields)} columns, {words}", notes, layout.tag)


def _head(path: str, skip: bool) -> list[tuple[int, bytes]]:
    taken: list[tuple[int, bytes]] = []
    size = 0
    for number, line in islice(data_lines(path, skip), _HEAD_LINES):
        taken.append((number, line))
        size += len(line)
        if size > _HEAD_BYTES:
            break
    return taken


def _first_tag(path: str, shape: Shape, skip: bool, first: list[tuple[int, bytes]]) -> str:
    """The tag of the first line that has the shape of data."""
    if not shape.tagged:
        return ""
    tabs = all_tabs(first, shape)
    for _, line in chain(first, islice(data_lines(path, skip), len(first), None)):
        if shaped(line, shape, exact=False):
            row = parse(line, shape, Layout(tabs, skip))
            if len(row.fields) == len(shape.fields):
                return row.fields[-1]
    return ""


def settled(path: str, shape: Shape, layout: Layout) -> Layout:
    """The layout after a look at every line: supposed tabs are confirmed or given up."""
    if layout.tabs and not all_tabs(data_lines(path, layout.comments), shape):
        return layout._replace(tabs=False)
    return layout


def rows(path: str, shape: Shape, layout: Layout) -> Iterator[tuple[int, bytes, tuple[str, ...], str | None]]:
    """Every data line in plain Python: (number, line, fields, problem)."""
    known = settled(path, shape, layout)
    for number, line in data_lines(path, layout.comments):
        row = parse(line, shape, known)
        yield number, line, row.fields, row.problem


def faults(path: str, shape: Shape, layout: Layout, name: str, limit: int) -> tuple[int, list[Fault]]:
    """The number of bad lines, and the first `limit` with their positions."""
    total = 0
    shown: list[Fault] = []
    known = settled(path, shape, layout)
    sound = sound_line(shape, known)
    for number, line in data_lines(path, known.comments):
        if sound(line) and line.isascii():
            continue  # the common case, several times faster than taking the line apart
        row = parse(line, shape, known)
        fields, problem = row.fields, row.problem
        if problem is None:
            continue
        total += 1
        if len(shown) < limit:
            whole = len(fields) == len(shape.fields) and "fields" not in problem
            query, document = (fields[0], fields[2]) if whole else (None, None)
            shown.append(Fault(problem, name, number, query, document, line.decode("utf-8", "backslashreplace")))
    return total, shown


def unlike_numbers(path: str, shape: Shape, layout: Layout, limit: int) -> list[str]:
    """The first distinct texts that stand in the place of grades and are no numbers; none where most are numbers."""
    if shape.tagged or layout.labels is not None:
        return []
    sound = (fields for _, _, fields, _ in rows(path, shape, layout) if len(fields) == len(shape.fields))
    return labels_among((fields[shape.number] for fields in sound), limit)


def _plain(path: str, shape: Shape, layout: Layout) -> int:
    """How many grades are numbers beside labels."""
    labels = layout.labels
    if labels is None or not labels.beside_numbers:
        return 0
    whole = (fields for _, _, fields, _ in rows(path, shape, layout) if len(fields) == len(shape.fields))
    return sum(labels.is_plain(fields[shape.number]) for fields in whole)


def locate(
    path: str, shape: Shape, layout: Layout, name: str, pairs: Sequence[tuple[str, str]], limit: int
) -> list[Fault]:
    """The lines of (query, document) pairs, at most `limit`."""
    wanted = set(pairs)
    found: list[Fault] = []
    for number, line, fields, _ in rows(path, shape, layout):
        if len(fields) > 2 and (fields[0], fields[2]) in wanted:
            value = f"{shape.fields[shape.number]} {fields[shape.number]}" if len(fields) > shape.number else "?"
            found.append(Fault(value, name, number, fields[0], fields[2], line.decode("utf-8", "backslashreplace")))
            if len(found) >= limit:
                break
    return found


def _refuse_ambiguous(path: str, shape: Shape, name: str) -> None:
    for number, line in data_lines(path, False):
        if line.startswith(b"#") and shaped(line, shape):
            problem = "the line starts with '#' like a comment but has the shape of data"
            raise InputError(
                problem,
                code="ambiguous_comment",
                faults=[Fault(problem, name, number, text=line.decode("utf-8", "backslashreplace"))],
                hint="pass comments=True (--comments) to skip it or comments=False (--no-comments) to read it",
            )
