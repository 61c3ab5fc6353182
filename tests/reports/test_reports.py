"""What reports say: every denominator, every oddity, in text that lines up."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.reports.layout import pad, shown_id, width
from ndcg.reports.markdown import result_markdown
from ndcg.reports.model import report_of
from ndcg.reports.notebook import result_html
from ndcg.reports.terminal import result_text
from ndcg.reports.words import differences, main_line, sentence

JUDGED = {
    "good": {"A": 2, "B": 1, "C": -1},
    "zero": {"A": 1},
    "none": {"A": 0},
    "lost": {"A": 2},
    "failed": {"A": 1},
    "zero2": {"zero2": 1},
}
RUN = {
    "good": {"A": 3, "X": 2, "B": 2},
    "zero": {"X": 1},
    "none": {"A": 1},
    "failed": None,
    "zero2": {"zero2": 0.1, "Y": 3},
    "other": {"A": 1},
}


@pytest.fixture
def result():
    return ndcg.evaluate(JUDGED, RUN, "nDCG@2")


def test_the_text_says_everything(result):
    text = " ".join(str(result).split())
    for words in (
        f"nDCG@2 of run: {result.value:.4f}",
        "gain exp2, ideal judged, ties docid, unjudged zero, empty exclude, missing zero",
        "4 counted of 6 judged: 3 scored, 1 missing (count 0), 1 empty (left out), 1 failed (left out)",
        "in the run besides: 1 unjudged (never scored)",
        "zeros 2 (counted queries that score exactly 0)",
        "can move the value; in 1 rank 2 cuts a group of equal scores)",
        "1 negative grade in the judgments",
        "1 query with a document of its own id in the first 2 ranks",
        "empty 1 left out: none",
        "missing 1 count 0: lost",
        "failed 1 left out: failed",
        "unjudged 1 never scored: other",
        "nothing returned; A (2)",
    ):
        assert words in text, words


def test_all_statuses_add_up(result):
    queries = result.summary.queries
    assert queries.judged == queries.scored + queries.empty + queries.missing + queries.failed


def test_ten_ids_and_how_many_more():
    judged = {f"q{number:03}": {"a": 0} for number in range(250)} | {"x": {"a": 1}}
    text = str(ndcg.evaluate(judged, {"x": ["a"]}))
    assert "250 left out: q000, q001" in text and "q009 and 240 more" in text and "q010" not in text


def test_differences_are_told_in_words():
    measure = ndcg.parse("nDCG(gain='linear', discount='jarvelin(2)', min_grade=2, ties='average')@10")
    found = differences(measure.declaration())
    assert found[0].startswith("gain linear: the grade itself")
    assert any(line.startswith("discount jarvelin(2): 1 for ranks below b") for line in found)
    assert any(line.startswith("min_grade 2: grades below") for line in found)
    assert differences(ndcg.parse("nDCG@3").declaration()) == []
    assert differences(ndcg.parse("CG@3").declaration()) == []
    assert differences(ndcg.parse("P(rel=2)@3").declaration()) == ["rel 2"]
    assert "by a table" in differences(ndcg.parse("nDCG(gain={1: 1})").declaration())[0]


def test_main_line_leaves_out_what_a_measure_does_not_take():
    assert "gain" not in main_line(ndcg.parse("AP").declaration())
    assert sentence("not a convention", 1) == ""


def test_equal_denominators_are_told_once():
    result = ndcg.evaluate(JUDGED, {"a": RUN, "b": RUN}, ["nDCG@1", "nDCG@2"])
    report = report_of(result)
    assert len(report.counts) == 1 and len(report.declared) == 1
    assert str(result).count("left out") == 2


def test_warnings_name_who_they_are_about():
    result = ndcg.evaluate(JUDGED, {"a": RUN, "b": RUN}, ["nDCG@2", "nDCG(ideal='returned')@2"])
    text = " ".join(str(result).split())
    assert "nDCG(ideal='returned')@2: ideal='returned' hides missed documents" in text
    own = report_of(result).warnings
    assert any(
        "the query's own id" in warned.sentence and warned.measures == report_of(result).measures for warned in own
    )


def test_no_query_counts():
    result = ndcg.evaluate({"q": {"a": 0}}, {"q": ["a"]})
    assert "none (no query counts)" in str(result) and result.value is None
    assert "none" in result_markdown(result) and "none" in result_html(result)


def test_the_model_is_plain_data(result):
    report = report_of(result)
    document = json.loads(json.dumps([score._asdict() for score in report.scores]))
    assert document[0]["value"] == result.value
    assert json.loads(json.dumps(report._asdict()))["version"] == result.version
    with pytest.raises(AttributeError):
        report_of(result).version = "x"


def test_markdown_tables_have_as_many_cells_as_columns():
    result = ndcg.evaluate(JUDGED, {"a|b": RUN, "*c*": RUN}, ["nDCG@2", "AP"])
    text = result_markdown(result, ["note"], per_query=True)
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(cells) == 1, block


def test_html_is_escaped():
    result = ndcg.evaluate({"<q>": {"<d>": 1}}, {"<run>": {"<q>": {"x": 1}}})
    html = result_html(result)
    assert "<run>" not in html and "&lt;run&gt;" in html and "<d>" not in html
    assert result._repr_html_() == html


def test_several_runs_stay_narrow():
    result = ndcg.evaluate(
        {f"q{n}": {f"document-{m}": m % 4 for m in range(40)} for n in range(30)},
        {name: {f"q{n}": [f"document-{n}"] for n in range(20)} for name in ("first", "second", "third")},
        ["nDCG@10", "nDCG@5", "AP"],
    )
    assert all(len(line) <= 100 for line in str(result).splitlines())


def test_width_counts_cells():
    assert (width("ab"), width("日本"), width("e\u0301")) == (2, 4, 1)
    assert pad("日", 4) == "日  " and pad("ab", 4, right=True) == "  ab"


def test_ids_are_shown_safely():
    assert shown_id("a\tb\x1b[31m") == "a\\tb\\x1b[31m"
    assert shown_id(" a") == "' a'" and shown_id("") == "''"
    assert len(shown_id("x" * 500)) <= 40


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=6),
        st.dictionaries(st.text(max_size=6), st.integers(-1, 3), max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_every_report_can_be_made_of_any_ids(judged):
    run = {query: dict.fromkeys(docs, 1) | {"x": 2} for query, docs in judged.items()}
    result = ndcg.evaluate(judged, {"r": run, "s": run}, ["nDCG@2", "DCG", "P@1"])
    text = result_text(result, ["a note"], per_query=True)
    assert "\x1b" not in text
    result_markdown(result, per_query=True)
    result_html(result)


def test_values_print_with_four_decimals_and_keep_their_bits():
    result = ndcg.evaluate({"q": {"a": 1, "b": 3}}, {"q": ["x", "b", "a"]}, "nDCG@3")
    assert f"{result.value:.4f}" in str(result)
    assert json.loads(result.to_json())["results"][0]["value"] == result.value


def test_counts_speak_of_the_ranks_that_were_looked_at():
    judged, run = {"A": {"A": 1, "B": 2}}, {"A": ["A", "B", "C", "B"]}
    two, three, whole = ndcg.evaluate(judged, run, ["nDCG@2", "nDCG@3", "nDCG"]).entries
    for entry, ranks, repeats in (
        (two, " in the first 2 ranks", 0),
        (three, " in the first 3 ranks", 0),
        (whole, "", 1),
    ):
        assert entry.warnings == (
            f"1 query returns a document with the query's own id{ranks}; if these are the queries themselves, "
            "use self='drop'",
        )
        assert entry.counters.duplicates == repeats
    said = {
        warned.measures: warned.sentence for warned in report_of(ndcg.evaluate(judged, run, ["nDCG@1", "nDCG"])).data
    }
    assert said["nDCG@1",] == "1 query with a document of its own id in the first rank"
    assert said["nDCG",] == "1 repeated document dropped; 1 query with a document of its own id"


def test_one_is_never_said_in_the_plural():
    result = ndcg.evaluate({"q": {"A": 1, "B": 1}}, {"q": {"C": 1}}, "nDCG(ideal='returned')@2")
    assert "1 query scores 0 because the ideal pool is without gain" in result.entries[0].warnings
