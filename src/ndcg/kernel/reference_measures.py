"""The slow definitions of the companion measures: plain Python that reads like the formulas.

One query at a time. A ranking is a list of tied groups from the top, each a list of grades in the order that the tie
rule gives; `None` is a document without a judgment. `judged` are the grades of all judged documents of the query.
`reference.py` says how a ranking comes about and what happens to queries; this module says what a ranking is worth.

`best` and `worst` order each tied group by what its documents are worth; `average` is the expected value over all
orders of each tied group (McSherry & Najork 2008). A measure without an exact expectation refuses `average`.

Sources stand with the families in `ndcg.measures`; where trec_eval prints a measure, these are its bits.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Grade = float | None
Groups = Sequence[Sequence[Grade]]
Worth = Callable[[Grade], float]


def relevant_at(rel: float) -> Worth:
    """1 for a judged document of at least grade `rel`, else 0."""
    return lambda grade: 1.0 if grade is not None and grade >= rel else 0.0


def gain(grade: Grade) -> float:
    """The grade itself; 0 for a negative grade and an unjudged document."""
    return max(grade, 0.0) if grade is not None else 0.0


def in_order(groups: Groups, ties: str, worth: Worth) -> list[Grade]:
    """One ranking: tied groups as they stand, or ordered by worth for `best` and `worst`."""
    ranking: list[Grade] = []
    for group in groups:
        ranking += sorted(group, key=worth, reverse=ties == "best") if ties in ("best", "worst") else group
    return ranking


def column(groups: Groups, ties: str, worth: Worth) -> list[float]:
    """The worth at each rank; under `average` the mean worth of the group at each of its ranks."""
    if ties != "average":
        return [worth(grade) for grade in in_order(groups, ties, worth)]
    worths: list[float] = []
    for group in groups:
        worths += [math.fsum(map(worth, group)) / len(group)] * len(group)
    return worths


def total(numbers: Iterable[float]) -> float:
    """The sum, added from the top down."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def over(above: float, below: float) -> float:
    """above / below, and 0 where there is nothing to divide by."""
    return above / below if below else 0.0


def count(judged: Sequence[float], rel: float) -> int:
    """R: the relevant documents there are."""
    return sum(grade >= rel for grade in judged)


# Precision and recall.


def precision(groups: Groups, judged: Sequence[float], *, ties: str, k: int, rel: float) -> float:
    """P@k."""
    return total(column(groups, ties, relevant_at(rel))[:k]) / k


def relative_precision(groups: Groups, judged: Sequence[float], *, ties: str, k: int, rel: float) -> float:
    """P@k over the largest there can be."""
    return over(total(column(groups, ties, relevant_at(rel))[:k]), min(k, count(judged, rel)))


def r_precision(groups: Groups, judged: Sequence[float], *, ties: str, rel: float) -> float:
    """Precision at rank R."""
    found = count(judged, rel)
    return over(total(column(groups, ties, relevant_at(rel))[:found]), found)


def multiple_precision(groups: Groups, judged: Sequence[float], *, ties: str, multiple: float, rel: float) -> float:
    """Precision at rank multiple x R."""
    ranks = int(multiple * count(judged, rel) + 0.9)
    return over(total(column(groups, ties, relevant_at(rel))[:ranks]), ranks)


def recall(groups: Groups, judged: Sequence[float], *, ties: str, k: int, rel: float) -> float:
    """R@k."""
    return over(total(column(groups, ties, relevant_at(rel))[:k]), count(judged, rel))


def f1(groups: Groups, judged: Sequence[float], *, ties: str, k: int, rel: float) -> float:
    """2 hits / (k + R)."""
    return 2.0 * total(column(groups, ties, relevant_at(rel))[:k]) / (k + count(judged, rel))


def success(groups: Groups, judged: Sequence[float], *, ties: str, k: int, rel: float) -> float:
    """1 if a relevant document is in the first k; under `average` the share of orders in which one is."""
    relevant = relevant_at(rel)
    if ties != "average":
        return 1.0 if any(map(relevant, in_order(groups, ties, relevant)[:k])) else 0.0
    none = Fraction(1)
    above = 0
    for group in groups:
        drawn = min(len(group), max(k - above, 0))
        others = sum(not relevant(grade) for grade in group)
        none *= Fraction(math.comb(others, drawn), math.comb(len(group), drawn))
        above += len(group)
    return float(1 - none)


def ann_recall(groups: Groups, judged: Sequence[float], *, ties: str, k: int) -> float:
    """The share of the exact first k that stands in the first k."""
    exact = sorted(judged, reverse=True)[:k]
    if not exact:
        return 0.0
    return total(column(groups, ties, relevant_at(exact[-1]))[:k]) / len(exact)


