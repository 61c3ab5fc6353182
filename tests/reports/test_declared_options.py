"""The declaration of every output says every option of the measure, those too that the judgments decide."""

import json

import pytest

import ndcg
from ndcg.measures.registry import FAMILIES
from ndcg.reports.markdown import result_markdown
from ndcg.reports.notebook import result_html
from ndcg.reports.terminal import result_text
from ndcg.reports.words import main_line, plain

JUDGED = {"q": {"A": 3, "B": 1, "C": 0}}
RUN = {"q": {"B": 3, "X": 2, "A": 1}}


def plain_measure(family):
    if family.at != "k":
        return family(0.5)
    return family(10) if family.cutoff == "required" else family()


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_option_is_declared(family):
    measure = plain_measure(family)
    line = main_line(measure.declaration())
    for option in family.options:
        assert (f"{option.name} {plain(measure[option.name])}" in line) == (option.name != family.at)


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("RBP(p=0.5)", "p 0.5, rel 1, max_grade none, ties docid"),
        ("RBPResidual", "p 0.8, judged_from none, tail kept, ties docid"),
        ("ERR@20", "max_grade 3 (from the judgments), ties docid"),
        ("nERR@20", "max_grade 3 (from the judgments), ties docid"),
        ("ERR(max_grade=4)@20", "max_grade 4, ties docid"),
        ("RBP(rel=none)", "p 0.8, rel none, max_grade 3 (from the judgments), ties docid"),
        ("RBP(rel=none, max_grade=query)", "p 0.8, rel none, max_grade query, ties docid"),
        ("Bpref", "rel 1, judged_from 0, ties docid"),
    ],
)
def test_every_output_says_them(measure, said):
    result = ndcg.evaluate(JUDGED, RUN, measure)
    for output in (result_text(result), result_markdown(result), result_html(result)):
        assert said in " ".join(output.split())


@pytest.mark.parametrize("measure", ["ERR@20", "nERR", "RBP(rel=none)"])
def test_the_resolved_value_is_the_one_that_was_used(measure):
    result = ndcg.evaluate(JUDGED, RUN, measure)
    (document,) = json.loads(result.to_json())["results"]
    highest = document["declaration"]["resolved"]["max_grade"]
    assert highest == 3
    name, _, cutoff = str(measure).partition("@")
    spelt = (
        (name[:-1] + ", " if "(" in name else name + "(") + f"max_grade={highest})" + (f"@{cutoff}" if cutoff else "")
    )
    declared = ndcg.evaluate(JUDGED, RUN, spelt)
    assert declared.value == result.value
    assert "resolved" not in declared.entries[0].declaration


def test_measures_that_read_the_judgments_are_compared_and_saved(tmp_path):
    result = ndcg.evaluate(JUDGED, RUN, "ERR@20")
    result.save(tmp_path / "result.json")
    assert ndcg.load(tmp_path / "result.json").entries[0].declaration == result.entries[0].declaration
    compared = ndcg.compare(JUDGED, {"one": RUN, "two": {"q": {"A": 1}}}, "ERR@20")
    assert "max_grade 3 (from the judgments)" in str(compared)
