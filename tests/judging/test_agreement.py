"""Agreement of judges: published examples, scikit-learn, and the demo collection's second reading."""

from __future__ import annotations

import json

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import ndcg
from ndcg.demo import COLLECTION


def judged(rows):
    """{judge: judgments} from rows of grades by judge, None for no grade."""
    return {
        judge: {"q": {f"d{at}": grade for at, grade in enumerate(grades) if grade is not None}}
        for judge, grades in rows.items()
    }


N = None
KRIPPENDORFF = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    "C": [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
}
WIKIPEDIA = {
    "A": [N, N, N, N, N, 3, 4, 1, 2, 1, 1, 3, 3, N, 3],
    "B": [1, N, 2, 1, 3, 3, 4, 3, N, N, N, N, N, N, N],
    "C": [N, N, 2, 1, 3, 4, 4, N, 2, 1, 1, 3, 3, N, 4],
}
BINARY = {"A": [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], "B": [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]}
NOMINAL = {"A": [1, 1, 2, 2, 4, 3, 3, 3, 5, 4, 4, 1], "B": [2, 1, 2, 2, 2, 3, 3, 3, 5, 4, 4, 4]}


@pytest.mark.parametrize(
    ("rows", "metric", "expected"),
    [
        (KRIPPENDORFF, "nominal", 0.743),
        (KRIPPENDORFF, "ordinal", 0.815),
        (KRIPPENDORFF, "interval", 0.849),
        (WIKIPEDIA, "nominal", 0.691),
        (WIKIPEDIA, "interval", 0.811),
        (BINARY, "nominal", 0.095),
        (NOMINAL, "nominal", 0.692),
    ],
)
def test_published_alphas(rows, metric, expected):
    """Krippendorff 2011, Computing Krippendorff's alpha-reliability (A to D); Wikipedia's example."""
    assert getattr(ndcg.judge_agreement(judged(rows)), metric) == pytest.approx(expected, abs=5e-4)


def plain_alpha(rows, distance):
    """Alpha by its definition: observed over expected disagreement, pair by pair."""
    units = [[grades[at] for grades in rows if grades[at] is not None] for at in range(len(rows[0]))]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    observed = sum(
        sum(distance(a, b) for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1)
        for unit in units
    )
    expected = sum(distance(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    if not expected:
        return None
    return 1 - (observed / len(values)) / (expected / (len(values) * (len(values) - 1)))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=6, max_size=6), min_size=2, max_size=4))
def test_alpha_by_its_definition(rows):
    units = [[grades[at] for grades in rows if grades[at] is not None] for at in range(6)]
    values = [value for unit in units if len(unit) > 1 for value in unit]
    if not values or any(not any(g is not None for g in grades) for grades in rows):
        return
    found = ndcg.judge_agreement(judged({str(at): grades for at, grades in enumerate(rows)}))

    def ordinal(a, b):
        low, high = sorted((a, b))
        between = sum(low <= value <= high for value in values)
        return (between - (values.count(a) + values.count(b)) / 2) ** 2 if a != b else 0

    distances = {"nominal": lambda a, b: float(a != b), "interval": lambda a, b: (a - b) ** 2, "ordinal": ordinal}
    for name, distance in distances.items():
        assert getattr(found, name) == pytest.approx(plain_alpha(rows, distance), abs=1e-12)


