"""The first ranks of a run's queries, document by document: what comparisons, bounds and judging read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import whole_number
from .ranking import Place, ranked
from .scoring import request_of

if TYPE_CHECKING:
    from .engines.contract import Engine
    from .engines.judgments import Judgments
    from .measures.measure import Measure


def top_lists(
    engine: Engine, judgments: Judgments, measure: Measure, depth: int, queries: Sequence[str] | None = None
) -> dict[str, list[Place]]:
    """The first `depth` ranks of each judged query (or of `queries`), as the measure orders them.

    Only the ranking conventions of the measure are used (ties, duplicates, self, score_type, unjudged), not its
    cutoff. Unjudged documents have the grade None. A query without documents has an empty list. One pass over the
    run; `ties='average'`, `best` and `worst` stand in the order of their ids inside a tied group.
    """
    whole_number("depth", depth, 1)
    wanted = list(judgments.queries if queries is None else queries)
    request = request_of(measure)._replace(cutoffs=(depth,))
    engine.rank([request])
    try:
        rows = engine.leading(request, wanted)
    finally:
        engine.close()
    grades = judgments.grades_of(*wanted)
    return {query: ranked(rows.get(query, ()), measure, query, grades.get(query, {}))[:depth] for query in wanted}
