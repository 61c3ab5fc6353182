"""The judged documents that a run missed in a few queries: for tables and explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .ranking import ranked

if TYPE_CHECKING:
    from .engines.contract import Listed
    from .engines.judgments import Judgments
    from .measures.measure import Measure


def missed_documents(
    lists: Mapping[str, Sequence[Listed]], judgments: Judgments, measure: Measure, queries: Sequence[str]
) -> dict[str, Sequence[tuple[str, float]]]:
    """Per query, (document, grade) with gain that are not in the first k ranks, highest grades first."""
    from .measures.ndcg import gains_by_document

    found: dict[str, Sequence[tuple[str, float]]] = {}
    for query, grades in judgments.grades_of(*queries).items():
        there = {place.document for place in ranked(lists.get(query, ()), measure, query, grades)[: measure.k]}
        worth = gains_by_document(grades, measure)
        found[query] = sorted(
            ((doc, grades[doc]) for doc, gain in worth.items() if gain > 0 and doc not in there),
            key=lambda pair: (-pair[1], pair[0]),
        )
    return found
