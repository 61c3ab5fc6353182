"""The ranking of one query as people read it: documents at their ranks, with grades and tied groups."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .engines.contract import Listed
    from .measures.measure import Measure


class Place(NamedTuple):
    """A document at its rank; `grade` is None where it is unjudged, `tied` the ranks of its tied group."""

    document: str
    rank: int
    score: float | None
    grade: float | None
    tied: tuple[int, int]


def ranked(rows: Sequence[Listed], measure: Measure, query: str, grades: Mapping[str, float]) -> list[Place]:
    """Rows of one query in the order in which the measure reads them, from rank 1.

    Rounds scores, drops the query's own document and repeats, condenses and ranks, as the measure declares. Tied
    groups under `average`, `best` and `worst` stand in the order of their ids.
    """
    conventions = measure.conventions
    single = conventions["score_type"] == "float32"
    without = query if conventions["self"] == "drop" else None
    condense = conventions["unjudged"] == "skip"
    once = conventions["duplicates"] in ("best", "error")
    keyed = [
        (-(row.rank or 0.0) if row.score is None else to_single(row.score) if single else row.score, row)
        for row in rows
        if row.document != without
    ]
    if conventions["ties"] == "docid_desc":
        keyed.sort(key=lambda pair: pair[1].document, reverse=True)
    elif conventions["ties"] != "given":
        keyed.sort(key=lambda pair: pair[1].document)
    keyed.sort(key=lambda pair: -pair[0])
    seen: set[str] = set()
    kept = []
    for key, row in keyed:
        if (once and row.document in seen) or (condense and row.document not in grades):
            continue
        seen.add(row.document)
        kept.append((key, row))
    places = []
    at = 0
    while at < len(kept):
        end = at
        while end < len(kept) and kept[end][0] == kept[at][0]:
            end += 1
        for place in range(at, end):
            row = kept[place][1]
            places.append(Place(row.document, place + 1, row.score, grades.get(row.document), (at + 1, end)))
        at = end
    return places


def to_single(score: float) -> float:
    """A score rounded to single precision; beyond its range it becomes infinite."""
    try:
        return float(struct.unpack("f", struct.pack("f", score))[0])
    except OverflowError:
        return float("inf") if score > 0 else float("-inf")
