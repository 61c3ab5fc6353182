"""In how many queries the order of equal scores can move a value: against every order there is, on every engine."""

from __future__ import annotations

from itertools import groupby, permutations, product
from unittest.mock import patch

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import ndcg
from comparing import as_dicts, as_relation, measure
from ndcg.engines.local import arrays
from strategies import conventions, cutoffs, habits, judgments, names, runs, scored_lists, with_habits

MEASURES = [
    "nDCG@1", "nDCG@2", "nDCG@3", "nDCG", "nDCG(ties=average)@2", "nDCG(ties=worst)@2", "nDCG(unjudged=skip)@2",
    "nDCG(negative=keep,gain=linear)@2", "nDCG(unjudged_grade=1)@2", "nDCG(unjudged_grade=1)", "nDCG(ideal=returned)@2",
    "nDCG(gain={0: 0, 1: 0, 2: 3},negative=clamp)@2", "DCG@2", "IDCG@2", "CG@2", "nCG@2", "P@2", "R@2", "Rprec", "F1@2",
    "Success@1", "AP", "AP@2", "RR", "ERR@3", "nERR@2", "Bpref", "RBP", "RBP@2", "RBPResidual@2", "IPrec@0.5", "SetF",
    "NumRel", "Judged@2", "Unjudged@2", "G", "binG",
]  # fmt: skip

small = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from([0.0, 1.0, 1.0, 2.0])),
    min_size=1,
    max_size=5,
    unique_by=lambda row: row[0],
)
grades = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0]), min_size=1, max_size=5)


def every_order(rows):
    """The list in every order of its tied groups."""
    ordered = sorted(rows, key=lambda row: -row[1])
    groups = [[doc for doc, _ in group] for _, group in groupby(ordered, key=lambda row: row[1])]
    for chosen in product(*(permutations(group) for group in groups)):
        docs = [doc for group in chosen for doc in group]
        yield {doc: float(-place) for place, doc in enumerate(docs)}


@given(grades, small, st.sampled_from(MEASURES))
@example({"a": -1.0, "b": 0.0}, [("a", 0.0), ("b", 0.0), ("c", 0.0)], "Judged@2")
@example({"a": -1.0, "b": 0.0}, [("a", 0.0), ("b", 0.0), ("c", 0.0)], "Unjudged@2")
@settings(max_examples=200, deadline=None)
def test_against_every_order(judged, rows, text):
    qrels = {"q": judged}
    orders = {f"order {at}": {"q": order} for at, order in enumerate(every_order(rows))}
    values = [entry.value for entry in ndcg.evaluate(qrels, {"one": {"q": {"a": 1.0}}, **orders}, text).entries[1:]]
    result = ndcg.evaluate(qrels, {"q": dict(rows)}, text)
    counted = [value for value in values if value is not None]
    moves = bool(counted) and max(counted) - min(counted) > 1e-12
    assert result.summary.order_moves == moves, (qrels, rows, text, values)


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        yield opened


@given(judgments, runs(scored_lists), names, cutoffs, conventions, st.none() | habits, st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_engines_agree(connection, judged, run, name, k, chosen, foreign, by_windows):
    run = {query: list(dict(rows).items()) for query, rows in run.items() if rows}
    assume(any(query in judged for query in run))
    asked = measure(name, k, chosen if foreign is None else with_habits(chosen, foreign))
    here = ndcg.evaluate(judged, as_dicts(run), asked).entries[0].rows
    with patch.object(arrays, "MOST_ROWS", 0 if by_windows else arrays.MOST_ROWS):
        there = ndcg.evaluate(judged, as_relation(connection, run), asked).entries[0].rows
    mine = dict(zip(here.queries, here.order_moves.tolist(), strict=True))
    assert mine == dict(zip(there.queries, there.order_moves.tolist(), strict=True)), (judged, run, asked)
    assert not np.any(here.order_moves & ~here.counted)


def test_scores_that_are_all_equal(tmp_path):
    """Ties decide the whole value although no cutoff cuts a group; equal ranks are the same."""
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"c": 2}, "q4": {"a": 1}}
    run = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 1.0, "b": 1.0}, "q3": {"c": 1.0, "x": 1.0}, "q4": {"a": 2.0}}
    summary = ndcg.evaluate(judged, run, "nDCG@10").summary
    assert (summary.tied, summary.order_moves) == (0, 2)
    ranks = tmp_path / "ranks.csv"
    lines = [f"{query},{doc},{3 - score:g}\n" for query, docs in run.items() for doc, score in docs.items()]
    ranks.write_text("query,doc,rank\n" + "".join(lines))
    summary = ndcg.evaluate(judged, str(ranks), "nDCG@10").summary
    assert (summary.tied, summary.order_moves) == (0, 2)
    assert ndcg.evaluate(judged, run, "nDCG(ties='given')@10").summary.order_moves == 0


def test_beyond_what_is_fetched(tmp_path):
    """A group far longer than the rows that are kept of each query: its judged document may stand anywhere."""
    path = tmp_path / "constant.run"
    path.write_text("".join(f"q Q0 d{at:03} 1 1.0 t\n" for at in range(300)))
    for document, moves in (("d000", 1), ("d299", 1), ("x", 0)):
        summary = ndcg.evaluate({"q": {document: 1}}, str(path), "nDCG@5").summary
        assert (summary.tied, summary.order_moves) == (1, moves)


def test_saved_and_loaded(tmp_path):
    result = ndcg.evaluate({"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1.0, "b": 1.0}}, "nDCG@10")
    result.save(tmp_path / "result.json")
    again = ndcg.load(tmp_path / "result.json")
    assert again.summary == result.summary and again.summary.order_moves == 1
    text = (tmp_path / "result.json").read_text().replace('"order_moves": 1,', "")
    (tmp_path / "old.json").write_text(text)
    old = ndcg.load(tmp_path / "old.json")
    assert old.summary.order_moves is None and "0 (queries in which rank 10 cuts" in " ".join(str(old).split())
