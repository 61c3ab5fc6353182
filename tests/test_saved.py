"""Saved results: read again unchanged, by every later version; written whole or not at all."""

import json
import math
import os
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.saved import FORMAT, to_json
from ndcg.whole_files import write_whole

OLD = Path(__file__).parent / "reports" / "saved_format_1.json"
"""Written by version 0.1.0; must load for ever."""

ODD = ["007", "7", "NA", "null", "", " blank ", "e\u0301", "\u00e9", "\U0001f600", "a\tb", 'quote"', "1.0", "\ud800"]

JUDGED = {query: {doc: at % 4 for at, doc in enumerate(ODD)} for query in ODD} | {"empty": {"x": 0}, "lost": {"x": 2}}
RUNS = {
    "one": {query: {doc: at * 0.1 for at, doc in enumerate(ODD)} for query in ODD}
    | {"empty": {"x": 1}, "stranger": {"x": 1}, "lost": None},
    "two": {query: {doc: -at / 3 for at, doc in enumerate(ODD[:3])} for query in ODD},
}


def scored():
    return ndcg.evaluate(
        JUDGED,
        RUNS,
        ["nDCG@2", "nDCG(gain={0: 0, 1: 1, 2: 2.5, 3: 7}, missing='exclude')", "AP", "GMAP", "NumRet", "P(rel=2)@5"],
        candidates={query: [*ODD, "x"] for query in JUDGED},
        pool_version="v1",
    )


def test_loads_again_unchanged(tmp_path):
    result = scored()
    result.save(tmp_path / "result.json")
    loaded = ndcg.load(tmp_path / "result.json")
    assert loaded.entries == result.entries
    assert list(loaded.per_query) == list(result.per_query)
    for ours, theirs in zip(loaded.entries, result.entries, strict=True):
        assert ours.rows.queries == list(theirs.rows.queries)
        assert ours.summary == theirs.summary
        assert list(ours.excluded()) == list(theirs.excluded())
        assert ours.missed == {query: list(docs) for query, docs in theirs.missed.items()}
    assert loaded.measures == result.measures
    assert (loaded.inputs, loaded.warnings, loaded.pool_version, loaded.version) == (
        result.inputs,
        result.warnings,
        result.pool_version,
        result.version,
    )
    assert loaded.fingerprints == result.fingerprints
    assert str(loaded) == str(result)


def test_saving_what_was_loaded_gives_the_same_bytes():
    text = scored().to_json()
    assert ndcg.load(text).to_json() == text


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=5),
        st.dictionaries(st.text(max_size=4), st.floats(-3, 30), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_any_ids_and_values(judged, data):
    run = {
        query: {doc: data.draw(st.floats(allow_nan=False)) for doc in [*docs, "other"]}
        for query, docs in judged.items()
    }
    result = ndcg.evaluate(judged, run, ["nDCG@2", "DCG"], ties="average")
    assert ndcg.load(result.to_json()).entries == result.entries


def test_a_result_of_lists_can_be_saved():
    result = ndcg.evaluate_lists({"a": [1, 0, 2], "b": [0]}, "nDCG@3")
    loaded = ndcg.load(result.to_json())
    assert loaded.entries == result.entries


def test_a_file_of_an_earlier_version_loads():
    loaded = ndcg.load(OLD)
    assert loaded.version == "0.1.0"
    first = loaded.entry(run="bm25", measure="nDCG@10")
    assert first.value == 0.43315240085728873
    assert first.summary.queries.as_dict() == {
        "judged": 4,
        "counted": 3,
        "scored": 2,
        "empty": 1,
        "missing": 1,
        "unjudged": 1,
        "failed": 0,
    }
    assert [row.value for row in first.worst(3)] == [0.0, 0.6309297535714575, 0.6685274490004087]
    assert "nDCG@10" in str(loaded)


def test_the_document_has_the_promised_keys():
    document = json.loads(scored().to_json(per_query=False))
    assert {"results", "fingerprints", "pool_version", "version", "format"} <= set(document)
    assert set(document["fingerprints"]) == {"judgments", "candidates", "declaration"}
    entry = document["results"][0]
    assert {
        "run",
        "measure",
        "declaration",
        "value",
        "weighted_value",
        "interval",
        "queries",
        "excluded",
        "slice",
    } <= set(entry)
    assert "per_query" not in entry
    assert (entry["weighted_value"], entry["interval"], entry["slice"]) == (None, None, None)
    assert set(json.loads(scored().to_json())["results"][0]["per_query"]) == {*JUDGED, "stranger"}


def test_no_nan_or_infinity_ever():
    def refuse(text):
        raise AssertionError(text)

    json.loads(scored().to_json(), parse_constant=refuse)


def test_unknown_keys_are_ignored_and_absent_optional_ones_filled():
    document = json.loads(scored().to_json())
    document["later"] = 1
    for entry in document["results"]:
        entry["later"] = {"a": 1}
        del entry["worst"], entry["warnings"], entry["interval"]
        for row in entry["per_query"].values():
            row["later"] = None
    loaded = ndcg.load(json.dumps(document))
    assert [entry.value for entry in loaded.entries] == [entry.value for entry in scored().entries]


def test_a_measure_that_is_not_known_loads_all_the_same():
    document = json.loads(scored().to_json())
    document["results"][0]["measure"] = "Later@3"
    document["results"][0]["declaration"]["measure"] = "Later"
    loaded = ndcg.load(json.dumps(document))
    assert loaded.measures == () and "Later@3" in str(loaded)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": 99, "results": []}', "format 99; this version reads formats 1 to 1"),
        ('{"format": true, "results": []}', "format True"),
        ('{"results": []}', "not a saved result"),
        ("[1, 2]", "not a saved result"),
        ("{", "not JSON"),
        ('{"format": 1, "results": [{}], "version": "x"}', "no per-query rows"),
        ('{"format": 1, "results": [{"per_query": {}}], "version": "x"}', "damaged"),
        ('{"format": 1, "results": []}', "damaged"),
    ],
)
def test_what_is_no_result_is_a_clear_error(text, message):
    with pytest.raises(ndcg.InputError, match=message):
        ndcg.load(text)


