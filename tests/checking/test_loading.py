"""What `evaluate` refuses becomes a finding with positions, from all files, and the rest is loaded all the same."""

from __future__ import annotations

import math

import pytest

import ndcg

from .conftest import codes, found, only, scored

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}


def places(finding):
    return [(example.line, example.query, example.document) for example in finding.examples]


def test_bad_lines_of_a_trec_run(write):
    run = write("q1 Q0 a 1 3.0 t\nq1 Q0 b 2 nan t\nq1 Q0 x\nq2 Q0 c 1 high t\nq2 Q0 d 2 1.0 t\n", "run")
    with pytest.raises(ndcg.InputError):
        ndcg.evaluate(QRELS, run)
    report = ndcg.check(QRELS, run)
    finding = only(report, "bad_rows")
    assert (finding.count, finding.weight, [line for line, _, _ in places(finding)]) == (3, "refused", [2, 3, 4])
    assert finding.effect.unknown
    assert (report.problem, report.runs[0].rows, report.runs[0].bad) == (None, 2, 3)
    assert report.runs[0].value == scored(QRELS, {"q1": {"a": 3.0}, "q2": {"d": 1.0}})


def test_bad_lines_of_judgments_and_of_every_run(write):
    qrels = write("q1 0 a 2\nq1 0 b yes\nq2 0 c 1\nq2 0 d inf\n", "qrels")
    runs = {name: write(f"q1 Q0 a 1 3.0 t\n{bad}\n", name) for name, bad in {"one": "q2 Q0", "two": "x y z"}.items()}
    findings = found(ndcg.check(qrels, runs), "bad_rows")
    assert {(finding.subject, finding.count) for finding in findings} == {(None, 2), ("one", 1), ("two", 1)}


def test_bad_values_in_memory():
    run = {"q1": {"a": 3.0, "b": math.nan}, "q2": {"c": True, "d": "1.0", None: 2.0, "e": 1.0}, 3.5: {"a": 1.0}}
    report = ndcg.check(QRELS, run)
    assert only(report, "bad_rows").count == 5
    assert report.runs[0].value == scored(QRELS, {"q1": {"a": 3.0}, "q2": {"e": 1.0}})
    qrels = {"q1": {"a": 2, "b": math.inf}, "q2": {"c": 1}, "q3": [1]}
    report = ndcg.check(qrels, {"q1": {"a": 1.0}, "q2": {"c": 1.0}})
    assert only(report, "bad_rows").count == 2 and report.runs[0].value == 1.0


def test_integer_ids_and_numbers_beyond_floats():
    report = ndcg.check({1: {7: 1, 8: 10**400}}, {1: {7: 1.0}})
    assert only(report, "bad_rows").examples[0].document == "8"
    assert report.runs[0].value == 1.0


def test_a_csv_with_too_many_fields_in_a_line(write):
    qrels = write("query,doc,grade\nq1,a,2\nq1,b,1,9\nq2,c,1\n", "j.csv")
    report = ndcg.check(qrels, {"q1": {"a": 1.0}, "q2": {"c": 1.0}})
    assert [example.line for example in only(report, "bad_rows").examples] == [3]
    assert report.judgments.rows == 2 and report.runs[0].value == 1.0


