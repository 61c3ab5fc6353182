"""The worked values of the definition page, through every way in."""

from __future__ import annotations

import pytest

import ndcg

JUDGED = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
RUN = {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}


def four(value):
    return pytest.approx(value, abs=5e-5)


@pytest.fixture(params=["dicts", "list", "trec", "csv", "json", "pandas", "polars", "arrow", "duckdb"])
def inputs(request, tmp_path):
    """The worked example in one of the shapes that people have."""
    kind = request.param
    judged = [(q, d, g) for q, docs in JUDGED.items() for d, g in docs.items()]
    run = [(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]
    if kind == "dicts":
        yield JUDGED, RUN
    elif kind == "list":
        yield JUDGED, {"q1": ["A", "B", "C", "D"]}
    elif kind == "trec":
        qrels_file, run_file = tmp_path / "a.qrels", tmp_path / "a.run"
        qrels_file.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged))
        run_file.write_text("".join(f"{q} Q0 {d} {n} {s} t\n" for n, (q, d, s) in enumerate(run, 1)))
        yield qrels_file, run_file
    elif kind == "csv":
        qrels_file, run_file = tmp_path / "qrels.csv", tmp_path / "run.csv"
        qrels_file.write_text("query,doc,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in judged))
        run_file.write_text("query,doc,score\n" + "".join(f"{q},{d},{s}\n" for q, d, s in run))
        yield qrels_file, run_file
    elif kind == "json":
        import json

        qrels_file, run_file = tmp_path / "qrels.json", tmp_path / "run.json"
        qrels_file.write_text(json.dumps(JUDGED))
        run_file.write_text(json.dumps(RUN))
        yield qrels_file, run_file
    elif kind == "pandas":
        import pandas

        yield (
            pandas.DataFrame(judged, columns=["query", "doc", "grade"]),
            pandas.DataFrame(run, columns=["query", "doc", "score"]),
        )
    elif kind == "polars":
        import polars

        yield (
            polars.DataFrame(judged, schema=["query", "doc", "grade"], orient="row"),
            polars.DataFrame(run, schema=["query", "doc", "score"], orient="row"),
        )
    elif kind == "arrow":
        import pyarrow

        def table(rows, names):
            return pyarrow.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

        yield table(judged, ["query", "doc", "grade"]), table(run, ["query", "doc", "score"])
    else:
        import duckdb

        with duckdb.connect() as connection:
            connection.execute("create table judged (query varchar, doc varchar, grade double)")
            connection.execute("create table run (query varchar, doc varchar, score double)")
            connection.executemany("insert into judged values (?, ?, ?)", judged)
            connection.executemany("insert into run values (?, ?, ?)", run)
            yield connection.table("judged"), connection.table("run")


@pytest.mark.parametrize(
    "measure, dcg, ideal, value",
    [
        ("nDCG(gain=linear)@4", 4.4923, 6.3235, 0.7104),
        ("nDCG@4", 8.9230, 13.3472, 0.6685),
        ("nDCG(gain=linear, ideal=returned)@4", 4.4923, 4.7619, 0.9434),
        ("nDCG(gain=linear, ideal=returned)@2", 3.6309, 4.2619, 0.8520),
    ],
)
def test_worked_example(inputs, measure, dcg, ideal, value):
    result = ndcg.evaluate(*inputs, measure)
    (row,) = result.per_query
    assert (row.dcg, row.ideal_dcg, row.value, result.value) == (four(dcg), four(ideal), four(value), four(value))
    assert (row.judged, row.relevant, row.returned, row.judged_at_k) == (5, 4, 4, 1.0)


@pytest.mark.parametrize("measure", ["DCG@4", "IDCG@4", "CG(gain=exp2)@4", "CG@4"])
def test_measures_of_the_family(measure):
    expected = {"DCG@4": 8.9230, "IDCG@4": 13.3472, "CG(gain=exp2)@4": 11.0, "CG@4": 6.0}
    assert ndcg.evaluate(JUDGED, RUN, measure).value == four(expected[measure])


def test_cumulative_gain():
    assert ndcg.evaluate_lists({"q": [3, 1, 0, 2]}, "CG").value == 6
    assert ndcg.evaluate_lists({"q": [0, 0, 1, 1]}, "CG").value == 2


@pytest.mark.parametrize("rank, discount", [(1, 1.0), (2, 0.6309), (3, 0.5), (4, 0.4307), (10, 0.2891)])
def test_discounts(rank, discount):
    run = {"q": [f"d{n}" for n in range(1, 11)]}
    assert ndcg.evaluate({"q": {f"d{rank}": 1}}, run, "nDCG").value == four(discount)


def test_missing_and_empty_are_not_the_same():
    result = ndcg.evaluate({"q1": {"A": 1}, "q2": {"A": 1}}, {"q1": ["A"]})
    queries = result.summary.queries
    assert (result.value, queries.counted, queries.scored, queries.missing) == (0.5, 2, 1, 1)
    result = ndcg.evaluate({"q1": {"A": 1}, "q2": {"A": 0}}, {"q1": ["A"]})
    assert (result.value, result.summary.queries.counted) == (1.0, 1)
    assert [row.status for row in result.per_query] == ["scored", "empty"]


def test_an_ideal_without_gain_is_zero_and_said():
    judged, run = {"q1": {"A": 1}, "q2": {"B": 1}}, {"q1": ["A"], "q2": ["X"]}
    result = ndcg.evaluate(judged, run, "nDCG(ideal='returned')")
    assert (result.value, result.summary.without_gain) == (0.5, 1)
    assert any("ideal pool is without gain" in warning for warning in result.entries[0].warnings)


def test_score_decides_and_disagreement_is_counted(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n")
    for measure in ("nDCG@10", "nDCG"):
        result = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", measure)
        assert (result.value, result.entries[0].counters.disagreements) == (four(0.6309), 1)


@pytest.mark.parametrize(
    "judged, run, measure, value",
    [
        ({"A": 2, "B": -1}, ["A"], "nDCG(negative=keep, gain=linear)@2", 1.0),
        ({"A": 1, "B": 2}, ["A", "X", "B"], "nDCG(gain={1: 1, 2: 3})@3", 0.6885),
        ({"a": 1, "b": 2}, {"a": 0.900000002, "b": 0.900000001}, "nDCG(gain=linear)", 0.8597),
        (
            {"a": 1, "b": 2},
            {"a": 0.900000002, "b": 0.900000001},
            "nDCG(gain=linear, score_type=float32, ties=docid_desc)",
            1.0,
        ),
    ],
)
def test_further_values(judged, run, measure, value):
    assert ndcg.evaluate({"q1": judged}, {"q1": run}, measure).value == four(value)


def test_candidates():
    judged, run = {"q1": {"A": 1, "B": 3}}, {"q1": ["A"]}
    pool = {"q1": ["A", "X"]}
    result = ndcg.evaluate(judged, run, "nDCG(ideal='candidates')@10", candidates=pool, pool_version="index 7")
    assert (result.value, result.pool_version) == (1.0, "index 7")
    assert ndcg.evaluate(judged, run, "nDCG@10", candidates=pool).value < 1
    with pytest.raises(ndcg.InputError, match=r"query 'q1', document 'A'.*outside the candidate pool"):
        ndcg.evaluate(judged, run, "nDCG(ideal='candidates')@10", candidates={"q1": ["B"]})
    with pytest.raises(ndcg.UsageError, match="candidates="):
        ndcg.evaluate(judged, run, "nDCG(ideal='candidates')@10")


def test_candidates_from_a_file(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 A 1\nq1 0 B 3\n")
    (tmp_path / "run").write_text("q1 Q0 A 1 1 t\n")
    (tmp_path / "pool.csv").write_text("query,doc\nq1,A\nq1,X\n")
    (tmp_path / "small.csv").write_text("query,doc\nq1,B\n")
    files = tmp_path / "qrels", tmp_path / "run"
    measures = ["nDCG(ideal='candidates')@10", "nDCG(ideal='candidates')"]
    result = ndcg.evaluate(*files, measures, candidates=tmp_path / "pool.csv")
    assert [entry.value for entry in result.entries] == [1.0, 1.0]
    with pytest.raises(ndcg.InputError, match=r"document 'A'.*outside the candidate pool"):
        ndcg.evaluate(*files, measures, candidates=tmp_path / "small.csv")


@pytest.mark.parametrize("merge, value", [("mean", 2.0), ("median", 3.0), ("max", 3.0), ("min", 0.0)])
def test_merging_counts_every_row(tmp_path, merge, value):
    (tmp_path / "qrels").write_text("q1 0 A 3\nq1 0 A 3\nq1 0 A 0\nq1 0 B 1\n")
    (tmp_path / "run").write_text("q1 Q0 A 1 1 t\n")
    result = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", "CG@1", merge=merge)
    assert result.value == value
    with pytest.raises(ndcg.InputError, match=r"(?s)line 1.*line 3"):
        ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", "CG@1")
