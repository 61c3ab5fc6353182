"""explain: the value of evaluate to the last bit, rows that add up to it, and moves that are worth what they say."""

import json
import random

import pytest

import ndcg
from ndcg.explained import Explanation

WORKED = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
RUN = {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}


def test_worked_example():
    found = ndcg.explain(WORKED, RUN, "q1", "nDCG@4", gain="linear")
    assert round(found.value, 4) == 0.7104
    assert (round(found.dcg, 4), round(found.ideal_dcg, 4)) == (4.4923, 6.3235)
    assert [row.document for row in found.rows] == ["A", "B", "C", "D"]
    assert [row.document for row in found.ideal] == ["A", "E", "D", "B"]
    assert [(missed.document, missed.grade, missed.rank) for missed in found.missed] == [("E", 3.0, None)]
    first, second = found.moves[:2]
    assert (first.document, first.origin, first.target) == ("E", None, 2)
    assert first.value > second.value
    assert (second.document, second.origin, second.target, round(second.value, 4)) == ("D", 4, 2, 0.7530)
    assert second.change == second.value - found.value


def test_the_move_of_d_is_what_evaluate_gives_for_that_list():
    found = ndcg.explain(WORKED, RUN, "q1", "nDCG@4", gain="linear")
    move = next(move for move in found.moves if move.document == "D")
    moved = ndcg.evaluate(WORKED, {"q1": ["A", "D", "B", "C"]}, "nDCG@4", gain="linear")
    assert move.value == moved.value


def random_case(seed):
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(12)]
    judged = {doc: chance.choice([-1, 0, 0, 1, 2, 3]) for doc in chance.sample(documents, 8)}
    judged.setdefault("d0", 2)
    returned = chance.sample(documents, chance.randint(1, 9))
    run = {doc: chance.choice([0.1, 0.2, 0.3, 0.1000000001]) for doc in returned}
    if chance.random() < 0.3:
        judged["q"] = 1
        run["q"] = 0.25
    return {"q": judged, "other": {"x": 1}}, {"q": run, "other": {"x": 1}}


GRID = [
    *({"ties": ties} for ties in ("docid", "docid_desc", "given", "average", "best", "worst")),
    {"ties": "average", "gain": "linear", "negative": "keep"},
    {"ties": "worst", "gain": "linear", "negative": "keep"},
    {"ties": "best", "score_type": "float32"},
    {"unjudged": "skip"},
    {"unjudged": "skip", "ties": "average"},
    {"self": "drop"},
    {"ideal": "returned"},
    {"ideal": "returned", "unjudged": "skip", "ties": "average"},
    {"min_grade": 2},
    {"gain": {1: 1, 2: 3, 3: 4, 0: 0}},
    {"discount": "jarvelin(2)"},
    {"discount": "reciprocal"},
    {"discount": "none"},
]


@pytest.mark.parametrize("name", ["nDCG@3", "nDCG", "DCG@4", "nDCG@20"])
@pytest.mark.parametrize("conventions", GRID, ids=str)
def test_value_is_that_of_evaluate_and_the_rows_add_up(name, conventions):
    for seed in range(25):
        judged, run = random_case(seed)
        result = ndcg.evaluate(judged, run, name, **conventions)
        row = next(row for row in result.per_query if row.query == "q")
        found = ndcg.explain(judged, run, "q", name, **conventions)
        assert (found.value, found.status, found.dcg, found.ideal_dcg) == (
            row.value,
            row.status,
            row.dcg,
            row.ideal_dcg,
        )
        assert (found.judged_at_k, found.tied_at_cutoff) == (row.judged_at_k, row.tied_at_cutoff)
        if found.status == "scored":
            assert (found.rows[-1].total if found.rows else 0.0) == row.dcg
            assert (found.ideal[-1].total if found.ideal else 0.0) == row.ideal_dcg


