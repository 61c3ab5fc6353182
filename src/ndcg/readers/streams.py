"""Bytes of a file, whatever its compression, in chunks; a compressed file is complete and intact or it is an error."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from ..errors import Fault, InputError

CHUNK = 1 << 20
SCANNED = 1 << 18
"""Bytes of a chunk that is only looked through: it stays in the processor's cache from one search to the next."""
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
BOM = b"\xef\xbb\xbf"

_REFUSED = {
    b"\x04\x22\x4d\x18": "lz4",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7-Zip",
}
_REFUSED_NAMES = {".lz4": "lz4", ".bz2": "bzip2", ".xz": "xz", ".zip": "zip", ".7z": "7-Zip", ".lzma": "lzma"}


def compression(path: str) -> str | None:
    """'gzip', 'zstd' or None, by the first bytes of the file; any other known compression is refused by name."""
    with Path(path).open("rb") as file:
        start = file.read(8)
    if start.startswith(GZIP):
        return "gzip"
    if start.startswith(ZSTD) or _is_skippable_frame(start):
        return "zstd"
    suffix = Path(path).suffix.lower()
    refused = next((name for magic, name in _REFUSED.items() if start.startswith(magic)), None)
    refused = refused or _REFUSED_NAMES.get(suffix)
    if refused:
        raise InputError(
            f"{path} is compressed with {refused}, which is not read",
            code="unknown_compression",
            hint="decompress it, or compress it with gzip or zstd",
        )
    if suffix in {".gz", ".zst"} and start:
        raise InputError(
            f"{path} is named {suffix} but is not compressed that way",
            code="unknown_compression",
            hint="rename or recompress it",
        )
    return None


def _is_skippable_frame(start: bytes) -> bool:
    return len(start) >= 4 and start[1:4] == b"\x2a\x4d\x18" and 0x50 <= start[0] <= 0x5F


def chunks(path: str, size: int = CHUNK) -> Iterator[bytes]:
    """The decompressed bytes of a file in order. A damaged or cut compressed file is an InputError.

    Gzip members and zstd frames may follow one another; checksums are verified where the format carries them.
    """
    kind = compression(path)
    if kind == "gzip":
        return _gzip(path, size)
    if kind == "zstd":
        return _zstd(path, size)
    return _plain(path, size)


def reused(path: str) -> Iterator[bytes | bytearray]:
    """The same bytes as `chunks`, but a chunk is overwritten by the next: for passes that keep nothing."""
    if compression(path):
        yield from chunks(path)
        return
    buffer = bytearray(SCANNED)
    with Path(path).open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            yield buffer if count == SCANNED else buffer[:count]


def head(path: str, size: int) -> tuple[bytes, bool]:
    """The first `size` decompressed bytes, and whether that is the whole file."""
    taken = bytearray()
    for chunk in chunks(path, 1 << 16):
        taken += chunk
        if len(taken) > size:
            return bytes(taken[:size]), False
    return bytes(taken), True


def _plain(path: str, size: int) -> Iterator[bytes]:
    with Path(path).open("rb", buffering=0) as file:
        while chunk := file.read(size):
            yield chunk


def _gzip(path: str, size: int) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    begun = False
    for raw in _plain(path, size):
        pending = raw
        while pending:
            if member.eof:
                if not pending.strip(b"\0"):
                    break  # zero padding after the last member, as gzip itself allows
                member, begun = zlib.decompressobj(wbits=31), False
            try:
                text = member.decompress(pending, size)
            except zlib.error as error:
                raise _damaged(path, "gzip", str(error)) from None
            begun = True
            pending = member.unused_data if member.eof else member.unconsumed_tail
            if text:
                yield text
    if begun and not member.eof:
        while text := _rest(member, path, size):
            yield text
        if not member.eof:
            raise _damaged(path, "gzip", "it ends in the middle")


def _rest(member: zlib._Decompress, path: str, size: int) -> bytes:
    try:
        return member.decompress(member.unconsumed_tail, size)
    except zlib.error as error:
        raise _damaged(path, "gzip", str(error)) from None


def _zstd(path: str, size: int) -> Iterator[bytes]:
    import zstandard

    def begin() -> zstandard.ZstdDecompressionObj:
        return zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()

    frame, pending_skip, begun = begin(), 0, False
    carried = b""
    for raw in _plain(path, size):
        pending = carried + raw
        carried = b""
        while pending:
            if pending_skip:
                step = min(pending_skip, len(pending))
                pending, pending_skip = pending[step:], pending_skip - step
                continue
            if not begun:
                if len(pending) < 8:
                    carried = pending  # a frame's first bytes may be split over two chunks
                    break
                if _is_skippable_frame(pending):
                    pending_skip = int.from_bytes(pending[4:8], "little")
                    pending = pending[8:]
                    continue
                begun = True
            try:
                text = frame.decompress(pending)
            except zstandard.ZstdError as error:
                raise _damaged(path, "zstd", str(error)) from None
            pending = b""
            if frame.eof:
                pending = frame.unused_data
                frame, begun = begin(), False
            for at in range(0, len(text), size):
                yield text[at : at + size]
    if begun or pending_skip or carried:
        raise _damaged(path, "zstd", "it ends in the middle")


def _damaged(path: str, kind: str, why: str) -> InputError:
    fault = Fault(f"the {kind} file is damaged or incomplete: {why}", where=path)
    return InputError(fault.problem, code="damaged", faults=[fault], hint="copy or download it again")
