"""Ids that should have met: near matches by cause, passages, another corpus, pools."""

from __future__ import annotations

import unicodedata

import pytest

import ndcg
from ndcg.joining import cause_of, likely_cause, suspects

from .conftest import codes, found, only, scored, values


@pytest.mark.parametrize(
    ("one", "other", "cause"),
    [
        ("Nike", "nike", "case"),
        ("P-77 ", "P-77", "blanks"),
        (" =cmd", "=cmd", "guard"),
        ("7", "7.0", "point"),
        ("007", "7", "zeros"),
        ("D007", "D7", "zeros"),
        (unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café"), "form"),
        ("007", "7.0", "several"),
        (" NIKE", "nike", "several"),
        ("pump  seal", "pump seal", "inner"),
        ("pump\r\nseal", "pump\nseal", "inner"),
        ("pump\u00a0seal", "pump seal", "inner"),
        ("Pump  seal", "pump seal", "several"),
    ],
)
def test_causes(one, other, cause):
    assert cause_of(one, other).name == cause and cause_of(other, one).name == cause
    assert cause_of(one, one) is None


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("7", "70"), ("7.5", "75"), ("a b", "ab"), ("d#1", "d1")])
def test_different_ids_stay_different(one, other):
    assert cause_of(one, other) is None


def test_ids_on_both_sides_are_no_suspects():
    """trectools: 007 and 7 may well be two documents."""
    assert suspects(["007", "7"], ["007", "7"]) == []
    assert [(one.judged, one.given) for one in suspects(["007", "x"], ["7", "x"])] == [("007", "7")]


def test_text_against_ids():
    assert "keyed by text" in likely_cause(["boiler valve", "pump seal"], ["q17", "q18"])


def test_line_ends_inside_query_texts_are_named():
    with pytest.raises(ndcg.errors.InputError, match="blanks or line ends inside the ids differ"):
        ndcg.evaluate({"boiler\nvalve": {"a": 1}}, {"boiler\r\nvalve": {"a": 1.0}}, "nDCG@10")


QRELS = {f"q{n}": {f"Doc{n}{at}": at % 3 for at in range(6)} for n in range(8)}
RUN = {query: {doc: float(9 - at) for at, doc in enumerate(docs)} for query, docs in QRELS.items()}


def test_a_few_documents_that_only_match_by_case():
    run = {**RUN, "q1": {doc.lower() if doc == "Doc12" else doc: score for doc, score in RUN["q1"].items()}}
    finding = only(ndcg.check(QRELS, run), "suspected_document_joins")
    assert (finding.count, finding.of) == (1, 48)
    assert "upper and lower case differ" in finding.sentence
    assert [(example.query, example.document, example.what) for example in finding.examples] == [
        ("q1", "doc12", "judged as 'Doc12'")
    ]
    assert values(finding) == {"joined": scored(QRELS, RUN)}
    assert finding.effect.base == scored(QRELS, run) != scored(QRELS, RUN)


SPOILERS = {
    "blanks": lambda doc: f"{doc} ",
    "case": str.upper,
    "form": lambda doc: unicodedata.normalize("NFD", doc),
    "point": lambda doc: f"{doc}.0",
    "zeros": lambda doc: f"00{doc}",
}


@pytest.mark.parametrize("cause", SPOILERS)
def test_every_cause_is_found_and_its_effect_is_the_score_of_the_join(cause):
    ids = {"form": "é{}", "point": "{}", "zeros": "{}"}.get(cause, "d{}")
    qrels = {f"q{n}": {ids.format(10 * n + at + 3): at % 3 for at in range(6)} for n in range(5)}
    run = {query: {doc: float(at) for at, doc in enumerate(docs)} for query, docs in qrels.items()}
    spoilt = {**run, "q2": {SPOILERS[cause](doc): score for doc, score in run["q2"].items()}}
    finding = only(ndcg.check(qrels, spoilt), "suspected_document_joins")
    assert finding.count == 6
    assert values(finding) == {"joined": scored(qrels, run)}


def test_documents_judged_under_both_ids_are_left_alone():
    qrels = {"q": {"Nike": 2, "nike": 0, "x": 1}}
    assert not found(ndcg.check(qrels, {"q": {"nike": 2.0, "x": 1.0}}), "suspected_document_joins")


def test_queries_that_only_match_nearly():
    """Quepid puts a blank before what looks like a formula; query texts are case sensitive."""
    qrels = {" =valve": {"a": 1, "b": 0}, "Nike": {"c": 1, "d": 0}, "pump": {"e": 1, "f": 0}}
    run = {"=valve": {"a": 1.0}, "nike": {"c": 1.0}, "pump": {"f": 2.0, "e": 1.0}}
    report = ndcg.check(qrels, run)
    findings = found(report, "suspected_query_joins")
    assert {finding.sentence.split(": ")[1].split()[0] for finding in findings} == {"one", "upper"}
    joined = scored(qrels, {" =valve": run["=valve"], "Nike": run["nike"], "pump": run["pump"]})
    for finding in findings:
        assert list(values(finding).values()) == [joined]