# Average precision and its relatives.


def average_precision(groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, rel: float) -> float:
    """AP@k."""
    relevant = relevant_at(rel)
    found = count(judged, rel)
    if ties == "average":
        return over(_expected_precisions(groups, relevant, k), found)
    seen, result = 0, 0.0
    for rank, grade in enumerate(in_order(groups, ties, relevant)[:k], start=1):
        if relevant(grade):
            seen += 1
            result += seen / rank
    return over(result, found)


def _expected_precisions(groups: Groups, relevant: Worth, k: int | None) -> float:
    """The expected sum: at each rank, the chance of a relevant document x the expected precision given one."""
    above, seen, result = 0, 0, 0.0
    for group in groups:
        n, m = len(group), sum(map(bool, map(relevant, group)))
        terms = []
        for place in range(n):
            rank = above + place + 1
            if m and (k is None or rank <= k):
                before = place * ((m - 1) / (n - 1)) if n > 1 else 0.0
                terms.append(m / n * (seen + 1 + before) / rank)
        result += math.fsum(terms)
        above, seen = above + n, seen + m
    return result


def inferred_ap(groups: Groups, judged: Sequence[float], *, ties: str, rel: float, judged_from: float) -> float:
    """infAP: grades below `judged_from` are pooled, but unjudged."""
    e = 0.00001
    relevant = others = pooled = 0
    result = 0.0
    for above, grade in enumerate(in_order(groups, ties, gain)):
        if grade is None:
            continue
        if grade >= rel:
            if above == 0:
                result += 1.0
            else:
                share = (relevant + others + pooled) / above
                rate = (relevant + e) / (relevant + others + 2 * e)
                result += 1.0 / (above + 1.0) + (above / (above + 1.0)) * share * rate
            relevant += 1
        elif grade >= judged_from:
            others += 1
        else:
            pooled += 1
    return over(result, count(judged, rel))


def interpolated_precision(
    groups: Groups, judged: Sequence[float], *, ties: str, recall: float, rel: float, needed: str
) -> float:
    """The largest precision from the rank on where `recall` of all relevant documents have been seen."""
    relevant = relevant_at(rel)
    exact = recall * count(judged, rel)
    nearest = math.floor(exact) + (exact - math.floor(exact) >= 0.5)
    wanted = int(exact + 0.9) if needed == "up" else nearest
    seen, best = 0, 0.0
    for rank, grade in enumerate(in_order(groups, ties, relevant), start=1):
        seen += relevant(grade) == 1.0
        if seen >= wanted:
            best = max(best, seen / rank)
    return best


def interpolated_average(
    groups: Groups, judged: Sequence[float], *, ties: str, levels: str, rel: float, needed: str
) -> float:
    """The mean of interpolated precision over recall levels."""
    result = 0.0
    points = [float(level) for level in levels.split(",")]
    for level in reversed(points):
        result += interpolated_precision(groups, judged, ties=ties, recall=level, rel=rel, needed=needed)
    return result / len(points)


# Measures of the first relevant documents.


def reciprocal_rank(groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, rel: float) -> float:
    """1 / rank of the first relevant document; under `average` summed over its possible ranks, exactly."""
    relevant = relevant_at(rel)
    if ties != "average":
        for rank, grade in enumerate(in_order(groups, ties, relevant)[:k], start=1):
            if relevant(grade):
                return 1.0 / rank
        return 0.0
    above = 0
    for group in groups:
        n, m = len(group), sum(map(bool, map(relevant, group)))
        if m:
            expected = Fraction(0)
            for place in range(n - m + 1):
                rank = above + place + 1
                if k is None or rank <= k:
                    expected += Fraction(math.comb(n - place - 1, m - 1), math.comb(n, m) * rank)
            return float(expected)
        above += n
    return 0.0


def stopping_chance(highest: float) -> Worth:
    """(2^grade - 1) / 2^highest."""
    return lambda grade: (2.0 ** max(grade, 0.0) - 1.0) / 2.0**highest if grade is not None else 0.0


def err(groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, max_grade: float) -> float:
    """ERR@k."""
    chance = stopping_chance(max_grade)
    reading, result = 1.0, 0.0
    for rank, grade in enumerate(in_order(groups, ties, chance)[:k], start=1):
        result += reading * chance(grade) / rank
        reading *= 1.0 - chance(grade)
    return result


