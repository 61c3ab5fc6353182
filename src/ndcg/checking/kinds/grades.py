"""What the grades are: negative, fractional, wide, binary, or only positive ones."""

from __future__ import annotations

from collections.abc import Iterator

from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Weight
from ..words import numbers, percent, some

WIDE = 10
"""A largest grade from which 2^grade - 1 leaves all lower grades nearly worthless."""


def _examples(data: Data, condition: str) -> tuple[Example, ...]:
    assert data.judged is not None
    rows = data.judged.ask(f"select query, doc, number from {{t}} where {condition} order by rowid limit {SHOWN}")
    return tuple(Example(query, doc, f"grade {grade:g}") for query, doc, grade in rows)


def _negative(data: Data) -> Iterator[Found]:
    if data.judged is None:
        return
    grades = {grade: rows for grade, rows in data.judged.grades.items() if grade < 0}
    if grades:
        count, of = sum(grades.values()), data.judged.loaded.rows
        words = {"rows": some(count, "judgment has", "judgments have"), "values": numbers(grades)}
        yield Found(count, of, None, {**words, "share": percent(count, of)}, _examples(data, "number < 0"))


def _fractional(data: Data) -> Iterator[Found]:
    if data.judged is None:
        return
    grades = {grade: rows for grade, rows in data.judged.grades.items() if grade != int(grade)}
    if grades:
        count, of = sum(grades.values()), data.judged.loaded.rows
        words = {"rows": some(count, "judgment has", "judgments have"), "values": numbers(grades)}
        yield Found(count, of, None, {**words, "share": percent(count, of)}, _examples(data, "number <> floor(number)"))


def _wide(data: Data) -> Iterator[Found]:
    if data.judged is None or not data.judged.grades or max(data.judged.grades) <= WIDE:
        return
    largest = max(data.judged.grades)
    below = [grade for grade in data.judged.grades if 0 < grade < largest]
    if not below or data.measure.conventions["gain"] != "exp2":
        return
    words = {
        "largest": f"{largest:g}",
        "times": f"{(2.0 ** min(largest, 1000.0) - 1) / (2.0 ** min(max(below), 999.0) - 1):.3g}",
        "next": f"{max(below):g}",
    }
    rows = data.judged.grades[largest]
    yield Found(rows, data.judged.loaded.rows, None, words, _examples(data, f"number = {largest!r}"))


def _only_positive(data: Data) -> Iterator[Found]:
    if data.judged is not None and data.judged.only_positive:
        yield Found(data.judged.loaded.rows, data.judged.loaded.rows, None, {})


def _binary(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None:
        return
    positive = [grade for grade in judged.grades if grade > 0]
    if len(positive) != 1:
        return
    once = judged.judged_once
    words = {
        "grade": f"{positive[0]:g}",
        "more": "; no query has more than one relevant document, so RR@k and R@k say as much"
        if once
        else "; P@k, R@k and AP lose nothing by ignoring grades",
    }
    yield Found(judged.grades[positive[0]], judged.loaded.rows, None, words)


KINDS = (
    Kind(
        "negative_grades",
        Weight.DOUBT,
        "{rows} a negative grade ({values}), {share}",
        "Negative grades mean spam, a broken document or a real loss, by collection; nDCG takes them as gain 0.",
        "--negative clamp, error, or keep with --gain linear",
        _negative,
        ({"gain": "linear"}, {"gain": "linear", "negative": "keep"}),
        apart=True,
    ),
    Kind(
        "fractional_grades",
        Weight.NOTE,
        "{rows} a grade that is no whole number ({values}), {share}",
        "trec_eval and what is built on it cut grades to whole numbers without a word; others refuse them.",
        "--gain linear, or a gain table that holds each grade",
        _fractional,
        ({"grade_type": "int"},),
    ),
    Kind(
        "wide_scale",
        Weight.DOUBT,
        "the largest grade is {largest}: as gain 2^grade - 1 it is worth {times} times the next lower one, {next}",
        "Percentages and click rates are no grades: under exp2 the top of the scale decides everything.",
        "--gain linear, or a gain table",
        _wide,
        ({"gain": "linear"},),
    ),
    Kind(
        "only_positive_judgments",
        Weight.NOTE,
        "every judgment is positive, so judged 0 and unjudged cannot be told apart",
        "judged@k counts only relevant documents, and --unjudged skip would remove everything else.",
        "judge what is not relevant too; until then --unjudged zero",
        _only_positive,
        unknown="how many unjudged documents are relevant is not in the data",
    ),
    Kind(
        "binary_judgments",
        Weight.NOTE,
        "{grade} is the only positive grade, so every gain gives the same nDCG{more}",
        "A scale of two steps cannot tell a good document from the best one.",
        "nothing to settle",
        _binary,
        ({"gain": "exp2"}, {"gain": "linear"}),
    ),
)
