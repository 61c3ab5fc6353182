"""Compressed files: complete and intact, or an error."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ndcg.errors import InputError, NdcgError

from .conftest import JUDGMENTS, RUN, Refused, read, scan

Write = Callable[..., str]
LINES = [f"q{at % 7} Q0 d{at * 7919 % 10007} {at} {1000 - at / 3:.4f} t\n" for at in range(4000)]
TEXT = "".join(LINES).encode()
HALF = "".join(LINES[:2000]).encode()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def zstd_without_checksum_or_size(data: bytes) -> bytes:
    packer = zstandard.ZstdCompressor(write_checksum=False, write_content_size=False).compressobj()
    return packer.compress(data) + packer.flush()


MAKERS = {"gz": gzip.compress, "zst": zstd}


@pytest.mark.parametrize(
    "kind, name", [("gz", "run.trec"), ("zst", "run.trec"), ("gz", "run.txt.gz"), ("zst", "run.zst")]
)
def test_one_stream_or_several(kind: str, name: str, write: Write) -> None:
    pack = MAKERS[kind]
    expected = scan(read(write(TEXT, "plain"), RUN))
    assert scan(read(write(pack(TEXT), name), RUN)) == expected
    assert scan(read(write(pack(HALF) + pack(TEXT[len(HALF) :]), name), RUN)) == expected


def test_zstd_with_skippable_frames(write: Write) -> None:
    skippable = b"\x50\x2a\x4d\x18" + (300).to_bytes(4, "little") + b"x" * 300
    assert len(scan(read(write(skippable + zstd(TEXT) + skippable), RUN))) == len(LINES)


@pytest.mark.parametrize("pack", [gzip.compress, zstd, zstd_without_checksum_or_size])
def test_cut_at_sixty_places(pack: Callable[[bytes], bytes], write: Write) -> None:
    whole = pack(TEXT)
    for at in range(60):
        place = 1 + at * (len(whole) - 1) // 60
        with pytest.raises(InputError):
            read(write(whole[:place]), RUN)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_the_second_stream_cut(pack: Callable[[bytes], bytes], write: Write) -> None:
    first, second = pack(HALF), pack(TEXT[len(HALF) :])
    for at in range(1, 21):
        with pytest.raises(InputError):
            read(write(first + second[: at * (len(second) - 1) // 20]), RUN)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_flipped_bytes_never_change_a_row(pack: Callable[[bytes], bytes], write: Write) -> None:
    whole = bytearray(pack(TEXT))
    expected = scan(read(write(TEXT, "plain"), RUN))
    chance = random.Random(5)
    refused = 0
    for _ in range(60):
        place, bit = chance.randrange(len(whole)), 1 << chance.randrange(8)
        whole[place] ^= bit
        try:
            # Some header bytes (time, name, system) carry no data.
            assert scan(read(write(bytes(whole)), RUN)) == expected
        except (NdcgError, Refused):
            refused += 1
        whole[place] ^= bit
    assert refused > 50


def test_the_message_names_the_file(write: Write) -> None:
    path = write(gzip.compress(TEXT)[:-9], "cut.gz")
    with pytest.raises(InputError, match=r"cut\.gz: the gzip file is damaged or incomplete"):
        read(path, RUN)


@pytest.mark.parametrize(
    ("data", "name", "word"),
    [
        (bz2.compress(TEXT), "run", "bzip2"),
        (lzma.compress(TEXT), "run", "xz"),
        (b"\x04\x22\x4d\x18" + TEXT, "run.lz4", "lz4"),
        (b"PK\x03\x04abc", "run.zip", "zip"),
        (TEXT, "run.gz", "not compressed that way"),
    ],
)
def test_unknown_compressions_are_refused_by_name(data: bytes, name: str, word: str, write: Write) -> None:
    with pytest.raises(InputError, match=word):
        read(write(data, name), RUN)


def test_every_text_format(write: Write) -> None:
    texts = {
        "a.qrels": "q 0 a 1\n",
        "a.csv": "query,doc,grade\nq,a,1\n",
        "a.tsv": "query-id\tcorpus-id\tscore\nq\ta\t1\n",
        "a.json": '{"q": {"a": 1}}',
        "a.jsonl": '{"query": "q", "doc": "a", "grade": 1}\n{"query": "q", "doc": "b", "grade": 1}\n',
        "a.txt": "q\ta\t1\n",
    }
    for name, text in texts.items():
        for ending, pack in MAKERS.items():
            rows = scan(read(write(pack(text.encode()), f"{name}.{ending}"), JUDGMENTS))
            assert rows[0][:3] == ("q", "a", 1.0), name


def test_messages_number_lines_in_compressed_files(write: Write) -> None:
    with pytest.raises(Refused) as caught:
        scan(read(write(gzip.compress(TEXT + b"q Q0 a\n")), RUN))
    assert caught.value.faults[0].line == len(LINES) + 1


def test_a_folder_of_mixed_compression(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(HALF))
    (tmp_path / "b.zst").write_bytes(zstd(TEXT[len(HALF) :]))
    (tmp_path / ".hidden").write_bytes(b"no run")
    assert scan(read(tmp_path, RUN)) == scan(read([tmp_path / "a.gz", tmp_path / "b.zst"], RUN))
    assert len(scan(read(tmp_path, RUN))) == len(LINES)
