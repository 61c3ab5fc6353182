"""Judgments and runs that give any per-query values one wants, and small sets that tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("NDCG_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data" / "60_statistics"

needs_data = pytest.mark.skipif(
    not DATA.is_dir() and os.environ.get("CI", "").lower() not in {"1", "true"}, reason="the shared data is not here"
)

VALUE = "DCG(gain=linear, empty=zero)@1"
"""The value of a query is the grade of the first document: any number of at least 0."""


def systems(values):
    """(judgments, runs) of {system: [value of each query]}, to be scored by VALUE."""
    count = len(next(iter(values.values())))
    judged = {f"q{at}": {name: column[at] for name, column in values.items()} for at in range(count)}
    runs = {name: {f"q{at}": {name: 1.0} for at in range(count)} for name in values}
    return judged, runs


def column(path, *names):
    """Columns of a CSV file of per-topic scores."""
    header, *rows = path.read_text().splitlines()
    places = [header.split(",").index(name) for name in names or header.split(",")]
    table = [[float(row.split(",")[at]) for row in rows] for at in places]
    return dict(zip(names or header.split(","), table, strict=True))


TEXTBOOK = {
    "A": [25, 43, 39, 75, 43, 15, 20, 52, 49, 50],
    "B": [35, 84, 15, 75, 68, 85, 80, 50, 58, 75],
}
"""Ten queries under two systems: Croft, Metzler & Strohman 2010, Search Engines, chapter 8."""

JUDGED = {
    "q1": {"a": 3, "b": 1, "c": 0},
    "q2": {"a": 1, "d": 2},
    "q3": {"e": 1},
    "q4": {"f": 2, "g": 1},
    "q5": {"h": 0},
}
BASE = {
    "q1": {"a": 3.0, "b": 2.0, "x": 1.0},
    "q2": {"x": 3.0, "d": 2.0, "a": 1.0},
    "q3": {"y": 2.0, "e": 1.0},
    "q4": {"g": 2.0, "f": 1.0},
    "q5": {"h": 1.0},
}
NEW = {
    "q1": {"a": 3.0, "x": 2.0, "b": 1.0},
    "q2": {"d": 3.0, "a": 2.0, "x": 1.0},
    "q3": {"e": 2.0, "y": 1.0},
    "q5": {"h": 1.0},
    "q9": {"z": 1.0},
}


def written(folder, name, run):
    """A run as TREC text."""
    path = folder / f"{name}.run"
    rows = [f"{query} Q0 {doc} 0 {score} {name}" for query, docs in run.items() for doc, score in docs.items()]
    path.write_text("".join(f"{row}\n" for row in rows))
    return str(path)


def written_judgments(folder, judged):
    """Judgments as TREC text."""
    path = folder / "judgments.qrels"
    rows = [f"{query} 0 {doc} {grade}" for query, docs in judged.items() for doc, grade in docs.items()]
    path.write_text("".join(f"{row}\n" for row in rows))
    return str(path)
