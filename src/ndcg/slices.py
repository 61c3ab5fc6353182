"""Slices: the same aggregate over a part of the queries or documents, its impact on the total, and the worst gap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError, clip
from .results import Entry
from .weights import effective_number, traffic_shares, weighted_mean

if TYPE_CHECKING:
    from .attributes import Attribute
    from .intervals import Asked
    from .kernel.batch import Ints
    from .query_table import QueryTable

NOTHING = "(no value)"
"""The name of the slice of those without a value."""

TOTAL = "total"
WITHIN = 1e-12
"""Differences of this size are rounding, not a direction."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One value of one attribute, and what its slice does to the total.

    `kind` is 'query' or 'doc'; `value` is None for those without a value. `mode` says how documents outside a slice of
    documents were treated (MODES). `share` is the slice's share of the traffic: of the weight of all queries, or of
    their number. `small` marks fewer counted queries than the least. `difference` is the slice's value less that of
    `against`: the total, or the same slice of the first run where there are several. `impact` is the share of the
    counted weight times the (weighted) difference: over slices of queries it adds up to the difference of the totals
    (0 against the total itself) where both runs count the same queries and the value is an arithmetic mean.
    `contradicts` marks a slice that moves against the total, by the macro mean or, with weights, by the weighted one.
    """

    attribute: str
    value: str | None
    kind: str
    mode: str | None = None
    share: float | None = None
    small: bool = False
    against: str = TOTAL
    difference: float | None = None
    impact: float | None = None
    contradicts: bool = False

    @property
    def name(self) -> str:
        """How the slice is called everywhere: `language=de`."""
        return f"{self.attribute}={NOTHING if self.value is None else self.value}"

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Split:
    """The rows of one slice of queries: their places in the per-query rows."""

    value: str | None
    places: Ints


def split(attribute: Attribute, queries: Sequence[str], overlap: str) -> list[Split]:
    """The places of the queries of each value, those without a value last; values of no query here are left out.

    Raises InputError where a query has two values and `overlap` is 'refuse'.
    """
    refuse_several(attribute, queries, overlap)
    found: dict[str | None, list[int]] = {}
    without: list[int] = []
    for at, query in enumerate(queries):
        values = attribute.values.get(query)
        if not values:
            without.append(at)
        for value in values or ():
            found.setdefault(value, []).append(at)
    if without:
        found[None] = without
    return [Split(value, np.array(places, dtype=np.int64)) for value, places in found.items()]


def refuse_several(attribute: Attribute, ids: Iterable[str], overlap: str) -> None:
    """InputError for the first ids with several values, unless they are declared to count in both."""
    if overlap == "both" or not attribute.total_several:
        return
    affected = [one for one in ids if len(attribute.values.get(one, ())) > 1]
    if affected:
        told = {fault.query if attribute.kind == "query" else fault.document: fault for fault in attribute.several}
        word, many = ("query", "queries") if attribute.kind == "query" else ("document", "documents")
        raise InputError(
            f"{attribute.where}: {len(affected):,} {many if len(affected) > 1 else word} with two values of "
            f"{attribute.name!r}",
            code="two_values",
            faults=[told[one] for one in affected if one in told][:10],
            total=len(affected),
            hint="give one value each, or count them in both slices with slice_overlap='both' (--slice-overlap both)",
        )


def measured(entry: Entry, asked: Asked | None) -> Entry:
    """The entry with its weighted value, effective number and intervals, from its rows."""
    rows = entry.rows
    if rows.weight is not None:
        weights = rows.weight[rows.counted]
        entry = replace(
            entry,
            weighted_value=weighted_mean(rows.value[rows.counted], weights, rows.aggregate),
            effective=effective_number(weights) if len(weights) else None,
        )
    if asked is not None:
        from .intervals import interval_of, weighted_interval_of

        entry = replace(entry, interval=interval_of(rows, asked))
        if rows.weight is not None:
            entry = replace(entry, weighted_interval=weighted_interval_of(rows, asked))
    return entry


def query_slices(
    total: Entry, attribute: Attribute, splits: Sequence[Split], asked: Asked | None, least: int
) -> list[Entry]:
    """The entries of the slices of queries of one run under one measure."""
    return [
        sliced(total, total.rows.taken(split.places), Slice(attribute.name, split.value, "query"), asked, least)
        for split in splits
    ]


def sliced(total: Entry, rows: QueryTable, part: Slice, asked: Asked | None, least: int) -> Entry:
    """The entry of one slice, compared with the total."""
    entry = measured(Entry(total.run, total.measure, total.declaration, rows, slice=part.name, part=part), asked)
    difference = _less(entry.value, total.value) if rows.aggregate != "sum" else None
    weighted = difference if rows.weight is None else _less(entry.weighted_value, total.weighted_value)
    share = counted_share(entry, total)
    part = replace(
        part,
        share=traffic_share(entry, total),
        small=entry.summary.queries.counted < least,
        difference=difference,
        impact=None if weighted is None or share is None or difference is None else share * weighted,
    )
    return replace(entry, part=part, traffic=None if rows.weight is None else traffic_shares(rows))


def traffic_share(entry: Entry, total: Entry) -> float | None:
    """The slice's share of the traffic of all queries in judgments and run; for documents, of those that count."""
    if entry.part is not None and entry.part.kind == "doc":
        return counted_share(entry, total)
    return _ratio(_weight(entry.rows, counted=False), _weight(total.rows, counted=False))