def test_candidates_limit_the_ideal_and_the_moves():
    pool = {"q1": ["A", "B", "C", "D"]}
    found = ndcg.explain(WORKED, RUN, "q1", "nDCG(ideal='candidates')@4", candidates=pool)
    whole = ndcg.evaluate(WORKED, RUN, "nDCG(ideal='candidates')@4", candidates=pool)
    assert found.value == whole.value
    assert "E" not in [row.document for row in found.ideal]
    assert "E" not in [move.document for move in found.moves]
    with pytest.raises(ndcg.InputError, match="outside the candidate pool"):
        ndcg.explain(WORKED, RUN, "q1", candidates={"q1": ["A"]})
    with pytest.raises(ndcg.UsageError, match="candidate pool"):
        ndcg.explain(WORKED, RUN, "q1", "nDCG(ideal='candidates')@4")


def brute_force(judged, order, name, **conventions):
    """The best value of each document's moves, over all of them, by evaluate itself."""
    best = {}
    for document in {*order, *(doc for doc, grade in judged.items() if grade > 0)}:
        rest = [other for other in order if other != document]
        for at in range(len(rest) + 1):
            moved = [*rest[:at], document, *rest[at:]]
            value = ndcg.evaluate({"q": judged}, {"q": moved}, name, worst=0, **conventions).value
            best[document] = max(best.get(document, value), value)
    return best


@pytest.mark.parametrize(
    ("name", "conventions"),
    [
        ("nDCG@3", {}),
        ("nDCG", {}),
        ("nDCG@4", {"gain": "linear", "negative": "keep"}),
        ("nDCG@3", {"ideal": "returned"}),
        ("nDCG@3", {"unjudged": "skip"}),
        ("DCG@3", {"discount": "jarvelin(2)"}),
    ],
)
def test_moves_are_the_best_of_all_moves(name, conventions):
    for seed in range(8):
        chance = random.Random(seed)
        documents = [f"d{number}" for number in range(8)]
        judged = {doc: chance.choice([0, 0, 1, 2, 3]) for doc in chance.sample(documents, 5)} | {"d1": 1}
        if conventions.get("negative") == "keep":
            judged["d2"] = -1
        order = chance.sample(documents, 5)
        found = ndcg.explain({"q": judged}, {"q": order}, "q", name, **conventions)
        if found.status != "scored":
            continue
        best = brute_force(judged, order, name, **conventions)
        better = sorted((value for value in best.values() if value > found.value), reverse=True)[:3]
        assert [move.value for move in found.moves] == pytest.approx(better, abs=1e-12)
        for move in found.moves:
            rest = [doc for doc in order if doc != move.document]
            if conventions.get("unjudged") == "skip":
                rest = [doc for doc in rest if doc in judged]
            moved = [*rest[: move.target - 1], move.document, *rest[move.target - 1 :]]
            again = ndcg.evaluate({"q": judged}, {"q": moved}, name, **conventions)
            assert again.value == move.value


def test_moves_under_average_go_between_tied_groups():
    judged = {"q": {"a": 3, "b": 0, "c": 1}}
    run = {"q": {"b": 2.0, "x": 2.0, "c": 1.0, "a": 1.0}}
    found = ndcg.explain(judged, run, "q", "nDCG@3", ties="average")
    first = found.moves[0]
    assert (first.document, first.target) == ("a", 1)
    again = ndcg.evaluate(judged, {"q": {"a": 3.0, "b": 2.0, "x": 2.0, "c": 1.0}}, "nDCG@3", ties="average")
    assert first.value == again.value
    assert found.rows[2].gain == 4.0 and found.rows[2].tied == (3, 4)


def test_nothing_to_move():
    found = ndcg.explain({"q": {"a": 1}}, {"q": ["a", "b"]}, "q")
    assert found.moves == () and found.missed == ()
    assert "no single move" in str(found)


