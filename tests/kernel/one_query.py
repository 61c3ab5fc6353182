"""One query by the slow definition, written as short as the pages that state its value."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ndcg.kernel.reference import Row, evaluate

QUICK = {"A": 3.0, "B": 1.0, "C": 0.0, "D": 2.0, "E": 3.0}
AB = {"a": 1.0, "b": 2.0}


def listed(text: str) -> list[tuple[str, float]]:
    """`a b c`: documents in ranked order, scores 3, 2, 1."""
    docs = text.split()
    return [(doc, float(len(docs) - position)) for position, doc in enumerate(docs)]


def one(grades: Mapping[str, float], run: str | Sequence[tuple[str, float]] | None, **declared: Any) -> Row:
    entries = listed(run) if isinstance(run, str) else run
    return evaluate({"q1": grades}, {"q1": entries}, **declared)["q1"]


def value(grades: Mapping[str, float], run: str | Sequence[tuple[str, float]], **declared: Any) -> float | None:
    return one(grades, run, **declared).value


def graded(ranked: Sequence[float | None], more: Sequence[float] = (), **declared: Any) -> Row:
    """Grades in ranked order (None: unjudged); `more` are judged but not returned."""
    docs = [f"d{position:02}" for position in range(len(ranked))]
    grades = {doc: grade for doc, grade in zip(docs, ranked, strict=True) if grade is not None}
    grades |= {f"m{position:02}": grade for position, grade in enumerate(more)}
    return one(grades, " ".join(docs), **declared)


def decimals(expected: float, places: int) -> Any:
    return pytest.approx(expected, rel=0, abs=0.5000001 * 10.0**-places)


def full(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-14)
