"""Tables separated by semicolons, and labels that are nearly those of the table."""

from __future__ import annotations

from pathlib import Path

import pytest

import ndcg
from ndcg.readers import read
from ndcg.readers.source import Role

RUN = {"1": {"a;b": 2.0, "c": 1.0}}


@pytest.mark.parametrize("format", [None, "csv"])
def test_a_header_with_semicolons_is_read(tmp_path: Path, format: str | None) -> None:
    path = tmp_path / "judged.csv"
    path.write_text('query;doc;grade;note\n1;"a;b";2;"x, y"\n1;c;1;z\n')
    source = read(str(path), Role.JUDGMENTS, format=format)
    assert source.described.layout == "header line, separated by semicolons, query=query, doc=doc, number=grade"
    assert ndcg.evaluate(str(path), RUN, qrels_format=format).value == 1.0
    found = {one.code for one in ndcg.check(str(path), RUN).findings}
    assert "bad_rows" not in found


def test_declared_names_show_the_separator(tmp_path: Path) -> None:
    path = tmp_path / "judged.txt"
    path.write_text("Frage;Dok;Note\n1;c;3\n")
    columns = {"qrels": {"query": "Frage", "doc": "Dok", "grade": "Note"}}
    assert ndcg.evaluate(str(path), {"1": {"c": 1.0}}, columns=columns).value == 1.0


def test_a_decimal_comma_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query;doc;score\n1;c;0,5\n")
    with pytest.raises(ndcg.InputError, match=r"line 2, .*score '0,5' is not a number"):
        ndcg.evaluate({"1": {"c": 1}}, str(path))


def test_commas_go_first(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text("query,doc,grade\n1;2,a;b,3\n")
    assert ndcg.evaluate(str(path), {"1;2": {"a;b": 1.0}}).value == 1.0


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("exact", "it is 'Exact' in another case"),
        (" Partial", "it is 'Partial' with a blank before it"),
        ("Partial ", "it is 'Partial' with a blank after it"),
        (" partial\t", "it is 'Partial' in another case and with a blank around it"),
        ("Parts", None),
        ("", None),
    ],
)
def test_a_label_nearly_of_the_table_is_said(label: str, said: str | None) -> None:
    with pytest.raises(ndcg.InputError, match="is not in the table") as caught:
        ndcg.evaluate({"q": {"a": label, "b": "Exact"}}, {"q": {"a": 1.0}}, labels={"Exact": 2, "Partial": 1})
    assert (said in str(caught.value)) if said else ("it is" not in str(caught.value))


def test_semicolons_below_an_unknown_header_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "judged"
    path.write_text("Frage;Dok;Note\n1;c;3\n")
    with pytest.raises(ndcg.InputError, match="semicolons separate the fields"):
        ndcg.evaluate(str(path), {"1": {"c": 1.0}})