def test_missed_documents_say_where_they_stand():
    found = ndcg.explain({"q": {"a": 1, "b": 2, "c": 3}}, {"q": ["x", "a", "y"]}, "q", "nDCG@1")
    assert [(missed.document, missed.rank) for missed in found.missed] == [("c", None), ("b", None), ("a", 2)]
    assert found.rows[0].grade is None
    assert "grade -: unjudged" in str(found) and "rank 2" in str(found)


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("nothing", "missing", "returned no document"),
        ("hopeless", "empty", "positive gain"),
        ("stranger", "unjudged", "no judgments"),
        ("crashed", "failed", "search failed"),
    ],
)
def test_queries_without_a_score_are_explained_in_a_sentence(query, status, words):
    judged = {"nothing": {"a": 1}, "hopeless": {"a": 0}, "crashed": {"a": 1}, "fine": {"a": 1}}
    run = {"fine": {"a": 1}, "hopeless": {"a": 1}, "stranger": {"a": 1}, "crashed": None}
    found = ndcg.explain(judged, run, query)
    assert found.status == status and words in found.sentence and words in str(found)
    result = ndcg.evaluate(judged, run)
    assert found.value == next(row.value for row in result.per_query if row.query == query)


@pytest.mark.parametrize("query", ["q1", "Q1"])
def test_run_and_judgments_without_a_common_query(query):
    """Not a missing query of this run: nothing of it can be scored, and evaluate says the same."""
    with pytest.raises(ndcg.InputError, match=r"no query in common.*upper and lower case differ"):
        ndcg.explain({"q1": {"a": 1}, "q2": {"a": 1}}, {"Q1": {"a": 1.0}, "Q2": {"a": 1.0}}, query)
    assert ndcg.explain({"q1": {"a": 1}, "q2": {"a": 1}}, {"q2": {"a": 1.0}}, "q1").status == "missing"
    assert ndcg.explain({"q1": {"a": 1}}, {}, "q1", empty_run="missing").status == "missing"


@pytest.mark.parametrize(
    "bad", ["q1 Q0 c", "q1 Q0 c 3 nan t", "q1 Q0 c 3 0x10 t", "q2 Q0 c 3 nan t", "q2 Q0 my c 3 1 t", "q 1 Q0 c 3 9 t"]
)
def test_a_bad_line_anywhere_in_the_run_is_refused(tmp_path, bad):
    """It may be a row of the query that is explained."""
    path = tmp_path / "bad.run"
    path.write_text(f"q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 a 1 1.0 t\n{bad}\n")
    judged = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
    for function in (ndcg.explain, ndcg.evaluate):
        with pytest.raises(ndcg.InputError, match="line 4"):
            function(judged, path, **({"query": "q1"} if function is ndcg.explain else {}))


@pytest.mark.parametrize("score", [float("nan"), "x", None, True])
def test_a_bad_score_anywhere_in_a_dict_is_refused(score):
    for query in ("q1", "q2"):
        run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}
        run[query]["c"] = score
        with pytest.raises((ndcg.InputError, TypeError), match=f"query '{query}', document 'c'"):
            ndcg.explain({"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}, run, "q1")


def test_unknown_query_names_the_nearest():
    with pytest.raises(ndcg.UsageError, match="'q07'"):
        ndcg.explain({"q07": {"a": 1}, "zebra": {"a": 1}}, {"q07": ["a"]}, "q7")


def test_integer_query():
    assert ndcg.explain({7: {"a": 1}}, {7: ["a"]}, 7).value == 1.0


@pytest.mark.parametrize(
    ("arguments", "conventions", "message"),
    [
        ((WORKED, {"a": RUN, "b": RUN}, "q1"), {}, "one run"),
        ((WORKED, RUN, "q1", ["nDCG@1", "nDCG@2"]), {}, "one measure"),
        ((WORKED, RUN, "q1", "AP"), {}, "discounted gains"),
        ((WORKED, RUN, "q1"), {"ideal_cut": "none"}, "habit"),
        ((WORKED, RUN, "q1"), {"gain": "lin"}, "did you mean 'linear'"),
    ],
)
def test_wrong_usage(arguments, conventions, message):
    with pytest.raises(ndcg.UsageError, match=message):
        ndcg.explain(*arguments, **conventions)


def test_unknown_option_names_explain():
    with pytest.raises(TypeError, match=r"explain takes no option 'tie'.*did you mean 'ties'"):
        ndcg.explain(WORKED, RUN, "q1", tie="average")


@pytest.mark.parametrize(
    ("conventions", "message"),
    [({"unjudged": "error"}, "no judgment"), ({"duplicates": "error"}, "twice"), ({"negative": "error"}, "negative")],
)
def test_error_policies_hold(conventions, message):
    with pytest.raises(ndcg.InputError, match=message):
        ndcg.explain({"q": {"a": -1, "b": 1}}, {"q": ["a", "b", "x", "b"]}, "q", **conventions)


def test_files_and_dicts_give_the_same_explanation(tmp_path):
    judged, run = random_case(3)
    qrels, path = tmp_path / "judged.qrels", tmp_path / "run.run"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in judged.items() for d, g in docs.items()))
    path.write_text("".join(f"{q} Q0 {d} 1 {s!r} run\n" for q, docs in run.items() for d, s in docs.items()))
    for ties in ("docid", "given", "average"):
        ours = ndcg.explain(judged, run, "q", ties=ties).as_dict()
        assert ours == ndcg.explain(qrels, path, "q", ties=ties).as_dict()