def counted_share(entry: Entry, total: Entry) -> float | None:
    """The slice's share of the weight of the counted queries."""
    return _ratio(_weight(entry.rows, counted=True), _weight(total.rows, counted=True))


def _weight(rows: QueryTable, *, counted: bool) -> float:
    if rows.weight is None:
        return float(np.count_nonzero(rows.counted)) if counted else float(len(rows))
    return math.fsum((rows.weight[rows.counted] if counted else rows.weight).tolist())


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def against_first(slices: Sequence[Entry], total: Entry, first: Sequence[Entry], first_total: Entry) -> list[Entry]:
    """The slices of a later run, compared with the same slices of the first run instead of with their total."""
    # By value and not by name: a value may be written like the slice of those without one.
    known = {entry.part.value: entry for entry in first if entry.part is not None}
    moved = direction(_less(total.value, first_total.value))
    weighted_moved = direction(_less(total.weighted_value, first_total.weighted_value))
    found = []
    for entry in slices:
        assert entry.part is not None
        other = known.get(entry.part.value)
        difference = None if other is None else _less(entry.value, other.value)
        weighted = difference
        if other is not None and entry.rows.weight is not None:
            weighted = _less(entry.weighted_value, other.weighted_value)
        share = 1.0 if entry.rows.aggregate == "sum" else counted_share(entry, total)
        part = replace(
            entry.part,
            against=first_total.run,
            difference=difference,
            impact=None if weighted is None or share is None else share * weighted,
            contradicts=direction(difference) * moved < 0 or direction(weighted) * weighted_moved < 0,
        )
        found.append(replace(entry, part=part))
    return found


def direction(difference: float | None) -> int:
    """1 for up, -1 for down, 0 for neither."""
    if difference is None or abs(difference) <= WITHIN:
        return 0
    return 1 if difference > 0 else -1


def by_impact(slices: Iterable[Entry]) -> list[Entry]:
    """The slices of one run, measure and attribute: the largest impact first, whatever its sign; none at all last."""

    def key(entry: Entry) -> tuple[float, str]:
        assert entry.part is not None
        return -abs(entry.part.impact) if entry.part.impact is not None else 1.0, entry.part.name

    return sorted(slices, key=key)


def contradictions(slices: Sequence[Entry], total: Entry, first_total: Entry) -> list[str]:
    """The sentences about slices of one attribute that move against the total, by the macro and the weighted mean."""
    parts = [entry.part for entry in slices if entry.part is not None and entry.part.difference is not None]
    macro = [(part, part.difference) for part in parts]
    moves = [("", _less(total.value, first_total.value), macro)]
    if total.rows.weight is not None:
        # An impact is the weighted difference times a share, so it has its sign.
        weighted = [(part, part.impact) for part in parts]
        moves.append(("by the weighted mean ", _less(total.weighted_value, first_total.weighted_value), weighted))
    head = f"{total.run} against {first_total.run}, {total.measure}: "
    told = [_against_total(by, direction(moved), differences) for by, moved, differences in moves]
    return [f"{head}{sentence}" for sentence in told if sentence]


def _against_total(by: str, moved: int, slices: Sequence[tuple[Slice, float | None]]) -> str | None:
    """The sentence about the slices whose difference has another sign than that of the total; None without any."""
    against = [part for part, difference in slices if direction(difference) * moved < 0]
    if not against:
        return None
    rises, falls = ("rises", "falls") if moved > 0 else ("falls", "rises")
    names = ", ".join(clip(part.name, 40) for part in against[:6])
    more = f" and {len(against) - 6} more" if len(against) > 6 else ""
    if len(against) == len(slices) > 1:
        attribute = clip(against[0].attribute, 40)
        slices_fall = f"every slice of {attribute} {falls} ({names}{more}): the runs count different queries"
    else:
        slices_fall = f"{names}{more} {falls if len(against) == 1 else falls[:-1]}"
    return f"{by}the total {rises}, but {slices_fall}"


def weights_turn(total: Entry, first_total: Entry) -> str | None:
    """The sentence about two runs whose order the weights turn round, or None."""
    plain = direction(_less(total.value, first_total.value))
    weighted = direction(_less(total.weighted_value, first_total.weighted_value))
    if plain * weighted >= 0:
        return None
    above, below = ("above", "below") if plain > 0 else ("below", "above")
    return (
        f"{total.run} is {above} {first_total.run} by the macro mean of {total.measure} and {below} it by the weighted "
        "mean"
    )


def impacts_part(total: Entry, first_total: Entry) -> str | None:
    """The sentence about two runs whose impacts do not add up to the difference of their totals, or None."""
    judged = total.rows.judged_queries
    if total.rows.aggregate != "mean" or np.array_equal(total.rows.counted[:judged], first_total.rows.counted[:judged]):
        return None
    return (
        f"{total.run} and {first_total.run} count different queries under {total.measure}: the impacts of slices do "
        "not add up to the difference of the totals"
    )
