"""The README is true: its examples run, its table is that of the declarations, its commands are there."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

from ndcg.measures.conventions import CONVENTIONS

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
START, END = "<!-- conventions -->\n", "<!-- /conventions -->"


def table() -> str:
    """The table of conventions, from the declarations; habits of other tools are left to their own page."""
    lines = ["| convention | what it says | values |", "| --- | --- | --- |"]
    lines.append("| `k` | how many ranks count | none = the whole list; a whole number of at least 1 |")
    for convention in CONVENTIONS.values():
        own = [choice for choice in convention.choices if choice not in convention.habits]
        if convention.name == "edition" or (len(own) == 1 and not convention.number):
            continue
        shown = [
            "none" if choice == "absent" else f"`{choice}(b)`" if choice in convention.parametric else f"`{choice}`"
            for choice in own
        ]
        if convention.table:
            shown.append("a table `{grade: gain}`")
        if convention.number:
            shown.append("a number")
        lines.append(f"| `{convention.name}` | {convention.sentence} | {', '.join(shown)} |")
    return "\n".join(lines) + "\n"


def test_the_table_is_that_of_the_declarations():
    text = README.read_text(encoding="utf-8")
    start, end = text.index(START) + len(START), text.index(END)
    if os.environ.get("NDCG_REGENERATE"):
        README.write_text(text[:start] + table() + text[end:], encoding="utf-8")
        return
    assert text[start:end] == table(), "run this test with NDCG_REGENERATE=1"


def test_examples_run():
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 8 and failed == 0


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_make_targets_are_there():
    rules = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"demo", "test"} <= set(rules)