def test_it_is_data():
    found = ndcg.explain(WORKED, RUN, "q1", "nDCG@4")
    assert isinstance(found, Explanation)
    document = json.loads(found.to_json())
    assert document["value"] == found.value and document["rows"][0]["document"] == "A"
    with pytest.raises(AttributeError):
        found.value = 1.0
    assert "<table>" in found._repr_html_()


def test_html_escapes_ids():
    found = ndcg.explain({"<q>": {"<b>": 1, "<i>": 2}}, {"<q>": ["<b>"]}, "<q>")
    html = found._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_print(capsys):
    ndcg.explain(WORKED, RUN, "q1").print()
    assert "ideal DCG" in capsys.readouterr().out


def test_long_lists_are_cut_in_the_text_only():
    documents = [f"d{number:03}" for number in range(60)]
    found = ndcg.explain({"q": dict.fromkeys(documents, 1)}, {"q": documents[::-1]}, "q", "nDCG")
    assert len(found.rows) == 60
    assert "ranks 21 to 60 add" in str(found)
    assert all(len(line) <= 100 for line in str(found).splitlines())


def test_long_ids_and_scores_fit_the_width():
    judged = {f"a-rather-long-document-id-{number:04}": number % 4 for number in range(9)}
    run = {"q": {doc: 1 / (at + 3) for at, doc in enumerate([*judged, "x" * 90])}}
    text = str(ndcg.explain({"q": judged}, run, "q"))
    assert all(len(line) <= 100 for line in text.splitlines())


def test_ids_are_whole_where_they_fit():
    """Beside the ideal if both fit, below it if not; only what is wider than the page is cut, in its middle."""
    short = {"q": {"a-document-of-30-letters-in-all": 2, "b": 1}}
    text = str(ndcg.explain(short, {"q": {"b": 2.0, "a-document-of-30-letters-in-all": 1.0}}, query="q"))
    assert "ideal (grade)" not in text and text.count("a-document-of-30-letters-in-all") >= 3
    assert "ideal       rank, document and grade: 1 a-document-of-30-letters-in-all (2), 2 b (1)." in text
    beside = str(ndcg.explain({"q": {"a": 1}}, {"q": {"a": 1.0}}, query="q"))
    assert "ideal (grade)" in beside and "rank, document and grade" not in beside
    begin, end = "the-same-beginning-", "-another-ending"
    long = {f"{begin}{'x' * 90}{at}{end}": at for at in range(3)}
    lines = str(ndcg.explain({"q": long}, {"q": list(long)}, query="q")).splitlines()
    assert all(len(line) <= 100 for line in lines if line.lstrip()[:1].isdigit())
    rows = [line for line in lines if line.startswith("   ") and "..." in line and begin in line]
    assert len(rows) >= 3 and all(end in line for line in rows)
