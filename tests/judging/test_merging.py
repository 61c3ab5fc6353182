"""Filled sheets come back whole: nothing lost, nothing changed silently, nothing overwritten."""

from __future__ import annotations

import pytest

import ndcg

QRELS = {"q1": {"A": 3, "B": 1}, "q2": {"C": 2}}


@pytest.fixture
def sheet(tmp_path):
    def write(text, name="filled.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_counts(sheet):
    path = sheet("query,doc,grade,judge,comment\nq1,B,1,me,\nq1,D,0,me,\nq2,E,,,\nq3,F, 2 ,me,new\n\n,,,,\n")
    merged = ndcg.judge_merge(QRELS, path)
    assert merged.judgments == {"q1": {"A": 3, "B": 1, "D": 0}, "q2": {"C": 2}, "q3": {"F": 2}}
    assert (merged.existing, merged.added, merged.confirmed, merged.blank) == (3, 2, 1, 1)
    assert merged.new_queries == ("q3",) and merged.pairs == 5
    assert merged.as_dict()["pairs"] == 5 and "judgments" not in merged.as_dict()


def test_conflicts_are_named(sheet):
    path = sheet("query,doc,grade\nq1,A,0\nq1,B,1\nq2,C,1\n")
    with pytest.raises(ndcg.InputError) as caught:
        ndcg.judge_merge(QRELS, path)
    text = str(caught.value)
    assert "2 pairs have other grades already" in text and "line 2" in text and "line 4" in text
    assert "document 'A'" in text and "grade 0 was given, and it has the grade 3" in text and "median" in text


@pytest.mark.parametrize(
    ("rule", "grade"), [("keep", 3), ("replace", 0), ("max", 3), ("min", 0), ("mean", 1.5), ("median", 1.5)]
)
def test_declared_rules(sheet, rule, grade):
    merged = ndcg.judge_merge(QRELS, sheet("query,doc,grade\nq1,A,0\n"), conflicts=rule)
    assert merged.judgments["q1"]["A"] == grade
    assert len(merged.conflicts) == 1 and merged.conflicts[0].existing == 3 and merged.conflicts[0].result == grade
    assert merged.rule == rule and rule in str(merged)


def test_several_sheets(sheet):
    one = sheet("query,doc,grade\nq1,D,0\nq1,E,1\n", "one.csv")
    two = sheet("query,doc,grade\nq1,D,2\nq1,E,1\n", "two.csv")
    with pytest.raises(ndcg.InputError, match="grades 0, 2 were given"):
        ndcg.judge_merge(QRELS, [one, two])
    for rule in ("keep", "replace"):
        with pytest.raises(ndcg.InputError, match="declare a rule"):
            ndcg.judge_merge(QRELS, [one, two], conflicts=rule)
    assert ndcg.judge_merge(QRELS, [one, two], conflicts="mean").judgments["q1"] == {"A": 3, "B": 1, "D": 1, "E": 1}


def test_what_spreadsheets_do(sheet):
    """A byte order mark, semicolons, carriage returns, quoted cells with line ends."""
    path = sheet(b'\xef\xbb\xbfquery;query_text;doc;grade\r\nq1;"two\r\nlines; yes";D;2\r\nq1;x;"E;1";3\r\n')
    merged = ndcg.judge_merge(QRELS, path)
    assert merged.judgments["q1"] == {"A": 3, "B": 1, "D": 2, "E;1": 3}


def test_changed_ids_are_found_with_the_sheet(sheet):
    written = sheet("query,doc,grade\n007,D,\nq1,E,\n", "sheet.csv")
    filled = sheet("query,doc,grade\n7,D,2\nq1,E,1\n")
    with pytest.raises(ndcg.InputError, match="query '7', document 'D'"):
        ndcg.judge_merge(QRELS, filled, sheet=written)
    assert ndcg.judge_merge(QRELS, filled).new_queries == ("7",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query,doc,grade\nq1,D,two\n", "line 2, query 'q1', document 'D': grade 'two' is not a number"),
        ("query,doc,grade\nq1,D,nan\n", "grade is NaN"),
        ("query,doc,grade\nq1,D,inf\n", "grade is infinite"),
        ('query;doc;grade\nq1;D;"2,5"\n', "'2,5' is not a number"),
        ("query,doc,grade\nq1,,2\n", "the document id is empty"),
        ("query,doc,grade\n,D,2\n", "the query id is empty"),
        ("query,doc,grade\nq1,D\n", "expected 3 fields, found 2"),
        ("query,doc,notes\nq1,D,2\n", "no grade column"),
        ("q1 0 D 2\n", "names no query and document columns"),
        ('query,doc,grade\n"q1,D,2\n', "quotation marks do not match"),
        (b"query,doc,grade\nq1,\xff,2\n", "not UTF-8"),
        ("", "is empty"),
    ],
)
def test_bad_sheets(sheet, text, message):
    with pytest.raises(ndcg.InputError, match=message):
        ndcg.judge_merge(QRELS, sheet(text))


