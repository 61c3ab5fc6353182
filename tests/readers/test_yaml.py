"""YAML targets: shapes, ids that stay text, and lines in every message."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg.errors import InputError, MissingExtraError
from ndcg.readers import Scanned

from .conftest import JUDGMENTS, POOL, RUN, ids, read, scan

Write = Callable[..., str]

TARGETS = """\
---
q: boiler valve
search_scope: all
metric: ndcg
metric_at: 10
relevant: [P-77, 007]
notes: the old one
---
q: no
relevant:
  - 1e5
  - on
---
q: grade
relevant: {P-1: 3, P-2: 0.5}
---
q: nobody
relevant: []
"""


def test_a_document_per_query(write: Write) -> None:
    for name in ("targets.yaml", "targets"):
        source = read(write(TARGETS, name), JUDGMENTS)
        assert source.described.format == "yaml"
        assert [row[:3] for row in scan(source)] == [
            ("boiler valve", "P-77", 1.0),
            ("boiler valve", "007", 1.0),
            ("no", "1e5", 1.0),
            ("no", "on", 1.0),
            ("grade", "P-1", 3.0),
            ("grade", "P-2", 0.5),
        ]
        assert isinstance(source, Scanned) and source.parts[0].bare == ("nobody",)
        assert "relevant documents without a grade count 1" in source.described.notes
        assert set(source.described.unused) >= {"key 'search_scope'", "key 'notes'"}


@pytest.mark.parametrize(
    "text",
    [
        "- {q: a, relevant: [x, y]}\n- {q: b, relevant: [x]}\n",
        "- q: a\n  relevant:\n    - x\n    - id: y\n- query: b\n  judgments: {x: 1}\n",
        "- {query: a, doc: x, grade: 1}\n- {query: a, docid: y, rating: 1}\n- {qid: b, doc: x, rel: '1'}\n",
        "one: {query: a, doc_id: x, rating: 1}\ntwo: {query: a, doc_id: y, rating: 1}\n"
        "3: {query: b, doc_id: x, rating: 1}\n",
        "a: {x: 1, y: 1}\nb: {x: 1}\n",
        "# a comment first\n\na:\n  x: 1\n  y: 1.0\nb:\n  x: +1\n",
        "q: a\nrelevant: [x, y]\n---\nq: b\nrelevant: [x]\n",
    ],
)
def test_shapes(text: str, write: Write) -> None:
    assert [row[:3] for row in scan(read(write(text, "t.yml"), JUDGMENTS))] == [
        ("a", "x", 1.0),
        ("a", "y", 1.0),
        ("b", "x", 1.0),
    ]


@pytest.mark.parametrize(
    "word",
    ["no", "on", "yes", "true", "1e5", "007", "0x1F", "1_000", "12:30:45", "null", "~", "2026-01-01", "+1", ".5"],
)
def test_ids_stay_what_was_written(word: str, write: Write) -> None:
    assert ids(read(write(f"{word}: {{{word}: 1}}\n", "t.yaml"), JUDGMENTS)) == [(word, word)]
    listed = read(write(f"- q: {word}\n  relevant:\n  - {word}\n  - '{word}s'\n", "t.yaml"), JUDGMENTS)
    assert ids(listed) == [(word, word), (word, f"{word}s")]


def test_runs_and_pools(write: Write) -> None:
    ranked = read(write("a: [x, 007]\nb: [y]\nc:\n", "t.yaml"), RUN)
    assert ranked.ranked and scan(ranked) == [("a", "x", None, 1.0), ("a", "007", None, 2.0), ("b", "y", None, 1.0)]
    assert isinstance(ranked, Scanned) and ranked.parts[0].failed == ("c",)
    assert scan(read(write("a: {x: 2.5, y: .inf}\n".replace(".inf", "inf"), "t.yaml"), RUN))[1][2] == float("inf")
    assert ids(read(write("a: [x]\n", "t.yaml"), POOL)) == [("a", "x")]
    assert scan(read(write("- {q: a, results: [x, y]}\n", "t.yaml"), RUN))[1] == ("a", "y", None, 2.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {x: high}\n", r"line 1, query 'a', document 'x': grade 'high' is not a number.*labels="),
        ("a:\n  x: 1\n  y: 0x1F\n", "line 3.*'0x1F' is not a number"),
        ("a:\n  x: 1_000\n", "line 2.*is not a number"),
        ("a:\n  x: .nan\n", "line 2.*'.nan' is not a number"),
        ("a:\n  x:\n", "line 2.*expected a number, found nothing"),
        ("a:\n  x: [1]\n", "line 2.*expected a number, found a list"),
        ("a: [x]\n", "judgments need grades"),
        ("a: 1\n", "line 1.*expected {document: number}"),
        ("a:\n  x: 1\n  x: 2\n", r"line 3: the key stands twice in one mapping: 'x'"),
        ("a: &one {x: 1}\nb: *one\n", r"line 2: the alias \*one is not read"),
        ("a: {x: 1\n", "not valid YAML"),
        ("a:\n\t- x\n", "not valid YAML"),
        ("- a\n- b\n", "line 1: expected a mapping, found text"),
        ("just text\n", "expected a mapping or a list of mappings, found text"),
        ("- {q: a, doc: x}\n", "line 1, query 'a', document 'x': no grade key"),
        ("- {doc: x, grade: 1}\n", "line 1: no query key; the keys are 'doc', 'grade'"),
        ("- q: ''\n  relevant: [x]\n", "the query id is empty"),
        ("- q: a\n  relevant:\n  -\n  - y\n", "line 3.*the document id is empty"),
        ("? [a]\n: {x: 1}\n", "a key is a list, not text"),
        ("a: " + "[" * 200 + "]" * 200 + "\n", "nested too deeply"),
        ("# only a comment\n", "holds only comments|has no rows|no judged"),
        ("a: !!python/object/apply:os.system [echo]\n", "judgments need grades"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text, "t.yaml"), JUDGMENTS)


def test_bytes_and_byte_order_marks(write: Write) -> None:
    assert ids(read(write("\ufeffa: {é: 1}\n", "t.yaml"), JUDGMENTS)) == [("a", "é")]
    with pytest.raises(InputError, match="not valid UTF-8 at byte 4"):
        read(write(b"a: {\xe9: 1}\n", "t.yaml"), JUDGMENTS)


def test_json_in_a_yaml_file_is_json(write: Write) -> None:
    assert read(write('{"a": {"x": 1}}', "t.yaml"), JUDGMENTS).described.format == "json"


def test_without_the_library(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "yaml" and more and not more[-1]:
            raise ImportError
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"reading YAML needs PyYAML.*ndcg\[yaml\]"):
        read(write("a: {x: 1}\n", "t.yaml"), JUDGMENTS)


def test_samples(data: Path) -> None:
    folder = data / "31_judgments"
    with pytest.raises(InputError, match="line 44, query ':query_with_empty_ratings', document '234': no grade key"):
        read(folder / "quepid_fixtures_ratings.yml", JUDGMENTS)
    with pytest.raises(InputError, match="17 bad rows"):
        read(folder / "quepid_fixtures_judgements.yml", JUDGMENTS)


def test_many_rows_quickly(write: Write) -> None:
    text = "".join(f"q{n}: {{d{n}: 1, e{n}: 2}}\n" for n in range(3000))
    assert len(scan(read(write(text, "t.yaml"), JUDGMENTS))) == 6000


def test_both_parsers_of_the_library_agree(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    path = write(TARGETS + "---\nempty: {x: }\n", "t.yaml")
    seen = []
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        monkeypatch.setattr(yaml, "CSafeLoader", loader, raising=False)
        with pytest.raises(InputError, match=r"line 20.*expected a number, found nothing") as caught:
            read(path, JUDGMENTS)
        seen.append(str(caught.value))
    assert seen[0] == seen[1]


SIMILAR = "- q: pump\n  results:\n    - {doc: b, similarity: 0.1}\n    - {doc: a, similarity: 0.4}\n"


def test_a_number_under_an_unknown_key_may_be_the_score(write: Write) -> None:
    path = write(SIMILAR, "r.yaml")
    with pytest.raises(InputError, match="no known score or rank, but 'similarity' with numbers") as caught:
        read(path, RUN)
    assert "columns={'run': {'score': 'similarity'}}" in str(caught.value)
    assert scan(read(path, RUN, columns={"score": "similarity"})) == [
        ("pump", "b", 0.1, None),
        ("pump", "a", 0.4, None),
    ]
    source = read(path, RUN, columns={"rank": "results"})
    assert scan(source) == [("pump", "b", None, 1.0), ("pump", "a", None, 2.0)]
    assert source.described.layout == "targets, ranked by the order of the list"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {q: pump, results: [a]}\n- {q: pump, results: [b]}\n", "stand twice: in line 1 and in line 2"),
        ("- {q: pump, results: [a]}\n- {q: pump, results: [], error: timeout}\n", "line 2 says that its search failed"),
        ("pump: [a]\n---\npump: ~\n", "line 1 holds its results, line 3 says that its search failed"),
    ],
)
def test_two_answers_to_one_query(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text, "r.yaml"), RUN)


def test_errors_are_failed_searches(write: Write) -> None:
    entries = (
        "q: pump, results: [a], error: timeout",
        "q: valve, results: [a], error: ~",
        "q: x, results: [], failed: true",
    )
    text = "".join(f"- {{{entry}}}\n" for entry in entries)
    source = read(write(text, "r.yaml"), RUN)
    assert source.described.notes == ("2 failed queries recorded",)
    assert [row[0] for row in scan(source)] == ["valve"]
    assert not [name for name in source.described.unused if "failed" in name]
