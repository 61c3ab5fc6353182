"""Lines and looks over any cut into chunks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg.readers import lines, temporary

TEXT = st.lists(st.sampled_from([b"a", b"#", b" ", b"\t", b"\n", b"\r", b"\r\n", b'"', b"\xc3\xa9"]), max_size=14).map(
    b"".join
)
BOM = b"\xef\xbb\xbf"


def split(data: bytes) -> list[bytes]:
    pieces = re.split(rb"\r\n|\r|\n", data)
    return pieces if pieces[-1] else pieces[:-1]


@settings(max_examples=300, deadline=None)
@given(text=TEXT, size=st.integers(1, 5), bom=st.booleans())
def test_any_chunks_give_the_same_lines(text: bytes, size: int, bom: bool) -> None:
    data = (BOM if bom else b"") + text

    def pieces(path: str, asked: int = 0) -> Iterator[bytes]:
        # The first chunk of a file always holds its byte order mark whole.
        first = len(BOM) + size
        for start, end in [(0, first), *((at, at + size) for at in range(first, len(data), size))]:
            if data[start:end]:
                yield data[start:end]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "chunks", pieces)
        patch.setattr(lines, "reused", pieces)
        patch.setattr(temporary, "chunks", pieces)
        expected = split(text)
        assert list(lines.numbered("x")) == list(enumerate(expected, 1))
        with_ends = list(lines.numbered_with_ends("x"))
        assert [line for _, line, _ in with_ends] == expected
        ends = [end.encode() for _, _, end in with_ends]
        assert ends[:-1] == re.findall(rb"\r\n|\r|\n", text)[: len(ends) - 1]
        unified = b"".join(temporary._unified("x")).removeprefix(BOM)
        assert unified == re.sub(rb"\r\n|\r", b"\n", text)
        seen = lines.look("x")
        kinds = set(re.findall(rb"\r\n|\r|\n", text))
        assert seen.size == len(data)
        assert seen.mixed == (len(kinds) > 1)
        assert seen.hashes == sum(line.startswith(b"#") for line in expected)
        assert seen.has("\t") == (b"\t" in text)


def test_a_free_character() -> None:
    assert lines.Look(1, b"", False, 0).free == "\x1f"
    assert lines.Look(1, b"\x1f\x1e", False, 0).free == "\x1d"
    assert lines.Look(1, b"\x1f\x1e\x1d\x1c", False, 0).free is None