def test_one_file_of_a_folder_cannot_be_opened(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text("q1 Q0 a 1 3.0 t\n")
    (folder / "b.run").write_text("")
    report = ndcg.check(QRELS, str(folder))
    finding = only(report, "bad_rows")
    assert "b.run" in finding.sentence and "is empty" in finding.sentence
    assert report.runs[0].rows == 1


def test_files_of_two_systems_are_not_one_run(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text("q1 Q0 a 1 3.0 bm25\n")
    (folder / "b.run").write_text("q2 Q0 c 1 3.0 dense\n")
    report = ndcg.check(QRELS, str(folder))
    assert "different runs" in only(report, "bad_rows").sentence
    assert report.problem == "no row of a run could be read"


def test_a_run_that_cannot_be_opened_does_not_hide_the_others(write):
    report = ndcg.check(QRELS, {"good": write("q1 Q0 a 1 1 t\n", "good"), "bad": write("", "bad")})
    assert only(report, "bad_rows").subject == "bad"
    assert [run.value is None for run in report.runs] == [False, True]
    assert report.problem is None


def test_rows_without_a_query_column_ask_for_it(write):
    """Scoring all rows as one ranking is not nDCG."""
    report = ndcg.check(write("doc,grade\na,1\nb,0\n", "j.csv"), QRELS)
    assert "no query column" in only(report, "bad_rows").sentence
    assert "columns={'query': ...}" in only(report, "bad_rows").option
    assert report.problem == "no judgment could be read"


def test_missing_files_are_one_sentence(tmp_path):
    with pytest.raises(ndcg.InputError, match="no such file"):
        ndcg.check(str(tmp_path / "nothing"))
    with pytest.raises(ndcg.InputError, match="no such file"):
        ndcg.check(QRELS, {"run": str(tmp_path / "nothing")})


def test_tags_can_be_split(write):
    run = write("q1 Q0 a 1 3.0 bm25\nq1 Q0 b 1 3.0 dense\n", "run")
    assert only(ndcg.check(QRELS, run), "bad_rows").count == 1
    report = ndcg.check(QRELS, run, split_tags=True)
    assert [one.run for one in report.runs] == ["bm25", "dense"] and "bad_rows" not in codes(report)


def test_the_key_is_declared(write):
    qrels = write("query,query_id,doc,grade\nboiler valve,q1,a,1\n", "j.csv")
    report = ndcg.check(qrels, {"q1": {"a": 1.0}})
    assert "query=query_id" in report.judgments.layout and "query=query_id" in str(report)
    by_text = ndcg.check(qrels, {"boiler valve": {"a": 1.0}}, columns={"qrels": {"query": "query"}})
    assert by_text.runs[0].value == 1.0
    apart = ndcg.check(qrels, {"boiler valve": {"a": 1.0}})
    assert "keyed by text" in only(apart, "no_common_query").sentence


def test_quotes_and_braces_in_ids(write):
    """No id becomes SQL or a template."""
    nasty = ["it's", "{t}", '"', "%s", "a''b", "{j}{q}"]
    qrels = {query: {doc: at for at, doc in enumerate(nasty)} for query in nasty}
    run = {query: {f"{doc} ": float(at) for at, doc in enumerate(nasty)} for query in nasty}
    report = ndcg.check(qrels, run, corpus=nasty)
    assert only(report, "suspected_document_joins").count == 36
    odd = {query: {**docs, "z": 90} if query == "it's" else docs for query, docs in qrels.items()}
    assert "it's" in only(ndcg.check(odd, run), "mixed_scales").sentence


def test_predictions_of_a_feature_file(write):
    qrels = write("2 qid:1 1:0.3\n0 qid:1 1:0.1\n1 qid:2 1:0.5\n", "rank.svm")
    run = write("0.5\n0.7\n0.2\n", "scores.txt")
    report = ndcg.check(qrels, run)
    assert report.runs[0].value == scored(qrels, run) and report.runs[0].rows == 3


def test_labels_and_a_collapsing_column(write):
    qrels = write("query,doc,grade\nq1,A,Exact\nq1,B,Irrelevant\n", "wands.csv")
    run = write("qid,chunk,doc,score\nq1,A#1,A,0.1\nq1,B#2,B,0.9\nq1,A#2,A,0.8\n", "chunks.csv")
    assert only(ndcg.check(qrels, run), "bad_rows").count == 2
    report = ndcg.check(qrels, run, labels="wands", collapse="doc")
    assert report.runs[0].rows == 2 and "repeated_documents" not in codes(report)
    assert report.runs[0].value == scored(qrels, run, labels="wands", collapse="doc")
    with pytest.raises(ndcg.UsageError, match="names a column"):
        ndcg.check(qrels, {"q1": {"A#1": 1.0}}, labels="wands", collapse="doc")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,doc,grade\nq,a,Exact\nq,b,Irrelevant\n", "labels={'Exact': ..., 'Irrelevant': ...}"),
        ("query,doc,wert\nq,a,1\n", "columns={'grade': ...}"),
        ("query,doc,grade\nq,a,1\nq,b,0\nq,c,x\n", "correct the rows"),
        ("q Q0 a 1 0.5 t\n", "judgments and run look swapped: the judgments come first"),
        ("query,doc,grade\n", "it holds nothing"),
    ],
)
def test_a_problem_is_settled_by_what_can_help(tmp_path, text, said):
    path = tmp_path / "judged"
    path.write_text(text)
    report = ndcg.check(str(path), {"q": {"a": 1.0}})
    finding = only(report, "bad_rows")
    assert said in finding.option and not finding.sentence.endswith("?")
    if ",x\n" in text:
        assert "labels" not in finding.option


def test_no_common_query_is_settled_by_its_cause():
    report = ndcg.check({"1": {"a": 1}, "2": {"a": 1}}, {"1.0": {"a": 1.0}})
    assert "pandas: dtype=str" in only(report, "no_common_query").option
    report = ndcg.check({"boiler valve": {"a": 1}, "red shoes": {"a": 1}}, {"7": {"a": 1.0}})
    assert "--columns" in only(report, "no_common_query").option
    report = ndcg.check({"a": {"q1": 1}}, {"q1": {"a": 1.0}})
    assert "doc=NAME" in only(report, "no_common_query").option