@pytest.mark.parametrize(
    ("table", "kind", "expected"),
    [
        ([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]], "kappa", 0.3449),
        ([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]], "linear", 0.5082),
        ([[20, 5], [10, 15]], "kappa", 0.4),
        ([[45, 15], [25, 15]], "kappa", 0.1304),
        ([[25, 35], [5, 35]], "kappa", 0.2593),
    ],
)
def test_published_kappas(table, kind, expected):
    """SAS/STAT, the FREQ procedure: two dermatologists on 88 patients; Wikipedia's three tables of two grades."""
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    first, second = zip(*pairs, strict=True)
    (found,) = ndcg.judge_agreement(judged({"a": first, "b": second})).pairs
    assert [list(row) for row in found.table] == table
    assert getattr(found, kind) == pytest.approx(expected, abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_kappas_against_scikit_learn(pairs):
    first, second = zip(*pairs, strict=True)
    found = ndcg.judge_agreement(judged({"a": list(first), "b": list(second)})).pairs[0]
    if len(set(first)) == 1 and set(first) == set(second):
        assert found.kappa is None and found.quadratic is None
        return
    for name, weights in (("kappa", None), ("linear", "linear"), ("quadratic", "quadratic")):
        expected = cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights=weights)
        assert getattr(found, name) == pytest.approx(expected, abs=1e-12)
    assert np.array(found.table).sum() == len(pairs)


def test_the_demo_collection():
    """What its README says: 95 pairs, 80 equal (0.842), quadratically weighted kappa 0.913."""
    found = ndcg.judge_agreement([COLLECTION / "judgments.csv", COLLECTION / "judgments_second.csv"])
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.pairs, pair.equal) == ("a", "b", 95, 80)
    assert round(pair.share, 3) == 0.842 and round(pair.quadratic, 3) == 0.913
    text = (COLLECTION / "README.md").read_text(encoding="utf-8")
    assert f"Agreement on {pair.pairs} pairs: equal grades {pair.equal} ({pair.share:.3f})" in text
    assert f"kappa {pair.quadratic:.3f}" in text
    assert found.judged == 946 and found.shared == 95
    assert [grade.given for grade in found.by_grade] == [105, 48, 22, 15]


def test_by_grade_is_specific_agreement():
    """Of two judges: 2 n_gg / (n_g. + n_.g) (Dice); a grade that nobody shares has none."""
    found = ndcg.judge_agreement(judged({"a": [0, 0, 1, 1, 2, 3], "b": [0, 1, 1, 1, 3, None]}))
    shares = {grade.grade: grade.share for grade in found.by_grade}
    assert shares == {0: pytest.approx(2 / 3), 1: pytest.approx(4 / 5), 2: 0.0, 3: 0.0}
    alone = ndcg.judge_agreement(judged({"a": [0, 1, 7], "b": [0, 1, None]}))
    assert alone.by_grade[-1].share is None and alone.by_grade[-1].given == 0


@pytest.fixture
def write(tmp_path):
    def made(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return made


def test_all_shapes_of_files(write):
    long = write("long.csv", "query,doc,grade,judge\nq,A,1,anna\nq,A,1,ben\nq,B,0,anna\nq,B,2,ben\nq,C,,ben\n")
    book = write("book.csv", "query,docid,anna,ben\nq,A,1,1\nq,B,0,2\nq,C,,\n")
    apart = [write("anna.qrels", "q 0 A 1\nq 0 B 0\n"), write("ben.csv", "query,doc,grade\nq,A,1\nq,B,2\n")]
    found = [ndcg.judge_agreement(each) for each in (long, book, apart)]
    assert found[0] == found[1] == found[2]
    assert found[0].judges == ("anna", "ben") and found[0].pairs[0].difference == 1.0


def test_frames_parquet_and_labels(write, tmp_path):
    frame = pandas.DataFrame({"query": ["q"] * 4, "doc": list("AABB"), "grade": [1, 1, 0, 2], "judge": ["x", "y"] * 2})
    frame.to_parquet(tmp_path / "judged.parquet")
    named = frame.rename(columns={"judge": "who"})
    found = [
        ndcg.judge_agreement(frame),
        ndcg.judge_agreement(tmp_path / "judged.parquet"),
        ndcg.judge_agreement(named, columns={"judge": "who"}),
        ndcg.judge_agreement(
            write("labels.csv", "query,doc,label,judge\nq,A,fair,x\nq,A,fair,y\nq,B,bad,x\nq,B,good,y\n"),
            labels={"bad": 0, "fair": 1, "good": 2},
        ),
    ]
    assert all(each == found[0] for each in found) and found[0].judges == ("x", "y")
    assert found[0].pairs[0].difference == 1.0


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.csv": "query,doc,grade\nq,A,1\n"}, "there is one judge, 'a'"),
        ({"a.csv": "query,doc,grade\nq,A,1\n", "b.csv": "query,doc,grade\nq,B,1\n"}, "no .* has the grades of two"),
        ({"a.csv": "query,doc,grade,judge\nq,A,1,x\nq,A,2,x\n"}, "judge 'x' gave it both 1 and 2"),
        ({"a.csv": "query,doc,x,y\nq,A,1,yes\n"}, "'yes' is not a number"),
        ({"a.csv": "query,doc,x,x\nq,A,1,2\n"}, "name of one judge"),
        ({"a.csv": ""}, "is empty"),
    ],
)
def test_bad_files(write, files, message):
    paths = [write(name, text) for name, text in files.items()]
    with pytest.raises(ndcg.InputError, match=message):
        ndcg.judge_agreement(paths)


