"""JSON documents of search tools: Elasticsearch, OpenSearch, RRE, MTEB; and what already is plain JSON."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError
from ndcg.readers import Scanned
from ndcg.readers.tags import by_tag
from ndcg.session import open_session

from .conftest import JUDGMENTS, POOL, RUN, ids, read, scan

Write = Callable[..., str]


def rated(doc: str, rating: Any, index: str = "parts") -> dict[str, Any]:
    return {"_index": index, "_id": doc, "rating": rating}


def request(*ratings: dict[str, Any], id: Any = "q1", text: str = "pump") -> dict[str, Any]:
    return {"id": id, "request": {"query": {"match": {"t": text}}}, "params": {"text": text}, "ratings": list(ratings)}


def body(*requests: Any) -> str:
    return json.dumps({"requests": list(requests), "metric": {"dcg": {"k": 10, "normalize": True}}})


@pytest.mark.parametrize("indent", [None, 2])
def test_a_rank_eval_request_is_judgments(indent: int | None, write: Write) -> None:
    text = json.dumps(json.loads(body(request(rated("a", 3), rated("b", 0)), request(id="q2"))), indent=indent)
    source = read(write(text), JUDGMENTS)
    assert source.described.format == "es_rank_eval"
    assert scan(source) == [("q1", "a", 3.0, None), ("q1", "b", 0.0, None)]
    assert isinstance(source, Scanned) and source.parts[0].bare == ("q2",)
    assert "key '_index'" in source.described.unused and "key 'metric'" in source.described.unused
    with pytest.raises(InputError, match="expected a run, found a rank_eval request"):
        read(write(text), RUN)
    assert ids(read(write(text), POOL)) == [("q1", "a"), ("q1", "b")]


def test_declared_keys_of_a_request(write: Write) -> None:
    path = write(body(request(rated("a", 1), text="boiler valve"), request(rated("a", 2), id="q2", text="seal")))
    by_text = read(path, JUDGMENTS, columns={"query": "params.text"})
    assert [row[0] for row in scan(by_text)] == ["boiler valve", "seal"]
    deep = read(path, JUDGMENTS, columns={"query": "request.query.match.t"})
    assert ids(deep) == ids(by_text)
    both = read(path, JUDGMENTS, columns={"doc": "_index/_id"})
    assert ids(both)[0] == ("q1", "parts/a")
    with pytest.raises(InputError, match="is no key of a hit"):
        read(path, JUDGMENTS, columns={"doc": "name"})


def test_one_id_under_two_indexes(write: Write) -> None:
    path = write(body(request(rated("a", 1), rated("a", 2, "old"))))
    with pytest.raises(InputError, match=r"\$.requests\[0\].ratings\[1\]: the '_id' stands under two indexes"):
        read(path, JUDGMENTS)
    assert len(scan(read(path, JUDGMENTS, columns={"doc": "_index/_id"}))) == 2
    apart = write(body(request(rated("a", 1)), request(rated("a", 2, "old"), id="q2")))
    assert any("2 indexes" in note for note in read(apart, JUDGMENTS).described.notes)


def test_bad_ratings_are_named_by_their_path(write: Write) -> None:
    bad = [
        request(rated("a", "high"), {"_index": "p", "rating": 1}, rated("b", None), rated("c", True), "d", id="x"),  # type: ignore[arg-type]
        request(id=None),
        {"id": "q3", "ratings": {"a": 1}},
        request(id="x"),
        7,
    ]
    with pytest.raises(InputError) as caught:
        read(write(body(*bad)), JUDGMENTS)
    assert [fault.problem.partition(": ")[0] for fault in caught.value.faults] == [
        "$.requests[0].ratings[0].rating",
        "$.requests[0].ratings[1]",
        "$.requests[0].ratings[2].rating",
        "$.requests[0].ratings[3].rating",
        "$.requests[0].ratings[4]",
        "$.requests[1].id",
        "$.requests[2].ratings",
        "$.requests[3].id",
        "$.requests[4]",
    ]
    assert caught.value.total == 9


def test_conflicting_ratings_name_both_paths(write: Write) -> None:
    path = write(body(request(rated("a", 1), rated("b", 1), rated("a", 2))))
    with pytest.raises(InputError, match=r"ratings\[0\].rating: grade 1.0[\s\S]*ratings\[2\].rating: grade 2.0"):
        open_session(path, {"q1": {"a": 1.0}})
    same = write(body(request(rated("a", 1), rated("a", 1))))
    assert open_session(same, {"q1": {"a": 1.0}}).judgments.repeats == 1


def answer(score: Any = 2.5) -> dict[str, Any]:
    def hit(doc: str, score: Any, rating: Any) -> dict[str, Any]:
        return {"hit": {"_index": "parts", "_id": doc, "_score": score}, "rating": rating}

    return {
        "metric_score": 0.5,
        "details": {
            "q1": {"metric_score": 0.5, "unrated_docs": [], "hits": [hit("b", 3.0, None), hit("a", score, 3)]},
            "q2": {"metric_score": 0.0, "unrated_docs": [], "hits": []},
        },
        "failures": {"q3": {"error": {"type": "parsing_exception"}}},
    }


def test_a_rank_eval_response_is_a_run(write: Write) -> None:
    source = read(write(json.dumps(answer())), RUN)
    assert source.described.format == "es_rank_eval_response"
    assert scan(source) == [("q1", "b", 3.0, 1.0), ("q1", "a", 2.5, 2.0)]
    assert isinstance(source, Scanned) and source.parts[0].failed == ("q3",)
    unscored = read(write(json.dumps(answer(None))), RUN)
    assert unscored.ranked and scan(unscored) == [("q1", "b", None, 1.0), ("q1", "a", None, 2.0)]


def test_a_response_as_judgments_is_declared(write: Write) -> None:
    path = write(json.dumps(answer()))
    with pytest.raises(InputError, match=r"hides what was missed.*give the request"):
        read(path, JUDGMENTS)
    source = read(path, JUDGMENTS, format="es_rank_eval_response")
    assert scan(source) == [("q1", "a", 3.0, None)]
    assert any("returned documents only" in note for note in source.described.notes)


def test_request_and_response_are_scored_with_failures_apart(write: Write) -> None:
    judged = write(body(request(rated("a", 3)), request(rated("a", 1), id="q2"), request(rated("a", 1), id="q3")), "r")
    result = ndcg.evaluate(judged, write(json.dumps(answer()), "a"), "nDCG@10")
    rows = {row.query: (row.status, row.value) for row in result.per_query}
    assert rows["q3"] == ("failed", None) and rows["q2"] == ("missing", 0.0)
    assert rows["q1"][1] == pytest.approx(0.6309297535714575)


def test_rank_eval_cases_give_the_values_of_elasticsearch(data: Path, write: Write) -> None:
    cases = json.loads((data / "33_es_rank_eval/rank_eval_cases.json").read_text())["cases"]
    seen = 0
    for case in cases:
        if "ranking" not in case:
            continue
        ratings = case["ratings"]
        if isinstance(ratings, dict):
            ratings = [rated(doc, rating) for doc, rating in ratings.items()]
        hits = [{"hit": {"_index": "foo", "_id": doc, "_score": None}, "rating": None} for doc in case["ranking"]]
        response = json.dumps({"metric_score": 0, "details": {"q1": {"hits": hits}}, "failures": {}})
        run = write(response, "response.json")
        judged = write(body(request(*ratings)), "request.json")
        value = ndcg.evaluate(judged, run, f"DCG@{case['k']}").value
        if "dcg" in case:
            assert value == pytest.approx(case["dcg"], rel=1e-12)
            seen += 1
        else:
            assert case["dcg_gt"] < value < case["dcg_lt"]
            seen += 1
        if "ndcg" in case:
            assert ndcg.evaluate(judged, run, "nDCG@10").value == pytest.approx(case["ndcg"], rel=1e-12)
    assert seen == 4


def judgment_list(*held: Any) -> str:
    return json.dumps({"name": "parts", "type": "IMPORT_JUDGMENT", "judgmentRatings": list(held)})


def test_an_opensearch_judgment_list(write: Write) -> None:
    text = judgment_list(
        {"query": "boiler valve", "ratings": [{"docId": "P-77", "rating": "3.000"}]},
        {"query": "pump seal", "ratings": [{"docId": "P-12", "rating": "0.0"}, {"docId": "7", "rating": 0.5}]},
        {"query": "nobody", "ratings": []},
    )
    source = read(write(text), JUDGMENTS)
    assert source.described.format == "opensearch_judgments"
    assert [row[:3] for row in scan(source)] == [
        ("boiler valve", "P-77", 3.0),
        ("pump seal", "P-12", 0.0),
        ("pump seal", "7", 0.5),
    ]
    assert isinstance(source, Scanned) and source.parts[0].bare == ("nobody",)
    wrapped = json.dumps({"took": 1, "hits": {"total": 1, "hits": [{"_id": "x", "_source": json.loads(text)}]}})
    assert scan(read(write(wrapped), JUDGMENTS)) == scan(source)


def test_bad_ratings_of_an_opensearch_list(write: Write) -> None:
    text = judgment_list(
        {"query": "q", "ratings": [{"docId": "a", "rating": "Exact"}, {"rating": "1"}, {"docId": "a"}]},
        {"ratings": []},
        {"query": "r"},
    )
    with pytest.raises(InputError) as caught:
        read(write(text), JUDGMENTS)
    assert [fault.problem for fault in caught.value.faults] == [
        "$.judgmentRatings[0].ratings[0].rating: grade 'Exact' is not a number",
        "$.judgmentRatings[0].ratings[1]: no 'docId'",
        "$.judgmentRatings[0].ratings[2].rating: the rating is missing",
        "$.judgmentRatings[1].query: the query id is null, not text",
        "$.judgmentRatings[2].ratings: expected a list, found nothing",
    ]
    assert "labels=" in str(caught.value)
    labelled = judgment_list({"query": "q", "ratings": [{"docId": "a", "rating": "Exact"}]})
    assert scan(read(write(labelled), JUDGMENTS, labels="esci"))[0][2] == 3.0


def test_opensearch_samples(data: Path) -> None:
    folder = data / "31_judgments"
    esci = read(folder / "opensearch_esci_us_judgments.json.gz", JUDGMENTS)
    assert len(scan(esci)) == 6678 and {row[2] for row in scan(esci)} == {0.0, 1.0, 10.0, 100.0}
    source = folder / "opensearch_ImportJudgments.json"
    assert len(scan(read(source, JUDGMENTS))) == 80
    plain: dict[str, dict[str, set[float]]] = {}
    for held in json.loads(source.read_text())["judgmentRatings"]:
        for one in held["ratings"]:
            plain.setdefault(held["query"], {}).setdefault(one["docId"], set()).add(float(one["rating"]))
    conflicts = sum(len(grades) > 1 for docs in plain.values() for grades in docs.values())
    if conflicts:
        with pytest.raises(InputError, match=f"{conflicts} documents? ha.* two different grades"):
            open_session(str(source), {"steel": {"x": 1.0}})
    merged = open_session(str(source), {"steel": {"x": 1.0}}, merge="max").judgments.mapping
    assert merged == {query: {doc: max(grades) for doc, grades in docs.items()} for query, docs in plain.items()}


@pytest.mark.parametrize("name", ["opensearch_CreateQuerySet.json", "opensearch_esci_us_queryset.json"])
@pytest.mark.parametrize("role", [JUDGMENTS, RUN])
def test_a_query_set_holds_no_judgments(name: str, role: Any, data: Path) -> None:
    with pytest.raises(InputError, match=r"query set holds queries, and neither judgments nor a run.*--by"):
        read(data / "31_judgments" / name, role)


def test_a_query_set_as_lines(write: Write) -> None:
    path = write('{"queryText": "a", "category": "x"}\n{"queryText": "b", "category": "y"}\n')
    with pytest.raises(InputError, match="query set"):
        read(path, JUDGMENTS)


def rre(documents: Any, *queries: str, **more: Any) -> dict[str, Any]:
    return {
        "queries": [{"template": "t.json", "placeholders": {"$query": text, **more}} for text in queries],
        "relevant_documents": documents,
    }


def test_both_shapes_of_rre(write: Write) -> None:
    gains = {"topics": [{"description": "seals", "query_groups": [rre({"P-12": {"gain": 3}}, "acme seal", "ACME")]}]}
    assert [row[:3] for row in scan(read(write(json.dumps(gains)), JUDGMENTS))] == [
        ("acme seal", "P-12", 3.0),
        ("ACME", "P-12", 3.0),
    ]
    grades = {"topics": [rre({"3": ["P-77", "P-1"], "0": ["P-2"]}, "valve")]}
    source = read(write(json.dumps(grades)), JUDGMENTS)
    assert source.described.format == "rre"
    assert [row[1:3] for row in scan(source)] == [("P-77", 3.0), ("P-1", 3.0), ("P-2", 0.0)]
    flat = {"query_groups": [rre({"a": {"gain": 1}}, "x"), rre(None, "unjudged")]}
    bare = read(write(json.dumps(flat)), JUDGMENTS)
    assert isinstance(bare, Scanned) and bare.parts[0].bare == ("unjudged",)
    assert scan(read(write(json.dumps(rre({"a": {"gain": 1}}, "x"))), JUDGMENTS))


def test_rre_placeholders(write: Write) -> None:
    two = write(json.dumps({"topics": [rre({"a": {"gain": 1}}, "x", **{"$filter": "f"})]}))
    assert "placeholder '$filter'" in read(two, JUDGMENTS).described.unused
    assert ids(read(two, JUDGMENTS, columns={"query": "$filter"})) == [("f", "a")]
    text = json.dumps({"topics": [rre({"a": {"gain": 1}}, "x", **{"$filter": "f"})]}).replace("$query", "$q")
    with pytest.raises(InputError, match=r"which placeholder is the query\? There are \$q, \$filter"):
        read(write(text), JUDGMENTS)


def test_bad_rre(write: Write) -> None:
    documents = {"a": {"gain": "x"}, "b": {}, "c": 3, "2": ["d", None], "high": ["e"]}
    with pytest.raises(InputError) as caught:
        read(write(json.dumps({"topics": [rre(documents, "q")]})), JUDGMENTS)
    at = "$.topics[0].relevant_documents"
    assert [fault.problem for fault in caught.value.faults] == [
        f"{at}.a.gain: grade 'x' is not a number",
        f"{at}.b: no 'gain'",
        f"{at}.c: expected {{'gain': number}} or a list of documents, found a number",
        f'{at}["2"][1]: the document id is null, not text',
        f"{at}.high[0]: grade 'high' is not a number",
    ]


def test_rre_samples(data: Path) -> None:
    folder = data / "31_judgments"
    assert len(scan(read(folder / "rre_ratings_example.json", JUDGMENTS))) == 9
    assert {row[0] for row in scan(read(folder / "hello-ltr_rre_ratings.json", JUDGMENTS))} == {"batman"}


def test_mteb_predictions(write: Write) -> None:
    meta = {"mteb_model_meta": {"model_name": "m", "revision": "r1"}}
    one = {**meta, "default": {"test": {"q1": {"d7": 0.91, "d2": 0.9}, "q2": {}}}}
    source = read(write(json.dumps(one)), RUN)
    assert source.described.format == "mteb_predictions"
    assert scan(source) == [("q1", "d7", 0.91, None), ("q1", "d2", 0.9, None)]
    several = {**one, "en": {"test": {"q1": {"d1": 0.5}}, "dev": {"q1": {"d3": 1}}}}
    path = write(json.dumps(several))
    with pytest.raises(InputError, match=r"holds 3 runs: default/test, en/test, en/dev.*--split-tags"):
        read(path, RUN)
    assert {tag: ids(run) for tag, run in by_tag(path).items()}["en/dev"] == [("q1", "d3")]
    result = ndcg.evaluate({"q1": {"d1": 1, "d3": 1}}, path, "P@1", split_tags=True)
    assert [(entry.run, entry.value) for entry in result.entries] == [
        ("default/test", 0.0),
        ("en/test", 1.0),
        ("en/dev", 1.0),
    ]


def test_bad_mteb_predictions(write: Write) -> None:
    held = {"mteb_model_meta": {}, "default": {"test": {"q1": {"d": None}, "q2": [1], "q3": {"": 1, "e": "x"}}}}
    with pytest.raises(InputError) as caught:
        read(write(json.dumps(held)), RUN)
    assert [fault.problem for fault in caught.value.faults] == [
        "$.default.test.q1.d: the score is null",
        "$.default.test.q2: expected {document: score}, found a list",
        '$.default.test.q3[""]: the document id is empty',
        "$.default.test.q3.e: score 'x' is not a number",
    ]


def test_beir_results_and_sentence_transformers(write: Write) -> None:
    assert scan(read(write('{"q1": {"P-77": 12.3, "P-12": 9.1}}'), RUN))[0] == ("q1", "P-77", 12.3, None)
    lines = (
        '{"query": "boiler valve", "query_id": "q1", "results": [{"corpus_id": "d7", "score": 0.91}]}\n'
        '{"query_id": "q2", "query": "pump seal", "results": []}\n'
    )
    assert scan(read(write(lines), RUN)) == [("q1", "d7", 0.91, None)]
    assert ids(read(write(lines), RUN, columns={"query": "query"})) == [("boiler valve", "d7")]
    saved = "q1 Q0 d7 0 12.3 beir\nq1 Q0 d2 0 9.1 beir\n"
    assert [row[2] for row in scan(read(write(saved), RUN))] == [12.3, 9.1]


def test_plain_queries_with_the_names_of_tools(write: Write) -> None:
    ranked = {"requests": ["a", "b"], "topics": ["c"], "details": ["d"]}
    assert len(scan(read(write(json.dumps(ranked)), RUN))) == 4
    scored = {"requests": {"a": 1}, "details": {"hits": 2}, "queries": {"d": 1}, "judgmentRatings": {"e": 1}}
    assert len(scan(read(write(json.dumps(scored)), JUDGMENTS))) == 4


def test_named_formats_on_the_wrong_document(write: Write) -> None:
    for name in ("es_rank_eval", "opensearch_judgments", "rre"):
        with pytest.raises(InputError):
            read(write('{"q": {"a": 1}}'), JUDGMENTS, format=name)
        with pytest.raises(InputError):
            read(write("[1, 2]"), JUDGMENTS, format=name)
    for name in ("es_rank_eval_response", "mteb_predictions"):
        with pytest.raises(InputError):
            read(write('{"q": {"a": 1}}'), RUN, format=name)


def test_compressed_documents(write: Write) -> None:
    path = write(gzip.compress(body(request(rated("a", 3))).encode()), "request.json.gz")
    assert ids(read(path, JUDGMENTS)) == [("q1", "a")]


def test_a_query_set_slices_a_result(write: Write) -> None:
    judged = {"valve": {"a": 1}, "seal": {"a": 1}}
    run = {"valve": {"a": 1.0}, "seal": {"b": 1.0}}
    rows = [{"queryText": "valve", "category": "x"}, {"queryText": "seal", "category": "y", "referenceAnswer": "z"}]
    for text in (json.dumps({"name": "n", "querySetQueries": rows}), "\n".join(map(json.dumps, rows))):
        result = ndcg.evaluate(judged, run, "nDCG@1", by=f"{write(text, 'set.json')}:category")
        sliced = {entry.slice: entry.value for entry in result.slices}
        assert sliced == {"category=x": 1.0, "category=y": 0.0}


def test_a_bad_score_of_a_response_is_named_by_its_path(write: Write) -> None:
    hits = [{"hit": {"_id": "a", "_score": 1.5}}, {"hit": {"_id": "b", "_score": "high"}}]
    text = json.dumps({"metric_score": 0, "details": {"q1": {"hits": hits}}, "failures": {}})
    with pytest.raises(InputError, match=r"document 'b': \$\.details\.q1\.hits\[1\]\.hit\._score: score 'high'"):
        read(write(text, "response.json"), RUN)
