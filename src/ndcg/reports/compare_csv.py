"""A comparison as CSV: a row per comparison with the baseline, per system of a leaderboard, or per query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .csv import csv_text

if TYPE_CHECKING:
    from ..compared import Comparison, Pair, Side
    from ..comparison.leaderboard import Leaderboard
    from ..comparison.slices import SliceDifference

TRAFFIC = tuple(f"traffic_{status}" for status in ("scored", "empty", "missing", "unjudged", "failed", "outside"))
"""Shares of all weight by the status of queries, where weights were given."""

PAIR = (
    "stamp",
    "measure",
    "base",
    "new",
    "verdict",
    "headline",
    "queries",
    "base_value",
    "new_value",
    "difference",
    "low",
    "high",
    "level",
    "test",
    "p_value",
    "adjusted",
    "adjustment",
    "family",
    "dz",
    "hedges",
    "wins",
    "ties",
    "losses",
    "tie_width",
    "common_queries",
    "common_difference",
    "union_queries",
    "union_difference",
    "opposite_signs",
    "weighted_difference",
    "weighted_low",
    "weighted_high",
    "equivalence",
    "non_inferiority",
    "overlap_at_k",
    "rbo",
    "pools",
    "retrieval",
    "ranking",
    "base_recall",
    "new_recall",
    "changed_shares",
    "weighted_base",
    "weighted_new",
    "effective_queries",
    "slice",
    "share",
    "impact",
    "small",
    "contradicts",
    *(f"{side}_{name}" for side in ("base", "new") for name in TRAFFIC),
)

BOARD = (
    "stamp",
    "measure",
    "place",
    "run",
    "value",
    "low",
    "high",
    "to_the_best",
    "groups",
    "queries",
    "method",
    "weighted",
    "weighted_low",
    "weighted_high",
    "effective_queries",
    *TRAFFIC,
)


def comparison_csv(comparison: Comparison) -> str:
    """A header, and one row per comparison, with those of its slices, or per system; floats in shortest exact form,
    None as an empty cell."""
    if comparison.leaderboards:
        rows = [row for board in comparison.leaderboards for row in _board(board, comparison)]
        return csv_text(BOARD, rows)
    rows = []
    for pair in comparison.pairs:
        rows.append(_pair(pair, comparison))
        rows += [_slice(one, pair, comparison) for one in pair.slices]
    return csv_text(PAIR, rows)


def _pair(pair: Pair, comparison: Comparison) -> list[object]:
    side, interval, effect, pools = pair.side, pair.interval, pair.effect, pair.pools
    weighted = pair.weighted
    split = pools.split if pools is not None else None
    adjusted = comparison.adjusted
    cells: dict[str, object] = {
        "stamp": comparison.stamp,
        "measure": pair.measure,
        "base": pair.base,
        "new": pair.new,
        "verdict": pair.verdict.word,
        "headline": pair.headline,
        "queries": side.queries,
        "base_value": side.base,
        "new_value": side.new,
        "difference": side.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "level": comparison.settings.level,
        "test": pair.tests[0].name if pair.tests else None,
        "p_value": pair.p_value,
        "adjusted": pair.adjusted,
        "adjustment": adjusted.method if adjusted else None,
        "family": adjusted.family if adjusted else None,
        "dz": effect.dz if effect else None,
        "hedges": effect.hedges if effect else None,
        "wins": side.outcome.wins,
        "ties": side.outcome.ties,
        "losses": side.outcome.losses,
        "tie_width": side.outcome.tie_width,
        "common_queries": pair.common.queries,
        "common_difference": pair.common.difference,
        "union_queries": pair.union.queries,
        "union_difference": pair.union.difference,
        "opposite_signs": pair.verdict.opposite,
        "equivalence": pair.equivalence.verdict if pair.equivalence else None,
        "non_inferiority": pair.non_inferiority.verdict if pair.non_inferiority else None,
        "overlap_at_k": pair.overlap.at_k if pair.overlap else None,
        "rbo": pair.overlap.rbo if pair.overlap else None,
        "pools": pools.kind if pools else None,
        "retrieval": split.retrieval if split else None,
        "ranking": split.ranking if split else None,
        "base_recall": pools.base.recall if pools and pools.base else None,
        "new_recall": pools.new.recall if pools and pools.new else None,
        "changed_shares": "; ".join(f"{change.status} {change.base} to {change.new}" for change in pair.shares),
        **_weighted(weighted),
    }
    for side_name, run in (("base", pair.base), ("new", pair.new)):
        shares = _traffic(run, pair.measure, comparison)
        cells.update((f"{side_name}_{name}", share) for name, share in zip(TRAFFIC, shares, strict=True))
    return [cells.get(name) for name in PAIR]


def _traffic(run: str, measure: str, comparison: Comparison) -> list[float | None]:
    """The shares of the traffic of one system, None without weights."""
    found = next((one.traffic for one in comparison.systems if (one.run, one.measure) == (run, measure)), None)
    return [None if found is None else getattr(found, name.removeprefix("traffic_")) for name in TRAFFIC]


def _weighted(side: Side | None) -> dict[str, object]:
    if side is None:
        return {}
    return {
        "weighted_difference": side.difference,
        "weighted_low": side.interval.low if side.interval else None,
        "weighted_high": side.interval.high if side.interval else None,
        "weighted_base": side.base,
        "weighted_new": side.new,
        "effective_queries": side.effective,
    }


def _slice(one: SliceDifference, pair: Pair, comparison: Comparison) -> list[object]:
    """A slice in the columns of its comparison: what is of the whole comparison alone is left empty."""
    side, interval = one.macro, one.interval
    cells: dict[str, object] = {
        "stamp": comparison.stamp,
        "measure": pair.measure,
        "base": pair.base,
        "new": pair.new,
        "headline": pair.headline,
        "queries": side.queries,
        "base_value": side.base,
        "new_value": side.new,
        "difference": side.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "level": interval.level if interval else None,
        "wins": side.outcome.wins,
        "ties": side.outcome.ties,
        "losses": side.outcome.losses,
        "tie_width": side.outcome.tie_width,
        "slice": one.name,
        "share": one.share,
        "impact": one.impact,
        "small": one.small,
        "contradicts": one.contradicts,
        **_weighted(one.weighted),
    }
    return [cells.get(name) for name in PAIR]


def _board(board: Leaderboard, comparison: Comparison) -> list[list[object]]:
    return [
        [
            comparison.stamp,
            board.measure,
            standing.place,
            standing.run,
            standing.mean,
            standing.interval.low,
            standing.interval.high,
            standing.best,
            standing.letters,
            board.queries,
            board.method,
            standing.weighted,
            standing.weighted_interval.low if standing.weighted_interval else None,
            standing.weighted_interval.high if standing.weighted_interval else None,
            board.effective,
            *_traffic(standing.run, board.measure, comparison),
        ]
        for standing in board.standings
    ]


QUERY = (
    "stamp",
    "measure",
    "query",
    "base",
    "new",
    "base_value",
    "new_value",
    "difference",
    "base_status",
    "new_status",
)


def per_query_csv(comparison: Comparison) -> str:
    """A header, and one row per comparison and query: both values, their difference and both statuses."""
    return csv_text(QUERY, _query_rows(comparison))


def _query_rows(comparison: Comparison) -> Iterable[list[object]]:
    known = {(row.run, row.measure, row.query): row for row in comparison.result.per_query}
    for pair in comparison.pairs:
        ids = [query for run, measure, query in known if measure == pair.measure and run in (pair.base, pair.new)]
        for query in dict.fromkeys(ids):
            base = known.get((pair.base, pair.measure, query))
            new = known.get((pair.new, pair.measure, query))
            values = [row.value if row is not None else None for row in (base, new)]
            both = values[0] is not None and values[1] is not None
            yield [
                comparison.stamp,
                pair.measure,
                query,
                pair.base,
                pair.new,
                *values,
                (values[1] or 0.0) - (values[0] or 0.0) if both else None,
                base.status if base is not None else "absent",
                new.status if new is not None else "absent",
            ]
