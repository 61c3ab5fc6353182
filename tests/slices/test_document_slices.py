"""Slices of documents: true ranks, gain and ideal from the slice only; or lists restricted to the slice."""

import math

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.engines.memory import MemoryEngine
from slices.data import AGE, BASE, JUDGED, NEW, common, judgments, runs
from strategies import IDS

ages = st.dictionaries(st.sampled_from(IDS), st.sampled_from(["old", "new"]), min_size=1)


def by_name(result, run=None):
    return {entry.slice: entry for entry in result.slices if run in (None, entry.run)}


def files_of(folder, judged, run):
    """The same data as TREC files, which go through DuckDB."""
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in judged.items() for d, g in docs.items()))
    (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, docs in run.items() for d, s in docs.items()))
    return folder / "qrels", folder / "run"


def test_the_spoken_example():
    """Judged O3 N3, run N, O: the slice of O is 0.6309 at true ranks, 1.0 on the restricted list."""
    judged, run, age = {"q": {"O": 3, "N": 3}}, {"q": {"N": 2, "O": 1}}, {"age": {"O": "old", "N": "new"}}
    kept = by_name(ndcg.evaluate(judged, run, "nDCG@10", by_documents=age))
    assert round(kept["age=old"].value, 4) == 0.6309 and kept["age=new"].value == 1.0
    restricted = ndcg.evaluate(judged, run, "nDCG@10", by_documents=age, slice_mode="restrict")
    assert by_name(restricted)["age=old"].value == 1.0
    assert "restricted to the slice" in str(restricted) and "restricted" not in str(kept["age=old"])
    assert [entry.part.mode for entry in restricted.slices] == ["restrict", "restrict"]
    assert kept["age=old"].part.mode == "keep"


@settings(max_examples=50, deadline=None)
@given(judgments, runs, ages, st.sampled_from([None, 1, 2, 5]), st.sampled_from(["docid", "average", "worst"]))
def test_true_ranks_by_the_definition(judged, run, age, k, ties):
    """Every document outside the slice has grade 0 and keeps its place."""
    assume(common(judged, run) and any(doc in age for docs in judged.values() for doc in docs))
    measure = ndcg.nDCG(k=k, ties=ties)
    result = ndcg.evaluate(judged, run, [measure, "AP"], by_documents={"age": age}, interval=False)
    for entry in result.slices:
        inside = {
            query: {doc: grade if age.get(doc) == entry.part.value else 0 for doc, grade in docs.items()}
            for query, docs in judged.items()
        }
        alone = ndcg.evaluate(inside, run, [measure, "AP"]).entry(measure=entry.measure)
        assert entry.value == alone.value and entry.summary.queries == alone.summary.queries
        for ours, theirs in zip(ndcg.results.PerQuery([entry]), alone_rows(alone), strict=True):
            assert ours._replace(judged=0) == theirs._replace(judged=0)
        assert sum(entry.rows.judged) == sum(
            age.get(doc) == entry.part.value for docs in judged.values() for doc in docs
        )


def alone_rows(entry):
    return ndcg.results.PerQuery([entry])


@settings(max_examples=40, deadline=None)
@given(judgments, runs, ages, st.sampled_from([None, 1, 3]))
def test_restricted_lists_by_the_definition(judged, run, age, k):
    assume(common(judged, run) and any(doc in age for docs in judged.values() for doc in docs))
    result = ndcg.evaluate(
        judged, run, ndcg.nDCG(k=k), by_documents={"age": age}, slice_mode="restrict", interval=False
    )
    for entry in result.slices:
        wanted = entry.part.value
        only = {q: {d: g for d, g in docs.items() if age.get(d) == wanted} for q, docs in judged.items()}
        lists = {
            q: None if docs is None else {d: s for d, s in docs.items() if age.get(d) == wanted}
            for q, docs in run.items()
        }
        alone = ndcg.evaluate(only, lists, ndcg.nDCG(k=k)).totals[0]
        assert entry.value == alone.value
        assert [row.value for row in alone_rows(entry)] == [
            row.value for row in alone_rows(alone) if row.query in judged
        ]


