"""Two columns of one name: which one is meant must be said, never guessed."""

from __future__ import annotations

import duckdb
import pyarrow
import pytest

import ndcg

JUDGED = {"q1": {"a": 1, "b": 2}}
COLUMNS = [["q1", "q1"], ["a", "b"], [1.0, 2.0], [5.0, 1.0]]


def test_arrow():
    table = pyarrow.table(COLUMNS, names=["query", "doc", "score", "score"])
    with pytest.raises(ndcg.InputError, match="'score' is there more than once"):
        ndcg.evaluate(JUDGED, table)
    other = pyarrow.table(COLUMNS, names=["query", "doc", "score", "text"])
    assert ndcg.evaluate(JUDGED, other).value == 1.0


def test_duckdb():
    with duckdb.connect() as connection:
        relation = connection.sql("select 'q1' as query, 'a' as doc, 1.0::double as score, 2.0::double as score")
        if relation.columns.count("score") < 2:
            assert ndcg.evaluate(JUDGED, relation).value > 0  # the engine itself has renamed the second one
            return
        with pytest.raises(ndcg.InputError, match="'score' is there more than once"):
            ndcg.evaluate(JUDGED, relation)
