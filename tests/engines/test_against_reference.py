"""Every engine against the plain definition, to the last bit, over the grid of conventions."""

from __future__ import annotations

from unittest.mock import patch

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import ndcg
from comparing import as_dicts, as_relation, by_reference, compare, measure
from ndcg.engines.local import arrays
from strategies import (
    conventions,
    cutoffs,
    distinct_lists,
    habits,
    judgments,
    names,
    runs,
    scored_lists,
    with_habits,
)


def has_common(judged, run):
    return any(query in judged for query in run)


@given(judgments, runs(distinct_lists), names, cutoffs, conventions, st.booleans())
@settings(max_examples=400, deadline=None)
def test_memory(judged, run, name, k, chosen, fails):
    assume(has_common(judged, run))
    if fails:
        run = {**run, next(iter(run)): None}
    expected = by_reference(judged, run, name, k, chosen)
    result = ndcg.evaluate(judged, as_dicts(run), measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))


@given(judgments, runs(st.lists(st.sampled_from(["a", "b", "c", "q1", "é"]), max_size=9)), names, cutoffs, conventions)
@settings(max_examples=200, deadline=None)
def test_memory_lists(judged, run, name, k, chosen):
    assume(has_common(judged, run))
    scored = {query: [(doc, -float(place)) for place, doc in enumerate(docs)] for query, docs in run.items()}
    expected = by_reference(judged, scored, name, k, chosen)
    result = ndcg.evaluate(judged, run, measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))


@given(judgments, runs(distinct_lists), names, cutoffs, conventions, habits, st.booleans())
@settings(max_examples=600, deadline=None)
def test_memory_habits(judged, run, name, k, chosen, foreign, fails):
    assume(has_common(judged, run))
    if fails:
        run = {**run, next(iter(run)): None}
    chosen = with_habits(chosen, foreign)
    expected = by_reference(judged, run, name, k, chosen)
    result = ndcg.evaluate(judged, as_dicts(run), measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))


@given(
    judgments,
    runs(st.lists(st.sampled_from(["a", "b", "c", "q1", "é"]), max_size=9)),
    names,
    cutoffs,
    conventions,
    habits,
)
@settings(max_examples=200, deadline=None)
def test_memory_lists_habits(judged, run, name, k, chosen, foreign):
    assume(has_common(judged, run))
    chosen = with_habits(chosen, foreign)
    scored = {query: [(doc, -float(place)) for place, doc in enumerate(docs)] for query, docs in run.items()}
    expected = by_reference(judged, scored, name, k, chosen)
    result = ndcg.evaluate(judged, run, measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        yield opened


@given(judgments, runs(scored_lists), names, cutoffs, conventions, st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_local(connection, judged, run, name, k, chosen, by_windows):
    run = {query: rows for query, rows in run.items() if rows}
    assume(run and has_common(judged, run))
    expected = by_reference(judged, run, name, k, chosen)
    with patch.object(arrays, "MOST_ROWS", 0 if by_windows else arrays.MOST_ROWS):
        result = ndcg.evaluate(judged, as_relation(connection, run), measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))


@given(judgments, runs(scored_lists), names, cutoffs, conventions, habits, st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_local_habits(connection, judged, run, name, k, chosen, foreign, by_windows):
    run = {query: rows for query, rows in run.items() if rows}
    assume(run and has_common(judged, run))
    chosen = with_habits(chosen, foreign)
    expected = by_reference(judged, run, name, k, chosen)
    with patch.object(arrays, "MOST_ROWS", 0 if by_windows else arrays.MOST_ROWS):
        result = ndcg.evaluate(judged, as_relation(connection, run), measure(name, k, chosen))
    compare(expected, result.per_query, context=(judged, run, name, k, chosen))