def test_wrong_arguments(tmp_path):
    with pytest.raises(ndcg.InputError, match="no such file: "):
        ndcg.judge_agreement(str(tmp_path / "nothing.csv"))
    with pytest.raises(ndcg.UsageError, match="a mapping from judges"):
        ndcg.judge_agreement(3)


def test_json():
    plain = json.loads(ndcg.judge_agreement(judged(KRIPPENDORFF)).to_json())
    assert plain["interval"] == pytest.approx(0.849, abs=5e-4) and len(plain["pairs"]) == 6


def test_judges_with_files_of_one_name(tmp_path):
    """As much of the path as differs names the judge; one file is one judge."""
    paths = []
    for judge, grade in (("anna", 2), ("ben", 1)):
        (tmp_path / judge).mkdir()
        for name, text in (
            ("grades.csv", f"query,doc,grade\nq,A,{grade}\nq,B,0\n"),
            ("grades.qrels", f"q 0 A {grade}\nq 0 B 0\n"),
            ("cells.csv", f"query,doc,grade,judge\nq,A,{grade},\nq,B,0,\n"),
        ):
            (tmp_path / judge / name).write_text(text)
            paths.append(tmp_path / judge / name)
    for name in ("grades.csv", "grades.qrels", "cells.csv"):
        found = ndcg.judge_agreement([path for path in paths if path.name == name])
        assert found.judges == (f"anna/{name.split('.')[0]}", f"ben/{name.split('.')[0]}")
        assert (found.pairs[0].pairs, found.pairs[0].equal) == (2, 1)
    assert ndcg.judge_agreement(paths[:2]).judges == ("grades.csv", "grades.qrels")
    labelled = ndcg.judge_agreement([paths[0], paths[3]], labels={"x": 0})
    assert labelled.judges == ("anna/grades", "ben/grades")
    with pytest.raises(ndcg.UsageError, match="is given twice"):
        ndcg.judge_agreement([paths[0], paths[0]])


def test_a_column_that_is_no_judge_s_is_named(tmp_path):
    path = tmp_path / "book.csv"
    path.write_text("query,docid,name,agent_1_rating,agent_2_rating\nq,A,Speaker,2,3\nq,B,Lamp,0,0\n")
    with pytest.raises(ndcg.InputError, match=r"column 'name' was taken for a judge's: grade 'Speaker'.*'agent_\*'"):
        ndcg.judge_agreement(path)
    assert ndcg.judge_agreement(path, columns={"grade": "agent_*"}).judges == ("agent_1_rating", "agent_2_rating")
    with pytest.raises(ndcg.InputError, match=r"no grade column.*or a column per judge with columns=.*'agent_\*'"):
        ndcg.evaluate(path, {"q": {"A": 1.0}})
    columns = {"qrels": {"grade": "agent_*"}}
    assert ndcg.evaluate(path, {"q": {"A": 1.0}}, columns=columns, merge="max").value == 1.0
