"""The plans of the local engine give the same rows, whichever is taken and whatever has to be asked again."""

from __future__ import annotations

import random

import duckdb
import pytest

import ndcg
from ndcg import scoring
from ndcg.engines.local import arrays, topk, whole

QUERIES, DOCUMENTS = 12, 90


def make(seed, *, levels, repeats=0.0):
    """Judgments and run rows; few score `levels` make large tied groups."""
    rng = random.Random(seed)
    judged = {
        f"q{q}": {f"d{rng.randrange(DOCUMENTS)}": rng.choice([-1, 0, 1, 2, 3]) for _ in range(15)}
        for q in range(QUERIES)
    }
    rows = []
    for q in range(QUERIES + 1):
        for d in rng.sample(range(DOCUMENTS), rng.choice([3, 40, DOCUMENTS])):
            rows.append((f"q{q}", f"d{d}", rng.randrange(levels) / 7))
            if rng.random() < repeats:
                rows.append((f"q{q}", f"d{d}", rng.randrange(levels) / 7))
    rng.shuffle(rows)
    return judged, rows


def write(path, rows):
    path.write_text("".join(f"{q} Q0 {d} 1 {s!r} t\n" for q, d, s in rows))
    return path


MEASURES = [
    f"nDCG({options})@{k}" if options else f"nDCG@{k}"
    for k in (1, 5, 10)
    for options in (
        "",
        "ties=docid_desc",
        "ties=given",
        "ties=average",
        "ties=best, gain=linear, negative=keep",
        "ties=worst",
        "unjudged=skip",
        "unjudged=skip, ties=average",
        "score_type=float32",
        "self=drop",
        "ideal=returned",
    )
]


def table(result):
    return [
        (e.measure, e.counters, [e.rows.row(at, "", e.measure) for at in range(len(e.rows))]) for e in result.entries
    ]


@pytest.mark.parametrize("levels, repeats", [(1, 0.0), (4, 0.0), (40, 0.3), (4, 0.9), (10_000, 0.0)])
def test_top_window_and_whole_list_agree(tmp_path, monkeypatch, levels, repeats):
    judged, rows = make(levels, levels=levels, repeats=repeats)
    run = write(tmp_path / "a.run", rows)
    expected = table(ndcg.evaluate(judged, run, MEASURES))
    with monkeypatch.context() as patch:
        patch.setattr(topk, "fits", lambda *arguments: False)
        assert table(ndcg.evaluate(judged, run, MEASURES)) == expected
    with monkeypatch.context() as patch:
        patch.setattr(topk, "MARGIN", 1)
        patch.setattr(topk, "SMALL_MARGIN", 1)
        assert table(ndcg.evaluate(judged, run, MEASURES)) == expected
    with monkeypatch.context() as patch:
        usual = scoring.request_of
        patch.setattr(scoring, "request_of", lambda *asked: usual(*asked)._replace(whole=True))
        assert table(ndcg.evaluate(judged, run, MEASURES)) == expected
        # Complete lists are ranked as arrays where they fit and ids decide little, else by windows.
        for name, value in (("TIED", 1.0), ("MOST_ROWS", 0)):
            patch.setattr(arrays, name, value)
            assert table(ndcg.evaluate(judged, run, MEASURES)) == expected


@pytest.mark.parametrize("files", [2, 5])
@pytest.mark.parametrize("repeats", [0.0, 0.5])
def test_several_files_are_one_run(tmp_path, files, repeats):
    judged, rows = make(files, levels=6, repeats=repeats)
    whole = write(tmp_path / "whole.run", rows)
    size = len(rows) // files + 1
    parts = [write(tmp_path / f"part{n}.run", rows[n * size : (n + 1) * size]) for n in range(files)]
    one = ndcg.evaluate(judged, {"run": whole}, [*MEASURES, "nDCG", "nDCG(ties=given)"])
    assert table(ndcg.evaluate(judged, parts, [*MEASURES, "nDCG", "nDCG(ties=given)"])) == table(one)
    glob = ndcg.evaluate(judged, {"run": str(tmp_path / "part*.run")}, [*MEASURES, "nDCG", "nDCG(ties=given)"])
    assert table(glob) == table(one)