def test_declared_grades(sheet):
    path = sheet("query,doc,grade\nq1,D,33\n")
    with pytest.raises(ndcg.InputError, match="grade 33 is not one of 0, 1, 2, 3"):
        ndcg.judge_merge(QRELS, path, grades=[3, 2, 1, 0])
    assert ndcg.judge_merge(QRELS, path).judgments["q1"]["D"] == 33


@pytest.mark.parametrize(
    ("grade", "warned"), [("7", True), ("-1", True), ("2.5", True), ("3", False), ("1", False), ("2", False)]
)
def test_grades_off_the_scale_are_warned_of(sheet, grade, warned):
    path = sheet(f"query,doc,grade\nq1,D,2\nq1,E,{grade}\n")
    merged = ndcg.judge_merge(QRELS, path)
    assert bool(merged.warnings) == warned
    if warned:
        (text,) = merged.warnings
        assert f"1 grade is off the scale of the judgments so far (1 to 3, whole numbers): grade {grade} at" in text
        assert "line 3, query 'q1', document 'E'" in text and "off the scale" in str(merged)
    assert ndcg.judge_merge(QRELS, path, grades=[1, 2, 3, float(grade)]).warnings == ()
    assert ndcg.judge_merge(None, path).warnings == ()


def test_many_grades_off_the_scale_are_counted(sheet):
    rows = "".join(f"q1,x{at},9\n" for at in range(14))
    (text,) = ndcg.judge_merge(QRELS, sheet(f"query,doc,grade\n{rows}")).warnings
    assert "14 grades are off the scale" in text and "; and 4 more" in text


@pytest.mark.parametrize("qrels", ["q1 0 A 3\nq1 0 B 1\n", "q1 0 A great\nq1 0 B 1\n"])
def test_labels_stand_beside_numbers(sheet, qrels):
    """In the judgments and in the sheet: a label is its grade, a number stays a number."""
    judgments = sheet(qrels, "judgments.qrels")
    path = sheet("query,doc,grade\nq1,A,great\nq1,C, poor \nq1,D,2\nq1,E,\n")
    merged = ndcg.judge_merge(judgments, path, labels={"great": 3, "poor": 0})
    assert merged.judgments == {"q1": {"A": 3, "B": 1, "C": 0, "D": 2}}
    assert (merged.confirmed, merged.blank) == (1, 1)
    table = sheet("query,doc,grade\nq1,A,great\nq1,B,1\n", "judgments.csv")
    assert ndcg.judge_merge(table, path, labels={"great": 3, "poor": 0}).judgments == merged.judgments


@pytest.mark.parametrize("grade", ["fair", "nan", "inf", "1e999", "1_0"])
def test_labels_that_are_not_declared(sheet, grade):
    path = sheet(f"query,doc,grade\nq1,C,{grade}\n")
    with pytest.raises(ndcg.InputError, match=r"is not in the table \(great, poor\) and no number"):
        ndcg.judge_merge(QRELS, path, labels={"great": 3, "poor": 0})
    judgments = sheet(f"query,doc,grade\nq1,A,{grade}\n", "judgments.csv")
    with pytest.raises(ndcg.InputError, match="is not in the table"):
        ndcg.judge_merge(judgments, sheet("query,doc,grade\n"), labels={"great": 3, "poor": 0})


def test_labels_without_a_table_are_told_how_to_go_on(sheet):
    with pytest.raises(ndcg.InputError, match=r"the grades are labels \(yes, no\).*yes_no"):
        ndcg.judge_merge(QRELS, sheet("query,doc,grade\nq1,C,yes\nq1,D,no\n"))


