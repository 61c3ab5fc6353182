"""Chunks become documents before anything else: the same bits from both engines, and from documents ranked by hand."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.errors import DataTypeError, InputError, UsageError
from ndcg.readers.passages import as_collapse

JUDGED = {"q1": {"a": 3, "b": 1, "c": 2}, "q2": {"a": 1, "d": 2}}
CHUNKS = {
    "q1": {"b#1": 0.9, "a#7": 0.8, "b#2": 0.95, "x#1": 0.7, "a#1": 0.8, "c#3": 0.1, "c": 0.2},
    "q2": {"d#1": 1.0, "d#2": 2.0, "a#1": 1.5},
    "q9": {"z#1": 1.0},
}
DOCUMENTS = {
    "q1": {"a": 0.8, "b": 0.95, "x": 0.7, "c": 0.2},
    "q2": {"d": 2.0, "a": 1.5},
    "q9": {"z": 1.0},
}
MEASURES = [
    "nDCG@2",
    "nDCG",
    "nDCG(ties=given)@3",
    "nDCG(ties=average)@3",
    "nDCG(unjudged=skip)@2",
    "nDCG(score_type=float32, ties=given)@2",
    "AP",
    "Judged@3",
    "NumRet",
]


def rows_of(result: Any) -> list[tuple[Any, ...]]:
    return [
        (row.measure, row.query, row.status, row.value, row.dcg, row.judged_at_k, row.returned, row.tied_at_cutoff)
        for row in result.per_query
    ]


def trec(run: dict[str, dict[str, float]], path: Path) -> Path:
    """The run as a file, rows in the order of the dicts."""
    lines = [
        f"{query} Q0 {doc} {rank} {score!r} t\n"
        for query, documents in run.items()
        for rank, (doc, score) in enumerate(documents.items(), 1)
    ]
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("pattern", [r"#\d+$", r"^(.*)#", r"^([^#]*)", re.compile("#.*")])
def test_the_best_chunk_of_each_document(pattern: Any, tmp_path: Path) -> None:
    for chunks in (CHUNKS, trec(CHUNKS, tmp_path / "chunks.run")):
        found = ndcg.evaluate(JUDGED, chunks, ["nDCG@3", "AP", "NumRet"], collapse=pattern)
        by_hand = ndcg.evaluate(JUDGED, DOCUMENTS, ["nDCG@3", "AP", "NumRet"])
        assert rows_of(found) == rows_of(by_hand)


def test_both_engines_give_the_same_bits(tmp_path: Path) -> None:
    generator = random.Random(7)
    for trial in range(3):
        judged = {f"q{q}": {f"d{generator.randrange(30)}": generator.randrange(4) for _ in range(9)} for q in range(5)}
        run: dict[str, dict[str, float]] = {}
        for q in range(6):
            ids = [f"d{generator.randrange(40)}#{generator.randrange(60)}" for _ in range(120)]
            close = [1.0, 1.0 + 1e-9, 1.0 + 2e-9, 2.0, 0.5, -0.0, 0.0]
            run[f"q{q}"] = {doc: generator.choice([*close, generator.random()]) for doc in ids}
        path = trec(run, tmp_path / f"{trial}.run")
        rules = ("docid", "docid_desc", "given", "average")
        asked = [f"nDCG(ties={ties}, score_type={kind})@{k}" for ties in rules for kind in ("float64", "float32")
                 for k in (1, 5)]  # fmt: skip
        asked += ["nDCG(ties=given, score_type=float32)", "nDCG", "AP"]
        for measures in (asked, asked[:1], ["nDCG(score_type=float32, ties=given)@5"]):
            one = ndcg.evaluate(judged, run, measures, collapse=r"#\d+$")
            other = ndcg.evaluate(judged, path, measures, collapse=r"#\d+$")
            assert rows_of(one) == rows_of(other)


def best_by_hand(run: dict[str, dict[str, float]], single: bool) -> dict[str, dict[str, float]]:
    """Documents with their best chunk's score, in the order of the first best chunks; scores rounded if `single`."""
    import struct

    def rounded(score: float) -> float:
        return struct.unpack("f", struct.pack("f", score))[0] if single else score

    made: dict[str, dict[str, float]] = {}
    for query, chunks in run.items():
        best: dict[str, tuple[float, int]] = {}
        for place, (chunk, score) in enumerate(chunks.items()):
            doc = chunk.split("#")[0]
            if doc not in best or rounded(score) > best[doc][0]:
                best[doc] = rounded(score), place
        ordered = sorted(best.items(), key=lambda pair: pair[1][1])
        made[query] = {doc: score for doc, (score, _) in ordered}
    return made


