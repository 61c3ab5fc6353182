"""The pages of real judgments and runs."""

from __future__ import annotations

import pytest

import ndcg

from .conftest import codes, found, only, scored, values


def test_no_conflict_where_two_judgments_are_only_repeated(data):
    report = ndcg.check(str(data / "40_odd/two_conflicting_duplicates.cast2019_train.qrel"))
    assert only(report, "repeated_judgments").count == 2
    assert only(report, "queries_without_positives").count == 12
    assert "conflicting_grades" not in codes(report)


def test_judgments_by_subtopic_conflict(data):
    path = data / "40_odd/duplicates_by_subtopic.web.251-300.ndeval_head3000.txt"
    with pytest.raises(ndcg.InputError, match="330 documents have two different grades"):
        ndcg.evaluate(str(path), {"253": {"clueweb12-0000wb-11-26274": 1.0}})
    report = ndcg.check(str(path), {"253": {"clueweb12-0000wb-11-26274": 1.0}})
    finding = only(report, "conflicting_grades")
    assert finding.count == 330
    assert [example.line for example in finding.examples][:4] == [561, 562, 563, 775]
    assert report.problem is None


@pytest.mark.parametrize(
    "name", ["five_columns.prels.web.1-50_head500.txt", "ragged_columns.nordlys_qrels_ERD_elq.txt"]
)
def test_files_of_another_shape(data, name):
    report = ndcg.check(str(data / "40_odd" / name))
    assert "expected 4 fields" in only(report, "bad_rows").sentence
    assert report.problem == "no judgment could be read"


def test_umbrela(data):
    report = ndcg.check(str(data / "40_odd/umbrela_sample.qrels"), str(data / "40_odd/umbrela_sample.run"))
    assert codes(report) == {"short_lists"} and report.runs[0].value == 1.0


def test_fractional_ranks_disagree_with_the_scores(data):
    odd = data / "40_odd"
    report = ndcg.check(
        str(odd / "multispace_trailspace.full.test.prognosis.abs.2019.qrels"),
        str(odd / "fractional_ranks_trailing_space.sheffield_prognosis.run"),
    )
    finding = only(report, "rank_score_disagree")
    assert finding.count == 97 and values(finding) == {"ordered by rank": 0.0}
    assert "binary_judgments" in codes(report)


def test_clef_ties_and_missing_queries(data):
    folder = data / "16_clef_tar2017"
    pair = str(folder / "qrel_abs_test.txt.gz"), str(folder / "iiit.run1.run.gz")
    report = ndcg.check(*pair)
    missing = only(report, "missing_queries")
    assert (missing.count, missing.of) == (3, 30)
    assert values(missing) == {"missing=exclude": scored(*pair, missing="exclude")}
    ties = only(report, "tied_scores")
    assert ties.count == 3443
    assert values(ties)["ties=worst"] == scored(*pair, ties="worst")
    assert report.runs[0].matched == 15354


def test_cast_counts_queries_of_the_run_that_nobody_judged(data):
    folder = data / "14_cast2021"
    runs = {name: str(folder / f"{name}.run.gz") for name in ("org_convdr", "org_manual_ance_bert")}
    qrels = str(folder / "trec-cast-qrels-docs.2021.qrel")
    report = ndcg.check(qrels, runs)
    assert [finding.count for finding in found(report, "unjudged_queries")] == [81, 81]
    result = ndcg.evaluate(qrels, runs)
    assert [run.value for run in report.runs] == [entry.value for entry in result.entries]
    for entry, run in zip(result.entries, report.runs, strict=True):
        judged, ranks = (sum(column) for column in zip(*run.judged_by_rank, strict=True))
        assert judged == entry.rows.judged_ranks[:158].sum() and ranks == entry.rows.ranks[:158].sum()


def test_trec_eval_s_own_data(data):
    folder = data / "01_trec_eval"
    report = ndcg.check(str(folder / "qrels.rel_level"), str(folder / "results.test"))
    negative = only(report, "negative_grades")
    assert negative.count == 304 and report.findings[0] == negative
    truncated = ndcg.check(str(folder / "qrels.test"), str(folder / "results.trunc"))
    assert only(truncated, "bad_rows").count == 583
    # Four of five relevant documents are not returned, but all that is returned was judged: no corpus is missing.
    assert "absent_documents" not in codes(ndcg.check(str(folder / "qrels.test"), str(folder / "results.test")))


def test_queries_differ_and_have_no_scale_of_their_own(data):
    """Topics without any highly relevant document are not judged on another scale."""
    for name in ("qrels.web.51-100.txt.gz", "qrels.dl19-passage.txt.gz", "qrels.covid-round5.txt.gz"):
        assert "mixed_scales" not in codes(ndcg.check(str(data / "07_qrels_only" / name)))


def test_large_grades(data):
    report = ndcg.check(str(data / "03_ir_measures/compat.qrels"), str(data / "03_ir_measures/compat.run"))
    assert "largest grade is 50" in only(report, "wide_scale").sentence
    assert only(ndcg.check(str(data / "07_qrels_only/qrels.backgroundlinking20.txt.gz")), "wide_scale").count == 50


def test_openliveq_samples_are_of_different_queries(data):
    folder = data / "31_judgments"
    report = ndcg.check(str(folder / "openliveq_sample_relevances.tsv"), str(folder / "openliveq_sample_run.tsv"))
    assert "OLQ-9999" in only(report, "no_common_query").sentence and report.problem
