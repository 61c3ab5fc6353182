"""What is odd in runs: ties, repeats, own documents, ranks, depth, missing queries, runs that are the judgments."""

from __future__ import annotations

import pytest

import ndcg

from .conftest import codes, found, only, scored, values

QRELS = {"q1": {"a": 3, "b": 1, "c": 0}, "q2": {"a": 1, "d": 2, "e": 0}, "q3": {"f": 1, "g": 0}}
RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 3.0, "a": 2.0, "e": 1.0}, "q3": {"g": 2.0, "f": 1.0}}


def changed(**queries):
    return {**RUN, **queries}


def test_ties_at_the_cutoff_are_measured_by_both_extremes():
    run = changed(q1={"a": 1.0, "b": 1.0, "c": 1.0})
    finding = only(ndcg.check(QRELS, run, "nDCG@2"), "tied_at_cutoff")
    assert (finding.count, finding.of, finding.examples[0].query) == (1, 3, "q1")
    expected = {f"ties={rule}": scored(QRELS, run, "nDCG@2", ties=rule) for rule in ("worst", "average", "best")}
    assert values(finding) == expected
    assert finding.effect.base == scored(QRELS, run, "nDCG@2")
    assert finding.effect.largest == max(expected.values()) - min(expected.values())


def test_ties_that_no_cutoff_cuts_are_a_note():
    report = ndcg.check(QRELS, changed(q1={"a": 2.0, "b": 2.0, "c": 1.0}), "nDCG@2")
    assert "tied_at_cutoff" not in codes(report)
    assert only(report, "tied_scores").count == 1


def test_constant_scores_are_measured_on_their_queries_alone():
    run = changed(q1={"c": 1.0, "b": 1.0, "a": 1.0}, q2={"d": 2.0, "a": 1.0, "e": 1.0})
    finding = only(ndcg.check(QRELS, run), "constant_scores")
    assert (finding.count, finding.examples[0].query) == (1, "q1")
    given = scored(QRELS, {**run, "q2": RUN["q2"]}, ties="given")
    assert values(finding)["ties=given"] == pytest.approx(given, abs=1e-15)


def test_rank_and_score_disagree(write):
    """rbstar: a rank 1 with score 1, b rank 2 with score 2; by score 0.6309, by rank 1.0."""
    run = write("q1 Q0 a 1 1.0 t\nq1 Q0 b 2 2.0 t\n", "run")
    finding = only(ndcg.check({"q1": {"a": 1, "b": 0}}, run), "rank_score_disagree")
    assert finding.count == 1
    assert finding.effect.base == pytest.approx(0.6309297535714575)
    assert values(finding) == {"ordered by rank": 1.0}


def test_ranks_that_agree_or_say_nothing(write):
    for ranks in ("1 2 3", "0 0 0", "10 20 30"):
        lines = [f"q1 Q0 d{at} {rank} {9 - at} t" for at, rank in enumerate(ranks.split())]
        # The order of the lines is no order.
        run = write("\n".join(reversed(lines)) + "\n", "run")
        assert "rank_score_disagree" not in codes(ndcg.check({"q1": {"d1": 1}}, run))


def test_a_document_returned_twice(write):
    run = write("q1 Q0 x 1 3 t\nq1 Q0 x 2 2 t\nq1 Q0 a 3 1 t\n", "run")
    finding = only(ndcg.check({"q1": {"a": 1, "b": 0}}, run), "repeated_documents")
    assert (finding.count, finding.of, finding.examples[0].what) == (1, 3, "returned 2 times")
    assert finding.effect.base == pytest.approx(0.6309297535714575)
    assert values(finding) == {"where repeats keep their ranks": 0.5}


def test_repeats_in_ranked_lists_are_counted_over_the_whole_run():
    run = {"q1": [f"x{at}" for at in range(30)] + ["x0", "x0"]}
    assert only(ndcg.check({"q1": {"x1": 1}}, run, "nDCG@3"), "repeated_documents").count == 2


def test_own_documents():
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q1": {"q1": 9.0, "a": 1.0}, "q2": {"b": 1.0}}
    finding = only(ndcg.check(qrels, run), "own_documents")
    assert (finding.count, finding.of) == (1, 2)
    assert values(finding) == {"self=drop": scored(qrels, run, self="drop")}


def test_single_precision():
    """trec_eval#34: two scores that only double precision tells apart."""
    qrels, run = {"q1": {"a": 1, "b": 2}}, {"q1": {"b": 0.900000001, "a": 0.900000002}}
    finding = only(ndcg.check(qrels, run), "single_precision")
    assert finding.count == 1
    assert values(finding) == {"score_type=float32": scored(qrels, run, score_type="float32")}


