"""What a line of TREC text says, in plain Python: the definition that both SQL readings must equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from . import numbers
from .labels import Labels
from .lines import LONGEST, numbered

BLANKS = " \t"
_SPLIT = re.compile(r"[ \t]+")


class Shape(NamedTuple):
    """The columns of a TREC file: `numeric` are the positions and words of the numbers, `number` that of the value."""

    what: str
    fields: tuple[str, ...]
    numeric: tuple[tuple[int, str], ...]
    number: int
    finite: bool

    @property
    def tagged(self) -> bool:
        """Whether the last field is a run tag."""
        return self.fields[-1] == "tag"


RUN = Shape("run", ("query", "iteration", "doc", "rank", "score", "tag"), ((3, "rank"), (4, "score")), 4, False)
QRELS = Shape("judgments", ("query", "iteration", "doc", "grade"), ((3, "grade"),), 3, True)


class Layout(NamedTuple):
    """What holds for a whole file.

    `tabs`: every line has exactly one tab between two fields, so ids may hold blanks. `comments`: lines that start
    with '#' are skipped. `tag`: the first line's; `several`: other tags are fine. `labels` give the grades.
    """

    tabs: bool = False
    comments: bool = True
    tag: str = ""
    several: bool = False
    labels: Labels | None = None


class Row(NamedTuple):
    """One line taken apart; `problem` is None, or why it must not be scored."""

    fields: tuple[str, ...]
    problem: str | None = None


def data_lines(path: str, comments: bool) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that are neither blank nor comments; a comment that is not UTF-8 is a line to complain of."""
    for number, line in numbered(path):
        if line.strip(b" \t") and not (comments and line.startswith(b"#") and _decodes(line)):
            yield number, line


OTHER_TAG = "run tag"
"""How the problem of a line with another tag than the first line's begins."""


def _decodes(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def taken_apart(line: str, shape: Shape, tabs: bool) -> tuple[str, ...]:
    """The fields of a line; a run's text after the score is one field, whatever it holds."""
    inner = line.strip(BLANKS)
    if tabs:
        return tuple(field.strip(" ") for field in inner.split("\t"))
    return tuple(_SPLIT.split(inner, len(shape.fields) - 1 if shape.tagged else 0))


def parse(line: bytes, shape: Shape, layout: Layout) -> Row:
    """Take one data line apart and say what is wrong with it."""
    if len(line) > LONGEST:
        return Row((), f"the line is longer than {LONGEST} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return Row((), f"byte 0x{line[error.start]:02X} at offset {error.start} of the line is not valid UTF-8")
    fields = taken_apart(text, shape, layout.tabs)
    expected = len(shape.fields)
    if len(fields) != expected:
        return Row(fields, _count_problem(text, fields, shape, layout.tabs))
    if layout.tabs and not all(fields):
        return Row(fields, f"the {shape.fields[fields.index('')]} field is empty")
    if shape.tagged and not layout.tabs and " " in fields[-1].replace("\t", " "):
        problem = _wide_problem(fields, layout)
        if problem:
            return Row(fields, problem)
    for position, word in shape.numeric:
        finite = shape.finite or word == "rank"
        if layout.labels is not None and word == "grade":
            problem = layout.labels.problem(fields[position])
        else:
            problem = numbers.problem(fields[position], word, finite=finite)
        if problem:
            return Row(fields, problem)
    if shape.tagged and fields[-1] != layout.tag:
        wide = not layout.tabs and any(blank in layout.tag for blank in BLANKS)
        if wide or not layout.several:
            return Row(fields, f"{OTHER_TAG} {fields[-1]!r} differs from {layout.tag!r}, the first line's")
    return Row(fields)


def sound_line(shape: Shape, layout: Layout) -> Callable[[bytes], object]:
    """A quick test that only passes ASCII lines without any problem; the others are taken apart."""
    short = rb"[+-]?[0-9]{1,200}(?:\.[0-9]{0,200})?"
    fields = [rb"[^ \t]{1,100000}"] * len(shape.fields)
    for position, _ in shape.numeric:
        fields[position] = short
    if layout.labels is not None:
        fields[shape.number] = rb"(?!)"
    if shape.tagged:
        # A tag of several words, or one among several tags, is left to the slow way.
        fields[-1] = re.escape(layout.tag.encode()) if layout.tag and not _SPLIT.search(layout.tag) else rb"(?!)"
    return re.compile(rb"[ \t]".join(fields)).fullmatch


def _count_problem(text: str, fields: tuple[str, ...], shape: Shape, tabs: bool) -> str:
    expected = len(shape.fields)
    kind = "tab-separated fields" if tabs else "fields"
    problem = f"expected {expected} {kind} ({' '.join(shape.fields)}), found {len(fields)}"
    if len(fields) > expected:
        problem += "; an id cannot hold a blank unless the file is tab-separated"
    return problem


def _wide_problem(fields: tuple[str, ...], layout: Layout) -> str | None:
    """More than six fields are a run tag with blanks only where nothing speaks for an id with a blank."""
    found = 5 + len(_SPLIT.split(fields[-1]))
    blame = "an id cannot hold a blank unless the file is tab-separated (five tabs on every line)"
    rank = numbers.problem(fields[3], "rank", finite=True)
    if rank:
        return f"{rank}: expected 6 fields, found {found}; {blame}"
    if fields[-1] != layout.tag:
        return f"expected 6 fields, found {found}, and the text after the score differs between lines; {blame}"
    if starts_with_number(fields[-1]):
        return f"expected 6 fields, found {found}, and a number follows the score; {blame}"
    return None


def starts_with_number(tag: str) -> bool:
    """Whether a tag of several words starts with a number: then a score may hide in it, shifted by an id's blank."""
    words = _SPLIT.split(tag)
    return len(words) > 1 and numbers.is_number(words[0])


def shaped(line: bytes, shape: Shape, *, exact: bool = True) -> bool:
    """Whether a line has the shape of data: the right number of fields, and numbers where numbers stand."""
    text = line.decode("utf-8", "replace")
    for tabs in (True, False):
        fields = taken_apart(text, shape, tabs)
        right = len(fields) == len(shape.fields) and all(fields)
        if right and exact and not tabs and shape.tagged:
            right = not _SPLIT.search(fields[-1])
        if right and all(numbers.is_number(fields[position]) for position, _ in shape.numeric):
            return True
    return False


def all_tabs(lines: Iterator[tuple[int, bytes]] | list[tuple[int, bytes]], shape: Shape) -> bool:
    """Whether every line has exactly one tab between two fields, blanks and tabs at its ends apart."""
    wanted = len(shape.fields) - 1
    return all(line.strip(b" \t").count(b"\t") == wanted for _, line in lines)


def plain(lines: list[tuple[int, bytes]], shape: Shape) -> bool:
    """Whether single blanks separate exactly the expected fields on every line, and nothing else blank is there."""
    return all(
        line.count(b" ") == len(shape.fields) - 1 and b"\t" not in line and b"" not in line.split(b" ")
        for _, line in lines
    )
