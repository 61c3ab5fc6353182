"""Lines of a text file with their numbers, and what a scan of its bytes shows before anything is parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .streams import BOM, chunks

LONGEST = 4_000_000
"""The longest line that is read, in bytes: longer ones are no data, and would take buffers of their size."""


def numbered(path: str) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line without its end); lines end at \\n, \\r\\n or \\r. A byte order mark at offset 0 goes."""
    number = 0
    tail = b""
    first = True
    for chunk in chunks(path):
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
        for piece in pieces:
            number += 1
            yield number, piece
    tail = unify(tail.removeprefix(BOM) if first else tail)
    for piece in tail.removesuffix(b"\n").split(b"\n") if tail else []:
        number += 1
        yield number, piece


def unify(data: bytes) -> bytes:
    """The bytes with every line end as \\n."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


@dataclass(frozen=True, slots=True)
class Look:
    """What the bytes of a text file show, from one pass that also verifies a compressed file.

    `size` counts decompressed bytes; `mixed`: line ends of more than one kind, which DuckDB does not take; `quotes`:
    the file holds a quotation mark; `hashes`: lines that start with '#'; `free`: a control character that the file
    does not hold, so that it can stand for "no separator".
    """

    size: int
    mixed: bool
    quotes: bool
    hashes: int
    free: str


def look(path: str) -> Look:
    """Scan a file's bytes once, at memory speed. A damaged compressed file is an InputError."""
    free = bytearray(b"\x1f\x1e\x1d\x1c\x04\x03\x02\x01")
    size = returns = pairs = feeds = hashes = 0
    quotes = feeds_before = False
    before = b"\n"
    for chunk in chunks(path):
        data = chunk.removeprefix(BOM) if not size else chunk
        size += len(chunk)
        quotes = quotes or b'"' in data
        for code in bytes(free):
            if code in data:
                free.remove(code)
        if returns or b"\r" in data:
            # Counting costs more than finding, so it begins with the first carriage return.
            returns += data.count(b"\r")
            feeds += data.count(b"\n")
            pairs += data.count(b"\r\n") + (before == b"\r" and data.startswith(b"\n"))
        else:
            feeds_before = feeds_before or b"\n" in data
        if b"#" in data:
            hashes += data.count(b"\n#") + (data.count(b"\r#") if returns else 0)
            hashes += before in b"\r\n" and data.startswith(b"#")
        before = data[-1:] or before
    one_kind = not feeds or returns == pairs == feeds
    mixed = returns > 0 and (feeds_before or not one_kind)
    return Look(size, mixed, quotes, hashes, chr(free[0]) if free else "\0")
