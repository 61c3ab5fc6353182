"""Measures and their conventions as text and as plain data, from the declarations."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..measures.conventions import CONVENTIONS
from .layout import WIDTH, block
from .words import plain

if TYPE_CHECKING:
    from ..measures.measure import Family

HOW = {"optional": "NAME or NAME@{at}", "required": "NAME@{at}", "none": "NAME"}


def overview_text(families: Sequence[Family]) -> str:
    """All measures in a few lines each."""
    lines = []
    for family in families:
        lines.append(f"{family.name}: {family.title}")
        lines += block("  formula", [family.formula])
        lines += block("  range", [family.range])
        lines += block("  fits", [family.fits])
        lines += block("  instead", [family.instead])
        lines.append("")
    lines.append("ndcg measures NAME lists the conventions of a measure with their values.")
    return "\n".join(lines)


def written(family: Family) -> str:
    """How a measure is written: `nDCG or nDCG@k`."""
    return HOW[family.cutoff].replace("NAME", family.name).replace("{at}", family.at)


def family_text(family: Family) -> str:
    """One measure in full."""
    lines = [f"{family.name}: {family.title}", "", *block("", [family.explanation])]
    lines += block("formula", [family.formula])
    lines += block("range", [family.range])
    lines += block("written", [written(family)])
    if family.aliases:
        lines += block("also", [", ".join(family.aliases)])
    lines += block("fits", [family.fits])
    lines += block("instead", [family.instead])
    lines += block("source", [family.source])
    if family.options:
        lines += ["", "options"]
        for option in family.options:
            lines += block(f"  {option.name}", [f"{option.sentence} (default: {plain(option.default)})"])
    lines += ["", "conventions (the default is marked with *)"]
    for name in family.conventions:
        convention = CONVENTIONS[name]
        default = default_of(family, name)
        lines.append(f"  {name}: {convention.sentence}")
        for choice, sentence in convention.choices.items():
            shown = "none" if choice == "absent" else choice
            if choice in convention.parametric:
                shown = f"{choice}(b)"
            elif choice in convention.places:
                shown = f"{choice}(2)"
            if choice in convention.habits:
                sentence = f"{sentence} [habit of another tool]"
            mark = "*" if shown == plain(default) else " "
            lines += _choice(mark, shown, sentence)
        if convention.table:
            lines += _choice(" ", "{grade: gain}", "a table such as {1: 1, 2: 3}")
    return "\n".join(lines)


def _choice(mark: str, shown: str, sentence: str) -> list[str]:
    return textwrap.wrap(f"{shown}: {sentence}", WIDTH, initial_indent=f"    {mark} ", subsequent_indent=" " * 8)


def default_of(family: Family, name: str) -> object:
    """The default of a convention in a family."""
    return family.defaults.get(name, CONVENTIONS[name].default)


def as_document(families: Sequence[Family]) -> dict[str, object]:
    """The declarations as plain data."""
    return {"measures": [_family_data(family) for family in families]}


def _family_data(family: Family) -> Mapping[str, object]:
    return {
        "name": family.name,
        "title": family.title,
        "formula": family.formula,
        "explanation": family.explanation,
        "range": family.range,
        "fits": family.fits,
        "instead": family.instead,
        "source": family.source,
        "aliases": list(family.aliases),
        "cutoff": family.cutoff,
        "at": family.at,
        "aggregate": family.aggregate,
        "options": [
            {"name": option.name, "sentence": option.sentence, "default": option.default} for option in family.options
        ],
        "conventions": [
            {
                "name": name,
                "sentence": CONVENTIONS[name].sentence,
                "values": {
                    "none" if choice == "absent" else choice: sentence
                    for choice, sentence in CONVENTIONS[name].choices.items()
                },
                "habits": [choice for choice in CONVENTIONS[name].choices if choice in CONVENTIONS[name].habits],
                "default": default_of(family, name),
                "table": CONVENTIONS[name].table,
                "number": CONVENTIONS[name].number,
            }
            for name in family.conventions
        ],
    }