@pytest.mark.parametrize("mode", ["keep", "restrict"])
@pytest.mark.parametrize(
    "options",
    [{}, {"ties": "average"}, {"unjudged": "skip"}, {"gain": "linear"}, {"gain": {1: 1, 2: 3, 3: 4, 0: 0}},
     {"gain": {1: 1, 2: 3, 3: 4}, "off_table": "zero"}, {"ideal": "returned"}],
    ids=str,
)  # fmt: skip
def test_files_and_dicts_have_the_same_bits(tmp_path, mode, options):
    run = BASE
    more = {"by_documents": {"age": AGE}, "slice_mode": mode, "interval": False, **options}
    memory = ndcg.evaluate(JUDGED, run, "nDCG@3", **more)
    scanned = ndcg.evaluate(*files_of(tmp_path, JUDGED, run), "nDCG@3", **more)
    assert {e.slice: (e.value, e.summary) for e in memory.slices} == {
        e.slice: (e.value, e.summary) for e in scanned.slices
    }


def test_a_gain_table_need_not_name_grade_0():
    judged = {q: {d: g for d, g in docs.items() if g} for q, docs in JUDGED.items()}
    judged = {q: docs for q, docs in judged.items() if docs}
    table, whole = {1: 1, 2: 3, 3: 4}, {0: 0, 1: 1, 2: 3, 3: 4}
    one, other = (ndcg.evaluate(judged, BASE, "nDCG@3", gain=g, by_documents={"age": AGE}) for g in (table, whole))
    assert {e.slice: e.value for e in one.slices} == {e.slice: e.value for e in other.slices}
    assert one.slices[0].declaration == one.totals[0].declaration


def test_ranked_lists_and_repeats():
    judged, age = {"q": {"O": 3, "N": 3}}, {"age": {"O": "old", "N": "new"}}
    for run in ({"q": ["X", "N", "N", "O"]}, {"q": ["X", "N", "O"]}):
        kept = by_name(ndcg.evaluate(judged, run, "nDCG@3", by_documents=age))
        assert kept["age=old"].value == 0.5 and round(kept["age=new"].value, 4) == 0.6309
        restricted = by_name(ndcg.evaluate(judged, run, "nDCG@3", by_documents=age, slice_mode="restrict"))
        assert restricted["age=old"].value == restricted["age=new"].value == 1.0


def test_repeats_with_scores_count_with_their_best(tmp_path):
    (tmp_path / "qrels").write_text("q 0 A 1\nq 0 B 3\n")
    (tmp_path / "run").write_text("q Q0 A 1 5 t\nq Q0 B 2 4 t\nq Q0 A 3 1 t\nq Q0 B 4 0 t\nq Q0 C 5 4.5 t\n")
    age = {"age": {"A": "old", "B": "old", "C": "old"}}
    for mode in ("keep", "restrict"):
        result = ndcg.evaluate(tmp_path / "qrels", tmp_path / "run", "nDCG@3", by_documents=age, slice_mode=mode)
        assert by_name(result)["age=old"].value == result.totals[0].value


def test_every_run_is_ranked_once_more_whatever_the_number_of_slices(monkeypatch):
    passes = []
    rank = MemoryEngine.rank
    monkeypatch.setattr(MemoryEngine, "rank", lambda self, requests: passes.append(1) or rank(self, requests))
    runs = {"base": BASE, "new": NEW}
    ndcg.evaluate(JUDGED, runs)
    plain = len(passes)
    passes.clear()
    result = ndcg.evaluate(JUDGED, runs, by_documents={"age": AGE, "letter": {doc: doc for doc in "ABCDEMNX"}})
    assert len(passes) == plain + 2
    assert len(result.slices) == 2 * (3 + 8)
    assert "scored again: every run was ranked once more" in " ".join(str(result).split())


def test_documents_without_a_value_are_a_slice_of_their_own():
    found = by_name(ndcg.evaluate(JUDGED, BASE, "nDCG@3", by_documents={"age": {"A": "old"}}))
    assert set(found) == {"age=old", "age=(no value)"}


