"""Conversions: every pair of formats there and back, what is refused, what is said to be left behind."""

from __future__ import annotations

import gzip
import itertools
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.conversion import Conversion, convert
from ndcg.converting import load
from ndcg.engines.workspace import Workspace
from ndcg.errors import InputError, NdcgError, UsageError
from ndcg.readers import FORMATS, Role, read
from ndcg.readers.inputs import FILES
from ndcg.writers import WHY_NOT, WRITERS, writer

Grades = dict[str, dict[str, float]]

JUDGMENTS = [name for name in WRITERS if Role.JUDGMENTS in writer(name).roles]
RUNS = [name for name in WRITERS if Role.RUN in writer(name).roles]
ORDERS = [name for name in RUNS if "scores" not in writer(name).holds]
WHOLE = {"trec_qrels", "beir_qrels"}

PLAIN: Grades = {"q2": {"d1": 2.0, "d10": 0.0}, "007": {"1e5": 1.0, "no": -1.0}, "q1": {"d1": 3.0}}
SCORES: Grades = {"q2": {"d1": 2.5, "d10": -1e-7}, "007": {"1e5": 1.0, "no": 1.0}, "q1": {"d1": 3.0}}


def written(content: Any, folder: Path, name: str = "base.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def grades_in(path: Path, format: str, merge: str | None = None) -> Grades:
    """Grades by query, queries without any included."""
    with Workspace() as workspace:
        loaded = load(read(path, Role.JUDGMENTS, format=format), workspace, merge=merge, judges=False)
        found: Grades = {query: {} for query in loaded.bare}
        for row in loaded.rows("input"):
            assert row.number is not None
            found.setdefault(row.query, {})[row.doc] = row.number
        return found


def run_in(path: Path, format: str) -> tuple[Grades, dict[str, list[str]]]:
    """(scores, documents in ranked order) by query; scores are empty where the format holds none."""
    with Workspace() as workspace:
        loaded = load(read(path, Role.RUN, format=format), workspace, merge=None, judges=False)
        rows = list(loaded.rows("input"))
    scores: Grades = {}
    for row in rows:
        scores.setdefault(row.query, {})
        if loaded.scored:
            assert row.number is not None
            scores[row.query][row.doc] = row.number
    if loaded.scored:
        return scores, {query: by_score(docs) for query, docs in scores.items()}
    ranked: dict[str, list[tuple[float, str]]] = {}
    for row in rows:
        assert row.rank is not None
        ranked.setdefault(row.query, []).append((row.rank, row.doc))
    return {}, {query: [doc for _, doc in sorted(docs, key=lambda one: one[0])] for query, docs in ranked.items()}


def by_score(docs: dict[str, float]) -> list[str]:
    return sorted(docs, key=lambda doc: (-docs[doc], doc.encode()))


def to(source: Path, target: Path, format: str, kind: str, source_format: str, **more: Any) -> Conversion:
    return convert(source, target, to=format, kind=kind, source_format=source_format, **more)


@pytest.fixture(scope="module")
def folder() -> Any:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def judged_in(format: str, folder: Path) -> Path:
    """PLAIN in a format; a book needs judges."""
    base = written(PLAIN, folder)
    if format == "quepid_book":
        base = folder / "judged.jsonl"
        rows = [(q, d, g) for q, docs in PLAIN.items() for d, g in docs.items()]
        lines = [json.dumps({"query": q, "doc": d, "grade": g, "judge": "Anna"}) for q, d, g in rows]
        base.write_text("\n".join(lines))
    path = folder / f"judgments.{format}"
    to(base, path, format, "judgments", "json" if base.suffix == ".json" else "jsonl")
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """PLAIN in every format, read back once; in a folder of its own, which no other test writes to."""
    folder = tmp_path_factory.mktemp("judged")
    made = {format: judged_in(format, folder) for format in JUDGMENTS}
    for format, path in made.items():
        assert grades_in(path, format) == PLAIN, format
    return made


@pytest.mark.parametrize("first", JUDGMENTS)
def test_judgments_from_each_format_to_each(first: str, judged: dict[str, Path], folder: Path) -> None:
    for second in JUDGMENTS:
        if second == "quepid_book" and first != "quepid_book":
            with pytest.raises(UsageError, match="a column per judge"):
                to(judged[first], folder / "out", second, "judgments", first)
            continue
        done = to(judged[first], folder / "out", second, "judgments", first)
        assert (done.queries, done.rows, done.made) == (3, 5, ()), second
        if first == "quepid_book" and "judges" in writer(second).holds:
            assert grades_in(folder / "out", second) == PLAIN, second
        else:  # the same rows are the same bytes, whatever they came from
            assert (folder / "out").read_bytes() == judged[second].read_bytes(), second


@pytest.fixture(scope="module")
def returned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """SCORES in every format, read back once; in a folder of its own, which no other test writes to."""
    folder = tmp_path_factory.mktemp("returned")
    base = written(SCORES, folder)
    order = {query: by_score(docs) for query, docs in SCORES.items()}
    made = {format: folder / f"run.{format}" for format in RUNS}
    for format, path in made.items():
        to(base, path, format, "run", "json", drop=["scores"] if format in ORDERS else [])
        assert run_in(path, format) == ({} if format in ORDERS else SCORES, order), format
    return made


@pytest.mark.parametrize("first", RUNS)
def test_runs_from_each_format_to_each(first: str, returned: dict[str, Path], folder: Path) -> None:
    order = {query: by_score(docs) for query, docs in SCORES.items()}
    for second in RUNS:
        drop = ["scores"] if second in ORDERS and first not in ORDERS else []
        if drop:
            with pytest.raises(InputError, match="holds ranks and no scores"):
                to(returned[first], folder / "out", second, "run", first)
        done = to(returned[first], folder / "out", second, "run", first, drop=drop)
        if second in ORDERS:  # the same order is the same bytes
            assert (folder / "out").read_bytes() == returned[second].read_bytes(), second
            continue
        scores, ranked = run_in(folder / "out", second)
        assert ranked == order, second
        if first not in ORDERS:
            assert scores == SCORES, second
        if first in ORDERS and "scores" in writer(second).needs:
            assert any("minus the rank" in thing for thing in done.made)


def test_every_file_format_is_written_or_says_why_not() -> None:
    assert set(WRITERS) | set(WHY_NOT) == set(FORMATS) & set(FILES)
    for name in WHY_NOT:
        with pytest.raises(UsageError, match=f"{name} is not written"):
            writer(name)
    for name in WRITERS:
        assert writer(name).format == name


NASTY = st.one_of(
    st.text(st.sampled_from("ab\"', \t\n\r#-=+@:\\{}[]é\u2028\u00a0\ufeff\x85\x00\x1c😀/.0"), min_size=1, max_size=5),
    st.sampled_from(["007", "no", "null", "1e5", "~", "q 1", " -x", '"a"', "#1", "nan", "[1]", "{a", "qid:1", "---"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
)
GRADE = st.one_of(st.integers(-3, 5).map(float), st.floats(allow_nan=False, allow_infinity=False, width=64))
SCORE = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-5, 5).map(float))


def contents(numbers: Any) -> Any:
    return st.dictionaries(NASTY, st.dictionaries(NASTY, numbers, min_size=1, max_size=3), min_size=1, max_size=3)


def cannot(error: NdcgError) -> bool:
    """Whether a refusal names what does not fit."""
    return bool(error.faults) and all(fault.query is not None for fault in error.faults) and "cannot" in str(error)


@pytest.mark.parametrize("format", [name for name in JUDGMENTS if name != "quepid_book"])
@settings(max_examples=6, deadline=None)
@given(content=contents(GRADE))
def test_any_judgments_come_back_or_are_refused_by_name(format: str, content: Grades) -> None:
    with tempfile.TemporaryDirectory() as name:
        base, path = written(content, Path(name)), Path(name) / "out"
        try:
            to(base, path, format, "judgments", "json")
        except InputError as error:
            assert cannot(error) and not path.exists(), error
            return
        assert grades_in(path, format) == content


@pytest.mark.parametrize("format", RUNS)
@settings(max_examples=6, deadline=None)
@given(content=contents(SCORE))
def test_any_run_comes_back_or_is_refused_by_name(format: str, content: Grades) -> None:
    with tempfile.TemporaryDirectory() as name:
        base, path = written(content, Path(name)), Path(name) / "out"
        try:
            to(base, path, format, "run", "json", drop=["scores"] if format in ORDERS else [])
        except InputError as error:
            assert cannot(error) and not path.exists(), error
            return
        order = {query: by_score(docs) for query, docs in content.items()}
        assert run_in(path, format) == ({} if format in ORDERS else content, order)


@settings(max_examples=15, deadline=None)
@given(content=contents(st.integers(0, 4).map(float)), pair=st.sampled_from(list(itertools.permutations(JUDGMENTS, 2))))
def test_any_pair_of_formats_for_any_judgments(content: Grades, pair: tuple[str, str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        base, first, second = written(content, Path(name)), Path(name) / "first", Path(name) / "second"
        try:
            to(base, first, pair[0], "judgments", "json")
            to(first, second, pair[1], "judgments", pair[0])
        except NdcgError as error:
            assert "quepid_book" in pair or cannot(error), error
            return
        assert grades_in(second, pair[1]) == content


def test_plain_ids_are_never_refused(folder: Path) -> None:
    """The property tests above could be empty: plain ids pass in every format."""
    for format in JUDGMENTS:
        if format != "quepid_book":
            to(written(PLAIN, folder), folder / "out", format, "judgments", "json")


@pytest.mark.parametrize(
    ("content", "format", "problem"),
    [
        ({"q": {"a": 0.5}}, "trec_qrels", "the grade 0.5 is not a whole number"),
        ({"q": {"a": 0.5}}, "beir_qrels", "the grade 0.5 is not a whole number"),
        ({"q 1": {"a": 1}}, "trec_qrels", "the query id holds a blank"),
        ({"q": {"a\u00a0b": 1}}, "trec_qrels", r"the document id holds '\\xa0'"),
        ({"q": {"a\tb": 1}}, "tsv", "the document id holds a tab"),
        ({"q": {"a\nb": 1}}, "graded", "the document id holds a line end"),
        ({"#q": {"a": 1}}, "trec_qrels", "the query id begins with #"),
        ({'"q': {"a": 1}}, "tsv", "the query id begins with a quotation mark"),
        ({" -q": {"a": 1}}, "quepid", "Quepid would take the blank"),
        ({"q#1": {"a": 1}}, "svmlight", "the query id holds #"),
    ],
)
def test_what_does_not_fit_is_named(content: Any, format: str, problem: str, folder: Path) -> None:
    base, path = written(content, folder), folder / "refused"
    with pytest.raises(InputError, match=rf"query .*: {problem}") as caught:
        to(base, path, format, "judgments", "json")
    assert not path.exists() and len(list(folder.glob(".refused*"))) == 0
    assert "cannot be written as" in str(caught.value) and "choose another format" in str(caught.value)


def test_the_first_ten_are_shown_and_all_are_counted(folder: Path) -> None:
    base = written({"q": {f"d{n}": n + 0.5 for n in range(25)}}, folder)
    with pytest.raises(InputError, match="25 rows do not fit") as caught:
        to(base, folder / "refused", "trec_qrels", "judgments", "json")
    assert caught.value.total == 25 and len(caught.value.faults) == 10


def test_queries_without_judgments_and_failed_ones(folder: Path) -> None:
    base, path = written({"q": {"a": 1}, "r": {}}, folder), folder / "out"
    for format in ("json", "jsonl", "yaml", "quepid", "opensearch_judgments", "rre", "fill_down"):
        to(base, path, format, "judgments", "json")
        assert grades_in(path, format) == {"q": {"a": 1.0}, "r": {}}, format
    for format in ("csv", "trec_qrels", "parquet", "svmlight"):
        with pytest.raises(InputError, match=r"cannot hold queries without any judgment, and there is 1: 'r'.*--drop"):
            to(base, path, format, "judgments", "json")
        done = to(base, path, format, "judgments", "json", drop=["unrated"])
        assert "1 query without any judgment: 'r'" in done.dropped and done.queries == 1
    failed = written({"q": {"a": 1}, "r": None}, folder)
    for format in ("json", "jsonl", "yaml"):
        to(failed, path, format, "run", "json")
        assert ndcg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, path, "nDCG@1", run_format=format).per_query[1].status == (
            "failed"
        )
    with pytest.raises(InputError, match="cannot hold failed queries"):
        to(failed, path, "trec_run", "run", "json")
    assert to(failed, path, "trec_run", "run", "json", drop=["failed"]).queries == 1


def nothing_in(path: Path, format: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The queries for which a run returned nothing, and those that failed."""
    with Workspace() as workspace:
        loaded = load(read(path, Role.RUN, format=format), workspace, merge=None, judges=False)
        return loaded.bare, loaded.failed


@pytest.mark.parametrize("results", [{"q": {"a": 1}, "r": {}}, {"q": ["a"], "r": []}])
def test_queries_for_which_a_run_returned_nothing(folder: Path, results: Any) -> None:
    base, path = written(results, folder), folder / "out"
    holding = ["json", "jsonl", "yaml", "quepid_snapshot", "quepid_basic_snapshot"]
    holding += ["mteb_predictions"] if "r" in results and results["r"] == {} else []
    for format in holding:
        done = to(base, path, format, "run", "json", drop=["scores"] if "quepid" in format else [])
        assert done.queries == 2
        assert nothing_in(path, format) == (("r",), ()), format
        result = ndcg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, path, "nDCG@1", run_format=format)
        assert [row.status for row in result.per_query] == ["scored", "missing"], format
    for format in ("csv", "trec_run", "parquet", "ranked"):
        drop = ["scores"] if format == "ranked" else []
        with pytest.raises(InputError, match=r"cannot hold queries for which the run returned nothing.*1: 'r'.*--drop"):
            to(base, path, format, "run", "json", drop=drop)
        done = to(base, path, format, "run", "json", drop=[*drop, "empty"])
        assert "1 query for which the run returned nothing: 'r'" in done.dropped and done.queries == 1


def test_an_empty_hit_list_of_a_rank_eval_response_is_kept(folder: Path) -> None:
    hits = [{"hit": {"_index": "i", "_id": "a", "_score": 1.5}, "rating": None}]
    response = {"details": {"q1": {"hits": hits}, "q2": {"hits": []}, "q3": {"hits": []}}, "failures": {"q3": {}}}
    convert(written(response, folder), folder / "out.json")
    assert json.loads((folder / "out.json").read_text()) == {"q1": {"a": 1.5}, "q2": {}, "q3": None}


def test_a_query_with_rows_in_another_file_returned_something(folder: Path) -> None:
    for name, held in (("a.jsonl", []), ("b.jsonl", [{"doc": "a", "score": 1}])):
        (folder / name).write_text(
            json.dumps({"query": "q", "results": held}) + "\n" + '{"query": "r", "failed": true}'
        )
    (folder / "a.jsonl").write_text('{"query": "p", "doc": "a", "score": 2}\n' + (folder / "a.jsonl").read_text())
    convert(folder / "[ab].jsonl", folder / "out.json")
    assert json.loads((folder / "out.json").read_text()) == {"p": {"a": 2}, "q": {"a": 1}, "r": None}


def test_what_is_left_behind_is_said(folder: Path) -> None:
    source = folder / "a.csv"
    source.write_text("query,doc,grade,judge,title\nq,a,1,Anna,x\nq,a,2,Ben,y\nq,b,1,Anna,z\n")
    with pytest.raises(InputError, match="two different grades"):
        convert(source, folder / "a.qrels")
    done = convert(source, folder / "a.qrels", merge="max")
    assert done.dropped == ("column 'title'", "the names of the judges")
    assert done.made == ("1 further grade of the same documents merged",)
    assert (folder / "a.qrels").read_text() == "q 0 a 2\nq 0 b 1\n"
    book = convert(source, folder / "book.csv", to="quepid_book")
    assert (folder / "book.csv").read_text() == "query,docid,Anna,Ben\nq,a,1,2\nq,b,1,\n" and book.rows == 3
    run = folder / "a.run"
    run.write_text("# note\nq Q0 a 1 2.5 bm25\n")
    done = convert(run, folder / "run.json", kind="run")
    assert done.dropped == ("1 comment line skipped", "the run tag 'bm25'", "the ranks; the scores decide")
    subtopics = folder / "b.qrels"
    subtopics.write_text("q 0 a 1\nq 3 b 1\n")
    assert convert(subtopics, folder / "b.csv").dropped == ("the second column, such as '3'",)
    headed = folder / "a.txt"
    headed.write_text("# qid:1: pump*2\n3 qid:1 # d\n")
    done = convert(headed, folder / "c.csv")
    assert done.dropped == ("the weights of 1 query", "the wording of 1 query") and done.rows == 1
    convert(folder / "run.json", run, kind="run", tag="new")
    assert run.read_text() == "q Q0 a 1 2.5 new\n"


def test_repeated_documents_and_equal_ranks(folder: Path) -> None:
    run = folder / "r.run"
    run.write_text("q Q0 a 1 2 t\nq Q0 a 2 1 t\n")
    for format in ("json", "yaml", "mteb_predictions"):
        with pytest.raises(InputError, match=r"document 'a': the document stands there 2 times.*once per query"):
            to(run, folder / "out", format, "run", "trec_run")
    to(run, folder / "out", "csv", "run", "trec_run")
    ties = folder / "ties.tsv"
    ties.write_text("q\ta\t1\nq\tb\t1\n")
    with pytest.raises(InputError, match="2 documents have rank 1"):
        to(ties, folder / "out", "json", "run", "ranked")


def test_files_are_whole_or_not_there_and_never_inputs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = folder / "inside"
    inside.mkdir(exist_ok=True)
    base = written(PLAIN, inside)
    for source in (base, inside, str(inside / "*.json"), [base]):
        with pytest.raises(UsageError, match="is one of the inputs and would be replaced"):
            convert(source, base, kind="judgments")
    link = inside / "link.json"
    link.symlink_to(base)
    with pytest.raises(UsageError, match="is one of the inputs"):
        convert(base, link, kind="judgments")
    link.unlink()
    keep = folder / "keep.csv"
    keep.write_text("before")
    bad = written({"q": {"a\0": 1}}, folder)
    with pytest.raises(InputError):
        convert(bad, keep, kind="judgments")
    assert keep.read_text() == "before"
    with pytest.raises(UsageError, match="cannot write"):
        convert(base, folder / "no" / "such.csv", kind="judgments")
    with pytest.raises(UsageError, match=r"cannot write .*folder"):
        convert(base, inside, to="csv", kind="judgments")


def test_compressed_outputs(folder: Path) -> None:
    base = written(PLAIN, folder)
    for ending in (".csv.gz", ".csv.zst", ".jsonl.gz"):
        path = folder / f"out{ending}"
        convert(base, path, kind="judgments")
        assert grades_in(path, "jsonl" if "jsonl" in ending else "csv") == PLAIN
    assert gzip.decompress((folder / "out.csv.gz").read_bytes()).startswith(b"query,doc,grade\n")
    with pytest.raises(UsageError, match="compressed inside"):
        convert(base, folder / "out.parquet.gz", kind="judgments")


def test_formats_and_kinds_that_do_not_fit(folder: Path) -> None:
    base = written(PLAIN, folder)
    with pytest.raises(UsageError, match=r"could be judgments or a run.*--kind"):
        convert(base, folder / "out.csv")
    with pytest.raises(UsageError, match="trec_qrels holds judgments, not a run"):
        convert(base, folder / "out.qrels", kind="run")
    with pytest.raises(UsageError, match="does not say which format"):
        convert(base, folder / "out.txt")
    with pytest.raises(UsageError, match="format 'trec' is not known"):
        convert(base, folder / "out", to="trec")
    with pytest.raises(UsageError, match="kind 'runs' is not known"):
        convert(base, folder / "out.csv", kind="runs")
    with pytest.raises(UsageError, match="drop= 'score' is not known"):
        convert(base, folder / "out.csv", kind="run", drop=["score"])
    with pytest.raises(InputError, match="no such file"):
        convert(folder / "nothing", folder / "out.csv")
    convert(base, folder / "out.qrels")  # only judgments can become this


def test_long_ids_and_many_rows(folder: Path) -> None:
    long = {"q" * 3000: {"d" * 3000: 1.0}}
    for format in ("yaml", "csv", "json", "trec_qrels"):
        to(written(long, folder), folder / "out", format, "judgments", "json")
        assert grades_in(folder / "out", format) == long
    many = {f"q{n % 500}": {} for n in range(500)}
    for n in range(120_000):
        many[f"q{n % 500}"][f"d{n}"] = float(n % 7)  # type: ignore[index]
    to(written(many, folder), folder / "out", "parquet", "judgments", "json")
    to(folder / "out", folder / "out2", "jsonl", "judgments", "parquet")
    assert grades_in(folder / "out2", "jsonl") == many


def test_standard_output(folder: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    base = written({"q": {"é": 1}}, folder)
    convert(base, "-", to="trec_qrels")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == "q 0 é 1\n".encode()


def test_every_judge_has_a_column_of_a_book(folder: Path) -> None:
    source, book, back = folder / "judges.csv", folder / "book.csv", folder / "back.csv"
    source.write_text("query,doc,grade,judge\nq,a,1,\nq,a,2,Anonymous\nq,b,0,Anna\n")
    done = convert(source, book, to="quepid_book")
    assert done.made == ("a name for the judge without one",)
    convert(book, back)
    assert back.read_text() == "query,doc,grade,judge\nq,a,1,Anonymous 2\nq,a,2,Anonymous\nq,b,0,Anna\n"
    for name in ("rating", "Score", "docid", "query"):  # whose column would be taken for something else
        source.write_text(f"query,doc,grade,judge\nq,a,1,Anna\nq,a,2,{name}\n")
        with pytest.raises(InputError, match=f"the name of the judge '{name}' is that of another column"):
            convert(source, folder / "no.csv", to="quepid_book")