def test_missing_and_unjudged_queries():
    run = {"q1": RUN["q1"], "q2": {}, "q9": {"z": 1.0}}
    report = ndcg.check(QRELS, run)
    missing = only(report, "missing_queries")
    assert [example.query for example in missing.examples] == ["q2", "q3"]
    assert values(missing) == {"missing=exclude": scored(QRELS, run, missing="exclude")}
    unjudged = only(report, "unjudged_queries")
    assert ([example.query for example in unjudged.examples], unjudged.effect.none) == (["q9"], "they are never scored")


def test_a_failed_query_is_neither_missing_nor_unjudged():
    run = changed(q2=None)
    report = ndcg.check(QRELS, run)
    assert [example.query for example in only(report, "failed_queries").examples] == ["q2"]
    assert values(only(report, "failed_queries")) == {"failed=zero": scored(QRELS, run, failed="zero")}
    assert not codes(report) & {"missing_queries", "unjudged_queries"}


def test_judged_at_k_by_rank():
    run = {"q1": ["a", "x", "b"], "q2": ["x", "y"]}
    report = ndcg.check(QRELS, run, "nDCG@3")
    assert report.runs[0].judged_by_rank == ((1, 2), (0, 2), (1, 1))
    finding = only(report, "unjudged_documents")
    assert (finding.count, finding.of) == (3, 5)
    assert values(finding) == {"unjudged=skip": scored(QRELS, run, "nDCG@3", unjudged="skip")}
    assert finding.examples[0].query == "q2"


def test_short_lists_and_unequal_depth():
    run = {"q1": ["a", "b", "c", "x", "y"], "q2": ["a"], "q3": ["f", "g"]}
    report = ndcg.check(QRELS, run, "nDCG@2")
    assert [example.query for example in only(report, "short_lists").examples] == ["q2"]
    unequal = only(report, "unequal_depth")
    assert "1 to 5" in unequal.sentence and unequal.effect.unknown is not None
    assert only(ndcg.check(QRELS, run, "nDCG@1"), "unequal_depth").effect.largest == 0
    assert not codes(ndcg.check(QRELS, RUN, "nDCG@2")) & {"short_lists", "unequal_depth"}


def test_a_run_that_is_the_judgments():
    qrels = {f"q{n}": {f"d{at}": at % 4 for at in range(6)} for n in range(4)}
    report = ndcg.check(qrels, {query: {doc: float(g) for doc, g in docs.items()} for query, docs in qrels.items()})
    assert only(report, "scores_are_grades").count == 24
    assert only(report, "perfect_scores").count == 4
    honest = {query: {doc: g + 0.5 - 0.1 * at for at, (doc, g) in enumerate(d.items())} for query, d in qrels.items()}
    assert "scores_are_grades" not in codes(ndcg.check(qrels, honest))


def test_judgments_and_run_swapped():
    qrels = {"q1": {f"d{at}": 1.37 * at for at in range(20)}}
    run = {"q1": {f"d{at}": at % 3 for at in range(20)}}
    assert "look swapped" in only(ndcg.check(qrels, run), "swapped_inputs").sentence
    assert "swapped_inputs" not in codes(ndcg.check(run, qrels))


def test_findings_are_ranked_by_what_they_move():
    qrels = {**QRELS, "q4": {"h": 0}}
    run = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}, "q2": {"x": 2.0, "d": 1.0}, "q8": {"a": 1.0}}
    report = ndcg.check(qrels, run, "nDCG@2")
    moves = [finding.effect.largest for finding in report.findings if finding.effect.largest]
    assert len(moves) > 3 and moves == sorted(moves, reverse=True)
    weights = [(finding.effect.largest or 0) > 0 for finding in report.findings]
    assert weights == sorted(weights, reverse=True)


def test_several_runs_are_told_apart():
    runs = {"good": RUN, "tied": changed(q1={"a": 1.0, "b": 1.0, "c": 1.0})}
    report = ndcg.check(QRELS, runs, "nDCG@2")
    assert only(report, "tied_at_cutoff").subject == "tied"
    assert {run.run: run.value for run in report.runs} == {
        name: scored(QRELS, run, "nDCG@2") for name, run in runs.items()
    }
    text = str(report)
    assert "tied: in 1 of 3 judged queries" in text and "good" in text


