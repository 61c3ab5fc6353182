"""Files of public collections and frames of recommenders as they come: MS MARCO, OpenLiveQ, WANDS, Hugging Face."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError

from .conftest import JUDGMENTS, POOL, RUN, Refused, ids, read, scan

Write = Callable[..., str]


def test_msmarco_run_of_three_columns(write: Write) -> None:
    source = read(write("300674\t7067032\t1\n300674\t11\t2\n125705\t12\t1\n"), RUN)
    assert source.described.format == "ranked"
    assert scan(source)[1] == ("300674", "11", None, 2.0)


@pytest.mark.parametrize("first", [0, 1])
def test_msmarco_run_of_four_columns(first: int, write: Write) -> None:
    rows = [("7", "70", first, 20.5), ("7", "71", first + 1, 19.25), ("8", "70", first, 1.5)]
    source = read(write("".join("\t".join(map(str, row)) + "\n" for row in rows), "ranking.tsv"), RUN)
    assert source.described.format == "msmarco_run"
    assert scan(source) == [(query, doc, score, float(rank)) for query, doc, rank, score in rows]


def test_the_score_of_an_msmarco_run_decides(write: Write) -> None:
    path = write("q\ta\t1\t1.0\nq\tb\t2\t2.0\n")
    assert ndcg.evaluate({"q": {"a": 1}}, path).value == pytest.approx(0.6309297535714575)


@pytest.mark.parametrize("gap", ["\t", " "])
def test_msmarco_judgments(gap: str, write: Write) -> None:
    rows = [("300674", "0", "7067032", "1"), ("125705", "0", "D7067056", "1")]
    source = read(write("".join(gap.join(row) + "\n" for row in rows), "qrels.dev.small.tsv"), JUDGMENTS)
    assert ids(source) == [("300674", "7067032"), ("125705", "D7067056")]


def test_msmarco_judgments_are_no_run(write: Write) -> None:
    with pytest.raises(InputError, match="swapped"):
        read(write("300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n"), RUN)


def test_msmarco_candidates(write: Write) -> None:
    text = '188\t1028\tfood for "pets" 12"\tA passage, with 3.5 marks\n188\t1029\tfood\tAnother\tone\n'
    source = read(write(text.replace("Another\tone", "Another one"), "top1000.dev"), POOL)
    assert source.described.format == "msmarco_top"
    assert scan(source) == [("188", "1028", None, None), ("188", "1029", None, None)]
    with pytest.raises(Refused, match="line 101: expected 4 fields, found 5"):
        scan(read(write("188\t1028\ta\tb\n" * 100 + "188\t1028\ta\tb\tc\n"), POOL))


def test_bad_lines_of_a_four_column_run(write: Write) -> None:
    text = "".join(f"q\td{n}\t{n}\t{100 - n}\n" for n in range(1, 120)) + "q\tx\t120\n" + "q\ty\tz\t1\n" * 14
    with pytest.raises(Refused, match="line 120: expected 4 fields, found 3") as caught:
        scan(read(write(text), RUN))
    assert (caught.value.total, len(caught.value.faults)) == (15, 10)


def test_openliveq_run(data: Path) -> None:
    source = read(data / "31_judgments" / "openliveq_sample_run.tsv", RUN)
    assert source.described.format == "openliveq_run"
    assert "'This is a test'" in source.described.layout
    assert ids(source) == [(f"OLQ-000{q}", f"OLQ-000{q}-000{d}") for q, d in zip("111222", "213312", strict=True)]
    judged = {"OLQ-0001": {"OLQ-0001-0001": 1}, "OLQ-0002": {"OLQ-0002-0003": 1}}
    value = ndcg.evaluate(judged, data / "31_judgments" / "openliveq_sample_run.tsv").value
    assert value == pytest.approx((0.6309297535714575 + 1) / 2)


def test_openliveq_judgments_and_scores(data: Path) -> None:
    folder = data / "31_judgments"
    assert scan(read(folder / "openliveq_sample_relevances.tsv", JUDGMENTS))[1] == ("OLQ-9999", "1328077703", 4.0, None)
    with pytest.raises(InputError, match=r"could be a rank or a score.*format='scored'"):
        read(folder / "openliveq_sample_scores.tsv", RUN)
    scores = scan(read(folder / "openliveq_sample_scores.tsv", RUN, format="scored"))
    assert scores[1] == ("2", "0", 18.418385901496595, None)


def test_bad_lines_of_an_openliveq_run(write: Write) -> None:
    text = "my run\n" + "q\td\n" * 120 + "q\n" * 12 + "q\t\n"
    with pytest.raises(InputError, match=r"line 122: expected query and document") as caught:
        read(write(text), RUN)
    assert (caught.value.total, len(caught.value.faults)) == (13, 10)
    with pytest.raises(InputError, match="a first line and no rows"):
        read(write("my run\n"), RUN, format="openliveq_run")


def test_wands_queries_are_no_judgments(data: Path) -> None:
    with pytest.raises(InputError, match="no document column; the columns are 'query_id', 'query', 'query_class'"):
        read(data / "31_judgments" / "WANDS_query.csv", JUDGMENTS)


def test_hugging_face_layout(tmp_path: Path) -> None:
    import polars

    rows = {"query-id": [1, 1, 2], "corpus-id": ["d1", "d2", "d3"], "score": [1, 0, 2]}
    for kind in (polars.Int32, polars.Int64, polars.Float32):
        path = tmp_path / "test-00000-of-00001.parquet"
        polars.DataFrame(rows).with_columns(polars.col("score").cast(kind)).write_parquet(path)
        source = read(path, JUDGMENTS)
        assert source.described.layout == "query=query-id, doc=corpus-id, number=score"
        assert scan(source) == [("1", "d1", 1.0, None), ("1", "d2", 0.0, None), ("2", "d3", 2.0, None)]
        assert ndcg.evaluate(path, {"1": ["d2", "d1"], "2": ["d3"]}).value == pytest.approx(
            (0.6309297535714575 + 1) / 2
        )


@pytest.mark.parametrize(
    ("judged", "ranked"),
    [
        (("user_id", "item_id", "rating"), ("user_id", "item_id", "prediction")),
        (("userID", "itemID", "rating"), ("userID", "itemID", "prediction")),
        (("user", "item", "label"), ("user", "item", "score")),
        (("user_id", "item_id", "rating"), ("user_id", "item_id", "rank")),
    ],
)
def test_frames_of_recommenders(judged: Any, ranked: Any) -> None:
    import pandas

    truth = pandas.DataFrame([(1, 10, 5.0), (1, 11, 3.0), (2, 10, 4.0)], columns=list(judged))
    best = 1 if ranked[2] == "rank" else 9
    run = pandas.DataFrame([(1, 10, best), (1, 11, 5), (2, 12, best), (2, 10, 5)], columns=list(ranked))
    assert scan(read(run, RUN))[0][:2] == ("1", "10")
    assert ndcg.evaluate(truth, run).value == pytest.approx((1 + 0.6309297535714575) / 2)


def test_a_query_goes_before_a_user(write: Write) -> None:
    path = write("user_id,query_id,item,doc_id,score\nu1,q1,i1,d1,2\n")
    assert ids(read(path, RUN)) == [("q1", "d1")]
    line = '{"user_id": "u1", "item_id": "i1", "query_id": "q1", "doc_id": "d1", "prediction": 1, "score": 2}\n'
    assert scan(read(write(line * 1, "r.jsonl"), RUN)) == [("q1", "d1", 2.0, None)]


def test_ratings_and_predictions_in_one_frame(write: Write) -> None:
    path = write("user_id,item_id,rating,prediction\nu,a,5,0.1\nu,b,1,0.9\n")
    assert [row[2] for row in scan(read(path, JUDGMENTS))] == [5.0, 1.0]
    assert [row[2] for row in scan(read(path, RUN))] == [0.1, 0.9]