@pytest.mark.parametrize("single", [False, True])
def test_scores_are_rounded_before_chunks_are_collapsed(single: bool, tmp_path: Path) -> None:
    # In single precision a#1 and a#2 tie, so that a stands where a#1 stands: before b.
    run = {"q": {"a#1": 1.0, "b#1": 1.0, "a#2": 1.0 + 1e-9}}
    kind = "float32" if single else "float64"
    measure = f"nDCG(ties=given, score_type={kind})@1"
    for given in (run, trec(run, tmp_path / "r.run")):
        assert ndcg.evaluate({"q": {"b": 1}}, given, measure, collapse="#.*").value == 0.0
    close = {"q": {"b#1": 1.0, "a#1": 1.0, "b#2": 1.0 + 1e-9, "c#1": 1.0 + 1e-9}}
    for judged in ({"q": {"b": 1}}, {"q": {"c": 1}}):
        wanted = ndcg.evaluate(judged, best_by_hand(close, single), measure).value
        for given in (close, trec(close, tmp_path / "r.run")):
            assert ndcg.evaluate(judged, given, measure, collapse="#.*").value == wanted


def test_ranked_lists_keep_the_first_chunk(tmp_path: Path) -> None:
    lists = {"q": ["b#1", "a#1", "b#2", "c", "a#2"]}
    path = tmp_path / "ranked.tsv"
    path.write_text("".join(f"q\t{doc}\n" for doc in lists["q"]))
    wanted = rows_of(ndcg.evaluate({"q": {"a": 1, "c": 2}}, {"q": ["b", "a", "c"]}, ["nDCG@2", "nDCG"]))
    for given in (lists, path):
        found = ndcg.evaluate({"q": {"a": 1, "c": 2}}, given, ["nDCG@2", "nDCG"], collapse="#[0-9]+$")
        assert rows_of(found) == wanted


def test_chunks_in_several_files_are_one_document(tmp_path: Path) -> None:
    one = trec({"q1": {"a#1": 1.0, "b#1": 2.0}}, tmp_path / "1.run")
    two = trec({"q1": {"a#2": 3.0, "b#2": 2.5}}, tmp_path / "2.run")
    found = ndcg.evaluate({"q1": {"a": 1}}, [one, two], ["nDCG@1", "NumRet"], collapse="#[0-9]+$")
    assert [entry.value for entry in found.entries] == [1.0, 2.0]


def test_own_documents_are_dropped_after_chunks_are_collapsed(tmp_path: Path) -> None:
    run = {"a": {"a#1": 3.0, "b#1": 2.0}}
    for given in (run, trec(run, tmp_path / "r.run")):
        kept = ndcg.evaluate({"a": {"b": 1}}, given, "nDCG@1", collapse="#.*")
        dropped = ndcg.evaluate({"a": {"b": 1}}, given, "nDCG@1", collapse="#.*", self="drop")
        assert (kept.value, dropped.value) == (0.0, 1.0)


def test_chunks_are_no_repeats(tmp_path: Path) -> None:
    for given in (CHUNKS, trec(CHUNKS, tmp_path / "r.run")):
        result = ndcg.evaluate(JUDGED, given, "nDCG@3", collapse="#.*", duplicates="error")
        assert result.value == ndcg.evaluate(JUDGED, DOCUMENTS, "nDCG@3").value