def test_cutting_before_the_judgments_are_joined_is_wrong(tmp_path):
    """With condensed lists the judged document far down is what counts: top-k first would lose it."""
    rows = [("q1", f"x{n}", 100.0 - n) for n in range(80)] + [("q1", "a", 1.0)]
    run = write(tmp_path / "a.run", rows)
    assert ndcg.evaluate({"q1": {"a": 1}}, run, "nDCG(unjudged='skip')@10").value == 1.0
    assert ndcg.evaluate({"q1": {"a": 1}}, run, "nDCG@10").value == 0.0


def test_a_deep_cutoff_and_a_full_memory_take_the_whole_list(tmp_path, monkeypatch):
    judged, rows = make(3, levels=50)
    run = write(tmp_path / "a.run", rows)
    expected = table(ndcg.evaluate(judged, run, "nDCG@10"))
    taken = []
    rank = whole.rank

    def watched(*arguments):
        taken.append(arguments[-1].cutoffs)
        return rank(*arguments)

    monkeypatch.setattr(whole, "rank", watched)
    ndcg.evaluate(judged, run, "nDCG@300", memory="200MB")
    assert taken == [(300,)]

    def full(workspace, source, judgments, requests):
        raise duckdb.OutOfMemoryException("full")

    monkeypatch.setattr(topk, "scan", full)
    assert table(ndcg.evaluate(judged, run, "nDCG@10")) == expected
    assert taken == [(300,), (10,)]


def test_one_query_spread_over_the_file(tmp_path):
    judged, rows = make(9, levels=30)
    run = write(tmp_path / "a.run", rows)
    by_query = write(tmp_path / "b.run", sorted(rows, key=lambda row: row[0]))
    measures = [measure for measure in MEASURES if "given" not in measure]
    first, second = ndcg.evaluate(judged, {"r": run}, measures), ndcg.evaluate(judged, {"r": by_query}, measures)
    assert [e.value for e in first.entries] == [e.value for e in second.entries]


def test_file_and_dict_are_bit_equal(tmp_path):
    judged, rows = make(11, levels=9)
    run: dict[str, dict[str, float]] = {}
    for q, d, s in rows:
        run.setdefault(q, {})[d] = s
    path = write(tmp_path / "a.run", rows)
    measures = [*MEASURES, "nDCG", "DCG", "CG@3", "IDCG@3"]
    from_file, from_dict = ndcg.evaluate(judged, {"r": path}, measures), ndcg.evaluate(judged, {"r": run}, measures)
    for one, other in zip(from_file.entries, from_dict.entries, strict=True):
        assert sorted(map(str, one.rows.queries)) == sorted(map(str, other.rows.queries))
        ours = {row.query: row for row in (one.rows.row(at, "", "") for at in range(len(one.rows)))}
        theirs = {row.query: row for row in (other.rows.row(at, "", "") for at in range(len(other.rows)))}
        assert ours == theirs, one.measure
        assert one.missed == other.missed


@pytest.mark.parametrize("measures", [["nDCG@10", "P@5", "nDCG(ties=docid_desc)@3"], ["nDCG@10", "nDCG", "AP", "P@5"]])
def test_all_measures_in_one_pass(tmp_path, monkeypatch, measures):
    judged, rows = make(5, levels=10_000)
    run = write(tmp_path / "a.run", rows)
    read = []
    for module in (topk, whole):
        usual = module.read_part
        monkeypatch.setattr(
            module, "read_part", lambda *given, usual=usual: read.append(given[2].path) or usual(*given)
        )
    together = ndcg.evaluate(judged, run, measures)
    assert read == [str(run)]
    for entry in together.entries:
        assert ndcg.evaluate(judged, run, entry.measure).value == entry.value