def test_no_query_in_common_is_named_with_its_cause_and_still_measured():
    qrels, run = {"001": {"a": 1, "b": 0}, "002": {"c": 1}}, {"1": {"a": 1.0}, "2": {"x": 2.0, "c": 1.0}}
    report = ndcg.check(qrels, run)
    assert "no run has a query in common" in report.problem
    assert "leading zeros" in only(report, "no_common_query").sentence
    joined = scored(qrels, {"001": run["1"], "002": run["2"]})
    assert list(values(only(report, "suspected_query_joins")).values()) == [joined]
    effect = only(report, "suspected_query_joins").effect
    assert (effect.base, effect.largest) == (None, joined) and f"makes it {joined:.4f}" in str(report)


def test_passages_point_to_collapse():
    qrels = {f"q{n}": {f"doc{n}": 1, f"doc{n + 1}": 0} for n in range(4)}
    run = {f"q{n}": {f"doc{n + 1}#3": 3.0, f"doc{n}#1": 2.0, f"doc{n}#2": 1.0} for n in range(4)}
    finding = only(ndcg.check(qrels, run), "passages")
    assert finding.option == "--collapse '#[0-9]+$'" and finding.count == 12
    whole = {f"q{n}": {f"doc{n + 1}": 3.0, f"doc{n}": 2.0} for n in range(4)}
    assert list(values(finding).values()) == [scored(qrels, whole)]
    collapsed = ndcg.check(qrels, run, collapse="#[0-9]+$")
    assert collapsed.runs[0].value == scored(qrels, whole) and collapsed.runs[0].rows == 8
    assert not codes(collapsed) & {"passages", "repeated_documents"}


def test_ids_with_numbers_are_no_passages():
    qrels = {"q": {"FT911-3032": 1, "LA-1": 0}}
    assert "passages" not in codes(ndcg.check(qrels, {"q": {"FT911-3032": 2.0, "FT911-1": 1.0}}))
    functions = {"q": {"hashlib": 1, "hashlib.new": 2, "shutil.copy": 0}}
    assert "passages" not in codes(ndcg.check(functions, {"q": {"hashlib.md5": 2.0, "hashlib.new": 1.0}}))


def test_judgments_of_another_corpus():
    """Twenty-eight labels remapped, nDCG@10 from 0.22 to 0.58: the ids were of an older index."""
    qrels = {f"q{n}": {f"old{n}": 1, f"kept{n}": 1, f"old{n}b": 1} for n in range(5)}
    run = {f"q{n}": {f"kept{n}": 9.0, **{f"new{at}": 1.0 / (at + 1) for at in range(20)}} for n in range(5)}
    finding = only(ndcg.check(qrels, run), "absent_documents")
    assert (finding.count, finding.of) == (10, 15) and finding.effect.unknown is not None
    other = {f"q{n}": {f"old{n}": 9.0, **run[f"q{n}"]} for n in range(5)}
    assert "absent_documents" not in codes(ndcg.check(qrels, {"one": run, "two": other}))


def test_dangling_ids_with_a_corpus(write):
    qrels = {"q": {"a": 2, "gone": 1, "lost": 0}}
    run = {"q": {"x": 2.0, "a": 1.0}}
    corpora = {
        "lines": write("a\nx\nb\n", "ids.txt"),
        "objects": write('{"_id": "a", "text": "t"}\n{"_id": "x"}\n', "corpus.jsonl"),
        "memory": ["a", "x"],
    }
    for corpus in corpora.values():
        report = ndcg.check(qrels, run, corpus=corpus)
        finding = only(report, "dangling_judgments")
        assert (finding.count, finding.of) == (2, 3) and "1 of them is relevant" in finding.sentence
        assert values(finding) == {"without them": scored({"q": {"a": 2}}, run)}
        assert "unknown_documents" not in codes(report)
    unknown = only(ndcg.check(qrels, run, corpus=["a"]), "unknown_documents")
    assert values(unknown) == {"without them": scored(qrels, {"q": {"a": 1.0}})}


def test_candidate_pool():
    qrels = {"q": {"a": 2, "far": 3, "b": 0}}
    run = {"q": {"b": 3.0, "a": 2.0, "x": 9.0}}
    report = ndcg.check(qrels, run, candidates={"q": ["a", "b"]})
    dangling = only(report, "dangling_judgments")
    inside = {"q": {"b": 3.0, "a": 2.0}}
    expected = scored(qrels, inside, ideal="candidates", candidates={"q": ["a", "b"]})
    assert (dangling.count, values(dangling)) == (1, {"ideal=candidates": expected})
    outside = only(report, "outside_pool")
    assert (outside.count, outside.weight, outside.examples[0].document) == (1, "refused", "x")
    assert values(outside) == {"without them": scored(qrels, inside)}
    with pytest.raises(ndcg.UsageError, match="without a pool"):
        ndcg.check(qrels, run, "nDCG(ideal='candidates')@10", candidates={"q": ["a"]})


def test_numbers_read_as_floating_point_are_no_passages():
    report = ndcg.check({"q": {"7": 1, "8": 0}}, {"q": {"7.0": 1.0, "8.0": 0.5}})
    assert "passages" not in {finding.code for finding in report.findings}
    assert "without '.0'" in only(report, "suspected_document_joins").option
    report = ndcg.check({"q": {"7": 1, "8": 0}}, {"q": {"7.0": 1.0, "7.1": 0.5}})
    assert "passages" in {finding.code for finding in report.findings}