def test_the_pool_stays_by_document(tmp_path: Path) -> None:
    pool = {"q1": ["a", "b", "c", "x"], "q2": ["a", "d"]}
    measure = "nDCG(ideal=candidates)@3"
    for given in (CHUNKS, trec(CHUNKS, tmp_path / "r.run")):
        assert ndcg.evaluate(JUDGED, given, measure, candidates=pool, collapse="#.*").value is not None
        with pytest.raises(InputError, match=r"document 'x'.* outside the candidate pool"):
            ndcg.evaluate(JUDGED, given, measure, candidates={"q1": ["a", "b", "c"], "q2": ["a", "d"]}, collapse="#.*")


def test_a_column_of_documents(tmp_path: Path) -> None:
    import pandas

    frame = pandas.DataFrame(
        [(q, chunk, chunk.split("#")[0], s) for q, docs in CHUNKS.items() for chunk, s in docs.items()],
        columns=["query_id", "chunk_id", "doc id", "score"],
    )
    wanted = rows_of(ndcg.evaluate(JUDGED, DOCUMENTS, MEASURES))
    path = tmp_path / "chunks.csv"
    frame.to_csv(path, index=False)
    for given in (frame, path):
        found = ndcg.evaluate(JUDGED, given, MEASURES, collapse="doc id")
        assert [row[:5] for row in rows_of(found)] == [row[:5] for row in wanted]
    with pytest.raises(UsageError, match=r"collapse='doc_id' names a column, and run run \(mapping\) has none"):
        ndcg.evaluate(JUDGED, CHUNKS, collapse="doc_id")
    with pytest.raises(UsageError, match="names a column, and run r"):
        ndcg.evaluate(JUDGED, trec(CHUNKS, tmp_path / "r.run"), collapse="doc_id")
    with pytest.raises(InputError, match="no column 'parent' for doc"):
        ndcg.evaluate(JUDGED, path, collapse="parent")


def test_what_was_collapsed_is_said(tmp_path: Path) -> None:
    for given in (CHUNKS, trec(CHUNKS, tmp_path / "r.run")):
        result = ndcg.evaluate(JUDGED, given, collapse="#[0-9]+$")
        notes = [item.notes for item in result.inputs if item.role.startswith("run")]
        assert notes == [("11 chunks became 7 documents by the pattern '#[0-9]+$', best chunk",)]
        nothing = ndcg.evaluate(JUDGED, given, collapse="@[0-9]+$")
        assert any("it matches no id of the run" in note for item in nothing.inputs for note in item.notes)


def test_explain_and_dialects_see_documents(tmp_path: Path) -> None:
    for given in (CHUNKS, trec(CHUNKS, tmp_path / "r.run")):
        explained = ndcg.explain(JUDGED, given, "q1", "nDCG@3", collapse="#.*")
        assert [row.document for row in explained.rows] == ["b", "a", "x"]
        table = ndcg.dialects(JUDGED, given, k=3, collapse="#.*")
        whole = ndcg.dialects(JUDGED, DOCUMENTS, k=3)
        assert {row.dialect: row.value for row in table.rows} == {row.dialect: row.value for row in whole.rows}


def test_bad_data_is_still_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="document 'a#1': score is NaN"):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {"a#2": 1.0, "a#1": float("nan")}}, collapse="#.*")
    with pytest.raises(DataTypeError, match="score 'high' is a str"):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {"a#2": 1.0, "a#1": "high"}}, collapse="#.*")
    with pytest.raises(DataTypeError, match=r"document id 1.5 is a float"):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {1.5: 1.0}}, collapse="#.*")
    bad = tmp_path / "bad.run"
    bad.write_text("q Q0 a#1 1 high t\n")
    with pytest.raises(InputError, match=r"line 1, .*score 'high' is not a number"):
        ndcg.evaluate({"q": {"a": 1}}, bad, collapse="#.*")
    for given in ({"q": {"#1": 1.0}}, trec({"q": {"#1": 1.0}}, tmp_path / "e.run")):
        with pytest.raises(InputError, match="document '#1': nothing is left of the id"):
            ndcg.evaluate({"q": {"a": 1}}, given, collapse="#.*")


