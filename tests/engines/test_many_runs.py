"""Many runs in small files are scored together: the same rows, the same order, the same errors."""

from __future__ import annotations

import random

import pytest

import ndcg
from ndcg import many_runs, session
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


@pytest.fixture
def used(monkeypatch):
    """The workspace of each run that is scored, and whether it was kept by one scan of several."""
    found = []
    plain = many_runs._scored

    def noted(session, name, measures, worst, kept=None):
        found.append((session.workspace, kept is not None))
        return plain(session, name, measures, worst, kept)

    monkeypatch.setattr(many_runs, "_scored", noted)
    monkeypatch.setattr(many_runs.os, "cpu_count", lambda: 2)
    return found


def test_first_rows_of_small_files_are_kept_by_one_scan(folder, used):
    ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")
    assert len({id(workspace) for workspace, _ in used}) == 1 and all(kept for _, kept in used) and len(used) == 9


def test_a_scan_takes_so_many_runs(folder, used, monkeypatch):
    for module in (many_runs, session):
        monkeypatch.setattr(module, "TOGETHER", 4)
    some = ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")
    assert all(kept for _, kept in used)
    for module in (many_runs, session):
        monkeypatch.setattr(module, "TOGETHER", 100)
    assert [e.rows for e in some.entries] == [
        e.rows for e in ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5").entries
    ]


def test_whole_lists_are_ranked_by_threads(folder, used):
    ndcg.evaluate(str(folder / "qrels"), runs(folder), "AP")
    assert len({id(workspace) for workspace, _ in used}) == 9 and not any(kept for _, kept in used)


def test_large_files_are_scored_one_after_another(folder, used, monkeypatch):
    monkeypatch.setattr(many_runs, "SMALL", 10)
    ndcg.evaluate(str(folder / "qrels"), runs(folder), "nDCG@5")
    assert len({id(workspace) for workspace, _ in used}) == 1 and not any(kept for _, kept in used)


def test_a_run_in_doubt_is_read_by_itself(folder, used):
    path = folder / "r4.run"
    path.write_text(path.read_text().replace(" Q0 ", "  Q0\t", 1))
    ragged = ndcg.evaluate(str(folder / "qrels"), runs(folder), MEASURES[:3])
    path.write_text(path.read_text().replace("  Q0\t", " Q0 ", 1))
    assert [e.rows for e in ragged.entries] == [
        e.rows for e in ndcg.evaluate(str(folder / "qrels"), runs(folder), MEASURES[:3]).entries
    ]


def test_repeats_and_long_ties_in_some_runs(folder, monkeypatch):
    first = (folder / "r2.run").read_text().splitlines(keepends=True)
    (folder / "r2.run").write_text("".join([*first, *first[:40]]))
    tied = [line for at in range(60) for line in (f"q1 Q0 t{at:02d} 0 1 r5\n", f"q3 Q0 t{at:02d} 0 1 r5\n")]
    (folder / "r5.run").write_text("".join(tied))
    (folder / "r6.run").write_text("other Q0 d1 1 1 r6\nq1 Q0 d1 1 1 r6\n")
    measures = [*MEASURES[:3], "nDCG(duplicates='count')@5"]
    found = ndcg.evaluate(str(folder / "qrels"), runs(folder), measures)
    alone(monkeypatch)
    single = ndcg.evaluate(str(folder / "qrels"), runs(folder), measures)
    for one, other in zip(found.entries, single.entries, strict=True):
        assert one.rows == other.rows and one.counters == other.counters and one.missed == other.missed


def test_a_scan_begun_for_several_runs_answers_none_of_them_alone(folder, monkeypatch):
    for module in (many_runs, session):
        monkeypatch.setattr(module, "TOGETHER", 4)
    given = {**runs(folder), "in memory": {query: {"d1": 1.0} for query in QUERIES}}
    found = ndcg.evaluate(str(folder / "qrels"), given, "nDCG@5")
    for name, run in given.items():
        single = ndcg.evaluate(str(folder / "qrels"), run, "nDCG@5")
        assert found.entry(run=name).rows == single.entries[0].rows
