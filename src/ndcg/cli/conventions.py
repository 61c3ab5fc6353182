"""Options for every convention, made from the declarations: names, values, defaults and help."""

from __future__ import annotations

import argparse
from typing import Any

from ..measures.conventions import CONVENTIONS, Convention
from ..measures.notation import take_apart


def add_conventions(parser: argparse.ArgumentParser) -> None:
    """One option per convention."""
    group = parser.add_argument_group(
        "conventions",
        "they hold for every measure of the call; `ndcg measures nDCG` says what each value means",
    )
    for convention in CONVENTIONS.values():
        option = f"--{convention.name.replace('_', '-')}"
        names = [option] if "_" not in convention.name else [option, f"--{convention.name}"]
        group.add_argument(
            *names,
            dest=f"convention_{convention.name}",
            default=argparse.SUPPRESS,
            metavar="VALUE",
            help=f"{convention.sentence}: {values_text(convention)}".replace("%", "%%"),
        )


def values_text(convention: Convention) -> str:
    """The values of a convention, the default first."""
    if convention.number:
        return "a number (default: none)"
    shown = [f"{name}(b)" if name in convention.parametric else name for name in convention.choices]
    if convention.table:
        shown.append('a table such as "{1: 1, 2: 3}"')
    return f"{shown[0]} (default){''.join(f', {name}' for name in shown[1:])}"


def given_conventions(parsed: argparse.Namespace) -> dict[str, Any]:
    """The conventions that were given, by name; gain tables are taken apart."""
    found: dict[str, Any] = {}
    for name in CONVENTIONS:
        key = f"convention_{name}"
        if hasattr(parsed, key):
            text = getattr(parsed, key)
            found[name] = take_apart(f"nDCG({name}={text})").options[name] if text.startswith("{") else text
    return found
