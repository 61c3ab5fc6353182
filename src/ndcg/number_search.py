"""Which conventions give a published number from this data: dialects first, then small combinations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .counted import counted_noun
from .errors import UsageError
from .measures.dialects import all_dialects
from .measures.measure import Family, Measure, make
from .measures.registry import family_named
from .rescoring import Rescorer

SWITCHES: tuple[tuple[str, object], ...] = (
    ("gain", "linear"),
    ("gain", "binary"),
    ("gain", "judged"),
    ("discount", "jarvelin(2)"),
    ("ideal", "returned"),
    ("ideal", "hits"),
    ("ideal_cut", "none"),
    ("ideal_cut", "returned"),
    ("ties", "docid_desc"),
    ("ties", "given"),
    ("ties", "average"),
    ("ties", "worst"),
    ("unjudged", "skip"),
    ("empty", "zero"),
    ("empty", "one"),
    ("no_ideal", "one"),
    ("no_ideal", "exclude"),
    ("missing", "exclude"),
    ("self", "drop"),
    ("score_type", "float32"),
    ("min_grade", 1),
    ("min_grade", 2),
)
"""What is switched: the values that tools and papers use."""

MOST_SWITCHES = 3
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Match:
    """Conventions that give the number: a measure, its value to full precision, and how many switches it takes."""

    measure: str
    value: float
    switches: int


@dataclass(frozen=True, slots=True)
class NumberFound:
    """The answer: matches of the simplest kind that has any, how many combinations were tried and how many different
    values they gave. Of so many values `by_chance` would be expected to print as the number although nothing speaks
    for them."""

    number: str
    decimals: int
    matches: tuple[Match, ...]
    total: int
    stage: str
    tried: int
    distinct: int
    by_chance: float

    def __str__(self) -> str:
        tried = f"{self.tried} combinations tried, {self.distinct} different values"
        if not self.matches:
            percent = "; is it a percentage?" if float(self.number) > 1 else ""
            return f"{self.number}: none of the conventions tried gives it ({tried}){percent}"
        lines = [f"{self.number}: {self.total} found among {self.stage} ({tried})"]
        lines += [f"  {match.value:.{self.decimals + 3}f}  {match.measure}" for match in self.matches]
        if self.total > len(self.matches):
            lines.append(f"  and {self.total - len(self.matches)} more")
        lines.append(
            f"  by chance alone, about {self.by_chance:.2g} of {self.distinct} values would print as {self.number} too"
        )
        return "\n".join(lines)


def decimals_of(number: object) -> tuple[float, int]:
    """A printed number and how many decimals it shows; raises UsageError for text that is not a number."""
    text = str(number).strip()
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "e" in text.lower() or isinstance(number, bool):
        raise UsageError(f"{text!r} is not a printed number such as 0.4821", code="not_a_number")
    return value, len(text.partition(".")[2])


def stages(family: Family, k: int | None) -> Iterator[tuple[str, list[tuple[int, Measure]]]]:
    """What is tried, the simplest first: (what it is, [(switches, measure)])."""
    named = [name for name, dialect in all_dialects().items() if dialect.measure == family.name]
    dialects = [make(family, k, {"dialect": name}) for name in named]
    yield "the dialects", [(0, measure) for measure in [make(family, k, {}), *dialects]]
    for count in range(1, MOST_SWITCHES + 1):
        made = [(count, measure) for measure in _switched(family, k, None, count)]
        if count == 1:
            for name in named:
                made += [(1, measure) for measure in _switched(family, k, name, 1)]
            yield "the dialects and the default with one convention changed", made
        else:
            yield f"the default with {counted_noun(count, 'convention')} changed", made


def _switched(family: Family, k: int | None, dialect: str | None, count: int) -> Iterable[Measure]:
    base: dict[str, object] = {} if dialect is None else {"dialect": dialect}
    for chosen in itertools.combinations(SWITCHES, count):
        if len({name for name, _ in chosen}) < count:
            continue
        try:
            yield make(family, k, {**base, **dict(chosen)})
        except UsageError:
            continue


def search(scorer: Rescorer, number: object, k: int | None) -> NumberFound:
    """The simplest conventions under which the run's value prints as `number`."""
    target, decimals = decimals_of(number)
    half = 0.5 * 10.0**-decimals
    tried: dict[Measure, float | None] = {}
    stage, found = "", []
    for kind, candidates in stages(family_named("nDCG"), k):
        stage = kind
        fresh = {measure: switches for switches, measure in candidates if measure not in tried}
        for measure, outcome in zip(fresh, scorer.score(fresh), strict=True):
            tried[measure] = outcome.value
        found = [
            Match(str(measure), value, switches)
            for measure, switches in fresh.items()
            if (value := tried[measure]) is not None and abs(value - target) <= half + 1e-12
        ]
        if found:
            break
    values = {value for value in tried.values() if value is not None}
    spread = max(values) - min(values) if values else 0.0
    chance = len(values) * min(1.0, 2 * half / spread) if spread > 0 else 0.0
    return NumberFound(
        str(number).strip(), decimals, tuple(found[:SHOWN]), len(found), stage, len(tried), len(values), chance
    )
