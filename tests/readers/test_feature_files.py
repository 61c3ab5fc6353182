"""Feature files (SVMlight, LETOR, hello-ltr), group files, and the predictions that belong to their rows."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.errors import DataTypeError, InputError, UsageError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, ids, read, scan

Write = Callable[..., str]
LETOR = """\
2 qid:10 1:0.3 2:0.7 #docid = GX000-01 inc = 1 prob = 0.2
0 qid:10 1:0.1 2:0.0 # docid=GX000-02
1 qid:11 1:0.1 # P-12
3 qid:11 1:0.1 #P-13 with more words

0 qid:11\t1:0.1\t2:0\t#\tP-14\tboiler valve
"""
BARE = "2 qid:1 1:0.3\n0 qid:1 1:0.1\n1 qid:2 1:0.5\n"
UNGROUPED = "2 1:0.3 2:0.1\n0 1:0.1\n1 1:0.5\n"


def test_documents_of_comments_in_their_spellings(write: Write) -> None:
    source = read(write(LETOR), JUDGMENTS)
    assert scan(source) == [
        ("10", "GX000-01", 2.0, None),
        ("10", "GX000-02", 0.0, None),
        ("11", "P-12", 1.0, None),
        ("11", "P-13", 3.0, None),
        ("11", "P-14", 0.0, None),
    ]
    assert (source.described.format, source.described.layout) == ("svmlight", "document ids from the comments")


def test_without_comments_the_line_within_the_query_is_the_id(write: Write) -> None:
    source = read(write(BARE), JUDGMENTS)
    assert ids(source) == [("1", "line-1"), ("1", "line-2"), ("2", "line-1")]
    assert source.described.layout == "documents numbered by line within each query"


def test_a_feature_file_is_a_pool_but_no_run(write: Write) -> None:
    assert [row[2] for row in scan(read(write(BARE), POOL))] == [None] * 3
    with pytest.raises(InputError, match="it holds judgments, not a run; give the predictions"):
        read(write(BARE), RUN)
    with pytest.raises(UsageError, match="format='svmlight' cannot hold a run"):
        read(write(BARE), RUN, format="svmlight")


def test_a_query_that_comes_back_is_said(write: Write) -> None:
    source = read(write("1 qid:1 1:1\n0 qid:2 1:1\n2 qid:1 1:1\n"), JUDGMENTS)
    assert ids(source) == [("1", "line-1"), ("2", "line-1"), ("1", "line-2")]
    assert source.described.notes == ("1 query comes back after others",)


def test_headers_give_wording_and_weight(write: Write) -> None:
    text = (
        "# qid:1: boiler valve*5\n# qid:2: 2*3 socket*0.5\n# qid:3: no weight\n# qid:4: nothing judged*2\n# a note\n\n"
        "4\tqid:1\t # P-77\tboiler valve\n1\tqid:2\t # P-78\t2*3 socket\n0\tqid:3\t # P-79\tno weight\n"
    )
    source = read(write(text), JUDGMENTS)
    assert isinstance(source, Scanned)
    part = source.parts[0]
    assert part.weights == {"1": 5.0, "2": 0.5, "4": 2.0}
    assert part.texts == {"1": "boiler valve", "2": "2*3 socket", "3": "no weight", "4": "nothing judged"}
    assert part.bare == ("4",)
    assert ids(source) == [("1", "P-77"), ("2", "P-78"), ("3", "P-79")]


def test_a_query_of_headers_alone_is_named_without_judgments(write: Write) -> None:
    path = write("# qid:1: a*1\n# qid:2: b*1\n1 qid:1 # x\n")
    result = ndcg.evaluate(path, {"1": {"x": 1.0}, "2": {"y": 1.0}})
    assert [(row.query, row.status) for row in result.per_query] == [("1", "scored"), ("2", "empty")]


def test_many_headers_before_the_first_row(write: Write) -> None:
    headers = "".join(f"# qid:{n}: a query of some length, number {n}*1\n" for n in range(3000))
    source = read(write(headers + "2 qid:5 # x\n"), JUDGMENTS)
    assert scan(source) == [("5", "x", 2.0, None)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("two qid:1 1:0.3 # x", "grade 'two' is not a number"),
        ("nan qid:1 1:0.3 # x", "grade is NaN"),
        ("inf qid:1 1:0.3 # x", "grade is infinite"),
        ("1 1:0.3 # x", "no qid:, which other rows have"),
        ("1 1:0.3 qid:1 # x", "no qid:, which other rows have"),
        ("1 qid:1 1:0.3 qid:2 # x", "qid: does not stand right after the grade"),
        ("1 qid:1 1:0.3 nonsense # x", "expected a grade, qid:QUERY and features"),
        ("1 qid: 1:0.3 # x", "no qid:, which other rows have|expected a grade"),
        ("1 qid:1 1:0.3", "no document id in the comment, which other rows have"),
        ("1 qid:1 1:0.3 #  ", "no document id in the comment, which other rows have"),
        (b"1 qid:1 1:0.3 # \xe9", "byte 0xE9 at offset 16 of the line is not valid UTF-8"),
        ("# qid:9: words*-1", "the weight -1 of the query is negative"),
        ("1 qid:q#1 1:0.3 # x", "a '#' inside the query id or the grade"),
    ],
)
def test_a_bad_line_is_named(line: Any, problem: str, write: Write) -> None:
    raw = line if isinstance(line, bytes) else line.encode()
    with pytest.raises(InputError, match=problem) as caught:
        read(write(b"2 qid:1 1:0.5 # d\n\n" + raw + b"\n1 qid:1 1:1 # e\n"), JUDGMENTS)
    assert [fault.line for fault in caught.value.faults] == [3]


def test_all_bad_lines_are_counted(write: Write) -> None:
    with pytest.raises(InputError, match="23 bad lines") as caught:
        read(write(BARE + "x qid:1 1:0\n" * 23), JUDGMENTS)
    assert (caught.value.total, len(caught.value.faults)) == (23, 10)
    assert [fault.line for fault in caught.value.faults] == list(range(4, 14))


def test_two_wordings_or_weights_of_one_query(write: Write) -> None:
    with pytest.raises(InputError, match="a second weight, 3 after 2"):
        read(write("# qid:1: a*2\n# qid:1: a*3\n1 qid:1 # x\n"), JUDGMENTS)
    with pytest.raises(InputError, match="a second header with another wording"):
        read(write("# qid:1: a*2\n# qid:1: b*2\n1 qid:1 # x\n"), JUDGMENTS)


def test_a_group_file_beside(write: Write) -> None:
    path = write(UNGROUPED, "rank.test")
    with pytest.raises(InputError, match=r"name no query \(qid:\), and no group file lies beside it.*groups="):
        read(path, JUDGMENTS)
    group = write("2\n1\n", "rank.test.query")
    source = read(path, JUDGMENTS)
    assert ids(source) == [("1", "line-1"), ("1", "line-2"), ("2", "line-1")]
    assert f"queries numbered from 1 by the 2 sizes in {group}" in source.described.layout
    packed = write(gzip.compress(UNGROUPED.encode()), "rank.test.gz")
    assert ids(read(packed, JUDGMENTS)) == ids(source)


def test_a_group_file_by_name(write: Write) -> None:
    path = write(UNGROUPED)
    assert ids(read(path, JUDGMENTS, groups=write("1\n2\n", "g")))[-1] == ("2", "line-2")
    assert ids(read(path, JUDGMENTS, groups=write("u\nu\nv\n", "g"))) == [
        ("u", "line-1"),
        ("u", "line-2"),
        ("v", "line-1"),
    ]
    assert ids(read(path, JUDGMENTS, groups=write("7\n7\n9\n", "g")))[0] == ("7", "line-1")
    assert ndcg.evaluate(path, {"1": ["line-1"]}, groups=write("3\n", "g")).value == pytest.approx(
        3 / 3.6309297535714573
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2\n2\n", "the sizes of its 2 groups add up to 4, but .* has 3 rows"),
        ("1\n1\n1\n", "could be sizes or query ids, both fit the 3 rows"),
        ("3\n0\n", "a group of size 0"),
        ("2\nx\n", "expected the size of a group .x."),
        ("", "is empty"),
    ],
)
def test_a_group_file_that_does_not_fit(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(UNGROUPED), JUDGMENTS, groups=write(text, "g"))


def test_groups_of_a_file_with_queries(write: Write) -> None:
    with pytest.raises(UsageError, match=r"names its queries \(qid:\)"):
        read(write(BARE), JUDGMENTS, groups=write("2\n1\n", "g"))
    with pytest.raises(InputError, match=r"no such file: .*nowhere"):
        read(write(UNGROUPED), JUDGMENTS, groups="nowhere")
    with pytest.raises(DataTypeError, match="groups= is the path of a file"):
        read(write(UNGROUPED), JUDGMENTS, groups=[2, 1])
    with pytest.raises(InputError, match="a qid:, which the first row does not have"):
        read(write("1 1:1\n1 qid:1 1:1\n"), JUDGMENTS, groups=write("2\n", "g"))


def test_predictions_beside_their_rows(write: Write) -> None:
    features = write(LETOR)
    run = read(write("0.5\n0.7\n-1e3\n0.1\n2\n\n", "p.txt"), RUN, features=features)
    assert scan(run) == [
        ("10", "GX000-01", 0.5, None),
        ("10", "GX000-02", 0.7, None),
        ("11", "P-12", -1000.0, None),
        ("11", "P-13", 0.1, None),
        ("11", "P-14", 2.0, None),
    ]
    assert run.described.layout == f"a score for each row of {features}, line by line; document ids from the comments"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0.5\n0.7\n0.2\n", None),
        ("score\n0.5\n0.7\n0.2\n", None),
        ("row\tlambda\n0\t0.5\n1\t0.7\n2\t0.2\n", {"score": "lambda"}),
        ('a,prediction\nx,0.5\n"y,z",0.7\nx,0.2\n', None),
        ("1\t0\t0.5\n1\t1\t0.7\n2\t0\t0.2\n", None),
        ("  0.5\n0.7  \n0.2", None),
    ],
)
def test_predictions_in_their_spellings(text: str, columns: Any, write: Write) -> None:
    found = read(write(text, "p"), RUN, features=write(BARE), columns=columns)
    assert [row[2] for row in scan(found)] == [0.5, 0.7, 0.2]


def test_the_judgments_are_the_feature_file_if_nothing_else_is_named(write: Write) -> None:
    features, scores = write(BARE), write("0.5\n0.7\n0.2\n", "p.txt")
    told = ndcg.evaluate(features, scores, features=features)
    assert ndcg.evaluate(features, scores).value == told.value == pytest.approx((0.6309297535714575 + 1) / 2)
    assert ndcg.evaluate(features, write("1 Q0 line-1 1 1 t\n", "r.trec")).value == 0.5
    with pytest.raises(InputError, match=r"a column of numbers: predictions.*features= \(--features FILE\)"):
        ndcg.evaluate({"1": {"line-1": 1}}, scores)


def test_predictions_in_memory(write: Write) -> None:
    import numpy
    import pandas

    features = write(BARE)
    wanted = ndcg.evaluate(features, write("0.5\n0.7\n0.2\n", "p"), features=features).value
    values = [0.5, 0.7, 0.2]
    for given in (values, tuple(values), numpy.array(values), numpy.float32(values), pandas.Series(values)):
        assert ndcg.evaluate(features, given, features=features).value == wanted
    several = ndcg.evaluate(features, {"one": values, "two": numpy.array([2, 1, 0])}, features=features)
    assert [entry.run for entry in several.entries] == ["one", "two"]
    assert [entry.value for entry in several.entries] == [wanted, 1.0]
    with pytest.raises(DataTypeError, match=r"prediction 2 is '0.7', not a number"):
        ndcg.evaluate(features, numpy.array([0.5, "0.7", 1.0], dtype=object), features=features)
    with pytest.raises(InputError, match="score is NaN"):
        ndcg.evaluate(features, [0.5, float("nan"), 1], features=features)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.5\n0.7\n", "holds 2 predictions, but .* has 3 rows; .*was a row filtered?"),
        ("0.5\n0.7\n1\n2\n", "holds 4 predictions, but .* has 3 rows"),
        ("0.5\nhigh\n1\n", "line 2, query '1', document 'line-2': score 'high' is not a number"),
        ("0.5\n\n1\n", "line 2, .*the line is blank, so its row has no prediction"),
        ("nan\n0\n1\n", "line 1, .*score is NaN"),
        ("0.5\n0.7 3\n1\n", "expected one number, found 2 fields"),
        ("1 Q0 a 1 2.0 t\n", "expected one prediction per line, found 6 fields"),
        ("a\tb\n1\t2\n", "no score column; the columns are 'a', 'b'"),
        ("a\tscore\n1\t2\n3\n4\t5\n", "line 3, .*expected 2 fields, found 1"),
        (
            "1 0 0.5\n2 1 0.7\n2 0 1\n",
            "line 2, .*the prediction is for query '2', the row on line 2 belongs to another",
        ),
        ("1 0 0.5\n1 0 0.7\n2 0 1\n", "line 2, .*is for place 0 of its query, the row on line 2 has place 1"),
        ("", "is empty"),
    ],
)
def test_predictions_that_do_not_fit(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text, "p.txt"), RUN, features=write(BARE))


def test_predictions_of_a_faulty_feature_file(write: Write) -> None:
    with pytest.raises(InputError, match=r"file.txt, line 4: expected a grade"):
        read(write("1\n2\n3\n4\n", "p.txt"), RUN, features=write(BARE + "1 qid:1 nonsense\n"))
    with pytest.raises(InputError, match="no such file: nowhere"):
        read(write("1\n", "p.txt"), RUN, features="nowhere")


class TestRealFiles:
    """The numbers that LightGBM and XGBoost reported themselves, from their files by path."""

    @pytest.fixture
    def folder(self, data: Path) -> Path:
        return data / "30_ltr"

    def evaluated(self, folder: Path, model: str, measure: str) -> float:
        features = folder / "lightgbm_rank.test.gz"
        predictions = folder / "lightgbm_rank.test.predictions.tsv"
        columns = {"run": {"score": model}}
        value = ndcg.evaluate(features, predictions, measure, features=features, columns=columns).value
        assert value is not None
        return value

    @pytest.mark.parametrize("k", [1, 3, 5, 10])
    def test_lightgbm(self, k: int, folder: Path) -> None:
        said = json.loads((folder / "lightgbm_rank.test.vendor_metrics.json").read_text())["lightgbm"]["ndcg"]
        value = self.evaluated(folder, "lightgbm", f"nDCG(dialect='lightgbm')@{k}")
        assert value == pytest.approx(said[f"ndcg@{k}"], abs=1e-12)

    @pytest.mark.parametrize(
        ("name", "measure"),
        [
            ("ndcg@5", "nDCG(dialect='xgboost')@5"),
            ("ndcg@10", "nDCG(dialect='xgboost')@10"),
            ("ndcg@10-", "nDCG(dialect='xgboost_minus')@10"),
            ("ndcg", "nDCG(dialect='xgboost')@32"),
        ],
    )
    def test_xgboost(self, name: str, measure: str, folder: Path) -> None:
        said = json.loads((folder / "lightgbm_rank.test.vendor_metrics.json").read_text())["xgboost"]["metrics"]
        assert self.evaluated(folder, "xgboost", measure) == pytest.approx(said[name], abs=1e-9)

    def test_tie_policies(self, folder: Path) -> None:
        rules = {"input": "given", "optimistic": "best", "pessimistic": "worst", "average": "average"}
        said = json.loads((folder / "lightgbm_rank.test.tie_policies.json").read_text())
        for model in ("lightgbm", "xgboost"):
            for gain, ours in (("exp", "exp2"), ("linear", "linear")):
                for policy, ties in rules.items():
                    value = self.evaluated(folder, model, f"nDCG(gain={ours}, ties={ties}, empty=one)@10")
                    assert value == pytest.approx(said[f"{model}|{gain}|10|{policy}"], abs=1e-9)

    def test_the_whole_row_count(self, folder: Path, data: Path) -> None:
        assert len(scan(read(folder / "lightgbm_rank.test.gz", JUDGMENTS))) == 768
        for name, rows in (("test", 36), ("train", 119), ("valid", 36)):
            path = folder / f"ultra_toy_{name}.txt"
            if path.exists():
                assert len(scan(read(path, JUDGMENTS))) == rows
        assert len(scan(read(data / "31_judgments" / "openliveq_sample_l2r.txt", JUDGMENTS))) == 13

    def test_a_file_without_queries_is_refused(self, folder: Path) -> None:
        with pytest.raises(InputError, match="the rows name no query"):
            read(folder / "xgboost4j_rank.test.txt", JUDGMENTS)

    def test_group_files_that_belong_elsewhere(self, folder: Path) -> None:
        with pytest.raises(InputError, match=r"the sizes of its 201 groups add up to 3005, but .* has 768 rows"):
            read(folder / "lightgbm_rank.test.gz", JUDGMENTS, groups=folder / "lightgbm_rank.train.query")

    def test_hello_ltr(self, data: Path) -> None:
        source = read(data / "31_judgments" / "hello-ltr_title_judgments.txt", JUDGMENTS)
        assert isinstance(source, Scanned)
        assert len(scan(source)) == 1390
        assert scan(source)[0] == ("1", "7555", 4.0, None)
        assert source.parts[0].weights == {str(n): 1.0 for n in range(1, 41)}
        assert source.parts[0].texts["11"] == "social network"

    def test_ranklib_scores_of_other_rows(self, data: Path) -> None:
        folder = data / "31_judgments"
        with pytest.raises(InputError, match=r"predictions, but .* has 13 rows"):
            read(folder / "openliveq_sample_scores.tsv", RUN, features=folder / "openliveq_sample_l2r.txt")


def test_weights_of_headers_weigh_the_mean(write: Write) -> None:
    path = write("# qid:1: boiler valve*3\n# qid:2: pump*1\n1 qid:1 # a\n1 qid:2 # b\n")
    result = ndcg.evaluate(path, {"1": ["a"], "2": ["x"]}, weights=path)
    assert (result.value, result.weighted_value) == (0.5, 0.75)
    with pytest.raises(InputError, match="the weight -3 of the query is negative"):
        bad = write("# qid:1: boiler valve*-3\n1 qid:1 # a\n", "bad.txt")
        ndcg.evaluate({"1": {"a": 1}}, {"1": ["a"]}, weights=bad)


def test_a_pipe_is_no_feature_or_group_file(tmp_path: Path, write: Write) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for given in ({"features": pipe}, {"groups": pipe}, {"features": "-"}):
        with pytest.raises(InputError, match="is no file that can be read more than once; write what comes out"):
            read(write("0.5\n"), RUN, **given)


def test_files_beside_a_compressed_one_and_weights_that_nothing_reads(tmp_path: Path) -> None:
    path = tmp_path / "RANK.TEST.GZ"
    path.write_bytes(gzip.compress(b"1 1:0.5\n0 1:0.1\n1 1:0.2\n"))
    (tmp_path / "RANK.TEST.query").write_text("2\n1\n")
    assert not read(path, JUDGMENTS).described.unused
    (tmp_path / "RANK.TEST.weight").write_text("1\n1\n2\n")
    source = read(path, JUDGMENTS)
    assert ids(source) == [("1", "line-1"), ("1", "line-2"), ("2", "line-1")]
    assert source.described.unused == (f"the weights of rows in {tmp_path / 'RANK.TEST.weight'}",)
