"""Inputs that once gave a wrong number, lost something or ended in a traceback."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ndcg

Q = {"q1": {"a": 1, "b": 2}}


def test_integer_and_text_queries_are_one_in_lists():
    both = [
        ndcg.evaluate_lists({one: [1, 0]}, "nDCG@2", judged={other: [1, 1]}).value
        for one, other in ((1, "1"), ("1", "1"))
    ]
    assert both[0] == both[1] == pytest.approx(0.6131, abs=5e-5)
    with pytest.raises(ndcg.InputError, match="text and as integer"):
        ndcg.evaluate_lists({1: [1], "1": [0]}, "nDCG@2")


def test_integer_and_text_queries_do_not_overwrite_each_other_in_a_pool():
    with pytest.raises(ndcg.InputError, match="text and as integer"):
        ndcg.evaluate({"1": {"a": 1}}, {"1": ["a"]}, candidates={"1": ["a", "b"], 1: ["a"]})


def test_runs_with_one_name_are_refused():
    with pytest.raises(ndcg.UsageError, match="same name"):
        ndcg.evaluate(Q, {1: {"q1": {"a": 1.0}}, "1": {"q1": {"b": 1.0}}})


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("number", ["1e400", "9" * 5000])
def test_numbers_beyond_a_float_in_json(tmp_path, name, number):
    text = (
        f'{{"q1": {{"a": {number}, "b": 1}}}}'
        if name == "a.json"
        else f'{{"query": "q1", "doc": "a", "score": {number}}}\n'
    )
    (tmp_path / name).write_text(text)
    with pytest.raises(ndcg.InputError):
        ndcg.evaluate(Q, tmp_path / name)


@pytest.mark.parametrize("number", [10**400, 10**5000, np.array([1.0, 2.0])], ids=["large", "long", "several"])
def test_numbers_that_are_no_float_name_query_and_document(number):
    with pytest.raises((ValueError, TypeError), match="query 'q1', document 'a'"):
        ndcg.evaluate(Q, {"q1": {"a": number, "b": 1}})
    with pytest.raises((ValueError, TypeError), match="query 'q1', document 'a'"):
        ndcg.evaluate({"q1": {"a": number}}, {"q1": ["a"]})


def test_repeats_are_counted_up_to_what_fills_the_cutoff(tmp_path):
    (tmp_path / "run").write_text("q1\ta\nq1\tb\nq1\ta\n")
    for run in ({"q1": ["a", "b", "a"]}, tmp_path / "run"):
        result = ndcg.evaluate(Q, run, ["P@2", "P@3"])
        assert [entry.counters.duplicates for entry in result.entries] == [0, 1]


def test_fingerprints_of_ranked_lists_and_failed_queries(tmp_path):
    (tmp_path / "run").write_text("q1\ta\nq2\ta\nq2\tb\n")
    judged = {**Q, "q2": {"a": 1}}
    listed = ndcg.evaluate(judged, {"q1": ["a"], "q2": ["a", "b"]}).run_fingerprint()
    assert ndcg.evaluate(judged, tmp_path / "run").run_fingerprint() == listed
    (tmp_path / "a.jsonl").write_text('{"query":"q1","doc":"a","score":1}\n{"query":"q2","failed":true}\n')
    failed = ndcg.evaluate(judged, {"q1": {"a": 1.0}, "q2": None}).run_fingerprint()
    assert ndcg.evaluate(judged, tmp_path / "a.jsonl").run_fingerprint() == failed
    assert ndcg.evaluate(judged, {"q1": {"a": 1.0}, "q2": {}}).run_fingerprint() != failed


def test_an_unjudged_document_is_named(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 a 1 3 t\nq1 Q0 x 2 2 t\n")
    for run in ({"q1": {"a": 3, "x": 2}}, tmp_path / "run"):
        with pytest.raises(ndcg.InputError, match="query 'q1', document 'x'"):
            ndcg.evaluate(Q, run, unjudged="error")


@pytest.mark.parametrize("score", ["nan", "1_0", "0x10", "1,5", "high"])
def test_a_trec_run_without_one_good_score(tmp_path, score):
    (tmp_path / "run").write_text(f"q1 Q0 a 1 {score} t\nq1 Q0 b 2 {score} t\n")
    with pytest.raises(ndcg.InputError, match=r"line 1.*query 'q1', document 'a'.*score"):
        ndcg.evaluate(Q, tmp_path / "run")


@pytest.mark.parametrize("arguments", [{"worst": -1}, {"worst": "x"}, {"memory": 100}, {"memory": "lots"}])
def test_odd_arguments(tmp_path, arguments):
    (tmp_path / "run").write_text("q1 Q0 a 1 3 t\n")
    with pytest.raises(ndcg.UsageError):
        ndcg.evaluate(Q, tmp_path / "run", **arguments)


@pytest.mark.parametrize("k", [2**31, 2**64])
def test_cutoffs_beyond_any_list(k):
    with pytest.raises(ValueError, match="longer than any list"):
        ndcg.nDCG(k=k)


def test_an_empty_path_is_not_the_current_folder():
    with pytest.raises(ndcg.InputError, match="path is empty"):
        ndcg.evaluate(Q, "")


def test_the_order_of_a_large_input_is_kept(tmp_path):
    """Equal scores in the order of the file, over more rows than one block of the engine holds."""
    queries, documents = 20, 15_000
    with (tmp_path / "run").open("w") as file:
        for query in range(queries):
            file.write("".join(f"q{query} Q0 d{(n * 7919) % documents} 1 1.0 t\n" for n in range(documents)))
    judged = {f"q{query}": {f"d{(7919 * (100 + query)) % documents}": 1} for query in range(queries)}
    for measure in ("RR(ties=given)", "RR(ties=given)@150"):
        rows = ndcg.evaluate(judged, tmp_path / "run", measure).per_query
        assert [row.value for row in rows] == [1 / (101 + query) for query in range(queries)]


def test_json_numbers_are_read_as_before(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"q1": {"a": 1.5e300, "b": -0.1}}))
    assert ndcg.evaluate(Q, tmp_path / "a.json", "nDCG(gain=linear)").value == pytest.approx(0.8597, abs=5e-5)


SELF = {"q1": {"a": 1, "q1": 2}}


def test_own_documents_are_dropped_before_repeats_are_errors(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 q1 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 q1 3 1 t\n")
    (tmp_path / "again").write_text("q1 Q0 q1 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 q1 3 1 t\nq1 Q0 a 4 1 t\n")
    for once, twice in ((["q1", "a", "q1"], ["q1", "a", "q1", "a"]), (tmp_path / "run", tmp_path / "again")):
        runs = [{"q1": run} if isinstance(run, list) else run for run in (once, twice)]
        assert ndcg.evaluate(SELF, runs[0], "P@1", duplicates="error", self="drop").value == 1.0
        assert ndcg.explain(SELF, runs[0], query="q1", measure="nDCG(duplicates=error, self=drop)@1") is not None
        for run, dropped, document in ((runs[0], "keep", "q1"), (runs[1], "drop", "a")):
            with pytest.raises(ndcg.InputError, match=f"document '{document}'.*twice"):
                ndcg.evaluate(SELF, run, duplicates="error", self=dropped)


@pytest.mark.parametrize("measure", ["nDCG(ideal=candidates)", "nDCG(ideal=candidates, duplicates=error)@5", "AP"])
def test_repeats_in_a_file_beside_judgments_and_a_pool_in_memory(tmp_path, measure):
    (tmp_path / "run").write_text("q1 Q0 b 1 3 t\nq1 Q0 c 2 2 t\nq1 Q0 c 3 1 t\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 2\n")
    for judged in (Q, tmp_path / "qrels"):
        for pool in ({"q1": ["a", "b", "c"]}, None):
            if pool is None and "candidates" in measure:
                continue
            if "error" in measure:
                with pytest.raises(ndcg.InputError, match=r"line 3, query 'q1', document 'c'.*twice"):
                    ndcg.evaluate(judged, tmp_path / "run", measure, candidates=pool)
            else:
                expected = ndcg.evaluate(Q, {"q1": ["b", "c"]}, measure, candidates=pool).value
                assert ndcg.evaluate(judged, tmp_path / "run", measure, candidates=pool).value == expected


@pytest.mark.parametrize("grade", [1.7e308, -1.7e308])
@pytest.mark.parametrize("measure", ["DCG", "nDCG", "CG"])
@pytest.mark.parametrize("ties", ["average", "best", "worst"])
def test_gains_of_a_tied_group_beyond_a_float(grade, measure, ties):
    judged = {"q1": {**dict.fromkeys("abc", grade), "z": 1}}
    with pytest.raises(ndcg.InputError, match=r"query 'q1'.*beyond the range of a float"):
        ndcg.evaluate(judged, {"q1": dict.fromkeys("abc", 1.0)}, measure, gain="linear", negative="keep", ties=ties)


def test_a_mean_whose_sum_is_beyond_a_float():
    judged = {query: {"a": 1.7e308} for query in "xyz"}
    assert ndcg.evaluate(judged, {query: ["a"] for query in "xyz"}, "DCG(gain=linear)").value == 1.7e308