def nerr(groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, max_grade: float) -> float:
    """ERR@k over that of the best order."""
    best = [sorted(judged, reverse=True)]
    ideal = err(best, judged, ties="docid", k=k, max_grade=max_grade)
    return over(err(groups, judged, ties=ties, k=k, max_grade=max_grade), ideal)


# Preference, patience, and how much is judged.


def bpref(groups: Groups, judged: Sequence[float], *, ties: str, rel: float, judged_from: float) -> float:
    """Binary preference."""
    found = count(judged, rel)
    others = sum(judged_from <= grade < rel for grade in judged)
    above, result = 0, 0.0
    for grade in in_order(groups, ties, relevant_at(rel)):
        if grade is None or grade < judged_from:
            continue
        if grade < rel:
            above += 1
        elif above:
            result += 1.0 - min(above, found) / min(others, found)
        else:
            result += 1.0
    return over(result, found)


def rbp(groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, p: float, worth: Worth) -> float:
    """(1 - p) x sum of worth x p^(rank - 1)."""
    result, weight = 0.0, 1.0
    for value in column(groups, ties, worth)[:k]:
        result += value * weight
        weight *= p
    return (1.0 - p) * result


def rbp_residual(
    groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, p: float, judged_from: float
) -> float:
    """p^n + (1 - p) x sum over unjudged ranks of p^(rank - 1)."""
    unknown = [1.0 - known for known in column(groups, ties, relevant_at(judged_from))[:k]]
    weights = [p**place for place in range(len(unknown))]
    return p ** len(unknown) + (1.0 - p) * math.fsum(u * w for u, w in zip(unknown, weights, strict=True))


def judged_share(
    groups: Groups, judged: Sequence[float], *, ties: str, k: int | None, judged_from: float
) -> float | None:
    """Judged@k; None where nothing was returned."""
    known = column(groups, ties, relevant_at(judged_from))[:k]
    return total(known) / len(known) if known else None


def unjudged_share(groups: Groups, judged: Sequence[float], *, ties: str, k: int, judged_from: float) -> float:
    """Unjudged ranks of the first k / k."""
    known = column(groups, ties, relevant_at(judged_from))[:k]
    return (len(known) - total(known)) / k


# trec_eval's experimental measures of gain.


def binary_g(groups: Groups, judged: Sequence[float], *, ties: str, rel: float) -> float:
    """binG."""
    relevant = relevant_at(rel)
    others, result = 0, 0.0
    for grade in in_order(groups, ties, relevant):
        if relevant(grade):
            result += 1.0 / math.log2(2 + others)
        else:
            others += 1
    return over(result, count(judged, rel))


def normalised_g(groups: Groups, judged: Sequence[float], *, ties: str) -> float:
    """G with linear gains."""
    ideal = [grade for grade in sorted(judged, reverse=True) if grade > 0]
    cost = collected = result = 0.0
    for place, grade in enumerate(in_order(groups, ties, gain)):
        cost += max(ideal[place], 1.0) if place < len(ideal) else 1.0
        collected += gain(grade)
        if gain(grade):
            result += gain(grade) / math.log2(2 + cost - collected)
    return over(result, total(ideal))


def _dcg(gains: Sequence[float]) -> float:
    result = 0.0
    for rank, value in enumerate(gains, start=1):
        result += value / math.log2(rank + 1)
    return result


def relevant_ndcg(groups: Groups, judged: Sequence[float], *, ties: str) -> float:
    """nDCG at the rank of each relevant document, averaged."""
    ideal = [grade for grade in sorted(judged, reverse=True) if grade > 0]
    gains = column(groups, ties, gain)
    result, missed = 0.0, len(ideal)
    for rank, value in enumerate(gains, start=1):
        if value > 0:
            result += _dcg(gains[:rank]) / _dcg(ideal[:rank])
            missed -= 1
    if not ideal:
        return 0.0
    return (result + missed * _dcg(gains) / _dcg(ideal)) / len(ideal)


def level_ndcg(groups: Groups, judged: Sequence[float], *, ties: str) -> float:
    """nDCG where each level of gain ends in the ideal, and at the end of a longer list, averaged."""
    ideal = [grade for grade in sorted(judged, reverse=True) if grade > 0]
    gains = column(groups, ties, gain)
    ends = [place for place in range(1, len(ideal) + 1) if ideal[place:] == [] or ideal[place] != ideal[place - 1]]
    result = 0.0
    for end in ends:
        result += _dcg(gains[:end]) / _dcg(ideal[:end])
    points = len(ends)
    if ends and len(gains) > len(ideal) + 1:
        result += _dcg(gains) / _dcg(ideal)
        points += 1
    return over(result, points)
