"""The slow definitions of the measures of whole sets: what was returned, in whatever order.

As in `reference_measures.py`, a ranking is a list of tied groups of grades and `judged` the grades of all judged
documents of the query.
"""

from collections.abc import Sequence

from .reference_measures import Groups, count, over


def set_precision(groups: Groups, judged: Sequence[float], *, rel: float) -> float:
    """SetP."""
    hits, returned, _ = _sizes(groups, judged, rel)
    return over(hits, returned)


def relative_set_precision(groups: Groups, judged: Sequence[float], *, rel: float) -> float:
    """SetP over the largest there can be."""
    hits, returned, found = _sizes(groups, judged, rel)
    return over(hits, min(returned, found))


def set_recall(groups: Groups, judged: Sequence[float], *, rel: float) -> float:
    """SetR."""
    hits, _, found = _sizes(groups, judged, rel)
    return over(hits, found)


def set_f(groups: Groups, judged: Sequence[float], *, rel: float, beta: float) -> float:
    """SetF."""
    p = set_precision(groups, judged, rel=rel)
    r = set_recall(groups, judged, rel=rel)
    return over((beta * beta + 1.0) * p * r, beta * beta * p + r)


def set_ap(groups: Groups, judged: Sequence[float], *, rel: float) -> float:
    """SetAP."""
    hits, returned, found = _sizes(groups, judged, rel)
    return over(hits * hits, returned * found)


def utility(
    groups: Groups,
    judged: Sequence[float],
    *,
    rel: float,
    hit: float,
    noise: float,
    miss: float,
    rest: float,
    collection: float,
) -> float:
    """The sum of what each kind of document is worth."""
    hits, returned, found = _sizes(groups, judged, rel)
    others = collection + hits - returned - found
    return hit * hits + noise * (returned - hits) + miss * (found - hits) + rest * others


def _sizes(groups: Groups, judged: Sequence[float], rel: float) -> tuple[int, int, int]:
    """Relevant documents returned, documents returned, relevant documents."""
    everything = [grade for group in groups for grade in group]
    hits = sum(grade is not None and grade >= rel for grade in everything)
    return hits, len(everything), count(judged, rel)
