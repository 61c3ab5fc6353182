"""Labels become grades by a declared table, in every format, and are never guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import ndcg
from ndcg.errors import DataTypeError, InputError, UsageError
from ndcg.readers.labels import PRESETS, as_labels, found_hint, is_label

from .conftest import JUDGMENTS, Refused, read, scan

Write = Callable[..., str]
ROWS = [("q1", "a", "Exact"), ("q1", "b", "Partial"), ("q2", "c", "Irrelevant")]
GRADED = [("q1", "a", 2.0), ("q1", "b", 1.0), ("q2", "c", 0.0)]
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 1.0}}


def shapes(write: Write) -> dict[str, Any]:
    """The same labelled judgments in every shape."""
    import pandas
    import polars
    import pyarrow

    columns = {"query_id": [r[0] for r in ROWS], "product_id": [r[1] for r in ROWS], "label": [r[2] for r in ROWS]}
    nested: dict[str, dict[str, str]] = {}
    for query, doc, label in ROWS:
        nested.setdefault(query, {})[doc] = label
    frame = pandas.DataFrame(columns)
    lines = [dict(zip(("query", "doc", "label"), row, strict=True)) for row in ROWS]
    parquet = write("", "labels.parquet")
    polars.DataFrame(columns).write_parquet(parquet)
    return {
        "csv": write("query_id,product_id,label\n" + "".join(",".join(row) + "\n" for row in ROWS), "l.csv"),
        "tabs in a .csv": write(
            "id\tquery_id\tproduct_id\tlabel\n"
            + "".join(f"{at}\t" + "\t".join(row) + "\n" for at, row in enumerate(ROWS)),
            "label.csv",
        ),
        "headerless": write("".join("\t".join(row) + "\n" for row in ROWS), "l.tsv"),
        "trec": write("".join(f"{q} 0 {d} {g}\n" for q, d, g in ROWS), "l.qrels"),
        "trec with tabs": write("".join(f"{q}\t0\t{d}\t{g}\n" for q, d, g in ROWS), "t.qrels"),
        "json": write(json.dumps(nested), "l.json"),
        "jsonl": write("".join(json.dumps(line) + "\n" for line in lines), "l.jsonl"),
        "svmlight": write("".join(f"{g} qid:{q} 1:0.5 # {d}\n" for q, d, g in ROWS), "l.svm"),
        "parquet": parquet,
        "mapping": nested,
        "pandas": frame,
        "pandas category": frame.astype({"label": "category"}),
        "polars": polars.DataFrame(columns),
        "arrow": pyarrow.table(columns),
    }


NAMES = ["csv", "tabs in a .csv", "headerless", "trec", "trec with tabs", "json", "jsonl", "svmlight", "parquet",
         "mapping", "pandas", "pandas category", "polars", "arrow"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_shape(name: str, write: Write) -> None:
    source = read(shapes(write)[name], JUDGMENTS, labels="wands")
    assert [row[:3] for row in scan(source)] == GRADED
    assert source.described.notes[-1] == "labels Exact=2, Partial=1, Irrelevant=0 (wands)"
    assert ndcg.evaluate(shapes(write)[name], RUN, "nDCG@2", labels="wands").value == pytest.approx(
        (1 + 3 / 1.584962500721156) / (3 + 1 / 1.584962500721156)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_label_outside_the_table(name: str, write: Write) -> None:
    with pytest.raises((InputError, Refused), match="the label 'Partial' is not in the table") as caught:
        scan(read(shapes(write)[name], JUDGMENTS, labels={"Exact": 2, "Irrelevant": 0}))
    assert caught.value.total == 1


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mapping"])
def test_without_a_table_the_labels_and_the_option_are_named(name: str, write: Write) -> None:
    with pytest.raises((InputError, DataTypeError)) as caught:
        ndcg.evaluate(shapes(write)[name], RUN)
    text = str(caught.value)
    assert "the grades are labels (Exact, Partial, Irrelevant)" in text
    assert "labels='wands' or labels={'Exact': ..." in text and "--labels wands" in text


def test_a_text_grade_in_a_dict_names_the_option() -> None:
    with pytest.raises(DataTypeError, match="say which grade each label is with labels="):
        ndcg.evaluate({"q1": {"a": "Exact"}}, RUN)


def test_numbers_are_labels_by_their_value(write: Write) -> None:
    path = write("q,doc,grade\n", "n.csv")
    path = write("query,doc,grade\nq,a,1\nq,b,2.0\nq,c,03\n", "n.csv")
    assert [row[2] for row in scan(read(path, JUDGMENTS, labels={1: 0, 2: 1, "3": 2.5}))] == [0.0, 1.0, 2.5]
    assert [row[2] for row in scan(read({"q": {"a": 1, "b": 2.0}}, JUDGMENTS, labels={1: 0, 2: 1}))] == [0.0, 1.0]
    with pytest.raises(Refused, match=r"the label .2\.0. is not in the table"):
        scan(read(path, JUDGMENTS, labels={1: 0, 3: 2}))


def test_true_and_false(write: Write) -> None:
    import pandas

    frame = pandas.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], "relevance": [True, False]})
    assert [row[2] for row in scan(read(frame, JUDGMENTS, labels="true_false"))] == [1.0, 0.0]
    path = write('{"q": {"a": true, "b": false}}', "t.json")
    assert [row[2] for row in scan(read(path, JUDGMENTS, labels="true_false"))] == [1.0, 0.0]


def test_labels_with_quotes_and_other_letters(write: Write) -> None:
    path = write("query\tdoc\tlabel\nq\ta\tc'est ça\nq\tb\tнет\n", "l.tsv")
    assert [row[2] for row in scan(read(path, JUDGMENTS, labels={"c'est ça": 1, "нет": 0}))] == [1.0, 0.0]


def test_labels_are_not_trimmed_nor_folded(write: Write) -> None:
    path = write("query,doc,label\nq,a,exact\nq,b,Exact \n", "l.csv")
    with pytest.raises(Refused) as caught:
        scan(read(path, JUDGMENTS, labels="wands"))
    assert caught.value.total == 2


def test_a_run_keeps_its_scores(write: Write) -> None:
    run = write("query,doc,score\nq1,a,1\nq1,b,2\n", "r.csv")
    assert ndcg.evaluate({"q1": {"a": "E", "b": "S"}}, run, "nDCG@2", labels="esci", missing="exclude").value < 1


def test_esci_with_its_own_columns(write: Write) -> None:
    import pandas

    frame = pandas.DataFrame(
        {
            "example_id": [0, 1, 2, 3],
            "query": ["quiet bath fan"] * 4,
            "query_id": [17] * 4,
            "product_id": ["B1", "B2", "B3", "B4"],
            "product_locale": ["us"] * 4,
            "esci_label": ["E", "S", "C", "I"],
            "small_version": [1] * 4,
            "split": ["test"] * 4,
        }
    )
    source = read(frame, JUDGMENTS, labels="esci")
    assert scan(source) == [("17", f"B{n}", grade, None) for n, grade in zip(range(1, 5), (3, 2, 1, 0), strict=True)]
    run = {"17": {"B2": 2.0, "B1": 1.0}}
    paper = ndcg.evaluate(frame, run, "nDCG(dialect='esci_paper')", labels="esci").value
    assert paper == pytest.approx((0.1 + 1 / 1.584962500721156) / (1 + 0.1 / 1.584962500721156 + 0.01 / 2))
    with pytest.raises(DataTypeError, match=r"the grades are labels \(E, S, C, I\).*labels='esci'"):
        ndcg.evaluate(frame, run)


def test_presets_name_every_label() -> None:
    for name, table in PRESETS.items():
        labels = as_labels(name)
        assert labels is not None and labels.name == name
        assert {label: labels.grade(label) for label in table} == table


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("ecsi", UsageError, "did you mean 'esci'"),
        ({}, UsageError, "empty table"),
        ({"a": "1"}, DataTypeError, "not a finite number"),
        ({"a": True}, DataTypeError, "not a finite number"),
        ({"a": float("nan")}, DataTypeError, "not a finite number"),
        ({None: 1}, DataTypeError, "neither text nor a number"),
        ({"1": 1, 1: 2}, UsageError, "is there twice"),
        (["E"], DataTypeError, "labels= is a table"),
    ],
)
def test_a_wrong_table(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        as_labels(given)


def test_what_looks_like_a_label() -> None:
    assert all(map(is_label, ("E", "Exact", "very good", "über")))
    assert not any(map(is_label, ("", "1", "0x10", "nan", "None", "-1", "inf", " x", "_")))
    assert found_hint(["1", "nan"]) is None
    assert "and 5 more" in str(found_hint([f"label {letter}" for letter in "abcdefghijklmno"]))


MIXED = [("q1", "a", "yes"), ("q1", "b", "3"), ("q2", "c", "0"), ("q2", "d", "2.5")]


def mixed(name: str, write: Write) -> Any:
    """Judgments of which some are labels and some are grades."""
    nested: dict[str, dict[str, str]] = {}
    for query, doc, label in MIXED:
        nested.setdefault(query, {})[doc] = label
    columns = {"query": [r[0] for r in MIXED], "doc": [r[1] for r in MIXED], "label": [r[2] for r in MIXED]}
    lines = [dict(zip(("query", "doc", "label"), row, strict=True)) for row in MIXED]
    if name == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if name == "arrow":
        import pyarrow

        return pyarrow.table(columns)
    return {
        "csv": lambda: write("query,doc,label\n" + "".join(",".join(row) + "\n" for row in MIXED), "m.csv"),
        "trec": lambda: write("".join(f"{q} 0 {d} {g}\n" for q, d, g in MIXED), "m.qrels"),
        "json": lambda: write(json.dumps(nested), "m.json"),
        "jsonl": lambda: write("".join(json.dumps(line) + "\n" for line in lines), "m.jsonl"),
        "svmlight": lambda: write("".join(f"{g} qid:{q} 1:0.5 # {d}\n" for q, d, g in MIXED), "m.svm"),
        "mapping": lambda: nested,
    }[name]()


MIXED_NAMES = ["csv", "trec", "json", "jsonl", "svmlight", "mapping", "pandas", "arrow"]


@pytest.mark.parametrize("name", MIXED_NAMES)
def test_numbers_beside_labels_stay_grades_and_are_counted(name: str, write: Write) -> None:
    source = read(mixed(name, write), JUDGMENTS, labels="yes_no")
    assert [row[2] for row in scan(source)] == [1.0, 3.0, 0.0, 2.5]
    assert source.described.notes[-2:] == (
        "3 grades are plain numbers beside the labels",
        "labels yes=1, no=0 (yes_no)",
    )


@pytest.mark.parametrize("name", MIXED_NAMES)
def test_a_table_that_maps_numbers_maps_all(name: str, write: Write) -> None:
    with pytest.raises((InputError, Refused), match=r"the label '2\.5' is not in the table"):
        scan(read(mixed(name, write), JUDGMENTS, labels={"yes": 1, "3": 2, "0": 0}))


@pytest.mark.parametrize("name", [name for name in MIXED_NAMES if name not in ("mapping", "arrow")])
def test_labels_among_numbers_name_the_option(name: str, write: Write) -> None:
    said = r"correct the lines or, if they are labels \(yes\),"
    with pytest.raises((InputError, DataTypeError), match=said) as caught:
        ndcg.evaluate(mixed(name, write), RUN)
    assert "(--labels yes_no); the numbers stay grades" in str(caught.value)


@pytest.mark.parametrize("kind", ["json", "jsonl", "mapping", "pandas", "polars"])
def test_true_and_false_name_their_table(kind: str, write: Write) -> None:
    import pandas
    import polars

    columns = {"query": ["q", "q"], "doc": ["a", "b"], "grade": [True, False]}
    given = {
        "json": write('{"q": {"a": true, "b": false}}', "t.json"),
        "jsonl": write('{"query": "q", "doc": "a", "grade": true}\n', "t.jsonl"),
        "mapping": {"q": {"a": True}},
        "pandas": pandas.DataFrame(columns),
        "polars": polars.DataFrame(columns),
    }[kind]
    with pytest.raises((InputError, DataTypeError), match="labels='true_false'"):
        ndcg.evaluate(given, RUN)


def test_the_command_names_the_option_once(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    from ndcg.cli.main import main

    judgments = write("query,doc,grade\nq1,a,yes\nq1,b,no\n", "yes.csv")
    assert main(["evaluate", judgments, write("query,doc,score\nq1,a,1\n", "r.csv")]) == 2
    said = capsys.readouterr().err
    assert said.rstrip().endswith("with --labels yes_no or --labels yes=...,no=...")
