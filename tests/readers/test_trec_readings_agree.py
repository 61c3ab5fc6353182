"""The two SQL readings of TREC text against the plain-Python one, over hostile files."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ndcg.errors import InputError
from ndcg.readers.lines import look
from ndcg.readers.trec_lines import QRELS, RUN, Layout, Shape, all_tabs
from ndcg.readers.trec_sql import careful, strict
from ndcg.readers.trec_text import _first_tag, _head, faults, read_part, rows

from .conftest import scan_part

WORDS = st.sampled_from(
    [
        *("q", "q1", "Q0", "0", "7", "007", "d", "#", "#x", '"', "'", 'a"b', "é", "\u00a0", "a\u2028b", "NA", "null"),
        *("1e5", "nan", "\ufeff", "\x00", "\x0b", "\x0c", "\x1f", "\\", "a,b", "t", "tag", "inf", "-", "1_0", "+-1"),
        *("0x10", "1,5", "٣", "\U0001f600", "%", "*", "my"),
    ]
)
NUMBERS = st.sampled_from(
    [
        *("1", "2", "3.5", "-1", "+2", "1e3", "1e400", ".5", "5.", "inf", "-Infinity", "nan", "NaN", "1_0", "+-1"),
        *("0x1", "1,5", "high", "1e", "--1", "1.2.3", "٣", "1\x0b", "1d", "'1'", "1e-400", "0" * 50 + "1"),
        *("9007199254740993", "0.1"),
    ]
)
GOOD = st.sampled_from(["1", "2", "3.5", "-1", "0", "1e3"])
BLANKS = st.sampled_from([" "] * 12 + ["\t", "  ", " \t", "\t\t"])
ENDS = st.sampled_from(["\n"] * 12 + ["\r\n", "\r", "\n\n", "\r\r\n", " \n", "\t\n", " \r\n"])


@st.composite
def files(draw: Any, shape: Shape) -> bytes:
    """A TREC file with something wrong or odd in it, more often right than not."""
    mark = draw(st.sampled_from([" ", " ", "\t", "any", "ids with blanks"]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "any"]))
    tag = draw(st.sampled_from(["t", "t", "my tag", "a  b", "2 b", "é"]))
    text = draw(st.sampled_from(["", "", "", "\ufeff"]))
    for _ in range(draw(st.integers(1, 5))):
        cells = []
        for position in range(len(shape.fields)):
            if position in dict(shape.numeric):
                cells.append(draw(GOOD if draw(st.integers(0, 4)) else NUMBERS))
            elif shape.fields[position] == "tag":
                cells.append(tag if draw(st.integers(0, 5)) else draw(WORDS))
            else:
                words = draw(st.integers(1, 2)) if mark == "ids with blanks" else 1
                cells.append(" ".join(draw(WORDS) for _ in range(words)))
        odd = draw(st.integers(0, 9))
        if odd == 0 and len(cells) > 1:
            del cells[draw(st.integers(0, len(cells) - 1))]
        elif odd == 1:
            cells.insert(draw(st.integers(0, len(cells))), draw(WORDS))
        elif odd == 2:
            cells[draw(st.integers(0, len(cells) - 1))] = ""
        line = cells[0]
        for cell in cells[1:]:
            between = draw(BLANKS) if mark == "any" else "\t" if mark == "ids with blanks" else mark
            line += between + cell
        lead = draw(st.sampled_from([""] * 10 + [" ", "\t", "# ", "#"]))
        text += lead + line + (draw(ENDS) if end == "any" else end)
    data = text.encode("utf-8")
    cut = draw(st.integers(0, 15))
    if cut == 0:
        data = data.rstrip(b"\r\n")
    elif cut == 1:
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.sampled_from([b"\xe9", b"\xed\xa0\x80", b"\xff"])) + data[place:]
    return data


def defined(path: str, shape: Shape, layout: Layout) -> list[tuple[Any, ...]] | None:
    """Rows by the plain-Python reading, None if any line must not be scored."""
    found = []
    for _, _, fields, problem in rows(path, shape, layout):
        if problem is not None:
            return None
        rank = float(fields[3]) if shape.tagged else None
        found.append((fields[0], fields[2], float(fields[shape.number]), rank))
    return found


def read_by(part: Any, select: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]] | None:
    """Rows by one SQL reading, None where it hands over."""
    try:
        found = scan_part(part, select, parameters)
    except duckdb.Error:
        return None
    if any(row[4] is None for row in found):
        raise AssertionError("a fault must be true or false")
    return None if any(row[4] for row in found) else [row[:4] for row in found]


def agree(data: bytes, shape: Shape, comments: bool | None, several: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "file")
        Path(path).write_bytes(data)
        try:
            part = read_part(path, shape, name="file", comments=comments, several_tags=several).part
        except InputError as error:
            assert error.code in {"empty", "ambiguous_comment", "not_text", "damaged", "unknown_compression"}
            return
        skip = comments is not False
        first = _head(path, skip)
        layout = Layout(all_tabs(first, shape), skip, _first_tag(path, shape, skip, first), several)
        expected = defined(path, shape, layout)
        fast = read_by(part, part.select, part.parameters)
        if part.careful is None:
            assert fast == expected
        else:
            # The strict reading may hand over, but it never reads what the definition reads differently or refuses.
            assert fast is None or fast == expected
            assert read_by(part, part.careful, part.careful_parameters) == expected
        total, shown = faults(path, shape, layout, "file", 3)
        assert (total == 0) == (expected is not None)
        assert len(shown) == min(3, total)
        for _, _, number, rank in expected or ():
            assert not math.isnan(number)
            assert rank is None or math.isfinite(rank)


SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@SETTINGS
@given(data=files(RUN), comments=st.sampled_from([None, True, False]), several=st.booleans())
def test_runs(data: bytes, comments: bool | None, several: bool) -> None:
    agree(data, RUN, comments, several)


@SETTINGS
@given(data=files(QRELS), comments=st.sampled_from([None, True, False]))
def test_qrels(data: bytes, comments: bool | None) -> None:
    agree(data, QRELS, comments, False)


@SETTINGS
@given(data=st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    agree(data, RUN, None, False)
    agree(data, QRELS, None, False)


@pytest.mark.parametrize("shape", [RUN, QRELS], ids=lambda shape: shape.what)
def test_the_strict_reading_reads_plain_files_itself(shape: Shape, tmp_path: Path) -> None:
    cells = ["q", "0", "d", "1", "2.5", "t"][: len(shape.fields)]
    for mark, layout in ((" ", Layout(tag="t")), ("\t", Layout(tabs=True, tag="t"))):
        path = tmp_path / "file"
        path.write_text(mark.join(cells) + "\n")
        held = look(str(path)).held
        number = float(cells[shape.number])
        expected = [("q", "d", number, 1.0 if shape.tagged else None)]
        part = read_part(str(path), shape, name="file", comments=None).part
        assert part.careful is not None
        assert read_by(part, *strict(str(path), shape, layout, held)) == expected
        assert read_by(part, *careful(str(path), shape, layout, "\x1f", held)) == expected
