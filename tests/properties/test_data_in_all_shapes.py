"""The same data in every shape gives the same bits; fingerprints see the data and nothing else."""

from __future__ import annotations

import gzip
import json

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.fingerprints import digest
from properties.cases import per_query

IDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\r\n\0", exclude_categories=["Cs"]), min_size=1, max_size=4
).filter(lambda text: not text.startswith(("#", "\ufeff")))
CASES = st.tuples(
    st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-1, 3), min_size=1, max_size=4), min_size=1, max_size=3),
    st.dictionaries(
        IDS, st.dictionaries(IDS, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5), max_size=2
    ),
)


def rows_of(mapping):
    return [(query, doc, number) for query, docs in mapping.items() for doc, number in docs.items()]


def shapes(folder, judged, run):
    """(name, judgments, run) in every shape."""
    qrels, results = rows_of(judged), rows_of(run)
    yield "dicts", judged, run
    trec_qrels = "".join(f"{q} 0 {d} {g}\n" for q, d, g in qrels).encode()
    trec_run = "".join(f"{q} Q0 {d} 1 {s!r} t\n" for q, d, s in results).encode()
    for ending, pack in (("", bytes), (".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)):
        (folder / f"a.qrels{ending}").write_bytes(pack(trec_qrels))
        (folder / f"a.run{ending}").write_bytes(pack(trec_run))
        yield f"trec{ending}", folder / f"a.qrels{ending}", folder / f"a.run{ending}"
    (folder / "a.json").write_text(json.dumps(judged))
    (folder / "b.json").write_text(json.dumps(run))
    yield "json", folder / "a.json", folder / "b.json"
    (folder / "a.jsonl").write_text("".join(json.dumps({"query": q, "doc": d, "grade": g}) + "\n" for q, d, g in qrels))
    (folder / "b.jsonl").write_text(
        "".join(json.dumps({"query": q, "doc": d, "score": s}) + "\n" for q, d, s in results)
    )
    yield "jsonl", folder / "a.jsonl", folder / "b.jsonl"
    frames = [
        pandas.DataFrame(table, columns=["query", "doc", name])
        for table, name in ((qrels, "grade"), (results, "score"))
    ]
    yield "pandas", *frames
    yield "polars", *(polars.from_pandas(frame) for frame in frames)
    tables = [pyarrow.Table.from_pandas(frame, preserve_index=False) for frame in frames]
    yield "arrow", *tables
    for table, name in zip(tables, ("a.parquet", "b.parquet"), strict=True):
        pyarrow.parquet.write_table(table, folder / name)
    yield "parquet", folder / "a.parquet", folder / "b.parquet"
    for frame, name in zip(frames, ("a.csv", "b.csv"), strict=True):
        with duckdb.connect() as connection:
            connection.register("frame", frame)
            connection.execute(f"copy frame to '{folder / name}' (header, force_quote *)")
    yield "csv", folder / "a.csv", folder / "b.csv"


@given(CASES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_every_shape_gives_the_same_bits(tmp_path, case):
    judged, run = case
    query = next(iter(judged))
    run = {**run, query: dict.fromkeys(judged[query], 1.5)}
    measures = ["nDCG@2", "nDCG(ties='average')@2", "nDCG"]
    expected = None
    for name, qrels, results in shapes(tmp_path, judged, run):
        result = ndcg.evaluate(qrels, {"run": results} if not isinstance(results, dict) else results, measures)
        found = [per_query_of(result, measure) for measure in range(len(measures))], result.fingerprints["judgments"]
        if expected is None:
            expected = found
        assert found == expected, name


def per_query_of(result, at):
    entry = result.entries[at]
    return {entry.rows.queries[n]: entry.rows.row(n, "", "") for n in range(len(entry.rows))}


@given(
    st.dictionaries(IDS, st.dictionaries(IDS, st.integers(0, 3), min_size=1, max_size=4), min_size=1, max_size=3),
    st.randoms(use_true_random=False),
)
@settings(max_examples=50, deadline=None)
def test_fingerprints_see_the_data_and_nothing_else(judged, random):
    def of(mapping):
        return digest({query: docs.items() for query, docs in mapping.items()})

    queries = list(judged.items())
    random.shuffle(queries)
    assert of({q: dict(random.sample(list(docs.items()), len(docs))) for q, docs in queries}) == of(judged)
    query = random.choice(list(judged))
    doc = random.choice(list(judged[query]))
    changed = {
        "grade": {**judged, query: {**judged[query], doc: judged[query][doc] + 1}},
        "document": {**judged, query: {**judged[query], doc + "\0new": 1}},
        "query": {**judged, query + "\0new": {"a": 1}},
    }
    assert of(judged) not in {of(other) for other in changed.values()}
    assert digest({"ab": [("c", 1.0)]}) != digest({"a": [("bc", 1.0)]})


def test_fingerprints_of_the_result(tmp_path):
    judged, run = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
    result = ndcg.evaluate(judged, run, candidates={"q1": ["a", "b"]})
    assert set(result.fingerprints) == {"judgments", "candidates", "declaration"}
    assert ndcg.evaluate(judged, run).fingerprints["candidates"] is None
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 t\n")
    from_file = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run")
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 2\n")
    with pytest.raises(ndcg.InputError, match="changed since it was scored"):
        _ = from_file.fingerprints
    assert from_file.run_fingerprint() == result.run_fingerprint()
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 t2\n")
    with pytest.raises(ndcg.InputError, match="changed since it was scored"):
        from_file.run_fingerprint()


def test_per_query_uses_the_same_rows():
    assert per_query(ndcg.evaluate({"q": {"a": 1}}, {"q": ["a"]})) == {"q": ("scored", 1.0, 1.0, 1.0, 1.0, 0)}
