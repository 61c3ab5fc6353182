"""Parquet files."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from ndcg.errors import InputError

from .conftest import JUDGMENTS, RUN, Refused, read, scan

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., str]:
    def make(**columns: Any) -> str:
        path = tmp_path / "data.parquet"
        pq.write_table(pa.table(columns), path)
        return str(path)

    return make


def test_text_and_integer_ids(table: Callable[..., str]) -> None:
    source = read(table(query_id=["q", "007"], doc_id=[7, -8], score=[1.5, float("-inf")]), RUN)
    assert scan(source) == [("q", "7", 1.5, None), ("007", "-8", float("-inf"), None)]
    assert source.described.format == "parquet"


def test_found_by_content(tmp_path: Path, table: Callable[..., str]) -> None:
    path = Path(table(query=["q"], doc=["a"], grade=[1])).rename(tmp_path / "no_name")
    assert scan(read(path, JUDGMENTS)) == [("q", "a", 1.0, None)]


def test_a_name_with_wildcards(tmp_path: Path, table: Callable[..., str]) -> None:
    path = Path(table(query=["q"], doc=["a"], grade=[1])).rename(tmp_path / "a[1]*?.parquet")
    assert len(scan(read(path, JUDGMENTS))) == 1


def test_text_numbers_follow_the_grammar(table: Callable[..., str]) -> None:
    assert scan(read(table(query=["q"], doc=["a"], score=["1e1"]), RUN))[0][2] == 10.0
    with pytest.raises(Refused, match="score '1_0' is not a number"):
        scan(read(table(query=["q"], doc=["a"], score=["1_0"]), RUN))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": [1.5], "doc": ["a"], "score": [1]}, "floating-point numbers, not text"),
        ({"query": ["q"], "doc": [True], "score": [1]}, "true/false values, not text"),
        ({"query": ["q"], "doc": [b"a"], "score": [1]}, "bytes, not text"),
        ({"query": ["q"], "doc": ["a"], "score": [True]}, "true/false values, not numbers"),
        ({"query": ["q"], "doc": ["a"]}, "no score or rank column; the columns are 'query', 'doc'"),
    ],
)
def test_refused_types(columns: dict[str, Any], message: str, table: Callable[..., str]) -> None:
    with pytest.raises(InputError, match=message):
        read(table(**columns), RUN)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": ["q", None], "doc": ["a", "b"], "score": [1, 2]}, "row 2: the query id is missing"),
        ({"query": ["q", "q"], "doc": ["a", ""], "score": [1, 2]}, "row 2: the document id is missing"),
        ({"query": ["q", "q"], "doc": ["a", "b"], "score": [1, None]}, "row 2: the score is missing"),
        ({"query": ["q", "q"], "doc": ["a", "b"], "score": [1, float("nan")]}, "row 2: score is NaN"),
    ],
)
def test_bad_rows(columns: dict[str, Any], message: str, table: Callable[..., str]) -> None:
    with pytest.raises(Refused, match=message):
        scan(read(table(**columns), RUN))


def test_a_cut_file_and_an_empty_table(table: Callable[..., str]) -> None:
    path = Path(table(query=["q"], doc=["a"], score=[1]))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="not readable as Parquet"):
        read(path, RUN)
    with pytest.raises(InputError, match="no rows"):
        read(
            table(query=pa.array([], pa.string()), doc=pa.array([], pa.string()), score=pa.array([], pa.float64())), RUN
        )


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files_are_unpacked(ending: str, tmp_path: Path) -> None:
    plain = tmp_path / "q.parquet"
    frame = pa.table({"query": ["q", "q"], "doc": ["a", "b"], "grade": ["1", "x"]})
    pq.write_table(frame, plain)
    packed = tmp_path / f"q.parquet{ending}"
    pack = gzip.compress if ending == ".gz" else zstandard.ZstdCompressor().compress
    packed.write_bytes(pack(plain.read_bytes()))
    source = read(packed, JUDGMENTS)
    assert source.described.format == "parquet"
    with pytest.raises(Refused, match=rf"q\.parquet{ending}, query 'q', document 'b': row 2: grade 'x'"):
        scan(source)
    assert len(scan(read(packed, JUDGMENTS, labels={"1": 1, "x": 0}))) == 2