def test_files_that_are_no_result(tmp_path):
    with pytest.raises(ndcg.InputError, match="no such file"):
        ndcg.load(tmp_path / "none.json")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe{")
    with pytest.raises(ndcg.InputError, match="UTF-8"):
        ndcg.load(tmp_path / "bytes")
    with pytest.raises(ndcg.InputError, match="cannot read"):
        ndcg.load(tmp_path)
    with pytest.raises(ndcg.UsageError, match="path or JSON text"):
        ndcg.load(3)


def test_without_rows_the_error_says_what_to_do():
    with pytest.raises(ndcg.InputError, match="--per-query"):
        ndcg.load(scored().to_json(per_query=False))


def test_a_failed_write_keeps_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    path.write_text("kept")

    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ndcg.UsageError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_half_written_is_ever_seen(tmp_path):
    path = tmp_path / "result.json"
    texts = {letter * 200_000 for letter in "ab"}
    write_whole(path, "a" * 200_000)
    seen = set()
    done = threading.Event()

    def look():
        while not done.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(20):
        for text in sorted(texts):
            write_whole(path, text)
    done.set()
    reader.join()
    assert seen <= texts


def test_modes_links_and_pipes(tmp_path):
    target = tmp_path / "target.json"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    fresh = tmp_path / "fresh.json"
    before = os.umask(0o027)
    try:
        write_whole(str(fresh), "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through")
    reader.join()
    assert got == ["through"]


@pytest.mark.parametrize("path", ["nowhere/result.json", "."])
def test_a_place_that_cannot_be_written(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ndcg.UsageError, match="cannot write"):
        write_whole(path, "x")
    assert list(tmp_path.iterdir()) == []


def test_the_number_of_the_format_is_in_the_file():
    assert json.loads(to_json(scored()))["format"] == FORMAT == 1


def test_a_million_digits_stay():
    result = ndcg.evaluate({"q": {"a": 1, "b": 3}}, {"q": ["b", "x", "a"]}, "nDCG@3")
    text = result.to_json()
    assert math.isclose(ndcg.load(text).value, result.value, rel_tol=0, abs_tol=0)


@pytest.mark.parametrize("key", ["run", "measure", "declaration"])
@pytest.mark.parametrize("value", [None, 1, [], True])
def test_a_result_with_a_damaged_head_is_refused(key, value):
    document = json.loads(ndcg.evaluate({"q": {"a": 1}}, {"q": ["a"]}).to_json())
    document["results"][0][key] = value
    with pytest.raises(ndcg.InputError, match=f"damaged saved result: TypeError {key} is a"):
        ndcg.load(json.dumps(document))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_result_holds_finite_numbers(number):
    text = ndcg.evaluate({"q": {"a": 1}}, {"q": ["a"]}).to_json().replace('"value": 1.0', f'"value": {number}')
    with pytest.raises(ndcg.InputError, match="not a finite number"):
        ndcg.load(text)


def test_a_slice_without_judged_queries_loads_unchanged():
    judged, run = {"q": {"a": 1}, "p": {"b": 1}}, {"q": ["a"], "stray": ["c"]}
    result = ndcg.evaluate(judged, run, by={"language": {"q": "de", "p": "en"}})
    assert any(entry.rows.judged_queries == 0 for entry in result.slices)
    assert ndcg.load(result.to_json()) == result
