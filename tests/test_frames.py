"""Per-query rows as tables of each library: nulls where there is no value, ids as text."""

import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ndcg
from ndcg.results import QueryRow

NAMES = list(QueryRow._fields)


@pytest.fixture(scope="module")
def result():
    judged = {"007": {"A": 1, "B": 2}, "NA": {"X": 0}, "": {"A": 1}, "lost": {"A": 1}, "crashed": {"A": 1}}
    run = {"007": {"A": 2, "Z": 1}, "": {"Z": 1}, "NA": {"X": 1}, "other": {"A": 1}, "crashed": None}
    return ndcg.evaluate(judged, {"one": run, "two": run}, ["nDCG@10", "P@1"])


def rows_of(result):
    return [tuple(getattr(row, name) for name in NAMES) for row in result.per_query]


def test_pandas(result):
    frame = result.to_pandas()
    assert list(frame.columns) == NAMES
    assert [tuple(None if cell is pd.NA else cell for cell in row) for row in frame.itertuples(index=False)] == rows_of(
        result
    )
    assert frame["value"].isna().sum() == sum(row.value is None for row in result.per_query)
    assert str(frame["value"].dtype) == "Float64" and str(frame["judged"].dtype) == "Int64"
    assert frame["query"].tolist()[:2] == ["007", "NA"]


def test_polars(result):
    frame = result.to_polars()
    assert frame.columns == NAMES
    assert frame.rows() == rows_of(result)
    assert frame.schema["query"] == pl.String and frame.schema["value"] == pl.Float64
    assert frame.schema["judged"] == pl.Int64


def test_arrow(result):
    table = result.to_arrow()
    assert table.column_names == NAMES
    assert [tuple(row.values()) for row in table.to_pylist()] == rows_of(result)
    assert table.schema.field("query").type == pa.string()
    assert table.schema.field("value").type == pa.float64()


def test_measures_without_ingredients_have_nulls(result):
    assert result.to_polars().filter(pl.col("measure") == "P@1")["ideal_dcg"].null_count() == 12


def test_a_loaded_result_gives_the_same_tables(result):
    loaded = ndcg.load(result.to_json())
    assert loaded.to_polars().equals(result.to_polars())
    assert loaded.to_arrow().equals(result.to_arrow())
    pd.testing.assert_frame_equal(loaded.to_pandas(), result.to_pandas())


def test_only_unjudged_or_excluded_rows():
    result = ndcg.evaluate({"q": {"a": 0}}, {"q": {"a": 1}})
    assert result.to_polars()["value"].to_list() == [None]
    assert result.to_arrow()["value"].to_pylist() == [None]
    assert result.to_pandas()["value"].isna().all()


@pytest.mark.parametrize(
    ("library", "method", "extra"),
    [("pandas", "to_pandas", "pandas"), ("polars", "to_polars", "polars"), ("pyarrow", "to_arrow", "arrow")],
)
def test_a_missing_library_is_one_sentence(result, library, method, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        ImportError, match=rf'{method}\(\) needs {library}; install it with: pip install "ndcg'
    ) as error:
        getattr(result, method)()
    assert f"ndcg[{extra}]" in str(error.value)


@pytest.mark.parametrize(
    ("method", "others"),
    [
        ("to_pandas", ["polars", "pyarrow"]),
        ("to_polars", ["pandas", "pyarrow"]),
        ("to_arrow", ["pandas", "polars"]),
    ],
)
def test_each_library_works_alone(method, others):
    program = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] in {others!r}: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        "import ndcg\n"
        "result = ndcg.evaluate({'q': {'a': 1}, 'e': {'a': 0}}, {'q': ['a']})\n"
        f"print(len(result.{method}()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "2", done.stderr


@pytest.mark.parametrize("convert", ["to_polars", "to_arrow"])
def test_ids_beyond_utf8_are_said(convert):
    result = ndcg.evaluate({"q\ud800": {"a": 1}}, {"q\ud800": ["a"]})
    assert result.to_pandas()["query"].tolist() == ["q\ud800"]
    with pytest.raises(ndcg.InputError, match=r"query 'q.ud800' cannot be written as UTF-8"):
        getattr(result, convert)()


def test_an_entry_is_found_by_any_text_that_names_its_measure():
    result = ndcg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["nDCG(gain='linear')@10", "map", "P@5"])
    for text in ("nDCG(gain='linear')@10", "nDCG(gain=linear)@10", "ndcg_cut_10", ndcg.nDCG(k=10, gain="jarvelin")):
        assert result.entry(measure=text).measure == "nDCG(gain='linear')@10"
    assert result.entry(measure="map").measure == result.entry(measure="AP").measure == "AP"
    with pytest.raises(ndcg.UsageError, match="0 entries match measure='nothing'; there are"):
        result.entry(measure="nothing")
    with pytest.raises(ndcg.UsageError, match="3 entries match what was asked for; there are"):
        result.entry()
