"""Known faults of other tools, for feature files and predictions: the right value, or the right message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError

from .conftest import JUDGMENTS, RUN, ids, read, scan

Write = Callable[..., str]


def test_fractional_grades_are_kept(write: Write) -> None:
    path = write("0.5 qid:1 1:1 # a\n1.9 qid:1 1:1 # b\n")
    value = ndcg.evaluate(path, {"1": ["a", "b"]}, "nDCG(gain=linear)@5").value
    assert value == pytest.approx(0.7667765576362452)


@pytest.mark.parametrize("text", ["yes", "0x10", "1,9", "1_0", "nan", "1e999", "NA", "٣"])
def test_text_is_no_grade(text: str, write: Write) -> None:
    with pytest.raises(InputError, match=r"line 2.* grade"):
        read(write(f"1 qid:1 1:1 # a\n{text} qid:1 1:1 # b\n"), JUDGMENTS)


def test_exponents_are_grades(write: Write) -> None:
    assert scan(read(write("1e1 qid:1 # a\n+2. qid:1 # b\n"), JUDGMENTS))[0][2] == 10.0


def test_large_grades(write: Write) -> None:
    assert [row[2] for row in scan(read(write("72 qid:1 # a\n1000000 qid:1 # b\n"), JUDGMENTS))] == [72.0, 1e6]


def test_ids_are_text(write: Write) -> None:
    odd = ["007", "7", "1e5", "100000.0", "NA", "null", 'a"b', "d#1", "a\u00a0b", "x\u2028y", "é", "a'b", "P,1"]
    path = write("".join(f"1 qid:0{at % 2} 1:1 # {doc}\n" for at, doc in enumerate(odd)))
    assert [doc for _, doc in ids(read(path, JUDGMENTS))] == odd
    assert {query for query, _ in ids(read(path, JUDGMENTS))} == {"00", "01"}
    scores = write("".join(f"{at}\n" for at in range(len(odd))), "p")
    assert [doc for _, doc in ids(read(scores, RUN, features=path))] == odd


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks(end: str, last: bool, mark: str, write: Write) -> None:
    rows, scores = ["2 qid:1 1:1 # a", "0 qid:1 1:1 # b"], ["0.25", "0.75"]
    features = write(mark + end.join(rows) + (end if last else ""), "f")
    run = write(mark + end.join(scores) + (end if last else ""), "p")
    assert scan(read(features, JUDGMENTS)) == [("1", "a", 2.0, None), ("1", "b", 0.0, None)]
    assert scan(read(run, RUN, features=features)) == [("1", "a", 0.25, None), ("1", "b", 0.75, None)]


def test_compressed_files(write: Write) -> None:
    import gzip

    import zstandard

    features = write(gzip.compress(b"1 qid:1 # a\n0 qid:1 # b\n"), "f.gz")
    run = write(zstandard.ZstdCompressor().compress(b"1\n2\n"), "p.zst")
    assert [row[2] for row in scan(read(run, RUN, features=features))] == [1.0, 2.0]
    with pytest.raises(InputError, match="gzip file is damaged or incomplete"):
        read(write(gzip.compress(b"1 qid:1 # a\n" * 9)[:-9], "cut.gz"), JUDGMENTS)


def test_infinite_scores_rank_and_zeros_tie(write: Write) -> None:
    features = write("1 qid:1 # a\n2 qid:1 # b\n0 qid:1 # c\n3 qid:1 # d\n")
    run = write("-inf\ninf\n-0.0\n0.0\n", "p")
    explained = ndcg.explain(features, run, "1", "nDCG(ties=given)@4", features=features)
    assert [row.document for row in explained.rows] == ["b", "c", "d", "a"]


def test_the_same_document_twice_in_a_query(write: Write) -> None:
    conflict = write("1 qid:1 # a\n0 qid:1 # b\n2 qid:1 # a\n")
    with pytest.raises(InputError, match="two different grades") as caught:
        ndcg.evaluate(conflict, {"1": ["a"]})
    assert [fault.line for fault in caught.value.faults] == [1, 3]
    assert ndcg.evaluate(conflict, {"1": ["a"]}, merge="max").value == 1.0
    same = write("1 qid:1 # a\n0 qid:1 # b\n1 qid:1 # a\n")
    run: Any = write("1\n3\n2\n", "p")
    assert ndcg.evaluate(same, run, "nDCG@2", features=same).value == pytest.approx(0.6309297535714575)


def test_a_query_with_nothing_relevant(write: Write) -> None:
    features = write("0 qid:1 # a\n0 qid:1 # b\n1 qid:2 # a\n")
    run = write("1\n2\n3\n", "p")
    assert ndcg.evaluate(features, run, features=features).value == 1.0
    statuses = [row.status for row in ndcg.evaluate(features, run, features=features).per_query]
    assert statuses == ["empty", "scored"]
    assert ndcg.evaluate(features, run, features=features, empty="zero").value == 0.5
    assert ndcg.evaluate(features, run, "nDCG(dialect=lightgbm)@5", features=features).value == 1.0
    assert ndcg.evaluate(features, run, "nDCG(dialect=xgboost_minus)@5", features=features).value == 0.5


def test_parquet_is_no_column_of_predictions(write: Write) -> None:
    import polars

    path = write("", "p.parquet")
    polars.DataFrame({"score": [1.0, 2.0]}).write_parquet(path)
    with pytest.raises(InputError, match="is a Parquet file"):
        read(path, RUN, features=write("1 qid:1 # a\n0 qid:1 # b\n"))
