"""Faults of other tools, as small inputs with the right behaviour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ndcg.errors import DataTypeError, InputError

from .conftest import JUDGMENTS, RUN, Refused, ids, read, scan

Write = Callable[..., str]


def test_float_grades_are_never_cut(write: Write) -> None:
    assert [row[2] for row in scan(read(write("q1 0 a 0.5\nq1 0 b 1.9\n"), JUDGMENTS))] == [0.5, 1.9]


def test_comments_and_hashes_in_ids(write: Write) -> None:
    text = "# note\nq1 0 d#1 1\n# one\n# two\nq1 0 e 1\nq1 0 f\n# last"
    with pytest.raises(Refused) as caught:
        scan(read(write(text), JUDGMENTS))
    assert caught.value.faults[0].line == 6
    assert ids(read(write(text.replace("q1 0 f\n", "")), JUDGMENTS)) == [("q1", "d#1"), ("q1", "e")]
    assert ids(read(write("#1 0 a 1\n"), JUDGMENTS, comments=False)) == [("#1", "a")]


def test_malformed_lines_are_never_accepted(write: Write) -> None:
    with pytest.raises((Refused, InputError), match="expected 6 fields"):
        scan(read(write("q1 Q0 a 1 2.0\n"), RUN))


def test_blanks_in_ids_need_tabs(write: Write) -> None:
    for line in ("q1 Q0 report (1992) 1 3.5 tag", "q1 Q0 b 1 3.5 tag\nq1 Q0 a 2 2.0 two words"):
        with pytest.raises(Refused, match="an id cannot hold a blank unless the file is tab-separated"):
            scan(read(write(line + "\n"), RUN, format="trec_run"))
    text = "q1\tQ0\treport (1992)\t1\t3.5\ttwo words\n"
    assert ids(read(write(text), RUN)) == [("q1", "report (1992)")]


def test_leading_zeros(write: Write) -> None:
    assert ids(read(write("q1 0 007 2\n01 0 7 0\n1 0 7 0\n"), JUDGMENTS)) == [("q1", "007"), ("01", "7"), ("1", "7")]


def test_tabs_blanks_and_both(write: Write) -> None:
    found = {
        tuple(scan(read(write(text), RUN)))
        for text in ("q Q0 a 1 2 t\n", "q\tQ0\ta\t1\t2\tt\n", "  q  Q0 \ta 1 2  t \n")
    }
    assert len(found) == 1


def test_unreadable_inputs_say_what_is_expected(tmp_path: Path, write: Write) -> None:
    with pytest.raises(InputError, match=r"^no such file: "):
        read(tmp_path / "missing.run", RUN)
    with pytest.raises(InputError, match="is empty"):
        read(write(""), RUN)
    with pytest.raises(Refused, match="found 2"):
        scan(read(write("q1 Q0 a 1 2.0 t\nq1 Q"), RUN))
    pandas = pytest.importorskip("pandas")
    assert scan(read(pandas.DataFrame({"query_id": ["q"], "docno": ["a"], "score": [1.0]}), RUN))
    with pytest.raises(InputError, match="no document column; the columns are 'query_id', 'dcno', 'score'"):
        read(pandas.DataFrame({"query_id": ["q"], "dcno": ["a"], "score": [1.0]}), RUN)


def test_rank_and_score_that_disagree_both_arrive(write: Write) -> None:
    assert scan(read(write("q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\n"), RUN)) == [("q", "a", 1.0, 1.0), ("q", "b", 2.0, 2.0)]


def test_nan_none_inf_and_bytes(write: Write) -> None:
    above = "q1 Q0 z 1 1.0 t\n"
    for text, problem in (("nan", "score is NaN"), ("None", "score 'None' is not a number")):
        with pytest.raises(Refused, match=problem) as caught:
            scan(read(write(f"{above}q1 Q0 a 1 {text} t\n"), RUN))
        assert caught.value.faults[0].line == 2
    assert len(scan(read(write(f"{above}q1 Q0 a 1 inf t\nq1 Q0 b 1 -inf t\n"), RUN))) == 3
    with pytest.raises(Refused, match="byte 0xE9 at offset 7"):
        scan(read(write(f"{above}q1 Q0 a".encode() + b"\xe9 1 1 t\n"), RUN))


@pytest.mark.parametrize("text", ["yes", "high", "1,9", "0x10"])
def test_text_is_no_number(text: str, write: Write) -> None:
    with pytest.raises(Refused, match=f"grade '{text}' is not a number"):
        scan(read(write(f"q 0 z 1\nq 0 a {text}\n"), JUDGMENTS))
    assert scan(read(write("q 0 a 1e1\n"), JUDGMENTS))[0][2] == 10.0


def test_byte_order_mark(write: Write) -> None:
    for text in ("1 0 a 1\n", "query,doc,grade\n1,a,1\n", '{"1": {"a": 1}}', "query-id\tcorpus-id\tscore\n1\ta\t1\n"):
        assert ids(read(write("\ufeff" + text), JUDGMENTS)) == [("1", "a")]


def test_only_blank_and_tab_separate(write: Write) -> None:
    words = ["a\u00a0b", "a\u2028b", "a\u3000b", "a\x85b", "a\x1cb"]
    text = "".join(f"q 0 {word} 1\n" for word in words)
    assert ids(read(write(text), JUDGMENTS)) == [("q", word) for word in words]


def test_paths_and_what_is_no_input(tmp_path: Path, write: Write) -> None:
    path = Path(write("q Q0 a 1 2 t\n"))
    assert ids(read(path, RUN)) == ids(read(str(path), RUN)) == [("q", "a")]
    with pytest.raises(DataTypeError):
        read((line for line in ["q Q0 a 1 2 t"]), RUN)
    with path.open() as file, pytest.raises(DataTypeError):
        read(file, RUN)


def test_ids_are_text(write: Write) -> None:
    words = ["1e5", "100000.0", "NA", "null", "nan", 'a"b']
    assert ids(read(write("".join(f"q 0 {word} 1\n" for word in words)), JUDGMENTS)) == [("q", word) for word in words]
