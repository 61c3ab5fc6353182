"""What the measures of relevance levels share: their conventions, their options and the first steps of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..errors import UsageError, choose
from ..kernel.batch import Batch, Floats, Ints
from ..kernel.relevance import at_least, count_at_least
from .convention import Value, finite_number
from .measure import Measure, Option

RANKING = ("ties", "unjudged", "duplicates", "self", "score_type")
"""Conventions that decide the order of documents."""

WITHOUT_ROWS = ("missing", "empty_missing", "empty_list", "empty_run")
"""Conventions that say what becomes of a query for which the run has nothing."""

POLICIES = ("empty", *WITHOUT_ROWS, "failed", "unjudged_query", "edition")
"""Conventions that say what becomes of a query without a value of its own."""

CONVENTIONS = (*RANKING, *POLICIES)

COUNTED = (*WITHOUT_ROWS, "failed", "unjudged_query", "edition")
"""The policies of a count: it has a value for a query without relevant documents too."""

ONCE = {"duplicates": ("count", "merged", "joined")}
"""A document counts once: how the nDCG of a tool takes repeats says nothing of its other measures."""

NO_SHARED_RANK = {**ONCE, "ties": ("shared",)}
NO_AVERAGE = {**ONCE, "ties": ("average", "shared")}
GIVEN_ORDER_ONLY = {**ONCE, "ties": ("average", "best", "worst", "shared")}


def number(
    name: str, *, above: float = -math.inf, below: float = math.inf, optional: bool = False
) -> Callable[[object], Value]:
    """A resolver for a finite number with above <= number <= below; `optional` takes none as well."""

    def resolve(value: object) -> Value:
        if optional and value in (None, "none", "None"):
            return None
        found = finite_number(name, value)
        if not above <= found <= below:
            bounds = f"from {above:g} to {below:g}" if below < math.inf else f"of at least {above:g}"
            raise UsageError(f"{name}={value!r} is not a number {bounds}", code="not_a_number")
        return found

    return resolve


def word(name: str, *choices: str) -> Callable[[object], Value]:
    """A resolver for one of a few words."""

    def resolve(value: object) -> Value:
        if value not in choices:
            raise choose(name, value, choices)
        return str(value)

    return resolve


REL = Option("rel", 1.0, "the least grade that counts as relevant", number("rel"))

JUDGED_FROM = Option(
    "judged_from",
    None,
    "the least grade that is a judgment; with 0, negative grades mean in the pool but unjudged (trec_eval); "
    "none: every grade is",
    number("judged_from", optional=True),
)

POOLED = Option("judged_from", 0.0, JUDGED_FROM.sentence, number("judged_from"))


def numeric(measure: Measure, name: str) -> float:
    """The value of an option that is always a number."""
    value = measure[name]
    assert isinstance(value, float)
    return value


def optional_number(measure: Measure, name: str) -> float | None:
    """The value of an option that is a number or none."""
    value = measure[name]
    assert value is None or isinstance(value, float)
    return value


class Relevance(NamedTuple):
    """Which documents are relevant: `found` per query in the judgments, `ranked` 1.0 or 0.0 per row of the ranking."""

    found: Ints
    ranked: Floats
    ties: str

    @classmethod
    def of(cls, batch: Batch, measure: Measure) -> Relevance:
        """At the measure's relevance level."""
        level = numeric(measure, "rel")
        return cls(
            count_at_least(batch.judged, level), at_least(batch.ranked.grade, level), measure.conventions.text("ties")
        )


def listed(batch: Batch) -> Ints:
    """Documents of each query's ranking, without repeats and after condensing."""
    return batch.ranked.returned if batch.listed is None else batch.listed