def test_measures_without_document_slices_say_so():
    result = ndcg.evaluate(JUDGED, BASE, ["nDCG@3", "Judged@3", "P(rel=0)@3"], by_documents={"age": AGE})
    assert {entry.measure for entry in result.slices} == {"nDCG@3"}
    assert any("Judged@3 counts documents" in warning for warning in result.warnings)
    assert any("P(rel=0)@3" in warning and "restrict" in warning for warning in result.warnings)
    counted = ndcg.evaluate(JUDGED, BASE, "nDCG@3", gain="judged", by_documents={"age": AGE})
    assert counted.slices == () and counted.warnings


def test_policies_that_stop_do_not_stop_at_a_slice():
    judged = {q: docs for q, docs in JUDGED.items() if q != "q3"}
    result = ndcg.evaluate(judged, BASE, "nDCG@3", empty="error", by_documents={"age": AGE})
    assert by_name(result)["age=new"].summary.queries.empty > 0
    assert result.slices[0].declaration["empty"] == "error"


def test_a_document_with_two_values():
    age = {"age": {"A": ["old", "new"], "B": "new"}}
    with pytest.raises(ndcg.InputError, match=r"document 'A': two values of 'age'"):
        ndcg.evaluate(JUDGED, BASE, by_documents=age)
    found = by_name(ndcg.evaluate(JUDGED, BASE, "nDCG@3", by_documents=age, slice_overlap="both"))
    assert found["age=old"].summary.queries.scored == 3 and found["age=new"].summary.queries.scored == 4


def test_a_table_with_a_document_column_tells_itself(tmp_path):
    frame = pd.DataFrame({"doc_id": list(AGE), "age": list(AGE.values())})
    frame.to_csv(tmp_path / "docs.csv", index=False)
    (tmp_path / "both.csv").write_text("query,doc,age\n" + "".join(f"q1,{d},{a}\n" for d, a in AGE.items()))
    expected = by_name(ndcg.evaluate(JUDGED, BASE, by_documents={"age": AGE}))
    for option in (
        {"by": frame},
        {"by": f"{tmp_path}/docs.csv:age"},
        {"by_documents": f"{tmp_path}/docs.csv:age"},
        {"by_documents": f"{tmp_path}/both.csv:age"},
        {"by_documents": pd.Series(AGE, name="age")},
    ):
        found = by_name(ndcg.evaluate(JUDGED, BASE, **option))
        assert {name: entry.value for name, entry in found.items()} == {n: e.value for n, e in expected.items()}
    with pytest.raises(ndcg.UsageError, match="crosses 'age', which tells of documents, with 'kind'"):
        ndcg.evaluate(JUDGED, BASE, by=[frame, {"kind": {"q1": "x"}}, "age*kind"])


def test_gaps_of_documents_are_paired_by_query():
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by_documents={"age": AGE}, slice_least=1)
    gap = result.gaps[0]
    total = {row.query: row.value for row in result.per_query}
    worst = {row.query: row.value for row in alone_rows(result.entry(slice=gap.worst)) if row.value is not None}
    both = [worst[query] - total[query] for query in worst if total[query] is not None]
    assert math.isclose(gap.to_total, math.fsum(both) / len(both)) and gap.to_total_interval["n"] == len(both)


def test_document_slices_with_collapsed_chunks():
    judged, run = {"q": {"O": 3, "N": 3}}, {"q": {"N#1": 3, "N#2": 2, "O#1": 1}}
    for mode, value in (("keep", 0.6309), ("restrict", 1.0)):
        result = ndcg.evaluate(
            judged, run, "nDCG@3", collapse=r"#[0-9]+$", by_documents={"age": {"O": "old", "N": "new"}}, slice_mode=mode
        )
        assert round(by_name(result)["age=old"].value, 4) == value


def test_documents_are_not_collapsed_twice():
    judged, run = {"q": {"M-1": 1, "M-2": 3}}, {"q": {"M-2-1": 3, "M-1-4": 2, "M-1-1": 1}}
    for mode in ("keep", "restrict"):
        found = by_name(
            ndcg.evaluate(
                judged,
                run,
                "nDCG@3",
                collapse=r"-[0-9]+$",
                by_documents={"age": {"M-1": "old", "M-2": "new"}},
                slice_mode=mode,
            )
        )
        assert found["age=new"].value == 1.0
        assert round(found["age=old"].value, 4) == (0.6309 if mode == "keep" else 1.0)
