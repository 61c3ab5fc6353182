"""The conventions of a measure: one resolved value for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import UsageError, choose
from .convention import Value, number_text
from .conventions import CONVENTIONS, DEFAULTS


@dataclass(frozen=True, slots=True)
class Conventions:
    """One resolved value for every convention. Frozen and hashable."""

    values: tuple[tuple[str, Value], ...]
    _named: Mapping[str, Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the values found by name."""
        object.__setattr__(self, "_named", dict(self.values))

    @classmethod
    def of(cls, given: Mapping[str, object], defaults: Mapping[str, Value] | None = None) -> Conventions:
        """Resolve `given` over `defaults` over the package's own defaults.

        Raises UsageError for an unknown name or value, and where two values contradict each other.
        """
        for name in given:
            if name not in CONVENTIONS:
                raise choose("convention", name, list(CONVENTIONS))
        values = {**DEFAULTS, **(defaults or {})}
        for name, value in given.items():
            values[name] = CONVENTIONS[name].resolve(value)
        if values["negative"] == "keep" and values["gain"] != "linear":
            raise UsageError(
                "negative='keep' needs gain='linear': a negative grade has no meaning under another gain",
                code="contradiction",
                hint="use gain='linear' or negative='clamp'",
            )
        if values["ties"] == "shared" and values["unjudged_grade"] is not None:
            raise UsageError(
                "ties='shared' gives only judged documents their shared rank; it cannot be had with unjudged_grade",
                code="contradiction",
                hint="leave one of them out",
            )
        if values["minus_infinity"] == "unretrieved" and values["unjudged_grade"] is not None:
            raise UsageError(
                "minus_infinity='unretrieved' knows the scores of judged documents only; it cannot be had with "
                "unjudged_grade",
                code="contradiction",
                hint="leave one of them out",
            )
        if values["duplicates"] in ("merged", "joined"):
            _check_pool_of_repeats(values)
        return cls(tuple(values.items()))

    def __getitem__(self, name: str) -> Value:
        return self._named[name]

    def text(self, name: str) -> str:
        """The value of a convention that is always a word."""
        value = self[name]
        assert isinstance(value, str)
        return value

    def replace(self, **given: object) -> Conventions:
        """The same conventions with some values changed."""
        return Conventions.of({**dict(self.values), **given})

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON: gain tables become {grade text: gain}."""
        return {
            name: {number_text(grade): gain for grade, gain in value} if isinstance(value, tuple) else value
            for name, value in self.values
        }


def _check_pool_of_repeats(values: Mapping[str, Value]) -> None:
    """Refuse what repeats in the ideal pool do not define: an ideal that is no such pool, ranks that are shared."""
    known: dict[str, tuple[Value, ...]] = {"ideal": ("judged", "candidates")}
    if values["duplicates"] == "joined":
        known.update(ties=("docid", "docid_desc", "given"), unjudged_grade=(None,))
    for name, fitting in known.items():
        if values[name] not in fitting:
            words = ", ".join("none" if value is None else str(value) for value in fitting)
            raise UsageError(
                f"duplicates={values['duplicates']!r} is not defined with {name}={values[name]!r}, only with {words}",
                code="contradiction",
                hint="use duplicates='count'",
            )
