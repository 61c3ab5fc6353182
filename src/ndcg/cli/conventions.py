"""Options for every convention, made from the declarations: names, values, defaults and help."""

from __future__ import annotations

import argparse
from typing import Any

from ..measures.convention import Convention
from ..measures.conventions import CONVENTIONS
from ..measures.notation import take_apart


def add_conventions(parser: argparse.ArgumentParser) -> None:
    """One option per convention; those that only reproduce other tools stand last."""
    plain = parser.add_argument_group(
        "conventions",
        "they hold for every measure of the call; `ndcg measures nDCG` says what each value means",
    )
    habits = parser.add_argument_group(
        "habits of other tools", "they only reproduce the numbers of another tool; the default is never one"
    )
    for convention in CONVENTIONS.values():
        others = list(convention.choices)[1:]
        only_habits = bool(others) and all(choice in convention.habits for choice in others)
        text = f"{convention.sentence}: {values_text(convention, only_habits)}".replace("%", "%%")
        spellings = {f"--{convention.name.replace('_', '-')}": text, f"--{convention.name}": argparse.SUPPRESS}
        if "_" not in convention.name:
            spellings = {f"--{convention.name}": text}
        for option, shown in spellings.items():
            (habits if only_habits else plain).add_argument(
                option,
                dest=f"convention_{convention.name}",
                default=argparse.SUPPRESS,
                metavar="VALUE",
                help=shown,
            )


def values_text(convention: Convention, habits: bool) -> str:
    """The values of a convention, the default first; habits only where there is nothing else."""
    if convention.number:
        return "a number (default: none)"
    shown = [written(convention, name) for name in convention.choices if habits or name not in convention.habits]
    if convention.table:
        shown.append('a table such as "{1: 1, 2: 3}"')
    return f"{shown[0]} (default){''.join(f', {name}' for name in shown[1:])}"


def written(convention: Convention, choice: str) -> str:
    """A value as it is typed, with its number where it takes one."""
    if choice in convention.parametric:
        return f"{choice}(b)"
    return f"{choice}(2)" if choice in convention.places else choice


def given_conventions(parsed: argparse.Namespace) -> dict[str, Any]:
    """The conventions that were given, by name; gain tables are taken apart."""
    found: dict[str, Any] = {}
    for name in CONVENTIONS:
        key = f"convention_{name}"
        if hasattr(parsed, key):
            text = getattr(parsed, key)
            found[name] = take_apart(f"nDCG({name}={text})").options[name] if text.startswith("{") else text
    return found
