"""What is odd in judgments: conflicts, repeats, grades, scales, queries without positives, age."""

from __future__ import annotations

import pandas as pd
import pytest

import ndcg
from ndcg.checking.judgment_facts import Group
from ndcg.checking.kinds.scales import odd_groups

from .conftest import codes, found, only, scored, values

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "c": 1.0}}


def test_conflicts_are_a_finding_with_lines_and_the_score_under_every_rule(write):
    qrels = write("q1 0 a 1\nq1 0 b 2\nq1 0 a 3\nq2 0 c 1\n", "qrels")
    report = ndcg.check(qrels, RUN)
    finding = only(report, "conflicting_grades")
    assert (finding.count, finding.of, finding.weight) == (1, 3, "refused")
    assert [(example.line, example.query, example.document) for example in finding.examples] == [
        (1, "q1", "a"),
        (3, "q1", "a"),
    ]
    for rule in ("max", "min", "mean", "median"):
        assert values(finding)[f"merge={rule}"] == scored(qrels, RUN, merge=rule)
    assert "--merge" in finding.option and finding.effect.base is None
    assert finding.effect.largest == max(values(finding).values()) - min(values(finding).values())
    # The rest of the page is there all the same, under a rule that it names.
    assert report.problem is None and report.merge == "max" and report.declared_merge is None
    assert report.runs[0].value == scored(qrels, RUN, merge="max")
    assert "merge=max" in str(report)


def test_a_declared_rule_settles_conflicts(write):
    qrels = write("q1 0 a 1\nq1 0 a 3\n", "qrels")
    report = ndcg.check(qrels, RUN, merge="min")
    assert only(report, "conflicting_grades").weight == "doubt"
    assert report.runs[0].value == scored(qrels, RUN, merge="min")
    assert not any(finding.weight == "refused" for finding in report.findings)


def test_conflicts_of_all_files_are_found(write, tmp_path):
    folder = tmp_path / "judgments"
    folder.mkdir()
    (folder / "one").write_text("q1 0 a 1\nq1 0 b 0\n")
    (folder / "two").write_text("q1 0 a 2\nq1 0 c 0\n")
    finding = only(ndcg.check(str(folder)), "conflicting_grades")
    assert [
        (example.where.endswith(name), example.line)
        for example, name in zip(finding.examples, ("one", "two"), strict=True)
    ] == [
        (True, 1),
        (True, 1),
    ]


def test_identical_repeats_do_nothing(write):
    qrels = write("q1 0 a 1\nq1 0 a 1\nq1 0 a 1\nq1 0 b 0\n", "qrels")
    finding = only(ndcg.check(qrels, RUN), "repeated_judgments")
    assert (finding.count, finding.effect.largest) == (2, 0.0)
    assert "given 3 times" in finding.examples[0].what


def test_queries_without_positives():
    qrels = {"q1": {"a": 0, "b": 1}, "q2": {"a": 0, "c": -1}}
    finding = only(ndcg.check(qrels, RUN), "queries_without_positives")
    assert (finding.count, finding.of, finding.examples[0].query) == (1, 2, "q2")
    assert values(finding) == {
        "empty=zero": scored(qrels, RUN, empty="zero"),
        "empty=one": scored(qrels, RUN, empty="one"),
    }


def test_nothing_can_be_scored_without_a_positive_grade():
    report = ndcg.check({"q1": {"a": 0}}, {"q1": {"a": 1.0}})
    assert "no judgment is positive" in report.problem


def test_negative_grades_are_compared_under_the_gain_that_knows_losses():
    qrels = {"q1": {"a": -1, "b": 2}, "q2": {"c": 1}}
    finding = only(ndcg.check(qrels, RUN), "negative_grades")
    linear = scored(qrels, RUN, gain="linear")
    kept = scored(qrels, RUN, gain="linear", negative="keep")
    assert values(finding) == {"gain=linear": linear, "gain=linear, negative=keep": kept}
    assert finding.effect.largest == abs(linear - kept)
    assert (finding.count, finding.examples[0].document) == (1, "a")


