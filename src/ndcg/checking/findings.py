"""What a check finds: the declaration of each kind, one finding, its examples and what it does to the score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .data import Data

SHOWN = 3
"""Examples that a finding keeps."""


class Weight(StrEnum):
    """How much a kind of finding matters: `refused` stops scoring, a `doubt` may move the score, a `note` is a fact."""

    REFUSED = "refused"
    DOUBT = "doubt"
    NOTE = "note"


class Example(NamedTuple):
    """One place where a finding shows: ids, the input and line where they are known, and what is there."""

    query: str | None = None
    document: str | None = None
    what: str = ""
    where: str | None = None
    line: int | None = None


class Alternative(NamedTuple):
    """The score under another setting, such as `ties=worst`; `value` is None where no query counts."""

    setting: str
    value: float | None


class Effect(NamedTuple):
    """What a finding does to the score, measured by scoring again.

    `base` is the value under the conventions of the call, `alternatives` those under other settings. `unknown` says
    why it cannot be told, `none` why it does nothing; then nothing was scored. `apart` says that the alternatives are
    to be compared with each other, not with the base.
    """

    base: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    unknown: str | None = None
    none: str | None = None
    apart: bool = False

    @property
    def makes_a_score(self) -> bool:
        """Whether there is a value only under the alternatives."""
        return self.base is None and not self.apart and bool(self.alternatives)

    @property
    def largest(self) -> float | None:
        """How far apart the values are, the base among them unless the alternatives stand apart; None if unknown.

        Where there is no base the whole value is what the finding is about.
        """
        if self.unknown is not None:
            return None
        values = [alternative.value for alternative in self.alternatives if alternative.value is not None]
        if self.makes_a_score:
            return max(values, default=0.0)
        if self.base is not None and not self.apart:
            values.append(self.base)
        return max(values) - min(values) if values else 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One oddity of one input.

    `code` names its kind, `weight` how much that matters, `subject` the run it was found in (None: the judgments, or
    all inputs). `count` of `of` things show it; `sentence` says so in words. `option` is what settles it.
    """

    code: str
    weight: Weight
    subject: str | None
    sentence: str
    count: int
    of: int | None
    examples: tuple[Example, ...]
    effect: Effect
    option: str

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        effect = self.effect
        return {
            "code": self.code,
            "weight": str(self.weight),
            "run": self.subject,
            "sentence": self.sentence,
            "count": self.count,
            "of": self.of,
            "examples": [
                {name: value for name, value in example._asdict().items() if value not in (None, "")}
                for example in self.examples
            ],
            "effect": {
                "value": effect.base,
                "alternatives": {alternative.setting: alternative.value for alternative in effect.alternatives},
                "largest": effect.largest,
                "cannot_be_told": effect.unknown,
                "none": effect.none,
            },
            "option": self.option,
        }


Settings = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Variant:
    """Other data to score: judgments (`merge` rule, rows that fulfil `keep`) or rows of the run.

    `label` is the setting in words. `merge` combines several grades; `keep` is an SQL condition on the judgment rows;
    `rows` an SQL SELECT of (query, doc, number, rank) that stands for the run, `ranked` if it has ranks only.
    `settings` are conventions to score it under. With `only` the value of all other queries stays as it stands, and
    only these are scored.
    """

    label: str
    merge: str | None = None
    keep: str | None = None
    rows: str | None = None
    ranked: bool | None = None
    settings: Settings | None = None
    pool: bool = False
    only: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a kind's look at the data returns: where, how often, and the words that its sentence needs.

    `queries` restricts the measured effect to some queries; `variants` are data to score instead; `unknown` and
    `none` say why nothing was measured. `option` replaces the kind's own where that depends on the data. What does not
    `stand` has no value of its own: its alternatives are compared with each other.
    """

    count: int
    of: int | None = None
    subject: str | None = None
    words: Mapping[str, Any] | None = None
    examples: tuple[Example, ...] = ()
    queries: frozenset[str] | None = None
    variants: tuple[Variant, ...] = ()
    unknown: str | None = None
    none: str | None = None
    option: str | None = None
    stands: bool = True


@dataclass(frozen=True, slots=True)
class Kind:
    """The declaration of one kind of finding.

    `sentence` is filled with the count, the total and the words of what was found. `settings` are the conventions
    under which the run is scored again to measure the effect (`apart`: compared with each other, not with the value as
    it stands); `unknown` and `none` say why there is nothing to measure. `option` is what settles it; `explanation`
    says in one sentence why it matters.
    """

    code: str
    weight: Weight
    sentence: str
    explanation: str
    option: str
    look: Callable[[Data], Iterable[Found]]
    settings: tuple[Settings, ...] = ()
    unknown: str | None = None
    none: str | None = None
    apart: bool = False
