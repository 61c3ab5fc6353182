"""Which tool's conventions are nearest to a measure's, and where they differ."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from .convention import Value, number_text
from .dialects import Dialect, all_dialects
from .measure import Measure, make

if TYPE_CHECKING:
    from .measure import Family

WELL_KNOWN = ("trec_eval_9", "pytrec_eval", "ir_measures", "sklearn", "ranx")
"""Of equally near dialects the first of these is named, then those that were run, then by name."""


class Difference(NamedTuple):
    """A convention that a measure and a dialect resolve differently."""

    convention: str
    ours: Value
    theirs: Value


class Nearest(NamedTuple):
    """The dialect that shares most conventions with a measure, and those that it does not share.

    `main`: the measure is the one that the dialect is about, else another of its tool.
    """

    dialect: Dialect
    differing: tuple[Difference, ...]
    main: bool = True

    def __str__(self) -> str:
        return f"nearest dialect: {self.sentence}"

    @property
    def sentence(self) -> str:
        """The dialect, its versions, and each convention that differs with the value on either side."""
        tool = f"{self.dialect.tool}, " if self.main else ""
        named = f"{self.dialect.name} ({tool}{self.dialect.versions})"
        if not self.differing:
            return f"{named}, no convention differs"
        words = [f"{one.convention}={shown(one.ours)} (there {shown(one.theirs)})" for one in self.differing]
        return f"{named}; differs in {', '.join(words)}"


def shown(value: Value) -> str:
    """A value as it is written in a measure, without quotes."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{number_text(grade)}: {number_text(gain)}" for grade, gain in value) + "}"
    return number_text(value) if isinstance(value, float) else str(value)


@cache
def resolved(family: Family) -> tuple[tuple[Dialect, Measure], ...]:
    """Every dialect of a family as a measure of it; what `@` sets does not count."""
    at = 1 if family.at != "k" else 10 if family.cutoff == "required" else None
    return tuple(
        (dialect, make(family, at, {"dialect": name}))
        for name, dialect in all_dialects().items()
        if family.name in (dialect.measure, *dialect.also)
    )


def nearest(measure: Measure) -> Nearest | None:
    """The nearest dialect; None for a family of measures that no dialect speaks of. The cutoff does not count.

    >>> from ndcg import nearest, parse
    >>> str(nearest(parse("nDCG(dialect='trec_eval')@10")))
    'nearest dialect: trec_eval_9 (trec_eval ndcg_cut, up to 9.0.8), no convention differs'
    """
    best: tuple[tuple[int, int, bool, str], Nearest] | None = None
    for dialect, other in resolved(measure.family):
        differing = tuple(
            Difference(name, measure.conventions[name], other.conventions[name])
            for name in measure.family.conventions
            if measure.conventions[name] != other.conventions[name]
        )
        known = WELL_KNOWN.index(dialect.name) if dialect.name in WELL_KNOWN else len(WELL_KNOWN)
        # A measure asked for as a dialect is named after it, even where another tool has the same conventions.
        own = 0 if dialect.name == measure.dialect else 1
        key = (len(differing), own * (known + 1), dialect.checked != "run", dialect.name)
        if best is None or key < best[0]:
            best = key, Nearest(dialect, differing, dialect.measure == measure.name)
    return best[1] if best is not None else None
