"""Companion measures by the plain definitions: whole runs, statuses and policies, to compare with `ndcg.evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import ndcg
from ndcg.kernel import reference, reference_ranking
from ndcg.kernel import reference_measures as plain
from ndcg.kernel import reference_sets as plain_sets

Lists = Mapping[str, Sequence[tuple[str, float]] | None]
Judgments = Mapping[str, Mapping[str, float]]
Groups = list[list[float | None]]

NONE = float("-inf")


def _worth(measure, highest: float) -> plain.Worth:
    if measure["rel"] is not None:
        return plain.relevant_at(measure["rel"])
    return lambda grade: plain.gain(grade) / highest


def by_formula(measure, groups: Groups, grades: Sequence[float], everything: Sequence[float]) -> float | None:
    """The value of one query's ranking, by the plain definition."""
    given = dict(measure.options)
    ties, k = measure.conventions["ties"], measure.k
    name = measure.name
    at_k: dict[str, Callable[..., float]] = {
        "P": plain.precision,
        "RelP": plain.relative_precision,
        "R": plain.recall,
        "F1": plain.f1,
        "Success": plain.success,
        "ANNRecall": plain.ann_recall,
        "AP": plain.average_precision,
        "RR": plain.reciprocal_rank,
    }
    whole: dict[str, Callable[..., float]] = {
        "Rprec": plain.r_precision,
        "RprecMult": plain.multiple_precision,
        "infAP": plain.inferred_ap,
        "IPrec": plain.interpolated_precision,
        "IAP": plain.interpolated_average,
        "Bpref": plain.bpref,
        "GMBpref": plain.bpref,
        "binG": plain.binary_g,
        "G": plain.normalised_g,
        "nDCGRel": plain.relevant_ndcg,
        "RnDCG": plain.level_ndcg,
    }
    sets: dict[str, Callable[..., float]] = {
        "SetR": plain_sets.set_recall,
        "SetF": plain_sets.set_f,
        "SetAP": plain_sets.set_ap,
        "Utility": plain_sets.utility,
    }
    if name in at_k:
        return at_k[name](groups, grades, ties=ties, k=k, **given)
    if name == "GMAP":
        return plain.average_precision(groups, grades, ties=ties, k=k, **given)
    if name in whole:
        return whole[name](groups, grades, ties=ties, **given)
    if name in sets:
        return sets[name](groups, grades, **given)
    if name == "SetP":
        set_p = plain_sets.relative_set_precision if measure["relative"] == "true" else plain_sets.set_precision
        return set_p(groups, grades, rel=measure["rel"])
    if name in ("ERR", "nERR"):
        highest = measure["max_grade"]
        highest = max(0.0, *everything, 0.0) if highest is None else highest
        return (plain.err if name == "ERR" else plain.nerr)(groups, grades, ties=ties, k=k, max_grade=highest)
    if name == "RBP":
        highest = measure["max_grade"]
        if highest is None:
            highest = max(1.0, *everything, 1.0)
        elif highest == "query":
            highest = max(1.0, *grades, 1.0)
        return plain.rbp(groups, grades, ties=ties, k=k, p=measure["p"], worth=_worth(measure, highest))
    least = given.get("judged_from")
    least = NONE if least is None else least
    if name == "RBPResidual":
        value = plain.rbp_residual(groups, grades, ties=ties, k=k, p=measure["p"], judged_from=least)
        looked_at = [grade for group in groups for grade in group][:k]
        unknown = any(grade is None or grade < least for grade in looked_at)
        return value if measure["tail"] == "kept" or unknown else 0.0
    if name == "Judged":
        return plain.judged_share(groups, grades, ties=ties, k=k, judged_from=least)
    if name == "Unjudged":
        return plain.unjudged_share(groups, grades, ties=ties, k=k, judged_from=least)
    flat = [grade for group in groups for grade in group]
    rel = given.get("rel")
    if name == "NumQ":
        return 1.0
    if name == "NumRel":
        return float(plain.count(grades, rel))
    if name == "NumRet":
        return float(sum(rel is None or (grade is not None and grade >= rel) for grade in flat))
    assert name == "NumNonRelRet", name
    return float(sum(grade is not None and least <= grade < rel for grade in flat))


def relevant(measure, grades: Sequence[float]) -> int:
    if measure.name == "ANNRecall":
        return len(grades)
    rel = dict(measure.options).get("rel")
    return sum(grade > 0 for grade in grades) if rel is None else plain.count(grades, rel)


def rows(judged: Judgments, run: Lists, measure) -> dict[str, tuple[str, float | None]]:
    """(status, value) of each query."""
    conventions = measure.conventions
    everything = [grade for grades in judged.values() for grade in grades.values()]
    found: dict[str, tuple[str, float | None]] = {}
    for query in [*judged, *(query for query in run if query not in judged)]:
        grades = judged.get(query, {})
        entries = [
            (doc, reference_ranking.round_score(score, conventions["score_type"]))
            for doc, score in run.get(query) or ()
        ]
        if conventions["self"] == "drop":
            entries = reference_ranking.drop_self(entries, query)
        returned = len(entries)
        entries = reference_ranking.drop_repeats(entries, "best")
        if conventions["unjudged"] == "skip":
            entries = reference_ranking.condense(entries, grades)
        ranking = reference_ranking.rank(entries, conventions["ties"])
        groups = [[grades.get(doc) for doc, _ in group] for group in reference_ranking.tied_groups(ranking)]
        failed = query in run and run[query] is None
        values = list(grades.values())
        status = reference.status_of(failed, query in judged, relevant(measure, values), returned)
        value = None
        if query not in judged:
            if failed and not measure.family.always_defined:
                value = reference.policy_value(status, conventions["failed"])
        else:
            value = by_formula(measure, groups, values, everything)
            if measure.family.always_defined:
                missing = query not in run or (not failed and returned == 0)
                if failed and conventions["failed"] == "exclude":
                    value = None
                if status == "missing" and missing and conventions["missing"] == "exclude":
                    value = None
            elif status != "scored":
                value = reference.policy_value(status, conventions[status])
        found[query] = status, value
    return found


def compare(judged: Judgments, run: Lists, measure, exact: bool = True) -> None:
    """`ndcg.evaluate` on dicts against the plain definition."""
    from comparing import as_dicts

    result = ndcg.evaluate(judged, as_dicts(run), measure)
    expected = rows(judged, run, measure)
    seen = {row.query: (row.status, row.value) for row in result.per_query}
    assert set(expected) == set(seen)
    for query, (status, value) in expected.items():
        context = (query, str(measure), judged, run)
        assert seen[query][0] == status, context
        ours = seen[query][1]
        if exact or value is None or ours is None:
            assert ours == value, (ours, value, context)
        else:
            assert abs(ours - value) <= 1e-12, (ours, value, context)
