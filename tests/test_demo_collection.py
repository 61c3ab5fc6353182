"""The demo collection keeps what its note promises."""

import csv
import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

COLLECTION = Path(__file__).parent.parent / "src" / "ndcg" / "demo" / "collection"
RUNS = ("fts_title", "fts_body", "tfidf", "fused")
EMPTY = {"q62", "q63", "q64", "q65", "q66"}
MISSING = {("fts_title", "q60"), ("fts_title", "q61")}
UNJUDGED = {"q67"}


@cache
def table(name):
    with (COLLECTION / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def texts():
    with gzip.open(COLLECTION / "documents.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def documents():
    return {row["doc"] for row in table("documents.csv")}


@cache
def queries():
    return {row["query"] for row in table("queries.csv")}


@cache
def run(name):
    lines = (COLLECTION / "runs" / f"{name}.run").read_text(encoding="utf-8").splitlines()
    answers = {}
    for query, _, doc, rank, score, tag in map(str.split, lines):
        answers.setdefault(query, []).append((doc, int(rank), float(score), tag))
    return answers


@cache
def qrels():
    lines = (COLLECTION / "judgments.qrels").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines]
    grades = {(query, doc): int(grade) for query, _, doc, grade in rows}
    assert len(grades) == len(rows)
    return grades


def graded(name):
    return {(row["query"], row["doc"]): int(row["grade"]) for row in table(name)}


def note():
    return (COLLECTION / "README.md").read_text(encoding="utf-8")


def test_the_corpus_has_the_promised_size():
    assert 1_500 <= len(documents()) <= 2_500
    assert len(documents()) == len(table("documents.csv"))
    assert sum(path.stat().st_size for path in COLLECTION.rglob("*") if path.is_file()) < 1_500_000


def test_every_document_has_attributes_and_a_text():
    assert {each["doc"] for each in texts()} == documents()
    assert all(each["title"].startswith(each["doc"]) and each["text"] for each in texts())
    assert max(len(each["text"]) for each in texts()) <= 500
    for row in table("documents.csv"):
        assert row["module"]
        assert row["kind"] in {"module", "class", "exception", "function", "method"}


def test_the_age_follows_from_the_version():
    for row in table("documents.csv"):
        major, minor = map(int, row["since"].split("."))
        assert row["age"] == ("old" if major < 3 else "middle" if minor < 6 else "new")
    assert min(Counter(row["age"] for row in table("documents.csv")).values()) > 100


def test_known_names_carry_their_version():
    since = {row["doc"]: row["since"] for row in table("documents.csv")}
    assert since["pathlib.Path.glob"] == "3.4"
    assert since["json.dumps"] == "2.6"
    assert since["str.removeprefix"] == "3.9"
    assert since["str.split"] == "2.0"


def test_no_path_or_address_of_a_machine_is_shipped():
    pattern = re.compile(r"0x[0-9a-f]{6,}|/root\b|/home/|/usr/lib/python|/work/|/tmp/|site-packages", re.IGNORECASE)
    content = [f"{each['title']} {each['text']}" for each in texts()]
    for path in COLLECTION.rglob("*"):
        if path.is_file() and path.suffix != ".gz":
            content.append(path.read_text(encoding="utf-8"))
    assert [found.group() for text in content for found in pattern.finditer(text)] == []


def test_the_compressed_file_carries_no_time_and_no_name():
    header = (COLLECTION / "documents.jsonl.gz").read_bytes()[:10]
    assert header[3] == 0
    assert header[4:8] == bytes(4)


def test_queries_are_of_several_kinds_and_weights_fall_to_a_tail():
    rows = table("queries.csv")
    assert len(rows) == len(queries()) >= 60
    assert len({row["text"] for row in rows}) == len(rows)
    assert min(Counter(row["kind"] for row in rows).values()) >= 5
    assert {row["kind"] for row in rows} == {"name", "task", "error", "vague"}
    assert {row["difficulty"] for row in rows} == {"easy", "medium", "hard"}
    weights = sorted((float(row["weight"]) for row in rows), reverse=True)
    assert weights[-1] > 0
    assert sum(weights[: len(weights) // 5]) > sum(weights) / 2


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_well_formed(name):
    for query, answers in run(name).items():
        assert query in queries()
        assert len(answers) <= 50
        assert [rank for _, rank, _, _ in answers] == list(range(1, len(answers) + 1))
        assert {tag for _, _, _, tag in answers} == {name}
        docs = [doc for doc, _, _, _ in answers]
        assert len(set(docs)) == len(docs)
        assert documents().issuperset(docs)
        scores = [score for _, _, score, _ in answers]
        assert scores == sorted(scores, reverse=True)


def test_runs_differ():
    tops = [tuple(doc for doc, *_ in run(name)["q22"][:10]) for name in RUNS]
    assert len(set(tops)) == len(RUNS)


def test_the_missing_queries_are_missing_from_one_run_only():
    assert {(name, query) for name in RUNS for query in queries() - set(run(name))} == MISSING
    assert all(any(grade > 0 for (query, _), grade in qrels().items() if query == each) for _, each in MISSING)


def test_empty_and_unjudged_queries_are_as_declared():
    best = {}
    for (query, _), grade in qrels().items():
        best[query] = max(best.get(query, 0), grade)
    assert {query for query, grade in best.items() if grade == 0} == EMPTY
    assert queries() - set(best) == UNJUDGED
    assert all(query in run(name) for query in EMPTY | UNJUDGED for name in RUNS)


@pytest.mark.parametrize("name", ["judgments.csv", "judgments_second.csv", "judgments_agreed.csv"])
def test_judgments_are_graded_and_reasoned(name):
    rows = table(name)
    assert len(graded(name)) == len(rows)
    for row in rows:
        assert row["grade"] in {"0", "1", "2", "3"}
        assert row["query"] in queries()
        assert row["doc"] in documents()
        assert row["judge"] and len(row["reason"]) >= 10
    assert len({row["reason"] for row in rows}) > 0.98 * len(rows)


def test_there_are_enough_judgments_of_every_grade():
    assert 600 <= len(table("judgments.csv")) <= 1_000
    assert min(Counter(qrels().values()).values()) >= 50


def test_a_tenth_is_judged_twice_and_settled_where_it_differs():
    first, second, agreed = map(graded, ("judgments.csv", "judgments_second.csv", "judgments_agreed.csv"))
    assert len(second) >= len(first) / 10
    assert set(second) <= set(first)
    assert {row["judge"] for row in table("judgments.csv")} == {"a"}
    assert {row["judge"] for row in table("judgments_second.csv")} == {"b"}
    assert set(agreed) == {pair for pair, grade in second.items() if first[pair] != grade}
    assert all(agreed[pair] in {first[pair], second[pair]} for pair in agreed)
    assert qrels() == first | agreed


def test_the_note_prints_the_agreement():
    first, second = graded("judgments.csv"), graded("judgments_second.csv")
    pairs = [(first[pair], grade) for pair, grade in second.items()]
    equal = sum(a == b for a, b in pairs)
    observed = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    ours, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(ours[a] * theirs[b] * (a - b) ** 2 for a in ours for b in theirs) / len(pairs) ** 2
    assert f"Agreement on {len(pairs)} pairs: equal grades {equal} ({equal / len(pairs):.3f})" in note()
    assert f"quadratically weighted kappa {1 - observed / expected:.3f}." in note()


@pytest.mark.parametrize("name", RUNS)
def test_most_of_the_first_ten_is_judged_and_not_all(name):
    judged = set(qrels())
    shares = [
        sum((query, doc) in judged for doc, *_ in answers[:10]) / len(answers[:10])
        for query, answers in run(name).items()
        if query not in UNJUDGED
    ]
    mean = sum(shares) / len(shares)
    assert 0.7 <= mean <= 0.95
    assert min(shares) < 1
    assert f"{mean:.2f}" in next(line for line in note().splitlines() if line.startswith(f"| `{name}`"))


def test_the_note_has_the_counts_and_says_who_judged():
    opening = f"{len(documents())} documents, {len(queries())} queries, {len(qrels())} judged pairs"
    assert opening in note()
    assert "A language model made the judgments" in note()
    assert "Python Software Foundation" in note()
    assert "Python Software Foundation" in (COLLECTION / "PSF-LICENSE.txt").read_text(encoding="utf-8")


def test_names_answer_their_own_query():
    assert qrels()["q01", "json.dumps"] == 3
    assert qrels()["q02", "os.path.join"] == 3
