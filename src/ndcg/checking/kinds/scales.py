"""Grades on different scales in one set of judgments: of a judge, a file, a time or a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...readers.source import Scanned
from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..judgment_facts import Group, JudgmentFacts
from ..words import some

CHANCE = 1e-6
"""How unlikely it must be that a group gives no grade above 1 where the others would."""

FACTOR = 8
"""How far apart the largest grades of two groups must be for two scales, such as 0-100 beside 0-3."""

FEW = 3
"""Judgments below which a group shows no scale."""

BEYOND = 10
"""A grade of a scale such as 0-100 is at least this."""


def odd_groups(groups: Sequence[Group], chance: float = CHANCE) -> tuple[list[Group], str] | None:
    """The groups on another scale than the rest, and how theirs differs; None where all are alike.

    0-1 beside 0-3: a group never goes above 1, and if its positive grades were like those of the rest, that would
    happen with a probability below `chance`. 0-100 beside 0-3: largest grades that are far apart.
    """
    large = sorted(groups, key=lambda group: group.largest)
    for at in range(1, len(large)):
        low, high = large[at - 1].largest, large[at].largest
        if high >= BEYOND and low > 0 and high >= FACTOR * low:
            fewer, _ = sorted((large[:at], large[at:]), key=lambda side: sum(group.rows for group in side))
            if sum(group.rows for group in fewer) < FEW:
                continue
            least, most = min(g.least for g in fewer), max(g.largest for g in fewer)
            return fewer, f"uses grades from {least:g} to {most:g}"
    positive, above = sum(group.positive for group in groups), sum(group.above_one for group in groups)
    odd = []
    for group in groups:
        others = positive - group.positive
        if group.largest == 1 and others and group.positive:
            # One more of each kind: a few judgments of the others say little about their scale.
            share = 1 - (above - group.above_one + 1) / (others + 2)
            if share**group.positive < chance:
                odd.append(group)
    if odd and len(odd) < len(groups):
        rest = max(group.largest for group in groups)
        return odd, f"never goes above 1, the rest goes to {rest:g}"
    return None


def _looks(data: Data) -> Iterator[tuple[str, str, str, list[str]]]:
    """(noun, table, column in SQL, names of its values where they are numbers) of what may have a scale of its own."""
    assert data.judged is not None
    judged = data.judged
    files = [part.name for part in judged.source.parts] if isinstance(judged.source, Scanned) else []
    if data.judges and data.extra:
        yield "judge", data.extra, "judge", []
    if len(files) > 1:
        yield "file", judged.loaded.table, "part", files
    if data.dates and data.extra:
        yield "month", data.extra, "strftime(moment, '%Y-%m')", []
    yield "query", judged.loaded.table, "query", []


def _mixed(data: Data) -> Iterator[Found]:
    if data.judged is None:
        return
    for noun, table, by, files in _looks(data):
        # Queries do differ in what there is to find: only scales that are far apart count there.
        found = odd_groups(data.judged.groups(table, by), chance=0.0 if noun == "query" else CHANCE)
        if found is not None:
            yield _found(data.judged, noun, table, by, files, *found)
            return


def _found(
    judged: JudgmentFacts, noun: str, table: str, by: str, files: Sequence[str], odd: Sequence[Group], how: str
) -> Found:
    names = [files[int(group.name)] if files else group.name for group in odd]
    many = "queries" if noun == "query" else f"{noun}s"
    several = len(odd) > 1
    rows = sum(group.rows for group in odd)
    words = {
        "who": some(len(odd), noun, many) if several else f"{noun} {names[0]!r}",
        "how": how.replace("uses", "use").replace("goes above", "go above") if several else how,
        "rows": some(rows, "judgment"),
    }
    shown = list(zip(names, odd, strict=True))[:SHOWN]
    examples = tuple(
        Example(
            name if noun == "query" else None,
            what=f"{'' if noun == 'query' else f'{noun} {name}: '}{some(group.rows, 'judgment')} "
            f"from {group.least:g} to {group.largest:g}",
        )
        for name, group in shown
    )
    listed = ", ".join("'" + group.name.replace("'", "''") + "'" for group in odd)
    keep = f"{by}::varchar not in ({listed})"
    if table != judged.loaded.table:
        keep = f"(query, doc, number) in (select (query, doc, number) from {table} where {keep})"
    variant = Variant(f"without the judgments of {'those ' + many if several else 'that ' + noun}", keep=keep)
    return Found(rows, judged.loaded.rows, None, words, examples, variants=(variant,))


KINDS = (
    Kind(
        "mixed_scales",
        Weight.DOUBT,
        "grades on two scales: {who} {how} ({rows})",
        "A 1 that means 'relevant' is not the 1 that means 'related': gains of the two are not comparable.",
        "bring all grades to one scale before scoring",
        _mixed,
    ),
)
