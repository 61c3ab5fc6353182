"""TREC runs: as forgiving as they should be, and not more."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import ndcg
from ndcg.errors import InputError
from ndcg.readers import Scanned
from ndcg.readers.trec_run import by_tag

from .conftest import JUDGMENTS, POOL, RUN, Refused, ids, read, scan

Write = Callable[..., str]
PLAIN = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1 t\n"
ROWS = [("q1", "a", 2.5, 1.0), ("q1", "b", 1.0, 2.0)]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", "   "),
        PLAIN.replace(" ", " \t "),
        "  " + PLAIN.replace("\n", " \t\n  "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace("\n", "\n\n \n"),
        "\ufeff" + PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n", 1),
        "# a note\n" + PLAIN + "# another\n#\n",
        PLAIN.replace("Q0 b", "Q0\tb"),
    ],
)
def test_the_same_rows_however_they_are_separated(text: str, write: Write) -> None:
    assert scan(read(write(text), RUN)) == ROWS


def test_a_plain_file_has_a_fast_reading(write: Write) -> None:
    source = read(write(PLAIN), RUN)
    assert isinstance(source, Scanned)
    assert source.parts[0].careful is not None
    assert (source.described.format, source.ranked) == ("trec_run", False)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q1 Q0 a 1 2.0", "expected 6 fields (query iteration doc rank score tag), found 5"),
        ("q1 Q0 a x 2.0 t", "rank 'x' is not a number"),
        ("q1 Q0 a 1 high t", "score 'high' is not a number"),
        ("q1 Q0 a 1 nan t", "score is NaN"),
        ("q1 Q0 a 1 1e400 t", "beyond the range of a float"),
        ("q1 Q0 report (1992) 1 3.5 t", "an id cannot hold a blank unless the file is tab-separated"),
        ("q1 Q0 a 1 2.0 my tag", "the text after the score differs between lines"),
        ("q1 Q0 a 1 2.0 u", "run tag 'u' differs from 't'"),
    ],
)
def test_a_bad_line_is_named(line: str, problem: str, write: Write) -> None:
    with pytest.raises(Refused) as caught:
        scan(read(write(f"# note\n\n{PLAIN}{line}\n"), RUN))
    assert caught.value.total == 1
    fault = caught.value.faults[0]
    assert problem in fault.problem
    assert (fault.line, fault.text) == (5, line)


def test_a_tag_of_several_words_that_is_the_same_everywhere(write: Write) -> None:
    assert scan(read(write(PLAIN.replace(" t", " my own tag")), RUN)) == ROWS


def test_a_number_after_the_score_may_be_a_shifted_score(write: Write) -> None:
    with pytest.raises(Refused, match="a number follows the score"):
        scan(read(write("q1 Q0 report 1992 1 3.5 tag\n"), RUN))


def test_ids_with_blanks_where_tabs_separate(write: Write) -> None:
    text = "q 1\tQ0\treport (1992)\t1\t 3.5 \tmy tag\nq 1\tQ0\tb\t2\t1\tmy tag\n"
    assert ids(read(write(text), RUN)) == [("q 1", "report (1992)"), ("q 1", "b")]
    with pytest.raises(Refused, match="cannot hold a blank"):
        scan(read(write(text + "q1 Q0 c 3 0 my tag\n"), RUN))


@pytest.mark.parametrize("blank", [" ", "\t", "  "])
def test_several_run_tags(blank: str, write: Write) -> None:
    path = write((PLAIN + "q2 Q0 a 1 1 other\n").replace(" ", blank))
    with pytest.raises(Refused, match="run tag 'other' differs from 't', the first line's"):
        scan(read(path, RUN))
    assert len(scan(read(path, RUN, several_tags=True))) == 3


def test_a_comment_that_looks_like_data_is_ambiguous(write: Write) -> None:
    path = write("#1 Q0 a 1 2.0 t\n#1 Q0 b 2 1.0 t\n")
    with pytest.raises(InputError, match=r"line 1.*comments=True.*comments=False"):
        read(path, RUN)
    assert ids(read(path, RUN, comments=False)) == [("#1", "a"), ("#1", "b")]
    with pytest.raises(InputError, match="only comments"):
        read(path, RUN, comments=True)


def test_comments_are_counted(write: Write) -> None:
    source = read(write(f"# one\n{PLAIN}# two\n# three"), RUN)
    assert source.described.notes == ("3 comment lines skipped",)


@pytest.mark.parametrize("text", ["", "\n \n\t\n", "# only\n# comments\n", "\ufeff"])
def test_nothing_in_it(text: str, write: Write) -> None:
    for role in (RUN, JUDGMENTS, POOL):
        with pytest.raises(InputError, match=r"empty|only"):
            read(write(text), role)


def test_swapped_files_are_recognised(write: Write) -> None:
    with pytest.raises(InputError, match="swapped"):
        read(write(PLAIN), JUDGMENTS)


def test_a_run_as_a_pool_has_no_numbers(write: Write) -> None:
    assert scan(read(write(PLAIN), POOL)) == [("q1", "a", None, None), ("q1", "b", None, None)]


def test_locate_finds_lines(write: Write) -> None:
    source = read(write(f"# note\n{PLAIN}q1 Q0 a 3 0 t\n"), RUN)
    assert isinstance(source, Scanned)
    found = source.parts[0].locate([("q1", "a")], 5)
    assert [(fault.line, fault.problem) for fault in found] == [(2, "score 2.5"), (4, "score 0")]


def test_faults_are_counted_beyond_the_limit(write: Write) -> None:
    source = read(write(PLAIN + "q1 Q0 a\n" * 50), RUN)
    assert isinstance(source, Scanned)
    total, shown = source.parts[0].faults(3)
    assert (total, [fault.line for fault in shown]) == (50, [3, 4, 5])


def test_fractional_ranks_and_infinite_scores(write: Write) -> None:
    text = "q Q0 a 1.5 inf t\nq Q0 b 2 -Infinity t\n"
    assert scan(read(write(text), RUN)) == [("q", "a", float("inf"), 1.5), ("q", "b", float("-inf"), 2.0)]


def test_a_bad_line_far_below_the_head(write: Write) -> None:
    text = "q Q0 a 1 2.0 t\n" * 20_000
    for bad in ("q Q0  1 2.0 t", "q\tQ0 a 1 2.0 t\n\tq", "q Q0 a 1_0 2.0 t"):
        with pytest.raises(Refused) as caught:
            scan(read(write(f"{text}{bad}\n{text}"), RUN))
        assert caught.value.faults[0].line in (20_001, 20_002)


def test_a_tab_far_below_the_head_is_a_separator(write: Write) -> None:
    text = "q Q0 a 1 2.0 t\n" * 20_000
    rows = scan(read(write(f"{text}r Q0\tb 1 2.0 t\n"), RUN))
    assert rows[-1] == ("r", "b", 2.0, 1.0)


def test_runs_by_tag(write: Write) -> None:
    text = "# note\nq Q0 a 1 2.5 x\nq Q0 b 1 1.5 y\nq Q0 a 2 1 y\n"
    runs = by_tag(write(text))
    assert {tag: scan(run) for tag, run in runs.items()} == {
        "x": [("q", "a", 2.5, 1.0)],
        "y": [("q", "b", 1.5, 1.0), ("q", "a", 1.0, 2.0)],
    }
    assert [fault.line for fault in runs["y"].parts[0].locate([("q", "a")], 3)] == [4]
    with pytest.raises(InputError, match="score 'high' is not a number"):
        by_tag(write(text + "q Q0 c 3 high y\n"))


def test_a_late_indented_line_of_ragged_text_is_read_all_the_same(tmp_path):
    path = tmp_path / "late.run"
    rows = [f"q1\t Q0  d{at} {at} {1000 - at} t\n" for at in range(1, 400)]
    path.write_text("".join(rows) + "  q1 Q0\ta 400 0.5 t\n\n")
    result = ndcg.evaluate({"q1": {"a": 1}}, str(path), "nDCG(gain='linear')")
    assert result.value == 1 / math.log2(401)