def test_wrong_arguments(sheet):
    with pytest.raises(ndcg.UsageError, match="did you mean 'median'"):
        ndcg.judge_merge(QRELS, sheet("query,doc,grade\n"), conflicts="medien")
    with pytest.raises(ndcg.UsageError, match="path of a sheet"):
        ndcg.judge_merge(QRELS, {"q1": {"A": 1}})


@pytest.mark.parametrize(
    "name", ["new.qrels", "new.csv", "new.tsv", "new.jsonl", "new.qrels.gz", "new.csv.gz", "new.jsonl.zst"]
)
def test_written_files_read_back(sheet, tmp_path, name):
    grade = 2 if "qrels" in name else 2.5
    merged = ndcg.judge_merge(QRELS, sheet(f"query,doc,grade\nq1,D,{grade}\n"))
    path = tmp_path / name
    merged.write(path)
    again = ndcg.judge_merge(str(path), sheet(f"query,doc,grade\nq1,D,{grade}\n", "again.csv"))
    assert again.judgments == merged.judgments and again.confirmed == 1
    with pytest.raises(ndcg.UsageError, match="is there already"):
        merged.write(path)
    merged.write(path, overwrite=True)


def test_fractions_are_not_written_as_trec(sheet, tmp_path):
    merged = ndcg.judge_merge(QRELS, sheet("query,doc,grade\nq1,A,0\nq1,B,2\n"), conflicts="median")
    path = tmp_path / "new.qrels"
    with pytest.raises(
        ndcg.InputError, match=r"(?s)2 grades are no whole numbers.*TREC format.*ends in \.csv"
    ) as caught:
        merged.write(path)
    assert {(fault.query, fault.document) for fault in caught.value.faults} == {("q1", "A"), ("q1", "B")}
    assert not path.exists()
    merged.write(tmp_path / "new.csv")
    assert "q1,A,1.5" in (tmp_path / "new.csv").read_text()


def test_ids_that_the_format_cannot_hold(sheet, tmp_path):
    merged = ndcg.judge_merge(None, sheet('query,doc,grade\nq1,"a b",2\n'))
    with pytest.raises(ndcg.UsageError, match=r"ends in \.csv"):
        merged.write(tmp_path / "new.qrels")
    assert not (tmp_path / "new.qrels").exists()
    merged.write(tmp_path / "new.csv")
    assert ndcg.evaluate(str(tmp_path / "new.csv"), {"q1": ["a b"]}).value == 1.0


def test_nothing_is_left_behind_where_nothing_can_be_written(sheet, tmp_path):
    merged = ndcg.judge_merge(QRELS, sheet("query,doc,grade\nq1,D,2\n"))
    with pytest.raises(ndcg.UsageError, match="cannot write"):
        merged.write(tmp_path / "nowhere" / "new.qrels")


def test_judging_moves_the_value_as_foretold(sheet, tmp_path):
    """The whole round: list, fill with the grade that was said to matter, merge, score."""
    run = {"q1": ["x", "A", "B"], "q2": ["C"]}
    before = ndcg.evaluate(QRELS, run, "nDCG@3").value
    (row,) = ndcg.judge_next(QRELS, run, "nDCG@3").rows
    path = sheet(f"query,doc,grade\n{row.query},{row.document},{row.grade}\n")
    after = ndcg.evaluate(ndcg.judge_merge(QRELS, path).judgments, run, "nDCG@3").value
    assert after - before == pytest.approx(row.change)


QRELS_CSV = 'query,doc,grade,assessor,reason\nq1,A,3,anna,"good, and fits"\nq1,B,1,ben,\n'
SHEET = (
    "query,query_text,doc,grade,judge,comment,ranks,effect\nq1,t,D,2,cleo,new one,bm25 1,0.5\nq1,t,E,,cleo,blank,,\n"
)


def test_judges_and_reasons_are_kept_in_a_table(sheet, tmp_path):
    qrels = sheet(QRELS_CSV, "qrels.csv")
    merged = ndcg.judge_merge(qrels, sheet(SHEET))
    path = tmp_path / "new.csv"
    merged.write(path)
    assert path.read_text() == (
        'query,doc,grade,judge,reason,comment\nq1,A,3,anna,"good, and fits",\nq1,B,1,ben,,\nq1,D,2,cleo,,new one\n'
    )
    assert merged.kept == ("judge", "reason", "comment") and merged.dropped(path) == ()
    again = ndcg.judge_merge(path, sheet("query,doc,grade\nq1,A,3\n", "same.csv"))
    assert again.judgments == merged.judgments and again.beside == merged.beside
    assert ndcg.evaluate(str(path), {"q1": ["A"]}).value is not None


