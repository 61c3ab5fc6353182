"""Size: memory of per-query rows, many queries under a memory limit, repeated and own documents in files."""

from __future__ import annotations

import tracemalloc

import duckdb
import pytest

import ndcg


def write_many(folder, queries, documents):
    """A run and judgments of many queries, written by DuckDB; ids of 43 characters."""
    run, qrels = folder / "many.run", folder / "many.qrels"
    with duckdb.connect() as connection:
        connection.execute(
            f"""copy (
                select 'query-' || q, 'Q0',
                       'document-of-a-collection-with-long-ids-' || lpad((q * 31 + d)::varchar, 8, '0'),
                       d + 1, 1000.0 - d, 'tag'
                from range({queries}) t(q), range({documents}) s(d)
            ) to '{run}' (header false, delimiter ' ')"""
        )
        connection.execute(
            f"""copy (
                select 'query-' || q, 0,
                       'document-of-a-collection-with-long-ids-' || lpad((q * 31 + 1)::varchar, 8, '0'), 1
                from range({queries}) t(q)) to '{qrels}' (header false, delimiter ' ')"""
        )
    return qrels, run


@pytest.fixture(scope="module")
def million(tmp_path_factory):
    folder = tmp_path_factory.mktemp("million")
    yield write_many(folder, 1_000_000, 10)
    for file in folder.iterdir():
        file.unlink()


def test_a_million_queries_under_one_gigabyte(million):
    result = ndcg.evaluate(*million, "nDCG@10", memory="1GB")
    assert result.value == pytest.approx(0.6309297535714575, abs=1e-12)
    assert result.summary.queries.counted == 1_000_000


def test_per_query_rows_take_little_memory():
    queries = 100_000
    judged = {f"query-{q}": {"a": 1} for q in range(queries)}
    run = {f"query-{q}": {"a": 1.0} for q in range(queries)}
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = ndcg.evaluate(judged, run, "nDCG@10")
        table = result.entries[0].rows
        assert len(table) == queries
        taken = sum(column.nbytes for name in table.__slots__ if hasattr(column := getattr(table, name), "nbytes"))
        ids = sum(len(query) + 50 + 8 for query in table.queries)
        assert (taken + ids) * 10 <= 120e6
        del judged, run
        assert tracemalloc.get_traced_memory()[0] - before < 60e6
    finally:
        tracemalloc.stop()


def test_own_documents_and_repeats_in_files(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 q1 1\nq1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "run").write_text("q1 Q0 q1 1 9 t\nq1 Q0 a 2 8 t\nq1 Q0 a 3 7 t\nq2 Q0 b 1 5 t\n")
    kept = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run")
    assert kept.entries[0].counters.duplicates == 1
    assert kept.entries[0].counters.own == 1
    dropped = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", self="drop")
    assert dropped.per_query[0].value == pytest.approx(0.6131471927654584)
    with pytest.raises(ndcg.InputError, match=r"line 3.*query 'q1', document 'a'"):
        ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", duplicates="error")
