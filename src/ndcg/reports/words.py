"""Declarations and policies in words, from the declared conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..counted import counted_noun as counted_noun
from ..counted import first_ranks as first_ranks
from ..errors import NdcgError
from ..measures.convention import Value, number_text, split_parameter
from ..measures.conventions import CONVENTIONS
from ..measures.nearest import nearest
from ..measures.registry import family_named, parse

MAIN = ("gain", "ideal", "ties", "unjudged", "empty", "missing")
"""The conventions that every output names, whatever their values."""

TREATED = {"exclude": "left out", "ignore": "never scored", "zero": "count 0", "one": "count 1"}
"""What a policy does to a query, in words."""


def plain(value: object) -> str:
    """The value of a convention as people write it."""
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{grade}: {plain(gain)}" for grade, gain in value.items()) + "}"
    if isinstance(value, float):
        return number_text(value)
    return str(value)


def main_line(declaration: Mapping[str, object]) -> str:
    """Every option of the measure and the main conventions in one line: `p 0.8, rel 1, ties docid, ...`.

    An option that the judgments decided is shown with the value that it took.
    """
    resolved = declaration.get("resolved")
    taken = resolved if isinstance(resolved, Mapping) else {}
    parts = [
        f"{name} {plain(taken[name])} (from the judgments)" if name in taken else f"{name} {plain(declaration[name])}"
        for name in options_of(declaration)
    ]
    return ", ".join([*parts, *(f"{name} {plain(declaration[name])}" for name in MAIN if name in declaration)])


def options_of(declaration: Mapping[str, object]) -> list[str]:
    """The options of a declared measure; the one that `@` sets is left out, since the measure's name shows it."""
    own = str(declaration.get("measure", ""))
    shown = ("measure", "k", "resolved", shown_by_at(own))
    return [name for name in declaration if name not in shown and name not in CONVENTIONS]


def defaults_of(name: str) -> dict[str, Value]:
    """The defaults of a measure's conventions and options; the package's own for an unknown measure."""
    found: dict[str, Value] = {convention.name: convention.default for convention in CONVENTIONS.values()}
    try:
        family = family_named(name)
    except NdcgError:
        return found
    return {**found, **family.defaults, **{option.name: option.default for option in family.options}}


def shown_by_at(name: str) -> str:
    """The option that `@` sets, which the name of the measure shows anyway."""
    try:
        return family_named(name).at
    except NdcgError:
        return "k"


def sentence(name: str, value: object) -> str:
    """What a value of a convention means."""
    convention = CONVENTIONS.get(name)
    if convention is None:
        return ""
    if isinstance(value, str) and value not in convention.choices:
        value = split_parameter(value)[0] if "(" in value else value
    if isinstance(value, str) and value in convention.choices:
        return convention.choices[value]
    if isinstance(value, Mapping):
        return f"{convention.sentence}, by a table"
    return convention.sentence


def differences(declaration: Mapping[str, object]) -> list[str]:
    """A sentence for each convention or option that differs from its default."""
    defaults = defaults_of(str(declaration.get("measure", "")))
    shown = shown_by_at(str(declaration.get("measure", "")))
    found = []
    for name, value in declaration.items():
        if name in ("measure", "k", "resolved", shown) or (name in defaults and value == defaults[name]):
            continue
        meaning = sentence(name, value)
        found.append(f"{name} {plain(value)}" + (f": {meaning}" if meaning else ""))
    return found


def treatment(declaration: Mapping[str, object], status: str) -> str:
    """How queries of a status were treated: `count 0`, `left out`."""
    policy = declaration.get("unjudged_query" if status == "unjudged" else status)
    if policy is None:
        return "never scored" if status in ("unjudged", "failed") else "counted"
    return TREATED.get(str(policy), str(policy))


def decimals(value: float | None, places: int = 4, *, none: str = "none") -> str:
    """A value as it is printed: four decimals, `none` (or another word) where there is none.

    >>> decimals(0.66849), decimals(None), decimals(None, none="-")
    ('0.6685', 'none', '-')
    """
    return none if value is None else f"{value:.{places}f}"


def signed(number: float | None, places: int = 4) -> str:
    """A difference with its sign; `none` where there is none.

    >>> signed(0.0123), signed(0.0)
    ('+0.0123', '0.0000')
    """
    if number is None:
        return "none"
    text = f"{number:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def grade_text(grade: float | None) -> str:
    """A grade as people write it, `-` for an unjudged document."""
    return "-" if grade is None else number_text(grade)


def nearest_sentences(measures: Iterable[str]) -> tuple[str, ...]:
    """For each measure the nearest dialect of another tool, and the conventions that differ from it."""
    wanted = list(dict.fromkeys(measures))
    found = []
    for text in wanted:
        try:
            near = nearest(parse(text))
        except NdcgError:
            continue  # a measure of a later version, from a saved result
        if near is not None:
            found.append(f"{text}: {near.sentence}" if len(wanted) > 1 else near.sentence)
    return tuple(found)
