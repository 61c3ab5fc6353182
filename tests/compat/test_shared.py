"""The shared computation of many measures against each family's own, and batches made here against the engines'."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg.compat import flat
from ndcg.compat.columns import columns_of, condensed, cut
from ndcg.compat.shared import Shared
from ndcg.engines.contract import Request
from ndcg.engines.judgments import load_judgments
from ndcg.engines.memory import MemoryEngine
from ndcg.engines.workspace import Workspace
from ndcg.measures import trec_names
from ndcg.readers import Role, read

IDS = [str(number) for number in range(40)]


def table(values, most):
    return st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        st.dictionaries(st.sampled_from(IDS), values, max_size=most),
        min_size=1,
    )


grades = table(st.sampled_from([-2, 0, 0, 1, 1, 2, 3, 7]), 20)
scores = table(st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, 1e39, float("inf")]) | st.floats(allow_nan=False), 30)


def refuse(query, documents):
    return AssertionError(query)


def batch_of(judged, run):
    run = {query: run.get(query, {}) for query in judged}
    judgments = flat.FlatJudgments(judged, refuse)
    return flat.rank(run, *judgments.of(list(run)), refuse)


@given(grades, scores, st.sampled_from([1, 2, 8]), st.sampled_from([9, 10]))
@settings(max_examples=80, deadline=None)
def test_same_bits(judged, run, level, version):
    columns = [
        column
        for measure in (*trec_names.of_nickname("all_trec", version), trec_names.MEASURES["ndcg_rel"])
        for column in columns_of(measure, (), version=version, level=level)
        if column.measure is not None
    ]
    columns += columns_of(trec_names.MEASURES["G"], ("1=3", "2=0.5"), version=version)
    plain = batch_of(judged, run)
    for batch in (plain, condensed(plain), cut(plain, 3), condensed(cut(plain, 5))):
        shared = Shared(batch)
        for column in columns:
            own = column.measure.family.compute(batch, column.measure).value
            assert np.asarray(own, dtype=float).tobytes() == shared.value(column.measure).tobytes(), column.name


@given(grades, scores)
@settings(max_examples=80, deadline=None)
def test_same_ranking_as_the_engine(judged, run):
    judged = {query: documents for query, documents in judged.items() if documents}
    if not judged:
        return
    found = batch_of(judged, run)
    request = Request("docid_desc", "best", "keep", "float32", False, False, True, (None,))
    with Workspace(None) as workspace:
        judgments = load_judgments(read(judged, Role.JUDGMENTS), workspace, None)
        _, (ranking,) = MemoryEngine(read(run, Role.RUN), judgments).rank([request])
    for name in ("query", "grade", "rank", "group_start", "group_size"):
        np.testing.assert_array_equal(getattr(found.ranked, name), getattr(ranking.ranked, name), err_msg=name)
    np.testing.assert_array_equal(found.ranked.returned, ranking.returned)


@pytest.mark.parametrize("gain", [0.5, 2.0**31, 2.0**53])
def test_gains_that_are_no_small_whole_numbers(gain):
    """Judgments with decimals never come from pytrec_eval's callers, but from files."""
    judgments = flat.FlatJudgments({"q": {"a": 1, "b": gain, "c": 2, "d": 0}}, refuse)
    batch = flat.rank({"q": {"c": 3.0, "b": 2.0, "x": 1.0}}, *judgments.of(["q"]), refuse)
    shared = Shared(batch)
    for name in ("ndcg", "ndcg_cut", "ndcg_rel", "Rndcg", "G"):
        for column in columns_of(trec_names.MEASURES[name], (), version=9):
            own = column.measure.family.compute(batch, column.measure).value
            assert own.tobytes() == shared.value(column.measure).tobytes()