def test_fractional_grades_are_cut_by_other_tools():
    """trec_eval reads 0.5 as 0 and 1.9 as 1, without a word."""
    qrels = {"q1": {"a": 0.5, "b": 1.9}}
    finding = only(ndcg.check(qrels, RUN), "fractional_grades")
    assert values(finding) == {"grade_type=int": scored(qrels, RUN, grade_type="int")}
    assert finding.count == 2


def test_a_wide_scale_under_exp2():
    qrels = {"q1": {"a": 60, "b": 100}, "q2": {"c": 30}}
    finding = only(ndcg.check(qrels, RUN), "wide_scale")
    assert values(finding) == {"gain=linear": scored(qrels, RUN, gain="linear")}
    assert "wide_scale" not in codes(ndcg.check(qrels, RUN, "nDCG(gain='linear')@10"))
    assert "wide_scale" not in codes(ndcg.check({"q1": {"a": 3, "b": 1}}, RUN))


@pytest.mark.parametrize(("grades", "expected"), [([1, 2, 1], True), ([1, 0, 2], False), ([1, 1, -1], False)])
def test_only_positive_judgments(grades, expected):
    qrels = {"q1": dict(zip("abc", grades, strict=True))}
    report = ndcg.check(qrels, {"q1": {"x": 2.0, "a": 1.0}})
    assert ("only_positive_judgments" in codes(report)) is expected
    # What is unjudged then cannot be skipped with any meaning.
    assert (only(report, "unjudged_documents").effect.unknown is not None) is expected


def test_binary_judgments_make_every_gain_the_same():
    qrels = {"q1": {"a": 0, "b": 2, "c": 2}}
    finding = only(ndcg.check(qrels, RUN), "binary_judgments")
    assert finding.effect.largest == 0 and "RR@k" not in finding.sentence
    assert set(values(finding).values()) == {scored(qrels, RUN)}
    assert "RR@k" in only(ndcg.check({"q1": {"b": 1}}, RUN), "binary_judgments").sentence
    assert "binary_judgments" not in codes(ndcg.check({"q1": {"a": 1, "b": 2}}, RUN))


def judged(judge, grades, query="q", start=0):
    return [(f"{query}{at % 5}", f"d{start + at}", judge, grade) for at, grade in enumerate(grades)]


def frame(rows, column="judge"):
    return pd.DataFrame(rows, columns=["query", "doc", column, "grade"])


def test_a_judge_on_another_scale():
    graded = [0, 1, 2, 3] * 15
    rows = judged("ann", graded) + judged("bob", graded, start=100) + judged("eve", [0, 1] * 20, start=200)
    run = {f"q{at}": {f"d{number}": float(number) for number in range(at, 240, 5)} for at in range(5)}
    finding = only(ndcg.check(frame(rows), run), "mixed_scales")
    assert "judge 'eve'" in finding.sentence and finding.count == 40
    without = frame([row for row in rows if row[2] != "eve"])
    assert list(values(finding).values()) == [scored(without, run)]
    alike = judged("ann", graded) + judged("eve", graded, start=200)
    assert not found(ndcg.check(frame(alike), run), "mixed_scales")


def test_few_judgments_prove_no_scale():
    """A judge with three judgments may well never have met a highly relevant document."""
    rows = judged("ann", [0, 1, 2, 3] * 15) + judged("eve", [0, 1, 1], start=200)
    assert not found(ndcg.check(frame(rows)), "mixed_scales")