def test_other_measures_and_whole_lists():
    report = ndcg.check(QRELS, changed(q1={"a": 1.0, "b": 1.0, "c": 1.0}), "AP")
    assert report.runs[0].value == scored(QRELS, changed(q1={"a": 1.0, "b": 1.0, "c": 1.0}), "AP")
    assert found(report, "tied_scores")
    assert ndcg.check(QRELS, RUN, "nDCG").runs[0].value == scored(QRELS, RUN, "nDCG")
    with pytest.raises(ndcg.UsageError, match="follows one measure"):
        ndcg.check(QRELS, RUN, ["nDCG@1", "AP"])


def test_nothing_odd():
    qrels = {f"q{n}": {"a": 3, "b": 1, "c": 0} for n in range(3)}
    run = {query: {"b": 3.0, "a": 2.0, "c": 1.0} for query in qrels}
    report = ndcg.check(qrels, run, "nDCG@3")
    assert report.findings == () and "Nothing odd" in str(report)
    assert ndcg.check(qrels).findings == ()


def test_the_input_is_left_as_it_was():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "q": 2.0}}
    ndcg.check(qrels, run)
    assert (qrels, run) == ({"q": {"a": 1}}, {"q": {"a": 1.0, "q": 2.0}})


def test_scores_beyond_single_precision_are_tied_there(write):
    run = write("q1 Q0 a 1 2e39 t\nq1 Q0 b 2 1e39 t\nq1 Q0 c 3 1 t\nq1 Q0 d 4 -1e300 t\nq1 Q0 e 5 -inf t\n", "run")
    qrels = {"q1": {"a": 1, "b": 2, "d": 1, "e": 3}}
    finding = only(ndcg.check(qrels, run), "single_precision")
    assert finding.count == 2
    assert values(finding) == {"score_type=float32": scored(qrels, run, score_type="float32")}


@pytest.mark.parametrize("measure", ["nDCG@2", "nDCG(missing='exclude')", "DCG@2", "IDCG@2", "AP", "R@2"])
def test_a_list_of_unjudged_documents_is_no_missing_query(measure):
    run = {"q1": RUN["q1"], "q2": {"x": 2.0, "y": 1.0}, "q9": {"z": 1.0}}
    finding = only(ndcg.check(QRELS, run, measure), "unjudged_documents")
    assert values(finding) == {"unjudged=skip": scored(QRELS, run, measure, unjudged="skip")}


LINES = {
    "as scored": ["q1 a 1 3 t", "q1 b 2 2 t", "q1 c 3 2 t", "q2 d 1 1 t", "q2 x 2 1.00000000001 t"],
    "in no order": ["q2 d 1 1 t", "q1 c 3 2 t", "q1 a 1 2 t", "q2 x 2 5 t", "q1 b 2 3 t", "q1 c 4 2 t"],
    "a query in two blocks": ["q1 a 1 3 t", "q2 d 1 1 t", "q1 b 2 2 t", "q1 b 3 2 t"],
}


@pytest.mark.parametrize("order", LINES)
def test_a_thread_that_looks_along_the_rows_sees_the_same(write, monkeypatch, order):
    run = write("".join(line.replace(" ", " Q0 ", 1) + "\n" for line in LINES[order]), "run")
    ranked = {"q1": ["a", "b", "a"], "q2": ["d"]}
    runs = {"file": run, "dict": RUN, "ranked": ranked}
    plain = ndcg.check(QRELS, runs, "nDCG@2").as_dict()
    monkeypatch.setattr("ndcg.checking.run_facts.MANY", 0)
    assert ndcg.check(QRELS, runs, "nDCG@2").as_dict() == plain
    with pytest.raises(ndcg.InputError, match="no such file"):  # and it ends where the check does
        ndcg.check(QRELS, runs, "nDCG@2", corpus="nowhere.txt")


@pytest.mark.parametrize("measure", ["AP", "GMAP", "NumRet(rel=0)", "NumRet"])
def test_effects_on_some_queries_are_put_together_as_the_measure_does(measure):
    run = {"q1": {"q1": 3.0, "x": 2.0, "a": 1.0, "b": 0.5}, "q2": {"d": 1.0, "a": 1.0, "e": 1.0}, "q3": RUN["q3"]}
    report = ndcg.check(QRELS, run, measure)
    assert values(only(report, "own_documents")) == {"self=drop": scored(QRELS, run, measure, self="drop")}
    for rule in ("worst", "best", "average"):
        try:
            expected = scored(QRELS, run, measure, ties=rule)  # only q2 has ties
        except ndcg.UsageError:
            continue
        assert values(only(report, "constant_scores"))[f"ties={rule}"] == pytest.approx(expected, abs=1e-15)
