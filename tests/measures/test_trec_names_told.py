"""A name of trec_eval's is a name only: every output says how it is read, and what has trec_eval's own number."""

import pytest

import ndcg
from ndcg.measures import trec_names
from ndcg.reports.markdown import result_markdown
from ndcg.reports.notebook import result_html

JUDGED = {"q": {"A": 3, "B": 1, "C": 0}, "p": {"A": 0}}
RUN = {"q": {"A": 2, "B": 2, "X": 1}, "p": {"A": 1}}

NUMBERS = [measure for measure in trec_names.MEASURES.values() if measure.family is not None]


@pytest.mark.parametrize("measure", NUMBERS, ids=lambda measure: measure.name)
def test_what_has_trec_evals_number_is_named_and_parses(measure):
    text = f"{measure.name}_{measure.defaults[0]}" if measure.takes in ("ranks", "levels") else measure.name
    read = ndcg.parse(text)
    said = read.read_as()
    if measure.name in ("P", "G", "infAP", "Rprec", "binG") and text == measure.name:
        assert said is None
        return
    assert said is not None and said.startswith(f"{text} is read as {read} under the conventions shown; ")
    theirs = ndcg.parse(said.rpartition("own number is ")[2])
    assert theirs.family is read.family and theirs.k == read.k and theirs.options == read.options
    assert theirs.dialect == ("trec_eval_10" if measure.since > 9 else "trec_eval_9")


@pytest.mark.parametrize("text", ["nDCG@10", "P@10", "AP", "RR", "NumRelRet", "ndcg_cut_10(dialect=trec_eval)"])
def test_other_names_need_no_note(text):
    assert ndcg.parse(text).read_as() is None
    assert not ndcg.evaluate(JUDGED, RUN, text).entries[0].warnings


def test_a_table_of_gains_stays():
    said = ndcg.parse("ndcg_1=3,2=9").read_as()
    assert said.endswith("nDCG(dialect='trec_eval_9', gain={1: 3, 2: 9}, off_table='grade')")


@pytest.mark.parametrize("text", ["ndcg_cut_10", "ndcg", "map", "recip_rank", "P_10"])
def test_every_output_says_it(text, tmp_path):
    result = ndcg.evaluate(JUDGED, RUN, text, ties="average" if text != "map" else "docid")
    said = ndcg.parse(text).with_conventions({"ties": "average" if text != "map" else "docid"}).read_as()
    assert "read as" in said and "trec_eval's own number is" in said
    assert said in " ".join(str(result).split())
    assert "read as" in result_markdown(result) and "read as" in result_html(result)
    result.save(tmp_path / "result.json")
    assert said in ndcg.load(tmp_path / "result.json").entries[0].warnings


def test_spelling_decides_about_the_gain():
    lower, own = (ndcg.evaluate(JUDGED, RUN, text).value for text in ("ndcg_cut_2", "nDCG@2"))
    assert lower == ndcg.evaluate(JUDGED, RUN, "nDCG(gain='linear')@2").value
    assert own == ndcg.evaluate(JUDGED, RUN, "nDCG(gain='exp2')@2").value
    # With @ it is this package's notation, in whatever case.
    assert ndcg.parse("ndcg@2") == ndcg.parse("nDCG@2") and ndcg.parse("ndcg@2").read_as() is None
    assert ndcg.parse("ndcg") == ndcg.parse("nDCG(gain='linear')")


@pytest.mark.parametrize("text", ["IPrec(dialect='trec_eval_9')@0.1", "RprecMult(dialect='trec_eval_9')@0.2"])
def test_a_measure_at_a_level_prints_under_a_dialect(text):
    assert str(ndcg.parse(text)) == text and ndcg.parse(str(ndcg.parse(text))) == ndcg.parse(text)