def test_a_file_on_another_scale(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.qrels").write_text("".join(f"q{n % 9} 0 d{n} {n % 4}\n" for n in range(80)))
    (folder / "b.qrels").write_text("".join(f"q{n % 9} 0 e{n} {n % 2}\n" for n in range(80)))
    finding = only(ndcg.check(str(folder)), "mixed_scales")
    assert "file" in finding.sentence and "b.qrels" in finding.sentence


def test_a_query_in_percent():
    qrels = {f"q{n}": {f"d{at}": at % 4 for at in range(8)} for n in range(9)} | {"p": {"x": 20, "y": 90, "z": 0}}
    finding = only(ndcg.check(qrels), "mixed_scales")
    assert "query 'p'" in finding.sentence and finding.count == 3


def test_a_month_on_another_scale(write):
    lines = [f"q{n % 5},d{n},{n % 4},2026-01-{n % 28 + 1:02}" for n in range(60)]
    lines += [f"q{n % 5},e{n},{n % 2},2026-02-{n % 28 + 1:02}" for n in range(60)]
    finding = only(ndcg.check(write("query,doc,grade,date\n" + "\n".join(lines) + "\n", "j.csv")), "mixed_scales")
    assert "month '2026-02'" in finding.sentence


def test_odd_groups_needs_evidence():
    def group(name, rows, positive, above, largest, least=0.0):
        return Group(name, rows, positive, above, least, largest, 1)

    alike = [group("a", 40, 20, 10, 3.0), group("b", 40, 20, 10, 3.0)]
    assert odd_groups(alike) is None
    assert odd_groups([*alike, group("c", 9, 3, 0, 1.0)]) is None
    assert odd_groups([group("a", 1, 1, 1, 3.0), group("b", 1, 1, 0, 1.0)]) is None
    assert [one.name for one in odd_groups([*alike, group("c", 60, 30, 0, 1.0)])[0]] == ["c"]
    assert [one.name for one in odd_groups([*alike, group("c", 9, 3, 3, 100.0)])[0]] == ["c"]
    assert odd_groups([group("a", 40, 20, 0, 1.0), group("b", 40, 20, 0, 1.0)]) is None


DATED = "query,doc,grade,judged_at\nq1,a,1,2024-05-01\nq1,b,2,2026-01-02T10:00:00Z\nq2,c,1,2025-12-31\n"


def test_old_judgments(write):
    qrels = write(DATED, "j.csv")
    report = ndcg.check(qrels, RUN, older_than="2026-01-01")
    finding = only(report, "old_judgments")
    assert (finding.count, finding.of) == (2, 3) and "2024-05-01" in finding.sentence
    assert values(finding) == {"without them": scored({"q1": {"b": 2}}, RUN)}
    assert (report.judgments.first, report.judgments.last) == ("2024-05-01", "2026-01-02")
    assert "old_judgments" not in codes(ndcg.check(qrels, RUN))
    assert "old_judgments" not in codes(ndcg.check(qrels, RUN, older_than="2020-01-01"))


def test_dates_in_frames_parquet_and_epochs(tmp_path):
    table = pd.DataFrame(
        {"query": ["q1", "q1"], "doc": ["a", "b"], "grade": [1, 2], "day": pd.to_datetime(["2024-05-01", "2026-05-01"])}
    )
    path = tmp_path / "j.parquet"
    table.to_parquet(path)
    for source in (table, str(path)):
        assert only(ndcg.check(source, older_than="2025-01-01"), "old_judgments").count == 1
    epochs = table.assign(day=["1714521600", "1777593600000"])
    assert only(ndcg.check(epochs, older_than="2025-01-01", date="day"), "old_judgments").count == 1


def test_dates_in_json_lines(write):
    rows = '{"query":"q1","doc":"a","grade":1,"date":"2024-05-01"}\n'
    rows += '{"query":"q1","doc":"b","grade":2,"date":"2026-01-01"}\n'
    assert only(ndcg.check(write(rows, "j.jsonl"), older_than="2025-01-01"), "old_judgments").count == 1


def test_dates_that_are_none_are_counted(write):
    report = ndcg.check(write(DATED.replace("2024-05-01", "last spring"), "j.csv"))
    assert report.judgments.unread_dates == 1 and "1 date not understood" in " ".join(str(report).split())


def test_a_date_without_a_column(write):
    with pytest.raises(ndcg.InputError, match=r"no date column.*--date"):
        ndcg.check({"q": {"a": 1}}, older_than="2026-01-01")
    with pytest.raises(ndcg.InputError, match="'when'"):
        ndcg.check(write(DATED, "j.csv"), date="when")
    with pytest.raises(ndcg.UsageError, match="'soon' is not a date"):
        ndcg.check({"q": {"a": 1}}, older_than="soon")
