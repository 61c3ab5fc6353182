"""Runs that look like the judgments themselves, and judgments that look like a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data import Data
from ..findings import Found, Kind, Weight
from ..words import of_queries, percent, queries, some

ENOUGH = 10
"""Judged documents from which equal scores and grades are no coincidence."""

MOST = 0.99
"""The share of them that must be equal."""

LEAKED = "what the system would score without the judgments is unknown"


def _grades_as_scores(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.facts.loaded.ranked or run.scorer is None:
            continue
        equal, total, different = run.facts.ask(
            f"select count(*) filter (score = grade), count(*), count(distinct grade) from {run.facts.matched}"
        )[0]
        if total >= ENOUGH and different > 1 and equal >= MOST * total:
            yield Found(equal, total, run.name, {"documents": some(equal, "document"), "share": percent(equal, total)})


def _perfect(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.scorer is None:
            continue
        counted = run.scorer.base.counted
        values = run.scorer.base.values[counted]
        if len(values) > 1 and bool(np.all(values == 1.0)):
            names = [run.scorer.queries[at] for at in np.flatnonzero(counted).tolist()]
            words = {"queries": queries(len(values), len(values), "counted")}
            yield Found(len(values), len(values), run.name, words, of_queries(names))


def _swapped(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or judged.loaded.rows < ENOUGH or 2 * len(judged.grades) < judged.loaded.rows:
        return
    if sum(rows for grade, rows in judged.grades.items() if grade != int(grade)) * 2 < judged.loaded.rows:
        return
    for run in data.runs:
        if run.facts.loaded.ranked:
            continue
        whole, different = run.facts.ask(
            "select bool_and(number = floor(number)), approx_count_distinct(number) from {t} where isfinite(number)"
        )[0]
        if whole and different <= ENOUGH:
            words = {"grades": f"{len(judged.grades):,}", "scores": some(int(different), "different score")}
            yield Found(judged.loaded.rows, None, run.name, words)


KINDS = (
    Kind(
        "scores_are_grades",
        Weight.DOUBT,
        "the scores of the run are the grades: they are equal for {documents} ({share} of the judged ones returned)",
        "A run made from the judgments, or a label that leaked into the features, scores the judgments and no system.",
        "score a run that has not seen the judgments",
        _grades_as_scores,
        unknown=LEAKED,
    ),
    Kind(
        "perfect_scores",
        Weight.DOUBT,
        "a score of exactly 1.0 for {queries}",
        "Real systems are never perfect on every query: perhaps only judged documents were ranked, or by their grades.",
        "compare the run with the judgments",
        _perfect,
        unknown=LEAKED,
    ),
    Kind(
        "swapped_inputs",
        Weight.DOUBT,
        "judgments and run look swapped: the judgments have {grades} different grades with decimals, the run {scores}",
        "Grades are few and scores are many; here it is the other way round.",
        "give the judgments first, then the run",
        _swapped,
        unknown="it takes the inputs in their right places",
    ),
)