def test_failed_and_empty_queries_stay() -> None:
    run = {"q1": None, "q2": {}, "q3": {"a#1": 1.0}}
    result = ndcg.evaluate({q: {"a": 1} for q in ("q1", "q2", "q3")}, run, collapse="#.*")
    assert [row.status for row in result.per_query] == ["failed", "missing", "scored"]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("(", UsageError, "is no pattern"),
        ("", UsageError, "empty pattern"),
        ("(a)(b)", UsageError, "has 2 groups"),
        (3, DataTypeError, "a pattern or the name of a column"),
        (re.compile(b"#"), DataTypeError, "ids are text"),
    ],
)
def test_a_wrong_rule(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        as_collapse(given)


def test_passages_of_judged_documents_are_suspected(tmp_path: Path) -> None:
    run = {"q1": {"a#1": 2.0, "b#2": 1.0}}
    for given in (run, trec(run, tmp_path / "r.run")):
        result = ndcg.evaluate({"q1": {"a": 1, "b": 2}}, given)
        (warning,) = [text for text in result.warnings if "not one judged document" in text]
        assert "2 of the first 2 returned ids look like chunks of documents ('a#1' of 'a')" in warning
        assert "collapse='#[0-9]+$' scores documents" in warning


def in_shape(run: dict[str, dict[str, float]], shape: str, path: Path) -> Any:
    """A run of both engines: in memory, or in a file."""
    return run if shape == "memory" else trec(run, path / "doubtful.run")


@pytest.mark.parametrize("shape", ["memory", "file"])
def test_judged_passages_under_collapse_are_named(shape: str, tmp_path: Path) -> None:
    run = in_shape({"q": {"a#2": 0.9, "a#1": 0.5, "b#1": 0.1}}, shape, tmp_path)
    result = ndcg.evaluate({"q": {"a#1": 1, "b#1": 0}}, run, "nDCG@5", collapse="#[0-9]+$")
    (said,) = result.warnings
    assert "collapse='#[0-9]+$'" in said
    assert "the judged ids ('a#1', 'b#1') are chunks by the same pattern" in said
    # Some passages among judged documents are named too, though others are found.
    result = ndcg.evaluate({"q": {"a#1": 1, "b": 1}}, run, "nDCG@5", collapse="#[0-9]+$")
    (said,) = result.warnings
    assert "1 of the judged ids ('a#1') is a chunk" in said
    assert result.value > 0
    # Where documents themselves end that way, a judged one may be a document.
    nested = in_shape({"q": {"a#1#2": 0.9, "a#2#1": 0.5}}, shape, tmp_path)
    assert ndcg.evaluate({"q": {"a#1": 1, "a#2": 0}}, nested, "nDCG@5", collapse="#[0-9]+$").warnings == ()


@pytest.mark.parametrize("shape", ["memory", "file"])
def test_a_pattern_that_matches_nothing_is_a_warning(shape: str, tmp_path: Path) -> None:
    run = in_shape({"q": {"a/3": 0.9, "a": 0.95}}, shape, tmp_path)
    result = ndcg.evaluate({"q": {"a": 1}}, run, "nDCG@5", collapse="#[0-9]+$")
    (said,) = result.warnings
    assert "collapse='#[0-9]+$' matches no id of the run (" in said
    assert "'a/3'" in said
    assert said.endswith("): nothing was collapsed")
    assert ndcg.evaluate({"q": {"a": 1}}, run, "nDCG@5", collapse="/[0-9]+$").warnings == ()


def test_a_column_of_documents_without_a_judged_one(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query,passage,document,score\nq,a1,a,1\n")
    result = ndcg.evaluate({"q": {"a1": 1}}, str(path), "nDCG@5", collapse="document")
    (said,) = result.warnings
    assert "chunks became documents by the column 'document': the judged ids must be those of documents" in said
