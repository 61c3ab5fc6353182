"""Data in memory: dicts and frames."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from ndcg.errors import DataTypeError, InputError
from ndcg.readers import Mapped, Scanned, is_several_runs

from .conftest import JUDGMENTS, POOL, RUN, Refused, read, scan


def test_dicts_are_taken_as_they_are() -> None:
    rows = {"q": {"a": 1.0}}
    source = read(rows, RUN)
    assert isinstance(source, Mapped)
    assert source.rows is rows
    assert read({"q": ["a", "b"]}, RUN).ranked
    assert not read({"q": {}}, RUN).ranked
    assert isinstance(read({"q": {"a", "b"}}, POOL), Mapped)


@pytest.mark.parametrize(
    ("rows", "role"),
    [
        ({"q": 1.0}, RUN),
        ({"q": "a"}, RUN),
        ({"q": ["a"]}, JUDGMENTS),
        ({"q": {"a", "b"}}, RUN),
        ({"q": (x for x in "a")}, RUN),
    ],
)
def test_dicts_of_other_things(rows: Any, role: Any) -> None:
    with pytest.raises(DataTypeError, match="expected"):
        read(rows, role)


@pytest.mark.parametrize("rows", [{}, []])
def test_empty_containers(rows: Any) -> None:
    with pytest.raises(InputError, match=r"no queries|empty"):
        read(rows, RUN)


def test_several_runs() -> None:
    assert is_several_runs({"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}})
    assert is_several_runs({"a": "run.txt"})
    assert is_several_runs({"a": {"q": ["d"]}})
    assert not is_several_runs({"q": {"d": 1.0}})
    assert not is_several_runs({"q": ["d", "e"]})
    assert not is_several_runs({"q": {}})
    assert not is_several_runs({})
    assert not is_several_runs("run.txt")
    assert not is_several_runs(["a.txt", "b.txt"])


def test_a_dict_needs_no_engine() -> None:
    script = (
        "import sys; from ndcg.readers import read, Role, is_several_runs; read({'q': {'a': 1}}, Role.RUN); "
        "is_several_runs({'q': {'a': 1}}); "
        "assert not {'duckdb', 'pandas', 'polars', 'pyarrow', 'zstandard'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def frames(columns: dict[str, list[Any]]) -> list[Any]:
    """The same table in every library that is there."""
    made: list[Any] = []
    for library in ("pandas", "polars"):
        try:
            made.append(__import__(library).DataFrame(columns))
        except ImportError:
            continue
    try:
        import pyarrow

        made += [pyarrow.table(columns), pyarrow.table(columns).to_reader()]
    except ImportError:
        pass
    import duckdb

    if len(made) > 2:
        table = made[-2]
        made.append(duckdb.from_arrow(table))
        made.append(made[1].lazy())
    return made


GOOD: dict[str, list[Any]] = {"qid": ["q", "q", "007"], "docno": [3, 1, 2], "Score": [1.5, 2.0, -1.0]}


def test_every_frame_gives_the_same_rows() -> None:
    for frame in frames(GOOD):
        source = read(frame, RUN)
        assert isinstance(source, Scanned)
        assert scan(source) == [("q", "3", 1.5, None), ("q", "1", 2.0, None), ("007", "2", -1.0, None)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"docno": [1.0, 2.0, 3.0]}, "float|floating"),
        ({"docno": [True, False, True]}, "bool|true/false"),
        ({"docno": [b"a", b"b", b"c"]}, "bytes"),
        ({"Score": ["1", "2", "3"]}, "str|text"),
        ({"Score": [True, True, True]}, "bool|true/false"),
    ],
)
def test_types_that_are_never_taken(change: dict[str, list[Any]], message: str) -> None:
    for frame in frames(GOOD | change):
        with pytest.raises(DataTypeError, match=message):
            read(frame, RUN)


def test_missing_values_and_nan() -> None:
    for frame in frames(GOOD | {"Score": [1.0, float("nan"), 2.0]}):
        with pytest.raises(Refused, match=r"row 2: score is NaN|row 2: the score is missing"):
            scan(read(frame, RUN))
    for frame in frames(GOOD | {"qid": ["q", None, "r"]}):
        with pytest.raises((DataTypeError, Refused), match="row 2"):
            scan(read(frame, RUN))


def test_empty_frames_and_missing_columns() -> None:
    for frame in frames({"qid": ["q"], "Score": [1.0]}):
        with pytest.raises(InputError, match="no document column; the columns are 'qid', 'Score'"):
            read(frame, RUN)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="no rows"):
        read(pandas.DataFrame({"query": [], "doc": [], "score": []}), RUN)


def test_pandas_columns_are_checked_whole() -> None:
    pandas = pytest.importorskip("pandas")
    docs: list[object] = ["d"] * 5000
    late = pandas.DataFrame({"query": "q", "doc": pandas.Series([*docs, 7], dtype=object), "score": 1.0})
    assert scan(read(late, RUN))[-1] == ("q", "7", 1.0, None)
    bad = pandas.DataFrame({"query": "q", "doc": pandas.Series([*docs, 7.0], dtype=object), "score": 1.0})
    with pytest.raises(DataTypeError, match=r"row 5001: the document id 7\.0 is of type float"):
        read(bad, RUN)


def test_pandas_types_and_an_untouched_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(GOOD)
    before = frame.copy(deep=True)
    expected = scan(read(frame, RUN))
    pandas.testing.assert_frame_equal(frame, before)
    assert scan(read(frame.astype({"qid": "category", "docno": "category"}), RUN)) == expected
    assert scan(read(frame.convert_dtypes(), RUN)) == expected
    assert scan(read(frame.astype({"docno": "uint8", "Score": "float32"}), RUN)) == expected
    assert scan(read(frame.iloc[::-1], RUN)) == expected[::-1]
    assert scan(read(frame.assign(qid=pandas.Series(["NA", "nan", "null"])), RUN))[0][0] == "NA"


def test_a_relation_of_another_connection() -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE run AS SELECT 'q' AS query, 7 AS doc, 1.5 AS score")
        source = read(connection.table("run"), RUN)
    assert scan(source) == [("q", "7", 1.5, None)]


def test_polars_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert scan(read(polars.DataFrame(GOOD), RUN))[0] == ("q", "3", 1.5, None)


def test_format_must_fit() -> None:
    with pytest.raises(InputError, match="is in memory"):
        read({"q": {"a": 1}}, RUN, format="csv")
