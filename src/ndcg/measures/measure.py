"""A measure as a value: family, cutoff and every convention, immutable and hashable."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, SupportsIndex, cast

from ..errors import ArgumentError, UsageError
from .convention import Value, number_text
from .conventions import CONVENTIONS, DEFAULTS
from .resolved import Conventions

if TYPE_CHECKING:
    from ..aggregate import Aggregate
    from ..kernel.batch import Batch, Computed, Judged


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one family beside the conventions, e.g. `rel`, the least grade that counts as relevant."""

    name: str
    default: Value
    sentence: str
    resolve: Callable[[object], Value]


@dataclass(frozen=True)
class Family:
    """One kind of measure, declared once: name, explanation, formula, source, options and how it is computed.

    Calling a family makes a measure: `nDCG(k=10, gain='linear')`. `fits` says when to use it, `instead` when another
    measure fits better. `conventions` names the conventions that it obeys. `cutoff` is 'optional', 'required' or
    'none'. `whole_list` says that it reads below its cutoff too; `always_defined` that it is a count, which has a value
    for every judged query whatever its status. `at` is what `@` sets: the cutoff, or the option of that name (a recall
    level). `aggregate` says how the values of queries become one. `refuses` lists values of conventions under which the
    measure has no exact definition. `resolved` gives the value of each option that is left to the data.
    """

    name: str
    title: str
    formula: str
    explanation: str
    source: str
    range: str
    fits: str
    instead: str
    compute: Callable[[Batch, Measure], Computed] = field(repr=False)
    conventions: tuple[str, ...] = tuple(CONVENTIONS)
    defaults: Mapping[str, Value] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    aliases: tuple[str, ...] = ()
    cutoff: str = "optional"
    default_cutoff: int | None = None
    whole_list: bool = False
    always_defined: bool = False
    at: str = "k"
    aggregate: Aggregate = "mean"
    refuses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resolved: Callable[[Judged, Measure], Mapping[str, float]] | None = field(default=None, repr=False)

    def __call__(self, /, k: int | None = None, **options: object) -> Measure:
        """The measure with this cutoff and these conventions; every other convention has its default."""
        return make(self, k, options)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        """Copied and pickled by name: a family is one object in a process, and so are the functions it holds."""
        from .registry import family_named

        return family_named, (self.name,)

    @property
    def __signature__(self) -> inspect.Signature:
        parameter = inspect.Parameter
        names = [(self.at, self.default_cutoff, parameter.POSITIONAL_OR_KEYWORD)]
        options = [option for option in self.options if option.name != self.at]
        words: list[tuple[str, object]] = [(option.name, option.default) for option in options]
        words += [(name, self.defaults.get(name, DEFAULTS[name])) for name in self.conventions]
        return inspect.Signature(
            [parameter(name, kind, default=default) for name, default, kind in names]
            + [parameter(name, parameter.KEYWORD_ONLY, default=default) for name, default in words]
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with all its conventions resolved.

    Two measures are equal when family, cutoff and all resolved conventions are equal, whatever was typed.
    `str(measure)` is the shortest text that parses back to an equal measure. `asked` is the name of trec_eval's by
    which it was asked for.

    >>> from ndcg import nDCG, parse
    >>> str(nDCG(k=10, gain="linear"))
    "nDCG(gain='linear')@10"
    >>> parse("nDCG(gain='linear')@10") == nDCG(k=10, gain="jarvelin")
    True
    """

    family: Family
    k: int | None
    conventions: Conventions
    options: tuple[tuple[str, Value], ...] = ()
    dialect: str | None = field(default=None, compare=False)
    asked: str | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def edition(self) -> int:
        """The edition of the definition this measure is computed under."""
        value = self.conventions["edition"]
        assert isinstance(value, int)
        return value

    def __getitem__(self, name: str) -> Value:
        """The value of a convention or an option."""
        for known, value in self.options:
            if known == name:
                return value
        return self.conventions[name]

    def __str__(self) -> str:
        shown = [f"{name}={_shown(value)}" for name, value in self._written().items()]
        inner = f"({', '.join(shown)})" if shown else ""
        at = self.k if self.family.at == "k" else self[self.family.at]
        cutoff = "" if at is None else f"@{number_text(at)}" if isinstance(at, float) else f"@{at}"
        return f"{self.name}{inner}{cutoff}"

    def __repr__(self) -> str:
        return str(self)

    def _written(self) -> dict[str, Value]:
        """What stands in parentheses: the dialect that was asked for and what differs from it, else `changed`."""
        if self.dialect is None:
            return self.changed()
        at = self.family.at
        level = {} if at == "k" else {at: self[at]}
        plain = make(self.family, self.k or None, {"dialect": self.dialect, **level})
        differing = {name: value for name, value in self.options if value != plain[name]}
        for name in self.family.conventions:
            if self.conventions[name] != plain.conventions[name]:
                differing[name] = self.conventions[name]
        return {"dialect": self.dialect, **differing}

    def changed(self) -> dict[str, Value]:
        """The options and conventions that differ from the family's defaults."""
        family = self.family
        differing = {
            option.name: self[option.name]
            for option in family.options
            if option.name != family.at and self[option.name] != option.default
        }
        for name in family.conventions:
            if self.conventions[name] != family.defaults.get(name, DEFAULTS[name]):
                differing[name] = self.conventions[name]
        return differing

    def declaration(self) -> dict[str, object]:
        """Everything this measure is computed under, as plain data: measure, k, options and conventions."""
        conventions = self.conventions.as_dict()
        return {
            "measure": self.name,
            "k": self.k,
            **dict(self.options),
            **{name: conventions[name] for name in self.family.conventions},
        }

    def declared_on(self, judged: Judged) -> dict[str, object]:
        """The declaration, and under `resolved` the values of the options that the judgments decide."""
        found = self.family.resolved(judged, self) if self.family.resolved is not None else {}
        return {**self.declaration(), **({"resolved": dict(found)} if found else {})}

    def read_as(self) -> str | None:
        """Of a measure asked for by a name of trec_eval's: how it is read, and what has trec_eval's own number.

        None for every other measure, and where this one has that number.
        """
        if self.asked is None:
            return None
        from .trec_names import own

        theirs = make(self.family, self.k, {**dict(self.options), **own(self.asked)})
        if theirs == self:
            return None
        return f"{self.asked} is read as {self} under the conventions shown; trec_eval's own number is {theirs}"

    def with_conventions(self, given: Mapping[str, object]) -> Measure:
        """The same measure under other conventions; those that the family does not take are left out."""
        taken = {name: value for name, value in given.items() if name in self.family.conventions}
        merged = {**{name: self.conventions[name] for name in self.family.conventions}, **taken}
        dialect = {} if self.dialect is None else {"dialect": self.dialect}
        return replace(make(self.family, self.k, {**dict(self.options), **dialect, **merged}), asked=self.asked)


def _judged_only(family: Family, given: Mapping[str, object]) -> dict[str, object]:
    """The options with ir_measures' `judged_only` in the words of the convention `unjudged`."""
    named = dict(given)
    if "judged_only" in named and "unjudged" in family.conventions:
        flag = named.pop("judged_only")
        if str(flag) not in ("True", "False") or "unjudged" in named:
            raise UsageError(
                f"judged_only={flag!r} is not true or false, or stands beside unjudged=",
                code="contradiction",
                hint="judged_only=true is unjudged='skip'",
            )
        named["unjudged"] = "skip" if str(flag) == "True" else "zero"
    return named


def _check_refused(family: Family, conventions: Conventions) -> None:
    """Refuse a convention under which the measure has no exact definition."""
    for name, refused in family.refuses.items():
        if conventions[name] in refused:
            choices = [choice for choice in CONVENTIONS[name].choices if choice not in refused]
            raise UsageError(
                f"{family.name} is not defined under {name}={conventions[name]!r}; choose from {', '.join(choices)}",
                code="refused_convention",
            )


def make(family: Family, k: object, given: Mapping[str, object]) -> Measure:
    """A measure of `family`; raises UsageError for a wrong cutoff or value, ArgumentError for an unknown option."""
    given = _judged_only(family, given)
    dialect = None
    if "dialect" in given:
        dialect, k, given = _with_dialect(family, k, given)
    own = {option.name: option for option in family.options}
    if family.at != "k":
        given, k = _with_level(family, k, given), None
    known = [*own, *family.conventions]
    for name in given:
        if name not in known:
            raise unknown_option(
                family.name, name, [*(["k"] if family.cutoff != "none" and family.at == "k" else []), *known]
            )
    options = tuple(
        (name, option.resolve(given[name]) if name in given else option.default) for name, option in own.items()
    )
    conventions = Conventions.of({name: value for name, value in given.items() if name not in own}, family.defaults)
    _check_refused(family, conventions)
    rank = None if family.at != "k" else cutoff(family, k, conventions)
    return Measure(family, rank, conventions, options, dialect)


def _with_dialect(family: Family, k: object, given: dict[str, object]) -> tuple[str, object, dict[str, object]]:
    """The dialect's name with its version, its cutoff where none is given, and its conventions under the options.

    A convention that the family sets for itself (CG: no discount) or does not take stays as it is, and so do repeats
    where the family has each document once.
    """
    from .dialects import dialect_named

    dialect = dialect_named(given["dialect"])
    own = {
        name: value
        for name, value in dialect.conventions.items()
        if name in family.conventions and name not in family.defaults
    }
    if own.get("duplicates") in family.refuses.get("duplicates", ()):
        del own["duplicates"]
    if k is None and family.at == "k" and family.cutoff != "none":
        k = dialect.cutoff
    return dialect.name, k, {**own, **{name: value for name, value in given.items() if name != "dialect"}}


def _with_level(family: Family, level: object, given: dict[str, object]) -> dict[str, object]:
    """The options with the one that `@` sets."""
    if level is not None and given.get(family.at) is not None:
        raise UsageError(f"{family.name}: {family.at} is given twice", code="cutoff")
    if level is None and given.get(family.at) is None:
        raise UsageError(f"{family.name} needs its {family.at}, such as {family.name}@0.1", code="cutoff")
    return given if level is None else {**given, family.at: level}


def unknown_option(taker: str, name: str, known: list[str]) -> ArgumentError:
    """The error for an option that a measure, or a function that scores, does not take; `known` are those it takes."""
    from difflib import get_close_matches

    if name == "dialect":
        return ArgumentError(
            f"{taker} takes no option 'dialect': a dialect belongs in the measure",
            code="unknown_option",
            hint="for example \"nDCG(dialect='sklearn')@10\"",
        )
    near = get_close_matches(name, known, n=1)
    hint = _belongs(taker, name) or (f"did you mean {near[0]!r}?" if near else None)
    return ArgumentError(
        f"{taker} takes no option {name!r}; it takes {', '.join(known)}", code="unknown_option", hint=hint
    )


def _belongs(taker: str, name: str) -> str | None:
    """Where an option belongs that some measure takes and the taker does not."""
    from .registry import FAMILIES

    measures = taker in FAMILIES
    if name == "k":
        return None if measures else "k belongs in the measure, such as 'nDCG@5'"
    for family in FAMILIES.values():
        for option in family.options:
            if option.name == name:
                cutoff = "@10" if family.cutoff == "required" and family.at == "k" else ""
                value = number_text(option.default) if isinstance(option.default, float) else str(option.default)
                example = f"'{family.name}@0.1'" if family.at == name else f"'{family.name}({name}={value}){cutoff}'"
                return f"{family.name} does: {example}" if measures else f"{name} belongs in the measure: {example}"
    return None


LARGEST_CUTOFF = 2**31 - 1


def cutoff(family: Family, k: object, conventions: Conventions) -> int | None:
    """A valid cutoff: None for the whole list, else a whole number of at least 1; 0 where a habit allows it."""
    if k is None:
        if family.cutoff == "required":
            raise UsageError(f"{family.name} needs a cutoff, such as {family.name}@10", code="cutoff")
        return family.default_cutoff
    if family.cutoff == "none":
        raise UsageError(f"{family.name} takes no cutoff, found k={k!r}", code="cutoff")
    try:
        number = operator.index(cast(SupportsIndex, k))
    except TypeError:
        number = None
    if number is None or isinstance(k, bool):
        raise UsageError(f"k must be a whole number of at least 1, found k={k!r}", code="cutoff")
    if number == 0 and conventions["cutoff_zero"] != "error":
        return None if conventions["cutoff_zero"] == "whole" else 0
    if number < 1:
        raise UsageError(f"k must be at least 1, found k={k!r}", code="cutoff")
    if number > LARGEST_CUTOFF:
        raise UsageError(
            f"k={k!r} is longer than any list", code="cutoff", hint=f"leave it out for the whole list: {family.name}"
        )
    return number


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{number_text(grade)}: {number_text(gain)}" for grade, gain in value) + "}"
    if isinstance(value, float):
        return number_text(value)
    return repr(value)
