"""Weighted means and slices of a comparison: cells and sentences that all its renderers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import clip
from .compare_words import ends
from .layout import shown_id
from .slices import AGAINST, FEW, percent, traffic_text
from .words import counted_noun, decimals, signed

if TYPE_CHECKING:
    from ..compared import Comparison, Pair, Side
    from ..comparison.leaderboard import Leaderboard
    from ..comparison.slices import SliceDifference


MOST = 8
"""How many sentences about traffic are shown."""


def effective_text(number: float | None) -> str:
    """An effective number of queries."""
    return "none" if number is None else f"{number:,.1f}"


def weighted_note(pair: Pair) -> str | None:
    """What the weighted difference stands on; None without weights."""
    side = pair.weighted
    if side is None:
        return None
    if side.effective is None:
        return f"the {counted_noun(side.queries, 'query', 'queries')} that are compared weigh 0"
    n = side.interval.n if side.interval is not None else side.queries
    some = "" if n == side.queries else f", {n:,} of them with a weight above 0,"
    return (
        f"the verdict is of the macro mean; the {counted_noun(side.queries, 'query', 'queries')} of the weighted "
        f"difference{some} tell as much as {effective_text(side.effective)} of equal weight"
    )


WEIGHTED_HEADER = ("value", "difference", "interval", "effective")


def weighted_cells(side: Side | None) -> list[str]:
    """Weighted mean of the new system, weighted difference, interval, and effective number of queries."""
    if side is None:
        return ["none"] * len(WEIGHTED_HEADER)
    return [decimals(side.new), signed(side.difference), ends(side.interval), effective_text(side.effective)]


def board_weights(board: Leaderboard, comparison: Comparison) -> str | None:
    """How the weighted means of a leaderboard stand to its places; None without weights."""
    if not comparison.settings.weighted:
        return None
    if board.effective is None:
        return "the queries of the leaderboard weigh 0: there is no weighted mean"
    best = board.weighted_best
    return (
        "places and groups are by the macro mean; by weight "
        f"{shown_id(best or '')} is {'best too' if best == board.standings[0].run else 'best'}, and "
        f"{counted_noun(board.queries, 'query tells', 'queries tell')} as much as {effective_text(board.effective)} "
        "of equal weight"
    )


def traffic_sentences(comparison: Comparison) -> list[str]:
    """Where the traffic of each system goes, by status; nothing without weights. Systems that agree are told once."""
    by_measure = []
    for measure in comparison.measures:
        said: dict[str, list[str]] = {}
        for system in comparison.systems:
            if system.measure == measure and system.traffic is not None:
                said.setdefault(traffic_text(system.traffic), []).append(shown_id(system.run))
        by_measure.append((measure, said))
    first = by_measure[0][1]
    alike = all(said == first for _, said in by_measure)
    sentences = []
    for measure, said in by_measure[:1] if alike else by_measure:
        by = "" if alike else f" by {measure}"
        for text, runs in said.items():
            whose = "every system" if len(runs) == len(comparison.runs) else _few(runs)
            sentences.append(f"{whose}{by}: {text}")
    more = len(sentences) - MOST
    return [
        *sentences[:MOST],
        *([f"and those of {counted_noun(more, 'more group')} of systems in --format json"] if more > 0 else []),
    ]


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return f"{', '.join(names[:6])}{more}"


def slice_groups(pair: Pair) -> list[list[SliceDifference]]:
    """The slices of a pair by attribute, in their order."""
    groups: dict[str, list[SliceDifference]] = {}
    for one in pair.slices:
        groups.setdefault(one.attribute, []).append(one)
    return list(groups.values())


def slice_title(group: Sequence[SliceDifference], pair: Pair) -> str:
    """The heading over the slices of one attribute."""
    attribute = clip(group[0].attribute, 40)
    return f"{pair.measure}: {shown_id(pair.new)} against {shown_id(pair.base)} by {attribute} of queries"


def slice_header(weighted: bool) -> list[str]:
    """The names of the columns of `slice_cells`, after that of the slice."""
    return [
        "queries",
        "share",
        "base",
        "new",
        "difference",
        "interval",
        *(["weighted"] if weighted else []),
        "impact",
    ]


def slice_name(one: SliceDifference, size: int = 40) -> str:
    """The value of a slice with its marks."""
    value = "(no value)" if one.value is None else shown_id(one.value, size)
    marks = (FEW if one.small else "") + (AGAINST if one.contradicts else "")
    return f"{value} {marks}" if marks else value


def slice_cells(one: SliceDifference) -> list[str]:
    """The numbers of a slice."""
    return [
        f"{one.queries:,}",
        percent(one.share),
        decimals(one.macro.base),
        decimals(one.macro.new),
        signed(one.difference),
        ends(one.interval),
        *([signed(one.weighted.difference)] if one.weighted is not None else []),
        signed(one.impact),
    ]


def slice_legend(group: Sequence[SliceDifference], comparison: Comparison) -> str:
    """What the columns and marks of a table of slices mean."""
    found = next((one.interval for one in group if one.interval is not None), None)
    weighted = comparison.settings.weighted
    told = [
        "largest impact first, impact being the slice's part of the difference: its share of the "
        f"{'weight of the compared queries times its weighted' if weighted else 'compared queries times its'} "
        "difference; share: of the traffic"
    ]
    if found is not None:
        several = f", adjusted for {len(group)} slices" if len(group) > 1 else ""
        told.append(f"t intervals of level {100 * found.level:.4g} %{several}")
    if any(one.small for one in group):
        told.append(f"{FEW} few queries")
    if any(one.contradicts for one in group):
        told.append(f"{AGAINST} moves against the total")
    reasons = [one.interval.reason for one in group if one.interval is not None and one.interval.reason]
    told += [f"interval none: {reason}" for reason in dict.fromkeys(reasons)][:3]
    return "; ".join(told)
