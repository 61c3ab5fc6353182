"""Many runs in small files are scored several at once: the same rows, the same order, the same errors."""

from __future__ import annotations

import random

import pytest

import ndcg
from ndcg import many_runs
from ndcg.errors import InputError

QUERIES = [f"q{at}" for at in range(12)]


@pytest.fixture
def folder(tmp_path):
    chance = random.Random(7)
    docs = [f"d{at}" for at in range(30)]
    rows = [f"{q} 0 {doc} {chance.randrange(4)}\n" for q in QUERIES for doc in chance.sample(docs, 10)]
    (tmp_path / "qrels").write_text("".join(rows))
    for name in range(9):
        listed = [f"{q} Q0 {doc} 0 {chance.randrange(6)} r{name}\n" for q in QUERIES for doc in chance.sample(docs, 20)]
        (tmp_path / f"r{name}.run").write_text("".join(listed))
    return tmp_path


def runs(folder):
    return {path.stem: str(path) for path in sorted(folder.glob("*.run"))}


def alone(monkeypatch):
    monkeypatch.setattr(many_runs, "FEWEST", 1_000)


MEASURES = ["nDCG@5", "nDCG(ties='average')@3", "nDCG(unjudged='skip')@4", "AP", "RR"]


def test_the_same_as_one_after_another(folder, monkeypatch):
    together = ndcg.evaluate(str(folder / "qrels"), runs(folder), MEASURES)
    alone(monkeypatch)
    single = ndcg.evaluate(str(folder / "qrels"), runs(folder), MEASURES)
    assert [(e.run, e.measure) for e in together.entries] == [(e.run, e.measure) for e in single.entries]
    for one, other in zip(together.entries, single.entries, strict=True):
        assert one.rows == other.rows and one.counters == other.counters and one.missed == other.missed


def test_judgments_and_pool_in_memory(folder, monkeypatch):
    judged = {q: {"d1": 2, "d2": 1} for q in QUERIES}
    pool = {q: [f"d{at}" for at in range(30)] for q in QUERIES}
    measure = "nDCG(ideal='candidates')@5"
    together = ndcg.evaluate(judged, runs(folder), measure, candidates=pool)
    alone(monkeypatch)
    single = ndcg.evaluate(judged, runs(folder), measure, candidates=pool)
    assert [entry.rows for entry in together.entries] == [entry.rows for entry in single.entries]


def test_the_first_bad_run_in_order_is_the_error(folder):
    for name in ("r3", "r6"):
        path = folder / f"{name}.run"
        path.write_text(path.read_text() + "q1 Q0 x 1 nan t\n")
    with pytest.raises(InputError, match=r"r3\.run"):
        ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")


def test_threads_are_used_for_small_files_only(folder, monkeypatch):
    used = []
    plain = many_runs._scored
    monkeypatch.setattr(many_runs, "_scored", lambda s, *rest: used.append(s.workspace) or plain(s, *rest))
    monkeypatch.setattr(many_runs.os, "cpu_count", lambda: 2)
    ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")
    assert len(set(map(id, used))) == 9
    used.clear()
    monkeypatch.setattr(many_runs, "SMALL", 10)
    ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")
    assert len(set(map(id, used))) == 1