@pytest.mark.parametrize(
    ("rule", "judge", "reason"),
    [("keep", "anna", "fits"), ("replace", "cleo", "no"), ("max", "anna; cleo", "fits; no")],
)
def test_what_stands_beside_a_grade_goes_with_it(sheet, rule, judge, reason):
    qrels = sheet("query,doc,grade,judge,reason\nq1,A,3,anna,fits\n", "qrels.csv")
    merged = ndcg.judge_merge(qrels, sheet("query,doc,grade,judge,reason\nq1,A,0,cleo,no\n"), conflicts=rule)
    assert merged.beside == {("q1", "A"): {"judge": judge, "reason": reason}}


def test_what_cannot_be_kept_is_said(sheet, tmp_path):
    qrels = sheet(QRELS_CSV, "qrels.csv")
    trec = ndcg.judge_merge(qrels, sheet(SHEET)).dropped(tmp_path / "new.qrels")
    assert trec == ("column 'judge'", "column 'reason'", "column 'comment'")
    held = '{"query": "q1", "judgments": [{"doc": "A", "grade": 3, "judge": "anna", "reason": "fits"}]}\n'
    merged = ndcg.judge_merge(sheet(held, "qrels.jsonl"), sheet(SHEET))
    assert merged.beside["q1", "A"] == {"judge": "anna"} and "reason" in " ".join(merged.lost)
    assert "reason" in str(merged) and "reason" in " ".join(merged.dropped("new.csv"))
    frame = pytest.importorskip("pandas").DataFrame({"query": ["q1"], "doc": ["A"], "grade": [3], "reason": ["fits"]})
    assert ndcg.judge_merge(frame, sheet(SHEET)).lost == ("column 'reason'",)
    assert ndcg.judge_merge(QRELS, sheet(SHEET)).lost == ()


def test_the_command_says_what_the_new_file_does_not_hold(sheet, tmp_path, capsys):
    import json

    from ndcg.cli.main import main

    qrels, filled = sheet(QRELS_CSV, "qrels.csv"), sheet(SHEET)
    assert main(["judge-merge", str(qrels), str(filled), "-o", str(tmp_path / "new.qrels")]) == 0
    out, err = capsys.readouterr()
    assert "dropped" in out and "column 'reason'" in out
    assert "new.qrels does not hold column 'judge', column 'reason', column 'comment'; name a file" in err
    argv = ["judge-merge", str(qrels), str(filled), "-o", str(tmp_path / "new.csv"), "--format", "json"]
    assert main(argv) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["kept"] == ["judge", "reason", "comment"] and told["dropped"] == [] and err == ""


def test_json_lines_keep_what_stands_beside_a_grade(sheet, tmp_path):
    """Written, and read again by the next merge; numbers, lists and nothing at all are texts too."""
    merged = ndcg.judge_merge(sheet(QRELS_CSV, "qrels.csv"), sheet(SHEET))
    path = tmp_path / "new.jsonl"
    merged.write(path)
    assert path.read_text().splitlines()[0] == (
        '{"query_id": "q1", "doc_id": "A", "grade": 3, "judge": "anna", "reason": "good, and fits"}'
    )
    assert merged.dropped(path) == ()
    again = ndcg.judge_merge(path, sheet("query,doc,grade\nq1,A,3\n", "same.csv"))
    assert again.judgments == merged.judgments and again.beside == merged.beside and again.lost == ()
    odd = sheet(
        '{"query": 1, "doc": 7, "grade": 3, "seen": 2, "tags": ["x"], "note": null, "who": true}\n', "odd.jsonl"
    )
    assert ndcg.judge_merge(odd, sheet(SHEET)).beside["1", "7"] == {"seen": "2", "tags": '["x"]', "who": "true"}


@pytest.mark.parametrize("name", ["new.json", "new.parquet", "new.YAML", "new.json.gz"])
def test_no_file_is_named_after_a_format_that_it_does_not_have(sheet, tmp_path, name):
    merged = ndcg.judge_merge(QRELS, sheet("query,doc,grade\nq1,D,2\n"))
    with pytest.raises(ndcg.UsageError, match=r"are not written as .*\.csv, \.tsv, \.jsonl or \.qrels"):
        merged.write(tmp_path / name)
    assert not list(tmp_path.glob("new*"))
