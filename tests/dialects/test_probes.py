"""Every number that a tool was seen to give is given by its dialect, or listed with the reason why not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from dialects.replaying import misses, probes
from dialects.variants import VARIANTS

EXCEPTIONS: dict[tuple[str, str], str] = {
    (probe, name): reason
    for reason, listed in json.loads((Path(__file__).parent / "exceptions.json").read_text("utf-8")).items()
    for probe, names in listed.items()
    for name in names
}
"""(probe, tool variant) -> why the number is not given: undefined, random or crashing behaviour of the tool."""

REPRODUCED = 3964
"""How many of the tools' answers with a number in them the dialects give."""


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_tool(name):
    found = []
    for at, probe in enumerate(probes()):
        if name not in probe["expected"]:
            continue
        _, missed = misses(name, at)
        reason = EXCEPTIONS.get((probe["name"], name))
        if missed and reason is None:
            found.append(f"{probe['name']}: {'; '.join(missed)}")
        if not missed and reason is not None:
            found.append(f"{probe['name']}: is listed as an exception ({reason}) but agrees")
    assert not found, "\n".join(found)


def test_every_tool_of_the_probes_has_a_dialect():
    named = {name for probe in probes() for name in probe["expected"]}
    assert named == set(VARIANTS) & named
    assert {name for _, name in EXCEPTIONS} <= named


def test_counts():
    counts = Counter(
        "excepted" if (probe["name"], name) in EXCEPTIONS else "reproduced"
        for at, probe in enumerate(probes())
        for name in probe["expected"]
        if misses(name, at)[0]
    )
    assert counts == {"reproduced": REPRODUCED, "excepted": len(EXCEPTIONS)}
