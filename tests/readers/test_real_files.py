"""Real files: the expected number of rows, or the right message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ndcg.errors import NdcgError

from .conftest import JUDGMENTS, RUN, Refused, ids, read, scan

QRELS = {
    "01_trec_eval/qrels-302.test": 1061,
    "01_trec_eval/qrels.123": 10362,
    "01_trec_eval/qrels.comment.test": 5890,
    "01_trec_eval/qrels.comments.123": 10362,
    "01_trec_eval/qrels.rel_level": 3681,
    "01_trec_eval/qrels.test": 3681,
    "01_trec_eval/qrels.test.with-comments": 3681,
    "03_ir_measures/compat.qrels": 311,
    "03_ir_measures/cwl.qrels": 23,
    "04_ranx/test_data/qrels.json": 5,
    "04_ranx/test_data/qrels.parquet": 5,
    "04_ranx/test_data/qrels.trec": 5,
    "04_ranx/test_data/qrels.trec.gz": 5,
    "06_cwl/qrel_file": 23,
    "06_cwl/gain_file": 23,
    "06_cwl/big_gain_file": 23,
    "06_cwl/neg_gain_file": 23,
    "07_qrels_only/qrels.backgroundlinking20.txt.gz": 17764,
    "07_qrels_only/qrels.covid-round5.txt.gz": 23151,
    "07_qrels_only/qrels.dl19-passage.txt.gz": 9260,
    "07_qrels_only/qrels.dl20-passage.txt.gz": 11386,
    "07_qrels_only/qrels.web.51-100.txt.gz": 25329,
    "14_cast2021/trec-cast-qrels-docs.2021.qrel": 19334,
    "15_web_clueweb/qrels.web.151-200.txt.gz": 16055,
    "15_web_clueweb/qrels.web.201-250.txt.gz": 14474,
    "16_clef_tar2017/qrel_abs_test.txt.gz": 117562,
    "18_dbpedia_entity/INEX-LD.qrels.txt.gz": 10270,
    "32_product_search_sert/home_and_kitchen.qrel_validation": 741,
    "32_product_search_sert/pet_supplies.qrel_validation": 2411,
    "40_odd/crlf_multispace.clef_tar2018_qrel_content_task1": 759,
    "40_odd/crlf_tabs.pyserini_nfcorpus-qrels.tsv": 234,
    "40_odd/duplicates_by_subtopic.web.251-300.ndeval_head3000.txt": 3000,
    "40_odd/multispace_trailspace.full.test.prognosis.abs.2019.qrels": 3367,
    "40_odd/nonascii_noeol.nordlys_qrels_ERD_er.txt": 61,
    "40_odd/pyterrier_qrels": 7,
    "40_odd/pyterrier_vaswani_npl_qrels": 2083,
    "40_odd/ranx_small_qrels.trec": 4,
    "40_odd/two_conflicting_duplicates.cast2019_train.qrel": 2399,
    "40_odd/umbrela_sample.qrels": 4,
    "31_judgments/chorus_Broad_Query_Set_rated.csv": 3668,
    "31_judgments/chorus_Chorus_Electronics_basic.csv": 207,
    "31_judgments/openliveq_sample_relevances.tsv": 5,
    "31_judgments/opensearch_dashboards_judgments_example.csv": 3,
}
RUNS = {
    "01_trec_eval/prefs.results.test": 480,
    "01_trec_eval/results-302.test": 500,
    "01_trec_eval/results.comment.test.gz": 30100,
    "01_trec_eval/results.test": 1500,
    "03_ir_measures/compat.run": 1927,
    "03_ir_measures/cwl.run": 30,
    "04_ranx/test_data/run.json": 5,
    "04_ranx/test_data/run.parquet": 5,
    "04_ranx/test_data/run.trec": 5,
    "04_ranx/test_data/run.trec.gz": 5,
    "06_cwl/result_file": 30,
    "14_cast2021/org_convdr.run.gz": 15898,
    "14_cast2021/org_manual_ance_bert.run.gz": 15373,
    "15_web_clueweb/test.wt12.run": 4707,
    "15_web_clueweb/test.wt13.run": 4921,
    "16_clef_tar2017/iiit.run1.run.gz": 15354,
    "18_dbpedia_entity/bm25f_INEX_LD_fold0.run.gz": 20000,
    "40_odd/fractional_ranks_trailing_space.sheffield_prognosis.run": 3367,
    "40_odd/pyserini_simple_run.trec": 2,
    "40_odd/umbrela_sample.run": 4,
}
REFUSED = [
    ("01_trec_eval/results.trunc", RUN, r"run tag 'STANDARD end of lines\.' differs"),
    ("01_trec_eval/prefs.test", JUDGMENTS, "expected 4 fields .*found 5 fields"),
    ("04_ranx/test_data/run.lz4", RUN, "compressed with lz4"),
    ("16_clef_tar2017/iiit.run1.results", RUN, "format='ranked' or format='scored'"),
    ("40_odd/five_columns.prels.web.1-50_head500.txt", JUDGMENTS, "expected 4 fields .*found 5 fields"),
    ("40_odd/five_columns.trec_pm2017_sample_qrels_head500.txt", JUDGMENTS, "expected 4 fields .*found 5 fields"),
    ("40_odd/ragged_columns.nordlys_qrels_ERD_elq.txt", JUDGMENTS, "expected 4 fields"),
    ("40_odd/SOURCE.md", JUDGMENTS, "expected 4 fields|only comments|columns|not a number"),
    ("06_cwl/metrics_file", JUDGMENTS, "expected 4 fields"),
    ("03_ir_measures/compat.run", JUDGMENTS, "swapped"),
    ("03_ir_measures/compat.qrels", RUN, "swapped"),
    ("40_odd/reference_behaviour.json", JUDGMENTS, "every query holds an object"),
]


@pytest.mark.parametrize("name", QRELS)
def test_judgments(name: str, data: Path) -> None:
    assert len(scan(read(data / name, JUDGMENTS))) == QRELS[name]


@pytest.mark.parametrize("name", RUNS)
def test_runs(name: str, data: Path) -> None:
    assert len(scan(read(data / name, RUN))) == RUNS[name]


@pytest.mark.parametrize(("name", "role", "message"), REFUSED)
def test_refused(name: str, role: Any, message: str, data: Path) -> None:
    with pytest.raises((NdcgError, Refused), match=message):
        scan(read(data / name, role))


def test_several_tags_when_told(data: Path) -> None:
    assert len(scan(read(data / "01_trec_eval/results.trunc", RUN, several_tags=True))) == 584


def test_ids_as_they_stand(data: Path) -> None:
    found = dict.fromkeys(
        doc for _, doc in ids(read(data / "40_odd/nonascii_noeol.nordlys_qrels_ERD_er.txt", JUDGMENTS))
    )
    assert any(not doc.isascii() for doc in found)
    assert all(doc.startswith("<dbpedia:") and doc.endswith(">") for doc in found)


def test_comment_notes(data: Path) -> None:
    source = read(data / "01_trec_eval/qrels.test.with-comments", JUDGMENTS)
    assert source.described.notes == ("3 comment lines skipped",)


def test_conflicting_lines_are_found(data: Path) -> None:
    from collections import Counter

    from ndcg.readers import Scanned

    source = read(data / "40_odd/two_conflicting_duplicates.cast2019_train.qrel", JUDGMENTS)
    assert isinstance(source, Scanned)
    twice = [pair for pair, count in Counter(ids(source)).items() if count > 1]
    found = source.parts[0].locate(twice, 10)
    assert len(found) == sum(Counter(ids(source))[pair] for pair in twice)
    assert all(fault.line for fault in found)
