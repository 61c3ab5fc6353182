"""Quepid's exports: basic, detailed, snapshots and books of several judges."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError, NdcgError
from ndcg.readers import Scanned
from ndcg.readers.tags import by_tag
from ndcg.session import open_session

from .conftest import JUDGMENTS, POOL, RUN, ids, read, scan

Write = Callable[..., str]

BASIC = 'query,docid,rating\n"pump seal, 40mm",P-1007,3\nboiler valve,,\nNike,a,1\nnike,a,0.5\n'


def bare(source: Any) -> tuple[str, ...]:
    assert isinstance(source, Scanned)
    return source.parts[0].bare


def test_basic_keeps_queries_that_nobody_judged(write: Write) -> None:
    source = read(write(BASIC), JUDGMENTS)
    assert source.described.format == "quepid"
    assert scan(source) == [
        ("pump seal, 40mm", "P-1007", 3.0, None),
        ("Nike", "a", 1.0, None),
        ("nike", "a", 0.5, None),
    ]
    assert bare(source) == ("boiler valve",)
    assert source.described.notes == ("1 query without any judged document: 'boiler valve'",)


def test_a_query_without_judgments_is_empty_and_stays_in_the_denominators(write: Write) -> None:
    run = {"nike": {"a": 1.0}, "boiler valve": {"x": 1.0}}
    result = ndcg.evaluate(write(BASIC), run, "nDCG(unjudged_query=ignore)@10")
    status = {row.query: row.status for row in result.per_query}
    assert status["boiler valve"] == "empty"
    memory = {"pump seal, 40mm": {"P-1007": 3}, "Nike": {"a": 1}, "nike": {"a": 0.5}, "boiler valve": {}}
    other = ndcg.evaluate(memory, run, "nDCG@10")
    assert result.value == other.value
    assert result.summary.queries == other.summary.queries
    assert result.fingerprints["judgments"] == other.fingerprints["judgments"]


def test_rows_of_unrated_documents_are_counted(write: Write) -> None:
    source = read(write('query,docid,rating\nq,a,\nq,b,2\nq,c," "\n'), JUDGMENTS)
    assert scan(source) == [("q", "b", 2.0, None)]
    assert source.described.notes == ("2 unrated documents left out",)
    with pytest.raises(InputError, match="holds no judged document: all are unrated"):
        read(write("query,docid,rating\nq,a,\nr,,\n"), JUDGMENTS)


def test_the_blank_before_formulas_goes(write: Write) -> None:
    source = read(write("query,docid,rating\n -40 seal,a,1\n @home,a,2\n plain,a,3\n"), JUDGMENTS)
    assert [row[0] for row in scan(source)] == ["-40 seal", "@home", " plain"]
    assert any("taken off the query in 2 rows" in note for note in source.described.notes)


@pytest.mark.parametrize("header", ["query,docid,rating", "query,doc_id,rating", "Query,DocID,Rating"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "END"])
def test_headers_line_ends_and_a_missing_last_end(header: str, end: str, last: str, write: Write) -> None:
    lines = [header, "q,a,1", "q,b,", "r,,"]
    text = "\ufeff" + end.join(lines) + (end if last else "")
    source = read(write(text), JUDGMENTS)
    assert scan(source) == [("q", "a", 1.0, None)] and bare(source) == ("r",)


def test_bad_rows_are_named_and_counted(write: Write) -> None:
    text = "query,docid,rating\n,a,1\nq,,2\nq,b,high\nq,c\nq,d,nan\nok,e,1\nunrated,,\n"
    with pytest.raises(InputError) as caught:
        read(write(text), JUDGMENTS)
    error = caught.value
    assert [fault.line for fault in error.faults] == [2, 3, 4, 5, 6]
    assert error.total == 5
    problems = [fault.problem for fault in error.faults]
    assert problems == [
        "the query id is empty",
        "the document id is empty",
        "grade 'high' is not a number",
        "expected 3 fields, found 2",
        "grade is NaN",
    ]
    assert "labels=" in str(error) and "high" in str(error)
    many = "query,docid,rating\nq,z,\n" + "q,a,x1\n" * 25
    with pytest.raises(InputError, match=r"25 bad rows[\s\S]*25 in all") as caught:
        read(write(many), JUDGMENTS)
    assert len(caught.value.faults) == 10


def test_labels_are_mapped_only_where_declared(write: Write) -> None:
    path = write("query,docid,rating\nq,a,Exact\nq,b,\nq,c,Irrelevant\n")
    with pytest.raises(InputError, match=r"Exact, Irrelevant.*labels='wands'"):
        read(path, JUDGMENTS)
    assert [row[2] for row in scan(read(path, JUDGMENTS, labels="wands"))] == [2.0, 0.0]
    with pytest.raises(InputError, match="'Exact' is not in the table"):
        read(path, JUDGMENTS, labels={"good": 1})


def test_conflicts_name_both_lines(write: Write) -> None:
    path = write("query,docid,rating\nq,a,1\nr,,\nq,a,2\n")
    with pytest.raises(InputError, match=r"line 2, query 'q', document 'a'[\s\S]*line 4[\s\S]*merge="):
        open_session(path, {"q": {"a": 1.0}})
    assert open_session(path, {"q": {"a": 1.0}}, merge="max").judgments.mapping == {"q": {"a": 2.0}, "r": {}}


def test_the_ratings_of_a_case_are_no_run(write: Write) -> None:
    with pytest.raises(InputError, match=r"expected a run, found Quepid's ratings.*swapped"):
        read(write(BASIC), RUN)
    assert ids(read(write(BASIC), POOL)) == [("pump seal, 40mm", "P-1007"), ("Nike", "a"), ("nike", "a")]


def test_basic_snapshot_is_a_ranked_list(write: Write) -> None:
    source = read(write("query,docid,rating\nq,b,\nr,x,\nq,a,\ns,,\n"), RUN)
    assert source.described.format == "quepid_basic_snapshot" and source.ranked
    assert scan(source) == [("q", "b", None, 1.0), ("r", "x", None, 1.0), ("q", "a", None, 2.0)]
    rated = read(write("query,docid,rating\nq,b,0\nq,a,3\n"), RUN, format="quepid_basic_snapshot")
    assert scan(rated) == [("q", "b", None, 1.0), ("q", "a", None, 2.0)]


DETAILED = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,price\n"
    "Parts,Spring,42,boiler valve,P-77,1,Valve 3/4,2,19.9\n"
    'Parts,Spring,42,12"" pipe,P-1,2,"a ""big"", pipe",,1\n'
    'Parts,Spring,42, "=a,b",P-2,1,"two\nlines",1.5,\n'
    "Parts,Spring,42,left-handed widget\n"
)


def test_detailed_reads_the_way_its_client_writes(write: Write) -> None:
    source = read(write(DETAILED), JUDGMENTS)
    assert scan(source) == [("boiler valve", "P-77", 2.0, None), ("=a,b", "P-2", 1.5, None)]
    assert bare(source) == ('12" pipe', "left-handed widget")
    assert "column 'Title'" in source.described.unused and "column 'price'" in source.described.unused
    run = read(write(DETAILED), RUN)
    assert run.ranked
    assert scan(run) == [
        ("boiler valve", "P-77", None, 1.0),
        ('12" pipe', "P-1", None, 2.0),
        ("=a,b", "P-2", None, 1.0),
    ]
    assert len(ids(read(write(DETAILED), POOL))) == 3
    assert scan(read(write(DETAILED.replace("Doc Position", "Position")), RUN)) == scan(run)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Parts,Spring,42,q,P,1,t", "expected 9 fields, or 4 for a query without documents, found 7"),
        ('Parts,Spring,42,q,P,1,t"x,1,2', "quotation marks do not match"),
        ('Parts,Spring,42,q,P,1,"t,1,2', "quotation marks do not match"),
        ("Parts,Spring,42,,P,1,t,1,2", "the query id is empty"),
        ("Parts,Spring,42,q,,1,t,1,2", "the document id is empty"),
        ("Parts,Spring,42,q,P,1,t,good,2", "grade 'good' is not a number"),
        ("Parts,Summer,43,boiler valve,P,1,t,1,2", r"the query stands in two cases \(42, 43\)"),
    ],
)
def test_detailed_bad_rows(line: str, problem: str, write: Write) -> None:
    with pytest.raises(InputError, match=rf"line 7[\s\S]*{problem}"):
        read(write(DETAILED + line + "\n"), JUDGMENTS)


SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "Baseline,2026-05-12T18:22:22.245Z,6,boiler valve,P-77,1\n"
    "Baseline,2026-05-12T18:22:22.245Z,6,boiler valve,P-12,2\n"
)


def test_snapshot_is_a_run(write: Write) -> None:
    source = read(write(SNAPSHOT), RUN)
    assert source.described.format == "quepid_snapshot" and source.ranked
    assert scan(source) == [("boiler valve", "P-77", None, 1.0), ("boiler valve", "P-12", None, 2.0)]
    with pytest.raises(InputError, match="expected judgments, found a Quepid snapshot"):
        read(write(SNAPSHOT), JUDGMENTS)
    with pytest.raises(InputError, match="rank 'first' is not a number"):
        read(write(SNAPSHOT.replace(",2\n", ",first\n")), RUN)


def test_several_snapshots_are_several_runs(write: Write) -> None:
    path = write(SNAPSHOT + SNAPSHOT.partition("\n")[2].replace("Baseline", "New").replace("P-77", "P-9"))
    with pytest.raises(InputError, match=r"line 4: snapshot 'New' differs from 'Baseline'[\s\S]*--split-tags"):
        read(path, RUN)
    runs = by_tag(path)
    assert list(runs) == ["Baseline", "New"]
    assert ids(runs["New"]) == [("boiler valve", "P-9"), ("boiler valve", "P-12")]
    result = ndcg.evaluate({"boiler valve": {"P-9": 1}}, path, "nDCG@5", split_tags=True)
    assert [entry.value for entry in result.entries] == [0.0, 1.0]


BOOK = "query,docid,Anna,Ben,Anonymous\nq,a,3,,3\nq,b,0,1,\nr,c,,,\ns,,,,\n"


def test_a_book_keeps_its_judges_apart(write: Write) -> None:
    path = write(BOOK)
    source = read(path, JUDGMENTS)
    assert source.described.format == "quepid_book"
    assert [row[:3] for row in scan(source)] == [("q", "a", 3.0), ("q", "a", 3.0), ("q", "b", 0.0), ("q", "b", 1.0)]
    assert bare(source) == ("r", "s") and "1 unrated document left out" in source.described.notes
    assert isinstance(source, Scanned) and source.parts[0].judges is not None
    with pytest.raises(InputError, match=r"grade 0.0 by judge 'Anna'[\s\S]*grade 1.0 by judge 'Ben'[\s\S]*merge="):
        open_session(path, {"q": {"a": 1.0}})
    merged = open_session(path, {"q": {"a": 1.0}}, merge="mean").judgments.mapping
    assert merged == {"q": {"a": 3.0, "b": 0.5}, "r": {}, "s": {}}


def test_a_table_of_prices_is_no_book(write: Write) -> None:
    text = "query,docid,price,clicks\n" + "".join(f"q,d{n},{n}.99,{n * 3}\n" for n in range(20))
    with pytest.raises(InputError, match="no grade column"):
        read(write(text), JUDGMENTS)
    with pytest.raises(InputError, match="no grade column"):
        read(write("query,docid,Anna\nq,a,1\n"), JUDGMENTS)
    assert len(scan(read(write("query,docid,Anna\nq,a,1\n"), JUDGMENTS, format="quepid_book"))) == 1


def test_judges_by_wildcard_and_judges_of_one_name(write: Write) -> None:
    path = write("query,docid,title,agent_1,agent_2,final\nq,a,x,1,2,2\n")
    source = read(path, JUDGMENTS, columns={"grade": "agent_*"})
    assert [row[2] for row in scan(source)] == [1.0, 2.0]
    assert source.described.unused == ("column 'title'", "column 'final'")
    twins = read(write("query,docid,Anna,Anna\nq,a,1,2\n"), JUDGMENTS)
    assert "Anna (column 3), Anna (column 4)" in twins.described.layout


def test_samples_of_the_field(data: Path) -> None:
    folder = data / "31_judgments"
    unrated = read(folder / "chorus_Broad_Query_Set_unrated.csv", JUDGMENTS)
    assert len(scan(unrated)) == 6 and len(bare(unrated)) == 134
    book = folder / "chorus_Broad_Query_Set_individual_ratings.csv.gz"
    with pytest.raises(InputError, match=r"no grade column; the columns are .*'agent_1_rating'"):
        read(book, JUDGMENTS)
    judges = read(book, JUDGMENTS, columns={"grade": "agent_*_rating"})
    assert len(scan(judges)) == 3 * 3188
    final = scan(read(book, JUDGMENTS, columns={"grade": "final_rating"}))
    rated = scan(read(folder / "chorus_Broad_Query_Set_rated.csv", JUDGMENTS))
    assert len(final) == 3188 and len(rated) == 3668
    first, run = final[0], {"bluetooth speaker": {"1993197": 1.0}}
    merged = open_session(str(book), run, merge="median", reading=_reading()).judgments.mapping
    assert merged[first[0]][first[1]] == 3.0


def _reading() -> Any:
    from ndcg.reading import Reading

    return Reading(columns={"qrels": {"grade": "agent_*_rating"}})


def test_compressed_folders_and_several_files(tmp_path: Path) -> None:
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "1.csv").write_text("query,docid,rating\nq,a,1\nr,,\n")
    (folder / "2.csv.gz").write_bytes(gzip.compress(b"query,docid,rating\nr,b,2\nt,,\n"))
    for source in (folder, [folder / "1.csv", folder / "2.csv.gz"]):
        assert open_session(source, {"q": {"a": 1.0}}).judgments.mapping == {"q": {"a": 1.0}, "r": {"b": 2.0}, "t": {}}


def test_declared_columns_mean_a_general_table(write: Write) -> None:
    path = write("query,docid,rating\nq,a,1\n")
    assert read(path, JUDGMENTS, columns={"grade": "rating"}).described.format == "csv"
    with pytest.raises(NdcgError):
        read(path, JUDGMENTS, columns={"grade": "nothing"})


@pytest.mark.parametrize(
    "text",
    [
        "docid,rating,query\na,3,pump\n,,valve\nb,,pump\n,, =x\n",
        "Query;DocID;Rating\npump;a;3\nvalve;;\npump;b;\n =x;;\n",
        "rating\tdoc_id\tquery\n3\ta\tpump\n\t\tvalve\n\tb\tpump\n\t\t =x\n",
    ],
)
def test_another_order_of_columns_or_separator(text: str, write: Write) -> None:
    path = write(text)
    source = read(path, JUDGMENTS)
    assert source.described.format == "quepid"
    assert scan(source) == [("pump", "a", 3.0, None)]
    assert bare(source) == ("valve", "=x")
    assert "1 unrated document left out" in source.described.notes
    with pytest.raises(InputError, match="found Quepid's ratings"):
        read(path, RUN)
    returned = read(write("docid,rating,query\na,,pump\nb,,pump\n"), RUN)
    assert returned.described.format == "quepid_basic_snapshot"
    assert scan(returned) == [("pump", "a", None, 1.0), ("pump", "b", None, 2.0)]
