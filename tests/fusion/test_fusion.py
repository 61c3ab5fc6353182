"""Fusion gives the numbers of the papers and of other tools, and does not depend on the order of anything."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ndcg
from ndcg.cli.main import main
from ndcg.errors import InputError, NdcgError, UsageError
from ndcg.fusion.methods import METHODS, fused, settled
from ndcg.fusion.normalisations import NORMALISATIONS

LEXICAL = {"q1": {"a": 9.0, "b": 7.5, "c": 3.0, "d": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
DENSE = {"q1": {"c": 0.91, "e": 0.90, "a": 0.35}, "q2": {"y": 0.7, "z": 0.2}}

RANX = {
    ("rrf", None): {"a": 0.032266458495966696, "c": 0.032266458495966696, "b": 0.016129032258064516, "d": 0.015625},
    ("combsum", "minmax"): {"c": 1.25, "a": 1.0, "e": 0.9821428571428571, "b": 0.8125, "d": 0.0},
    ("combmnz", "minmax"): {"c": 2.5, "a": 2.0, "e": 0.9821428571428571, "b": 0.8125, "d": 0.0},
    ("combsum", "max"): {"a": 1.3846153846153846, "c": 4 / 3, "e": 0.989010989010989, "d": 0.1111111111111111},
    ("combsum", "sum"): {"c": 0.6257166257166257, "e": 0.4954954954954954, "a": 0.48484848484848486, "d": 0.0},
    ("combsum", "zscore"): {"b": 0.731310340973526, "e": 0.6879120434707428, "c": 0.07179907413754161},
}
"""What ranx 0.3.21 printed for query q1 (its zmuv adds 0 for an absent document)."""


@pytest.mark.parametrize(("method", "normalisation"), list(RANX))
def test_values_that_ranx_printed(method, normalisation):
    absent = "zero" if normalisation == "zscore" else None
    made = ndcg.fuse({"a": LEXICAL, "b": DENSE}, method, normalisation=normalisation, absent=absent)
    for document, value in RANX[method, normalisation].items():
        assert made["q1"][document] == pytest.approx(value, abs=1e-12)


def test_a_weighted_sum_as_ranx_gives_it():
    made = ndcg.fuse({"a": LEXICAL, "b": DENSE}, "weighted", weights=(0.3, 0.7))
    expected = {"c": 0.775, "e": 0.6875, "a": 0.3, "b": 0.24375, "d": 0.0}
    assert made["q1"] == pytest.approx(expected, abs=1e-12) and list(made["q1"]) == list(expected)


def test_the_formula_of_reciprocal_ranks():
    made = ndcg.fuse({"a": LEXICAL, "b": DENSE}, weights=(2, 1), k=10)
    assert made["q1"]["c"] == math.fsum([2 / 13, 1 / 11]) and made["q1"]["e"] == 1 / 12


def test_an_absent_document_is_never_worth_more_than_a_returned_one():
    scores = ndcg.fuse({"a": LEXICAL, "b": DENSE}, "combsum", normalisation="zscore")["q1"]
    assert min(scores, key=scores.get) == "d"


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("minmax", [5.0, 5.0], [1.0, 1.0]),
        ("minmax", [4.0, 2.0, 0.0], [1.0, 0.5, 0.0]),
        ("zscore", [5.0], [0.0]),
        ("zscore", [1.0, -1.0], [1.0, -1.0]),
        ("sum", [3.0, 2.0, 1.0], [2 / 3, 1 / 3, 0.0]),
        ("sum", [3.0, 3.0], [0.5, 0.5]),
        ("max", [4.0, 1.0], [1.0, 0.25]),
        ("rank", [9.0, 8.0, 1.0, 0.0], [1.0, 0.75, 0.5, 0.25]),
        ("three_sigma", [7.0], [0.5]),
        ("three_sigma", [1.0, -1.0], [0.5 + 1 / (6 * math.sqrt(2)), 0.5 - 1 / (6 * math.sqrt(2))]),
        ("none", [3.0, -1.0], [3.0, -1.0]),
    ],
)
def test_normalisations(name, scores, expected):
    assert NORMALISATIONS[name].scale(scores) == pytest.approx(expected, abs=1e-15)


def test_a_scale_without_a_value_is_an_error_with_the_query():
    with pytest.raises(NdcgError, match=r"not above 0.*normalisation max"):
        ndcg.fuse({"a": {"q7": {"a": -1.0}}, "b": {"q7": {"a": 1.0}}}, "combsum", normalisation="max")


def test_ranks_alone_go_with_ranks_and_are_refused_by_scores():
    ranked = {"q1": ["c", "e", "a"]}
    assert ndcg.fuse({"a": LEXICAL, "b": ranked})["q1"] == ndcg.fuse({"a": LEXICAL, "b": DENSE})["q1"]
    assert ndcg.fuse({"a": LEXICAL, "b": ranked}, "combsum", normalisation="rank")["q1"]["e"] == pytest.approx(2 / 3)
    with pytest.raises(NdcgError, match=r"has ranks and no scores|without scores"):
        ndcg.fuse({"a": LEXICAL, "b": ranked}, "combsum")


def test_a_failed_search_is_fused_from_the_others_and_named():
    made = ndcg.fuse({"a": {"q1": None, "q2": {"x": 1.0}, "q3": None}, "b": {"q1": {"y": 1.0}, "q2": {}, "q3": None}})
    assert made["q1"] == {"y": 1 / 61} and made["q3"] is None and made.partial == ("q1",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "rff"}, "did you mean 'rrf'"),
        ({"normalisation": "minmax"}, "no effect"),
        ({"method": "combsum", "normalisation": "min-max"}, "did you mean 'minmax'"),
        ({"method": "combsum", "weights": (1, 2)}, "takes no weights"),
        ({"method": "weighted"}, "needs a weight"),
        ({"weights": (1,)}, "1 weight was given for 2 runs"),
        ({"weights": (1, -1)}, "at least 0"),
        ({"weights": (1, math.nan)}, "finite"),
        ({"weights": (0, 0)}, "every weight is 0"),
        ({"k": -1}, "at least 0"),
        ({"depth": 0}, "at least 1"),
        ({"method": "combsum", "absent": "none"}, "choose from zero, lowest"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        ndcg.fuse({"a": LEXICAL, "b": DENSE}, **options)


def test_a_run_of_weight_0_takes_no_part():
    made = ndcg.fuse({"a": LEXICAL, "b": DENSE}, "weighted", weights=(1, 0))
    assert {query: list(rows) for query, rows in made.items()} == {q: list(rows) for q, rows in LEXICAL.items()}


def test_a_count_never_turns_negative_scores_around():
    with pytest.raises(UsageError, match="zscore gives negative numbers"):
        ndcg.fuse({"a": LEXICAL, "b": DENSE}, "combmnz", normalisation="zscore")
    with pytest.raises(NdcgError, match=r"q1.*turns negative scores around"):
        ndcg.fuse({"a": {"q1": {"a": -1.0}}, "b": DENSE}, "combmnz", normalisation="none")


def test_one_run_is_no_fusion_and_infinite_scores_cannot_be_scaled():
    with pytest.raises(UsageError, match="two runs"):
        ndcg.fuse({"a": LEXICAL})
    with pytest.raises(NdcgError, match=r"q1.*'a': an infinite score"):
        ndcg.fuse({"a": {"q1": {"a": math.inf}}, "b": DENSE}, "combsum")


def test_depth_takes_the_first_documents_only():
    assert set(ndcg.fuse({"a": LEXICAL, "b": DENSE}, depth=1)["q1"]) == {"a", "c"}


lists = st.dictionaries(st.sampled_from("abcdefg"), st.integers(-5, 5).map(float), min_size=1, max_size=6)


@given(st.lists(lists, min_size=2, max_size=4), st.sampled_from(list(METHODS)), st.data())
def test_the_order_of_runs_and_rows_changes_no_bit(runs, method, data):
    weights = [data.draw(st.sampled_from([0.5, 1.0, 3.0])) for _ in runs] if METHODS[method].weighted else None
    order = data.draw(st.permutations(range(len(runs))))

    def made(indices):
        ordered = [sorted(runs[at].items(), key=lambda p: (-p[1], p[0])) for at in indices]
        chosen = None if weights is None else [weights[at] for at in indices]
        return fused(ordered, settled(method, len(runs), weights=chosen))

    assert list(made(range(len(runs))).items()) == list(made(order).items())


@given(lists, lists, st.floats(0.1, 100), st.integers(-50, 50))
def test_minmax_sees_no_scale_and_no_shift(one, other, scale, shift):
    moved = {doc: score * 2 ** round(math.log2(scale)) + shift for doc, score in one.items()}
    plain = ndcg.fuse({"a": {"q": one}, "b": {"q": other}}, "combsum")["q"]
    assert ndcg.fuse({"a": {"q": moved}, "b": {"q": other}}, "combsum")["q"] == pytest.approx(plain, abs=1e-12)


def test_a_fused_run_is_a_run(tmp_path, capsys):
    judged = {"q1": {"e": 2, "a": 1}, "q2": {"y": 1}}
    made = ndcg.fuse({"a": LEXICAL, "b": DENSE})
    value = ndcg.evaluate(judged, made).value
    for name, rows in (("a", LEXICAL), ("b", DENSE)):
        text = [f"{q} Q0 {doc} 0 {score} t\n" for q, docs in rows.items() for doc, score in docs.items()]
        (tmp_path / f"{name}.run").write_text("".join(text))
    paths = [str(tmp_path / "a.run"), str(tmp_path / "b.run")]
    assert main(["fuse", *paths, "-o", str(tmp_path / "fused.run"), "--tag", "hybrid"]) == 0
    assert ndcg.evaluate(judged, str(tmp_path / "fused.run")).value == value
    assert (tmp_path / "fused.run").read_text().split()[5] == "hybrid"
    assert main(["fuse", *paths, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == dict(made)
    assert main(["fuse", *paths, "-o", paths[0]]) == 2 and "one of the inputs" in capsys.readouterr().err
    assert main(["fuse", *paths, "--tag", "two words"]) == 2 and "not one word" in capsys.readouterr().err
    assert main(["fuse", *paths, "-o", str(tmp_path / "fused.csv")]) == 0
    assert (tmp_path / "fused.csv").read_text().startswith("query,doc,")
    assert ndcg.evaluate(judged, str(tmp_path / "fused.csv")).value == value
    assert main(["fuse", *paths, "--format", "trec_qrels"]) == 2 and "choose from" in capsys.readouterr().err
    (tmp_path / "odd.csv").write_text("frage,treffer,score\nq1,a,2\nq1,e,1\n")
    odd = ["fuse", str(tmp_path / "odd.csv"), paths[1], "--columns", "query=frage,doc=treffer", "--run-format", "csv"]
    assert main(odd) == 2  # the second file is no CSV
    assert main(["fuse", *paths, "--weights", "1,x"]) == 2 and "'x' is not a number" in capsys.readouterr().err


@pytest.mark.parametrize("normalisation", ["minmax", "zscore", "sum", "three_sigma"])
def test_scores_beyond_a_float_are_an_error_and_never_nan(normalisation):
    far = {"x": {"q": {"a": 1e308, "b": -1e308}}, "y": {"q": {"a": 1.0}}}
    with pytest.raises(ndcg.InputError, match=r"query 'q': the scores are too large, or too far apart"):
        ndcg.fuse(far, "combsum", normalisation=normalisation)


@pytest.mark.parametrize(("method", "weights"), [("combsum", None), ("combmnz", None), ("weighted", [1e10, 1.0])])
def test_a_fused_score_beyond_a_float_is_an_error(method, weights):
    large = {"x": {"q": {"a": 1.7e308}}, "y": {"q": {"a": 1.7e308}}}
    with pytest.raises(ndcg.InputError, match=r"query 'q': the fused score of document 'a' is beyond"):
        ndcg.fuse(large, method, normalisation="none", weights=weights)


@pytest.mark.parametrize("score", [True, "3", "x", None, b"1"])
def test_scores_of_another_type_are_named(score):
    with pytest.raises(ndcg.DataTypeError, match=r"run x, query 'q', document 'a': score .* not a number"):
        ndcg.fuse({"x": {"q": {"a": score}}, "y": {"q": {"a": 1.0}}})


def test_a_document_as_text_and_as_integer_is_refused():
    with pytest.raises(ndcg.InputError, match="as text and as integer"):
        ndcg.fuse({"x": {"q": {1: 1.0, "1": 2.0}}, "y": {"q": {"a": 1.0}}})


@pytest.mark.parametrize("weights", [0.5, "ab", {"x": 0.5, "y": 0.5}])
def test_weights_are_a_list(weights):
    runs = {"x": {"q": {"a": 1.0}}, "y": {"q": {"a": 1.0}}}
    with pytest.raises(ndcg.UsageError, match="in the order of the runs"):
        ndcg.fuse(runs, "weighted", weights=weights)
    assert ndcg.fuse(runs, "weighted", weights=np.array([0.5, 0.5]))["q"] == {"a": 1.0}


def test_k_is_for_reciprocal_ranks_alone():
    runs = {"x": {"q": {"a": 1.0}}, "y": {"q": {"a": 1.0}}}
    assert ndcg.fuse(runs, k=np.int64(1))["q"] == {"a": 1.0}
    with pytest.raises(ndcg.UsageError, match="has no effect"):
        ndcg.fuse(runs, "combsum", k=60)
    with pytest.raises(ndcg.UsageError, match="has no effect"):
        ndcg.tune({"q": {"a": 1}}, runs, k=60)


def test_a_fused_run_as_data():
    runs = {"x": {"q": {"a": 2.0, "b": 1.0}, "p": None}, "y": {"q": {"b": 1.0}, "p": None}}
    for made in (ndcg.fuse(runs), ndcg.fuse(runs, "weighted", weights=[0.25, 0.75])):
        plain = json.loads(made.to_json())
        assert plain["rows"] == dict(made) and plain["runs"] == ["x", "y"] and plain["rows"]["p"] is None
        assert plain["method"] == made.fusion.method and ("k" in plain) != ("normalisation" in plain)


@pytest.mark.parametrize("name", ["h.run.gz", "h.csv.gz", "h.jsonl.zst", "h.yaml", "h.json"])
def test_the_file_is_what_its_name_says(name, tmp_path, capsys):
    first, second, made = tmp_path / "a.run", tmp_path / "b.run", tmp_path / name
    first.write_text("q Q0 A 1 2 a\nq Q0 B 2 1 a\n")
    second.write_text("q Q0 B 1 2 b\n")
    assert main(["fuse", str(first), str(second), "-o", str(made)]) == 0
    expected = ndcg.fuse({"a": str(first), "b": str(second)})
    assert ndcg.evaluate({"q": {"A": 1}}, str(made)).value == ndcg.evaluate({"q": {"A": 1}}, expected).value
    start = made.read_bytes()[:2]
    assert (start == b"\x1f\x8b") == name.endswith(".gz") and (start == b"\x28\xb5") == name.endswith(".zst")


@pytest.mark.parametrize("name", ["h.parquet", "h.qrels"])
def test_names_of_other_formats_are_refused(name, tmp_path, capsys):
    run = tmp_path / "a.run"
    run.write_text("q Q0 A 1 2 a\n")
    assert main(["fuse", str(run), str(run), "-o", str(tmp_path / name)]) == 2
    assert "a fused run is not written as" in capsys.readouterr().err
    assert not (tmp_path / name).exists()
    assert main(["fuse", str(run)]) == 2
    assert "takes two or more; ndcg fuse RUN RUN" in capsys.readouterr().err


def test_a_bad_line_is_named_with_its_file(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 c\n")
    (tmp_path / "b.run").write_text("q1 Q0 a 1 2 x\n")
    with pytest.raises(InputError, match=r"a\.run, line 2: expected 6 fields"):
        ndcg.fuse({"a": str(tmp_path / "a.run"), "b": str(tmp_path / "b.run")})
