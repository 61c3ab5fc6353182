"""Lines of a text file with their numbers, and what a scan of its bytes shows before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import ahead
from ..errors import InputError
from .streams import BOM, chunks, reused

LONGEST = 4_000_000
"""The longest line that is read, in bytes: longer ones are no data, and would take buffers of their size."""


_ENDLESS = 64 << 20
_PIECE = 1 << 16
"""Bytes taken apart at once: most callers look at the first lines only."""
_WITH_END = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)")


def numbered(path: str) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line without its end); lines end at \\n, \\r\\n or \\r. A leading byte order mark goes."""
    number = 0
    tail = b""
    first = True
    for chunk in chunks(path, _PIECE):
        data = tail + chunk
        if first:
            if len(data) < len(BOM):
                tail = data
                continue
            data, first = data.removeprefix(BOM), False
        # A \r at the end of a chunk may be half of \r\n: it waits.
        held = data.endswith(b"\r")
        body = data[:-1] if held else data
        pieces = unify(body).split(b"\n")
        tail = pieces.pop() + (b"\r" if held else b"")
        if len(tail) > _ENDLESS:
            raise InputError(f"{path}: line {number + 1} has no end in {_ENDLESS >> 20} MB", code="not_text")
        for piece in pieces:
            number += 1
            yield number, piece
    tail = unify(tail.removeprefix(BOM) if first else tail)
    for piece in tail.removesuffix(b"\n").split(b"\n") if tail else []:
        number += 1
        yield number, piece


def numbered_with_ends(path: str) -> Iterator[tuple[int, bytes, str]]:
    """(line number, line, its end as it stands: '\\n', '\\r\\n', '\\r' or '')."""
    number = 0
    tail = b""
    first = True
    for chunk in chunks(path):
        data = chunk.removeprefix(BOM) if first else tail + chunk
        first = False
        pieces = _WITH_END.findall(data)
        tail = data[sum(map(len, pieces)) :]
        if pieces and pieces[-1].endswith(b"\r") and not tail:
            tail = pieces.pop()  # half of \r\n, perhaps
        for piece in pieces:
            number += 1
            line = piece.rstrip(b"\r\n")
            yield number, line, piece[len(line) :].decode()
    for piece in _WITH_END.findall(tail + b"\n") if tail else []:
        number += 1
        line = piece.rstrip(b"\r\n")
        yield number, line, piece[len(line) :].decode()


def unify(data: bytes) -> bytes:
    """The bytes with every line end as \\n."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


_LOOKED_FOR = b'\t\v\f"_+#\r'
_UNUSUAL = b"\x1f\x1e\x1d\x1c"
"""Control characters that hardly any text holds; the first is looked for, the others only where a file holds it."""


class Look(NamedTuple):
    """What the bytes of a text file show, from one pass that also verifies a compressed file.

    `size` counts decompressed bytes; `held` are those of a few telling bytes that the file holds; `mixed`: line ends
    of more than one kind, which DuckDB does not take; `hashes`: lines that start with '#'.
    """

    size: int
    held: bytes
    mixed: bool
    hashes: int

    def has(self, *characters: str) -> bool:
        """Whether the file holds one of these characters (of the few that were looked for)."""
        return any(ord(character) in self.held for character in characters)

    @property
    def free(self) -> str | None:
        """A control character that the file does not hold: it can stand for "no separator"."""
        return next((chr(code) for code in _UNUSUAL if code not in self.held), None)


def look(path: str) -> Look:
    """Scan a file's bytes once, at memory speed. A damaged compressed file is an InputError."""
    begun = ahead.taken(path)
    return Look(*begun) if begun is not None else _look(path)


def look_ahead(paths: Iterable[str]) -> None:
    """Begin to look at large files in processes of their own, where this process may have some (`process.OURS`)."""
    ahead.begin(paths, _look)


def _look(path: str) -> Look:
    missing = bytearray(_LOOKED_FOR + _UNUSUAL[:1])
    size = returns = pairs = feeds = hashes = 0
    feeds_before = False
    before = b"\n"
    for chunk in reused(path):
        data = chunk[len(BOM) :] if not size and chunk.startswith(BOM) else chunk
        size += len(chunk)
        for code in bytes(missing):
            if code in data:
                missing.remove(code)
        if 13 not in missing:
            # Counting costs more than finding, so it begins with the first carriage return.
            returns += data.count(b"\r")
            feeds += data.count(b"\n")
            pairs += data.count(b"\r\n") + (before == b"\r" and data.startswith(b"\n"))
        else:
            feeds_before = feeds_before or b"\n" in data
        if 35 not in missing:
            hashes += data.count(b"\n#") + (data.count(b"\r#") if returns else 0)
            hashes += before in b"\r\n" and data.startswith(b"#")
        before = bytes(data[-1:]) or before
    one_kind = not feeds or returns == pairs == feeds
    mixed = returns > 0 and (feeds_before or not one_kind)
    held = bytes(code for code in _LOOKED_FOR + _UNUSUAL[:1] if code not in missing)
    if _UNUSUAL[0] in held:
        held += bytes(code for code in _UNUSUAL[1:] if any(code in chunk for chunk in reused(path)))
    return Look(size, held, mixed, hashes)
