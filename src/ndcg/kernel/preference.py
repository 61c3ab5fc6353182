"""Binary preference: judged documents only, relevant ones against the others."""

from __future__ import annotations

import numpy as np

from .batch import Floats, Ints, Ranked
from .order import place
from .relevance import added, numbered, ratio


def binary_preference(
    ranked: Ranked, level: float, judged_from: float, found: Ints, others: Ints, queries: int, *, ties: str
) -> Floats:
    """bpref per query: `found` relevant and `others` judged documents that are not, in the judgments.

    Grades below `judged_from` are no judgment; those documents are skipped, like the unjudged ones.
    """
    kept = ranked.grade >= judged_from
    rows = ranked._replace(
        query=ranked.query[kept],
        grade=ranked.grade[kept],
        rank=ranked.rank[kept],
        group_start=ranked.group_start[kept],
        group_size=ranked.group_size[kept],
    )
    query, _, relevant = place(rows, (rows.grade >= level).astype(np.float64), ties, None)
    position = numbered(query)
    hit = relevant > 0
    query = query[hit]
    above = position[hit] - numbered(query)
    lost = ratio(np.minimum(above, found[query]), np.minimum(others, found)[query])
    return ratio(added(query, 1.0 - lost, queries), found)
