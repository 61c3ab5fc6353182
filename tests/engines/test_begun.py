"""A scan begun before the judgments are there: the same rows, the same errors, and nothing left running."""

from __future__ import annotations

import random
import threading

import pytest

import ndcg
from ndcg.engines.local import begun, topk
from ndcg.errors import InputError
from ndcg.measures.registry import as_measures
from ndcg.scoring import distinct_requests

QUERIES = [f"q{at}" for at in range(8)]


@pytest.fixture
def files(tmp_path):
    chance = random.Random(3)
    docs = [f"d{at}" for at in range(40)]
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.run"
    qrels.write_text("".join(f"{q} 0 {doc} {chance.randrange(4)}\n" for q in QUERIES for doc in chance.sample(docs, 9)))
    rows = [f"{q} Q0 {doc} 1 {chance.randrange(9)} t\n" for q in [*QUERIES, "x"] for doc in chance.sample(docs, 30)]
    run.write_text("".join(rows))
    return qrels, run


def without(monkeypatch):
    monkeypatch.setattr(begun, "begin", lambda *arguments: None)


def scanned_once_more(monkeypatch):
    """The scans that were made beside the one that was begun."""
    made = []
    plain = topk.scan
    monkeypatch.setattr(topk, "scan", lambda *arguments: made.append(1) or plain(*arguments))
    return made


MEASURES = ["nDCG@5", "nDCG(ties='average')@3", "P@2"]


def test_the_same_rows_from_one_scan(files, monkeypatch):
    again = scanned_once_more(monkeypatch)
    found = ndcg.evaluate(*map(str, files), MEASURES)
    assert not again
    without(monkeypatch)
    plain = ndcg.evaluate(*map(str, files), MEASURES)
    assert again
    for one, other in zip(found.entries, plain.entries, strict=True):
        assert one.rows == other.rows and one.counters == other.counters and one.missed == other.missed


@pytest.mark.parametrize("measure", ["AP", "nDCG", "nDCG(unjudged='skip')@5", "nDCG(ties='given')@5"])
def test_what_needs_more_than_first_rows_is_not_begun(files, monkeypatch, measure):
    begun_scans = []
    plain = begun.Begun
    monkeypatch.setattr(begun, "Begun", lambda *arguments: begun_scans.append(1) or plain(*arguments))
    ndcg.evaluate(*map(str, files), measure)
    assert not begun_scans


def test_a_ragged_line_is_decided_by_the_careful_reading(files, monkeypatch):
    expected = ndcg.evaluate(*map(str, files), "nDCG@5")
    again = scanned_once_more(monkeypatch)
    lines = files[1].read_text().splitlines(keepends=True)
    # Beyond what is looked at first, so that the strict reading is tried.
    long = "".join(f"far{at} Q0 d 1 1 t\n" for at in range(20_000))
    files[1].write_text("".join(lines) + long + "far  Q0 d 1 1 t\n")
    found = ndcg.evaluate(*map(str, files), "nDCG@5")
    assert again and found.value == expected.value


def test_a_bad_line_is_named(files):
    with files[1].open("a") as run:
        run.write("q1 Q0 d1 1 nan t\n")
    with pytest.raises(InputError, match=r"a\.run") as caught:
        ndcg.evaluate(*map(str, files), "nDCG@5")
    assert caught.value.faults[0].line == len(files[1].read_text().splitlines())


def test_bad_judgments_stop_the_scan(files):
    files[0].write_text(files[0].read_text() + "q1 0 d1 3\nq1 0 d1 2\n")
    before = set(threading.enumerate())
    with pytest.raises(InputError, match="grades"):
        ndcg.evaluate(*map(str, files), "nDCG@5")
    assert set(threading.enumerate()) <= before


def test_only_what_surely_fits_is_begun(files, monkeypatch):
    from ndcg.engines.workspace import Workspace
    from ndcg.readers import read
    from ndcg.readers.source import Role

    judgments, run = read(str(files[0]), Role.JUDGMENTS), read(str(files[1]), Role.RUN)
    requests = distinct_requests(as_measures("nDCG@5"))
    with Workspace() as workspace:
        scan = begun.begin(workspace, judgments, [run], requests)
        assert scan.table(distinct_requests(as_measures("nDCG@6")), [run]) is None
        monkeypatch.setattr(topk, "fits", lambda workspace, requests, queries: queries < 5)
        assert begun.begin(workspace, judgments, [run], requests) is None
