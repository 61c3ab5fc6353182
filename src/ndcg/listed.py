"""Functions for graded lists in hand: the grades of one query in ranked order, no ids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import numpy as np

from .engines.ids import text_keys
from .engines.numbers import is_real
from .errors import DataTypeError, Fault, InputError, UsageError, shown
from .kernel.batch import Batch, Judged, Ranked
from .measures.measure import Family, Measure
from .measures.ndcg import DCG, IDCG, nDCG

if TYPE_CHECKING:
    from .results import Result

Grades = Sequence[float | None]


def ndcg_at_k(
    grades: Grades, k: int | None = None, judged: Sequence[float] | None = None, **conventions: object
) -> float | None:
    """nDCG@k of one list of grades in ranked order, or None where it is undefined.

    `grades` are the grades of the returned documents from rank 1; None is an unjudged document. `judged` are all
    judged grades of the query, in any order, those of the list included. Without it the list is taken as the whole
    judged candidate set: the ideal then knows only what was returned, so relevant documents that were missed are
    invisible and the score is inflated (0.9500 for the example below, 0.6685 with `judged`). `conventions` are those
    of `nDCG`; negative grades are an error unless `negative=` says what they are worth.

    Range 0 to 1. None where no judged grade has a positive gain. Raises ValueError for `k` below 1, negative grades
    without a policy, infinite or NaN grades, and positive grades of the list that `judged` lacks; TypeError for what
    is not a number. O(M log M) for M judged grades. Source: Järvelin & Kekäläinen 2002; Burges et al. 2005.

    >>> from ndcg import ndcg_at_k
    >>> round(ndcg_at_k([3, 1, 0, 2], k=4), 4)
    0.95
    >>> round(ndcg_at_k([3, 1, 0, 2], k=4, judged=[3, 1, 0, 2, 3]), 4)
    0.6685
    >>> print(ndcg_at_k([0, 0], k=2))
    None
    """
    return _at_k(nDCG, grades, k, judged, conventions)


def dcg_at_k(grades: Grades, k: int | None = None, **conventions: object) -> float:
    """DCG@k of one list of grades in ranked order; 0.0 for a list without gain. Not comparable across queries.

    Losses count with `negative='keep', gain='linear'`, whether or not any document gains.

    >>> from ndcg import dcg_at_k
    >>> round(dcg_at_k([3, 1, 0, 2], k=4), 4)
    8.923
    """
    value = _at_k(DCG, grades, k, None, conventions)
    return 0.0 if value is None else value


def ideal_dcg_at_k(
    grades: Grades, k: int | None = None, judged: Sequence[float] | None = None, **conventions: object
) -> float:
    """The largest DCG@k that any order of these grades reaches: give all judged grades of the query.

    Or give them as `judged`, as in `ndcg_at_k`: the ideal is that of `judged`, whatever the list holds of them.

    >>> from ndcg import ideal_dcg_at_k
    >>> round(ideal_dcg_at_k([3, 1, 0, 2, 3], k=4), 4)
    13.3472
    """
    value = _at_k(IDCG, grades, k, judged, conventions)
    return 0.0 if value is None else value


def evaluate_lists(
    lists: Mapping[object, Grades],
    measures: object = "nDCG@10",
    *,
    judged: Mapping[object, Sequence[float]] | None = None,
    **conventions: object,
) -> Result:
    """Score graded lists of several queries: `{query: grades in ranked order}`; the result is that of `evaluate`.

    `judged` maps queries to all their judged grades, those of the list included. Without it each list is taken as the
    whole judged set of its query (`ideal='returned'`), which hides missed documents and inflates the score; with it,
    a query of `judged` that `lists` lacks is `missing`. Errors as in `ndcg_at_k`, naming the query.

    >>> from ndcg import evaluate_lists
    >>> result = evaluate_lists({"pump-47": [1, 3, 0, 2], "valve-62": [2, 0, 1]}, "nDCG@3")
    >>> round(result.value, 4)
    0.7703
    """
    from .asked_measures import apply_conventions, refuse_unknown
    from .evaluation import evaluate

    if not isinstance(lists, Mapping):
        raise DataTypeError(
            f"lists map each query to its grades in ranked order, found a {type(lists).__name__}",
            code="lists_shape",
        )
    parsed = _strict(measures)
    refuse_unknown(evaluate, conventions)
    parsed = apply_conventions(parsed, conventions)
    judgments: dict[object, dict[str, float]] = {}
    run: dict[object, list[str]] = {}
    known = text_keys(judged, "judged") if judged is not None else None
    for query, grades in text_keys(lists, "lists").items():
        ranked = _numbers(grades, "grades", str(query))
        everything = _numbers(known[query], "judged", str(query)) if known and query in known else None
        if known is not None and everything is None:
            run[query] = _documents(len(ranked))
            continue
        _check_contained(ranked, everything, str(query))
        run[query] = _documents(len(ranked))
        judgments[query] = _judgments(ranked, everything)
    for query in known or {}:
        if query not in judgments:
            assert known is not None
            judgments[query] = _judgments([], _numbers(known[query], "judged", str(query)))
    if judged is None:
        parsed = tuple(
            measure.with_conventions({"ideal": "returned"}) if "ideal" in measure.family.conventions else measure
            for measure in parsed
        )
    if not judgments:
        raise InputError("no list has judgments" if lists else "there is no list to score", code="empty_input")
    return evaluate(judgments, run, parsed)


def _strict(measures: object) -> tuple[Measure, ...]:
    """Measures under which negative grades are an error, unless their text says what they are worth."""
    from .measures.notation import take_apart
    from .measures.registry import as_measures

    several = [measures] if isinstance(measures, str | Measure | Family) else measures
    strict: list[Measure] = []
    for given in several if isinstance(several, Iterable) else [several]:
        (measure,) = as_measures(given)
        declared = isinstance(given, str) and "negative" in take_apart(given).options
        default = measure.conventions["negative"] == "clamp" and "negative" in measure.family.conventions
        strict.append(measure.with_conventions({"negative": "error"}) if default and not declared else measure)
    return as_measures(strict)


def _policies(conventions: Mapping[str, object]) -> dict[str, object]:
    """A list in hand has no place to show how many grades were clamped, so negative grades are an error."""
    return {} if "negative" in conventions else {"negative": "error"}


def _at_k(
    family: Family,
    grades: Grades,
    k: int | None,
    judged: Sequence[float] | None,
    conventions: Mapping[str, object],
) -> float | None:
    given = {**_policies(conventions), **conventions}
    if judged is None:
        given = {"ideal": "returned", **given}
    measure = family(k=k, **given)
    if measure["ideal"] == "candidates":
        raise UsageError("a list in hand has no candidate pool", code="no_pool", hint="give judged= instead")
    ranked = _numbers(grades, "grades", None)
    everything = _numbers(judged, "judged", None) if judged is not None else None
    _check_contained(ranked, everything, None)
    return _score(measure, ranked, everything)


def _score(measure: Measure, ranked: Sequence[float | None], everything: Sequence[float | None] | None) -> float | None:
    """The kernel on one query."""
    from .kernel.gains import GainError

    at = [(rank, grade) for rank, grade in enumerate(_kept(measure, ranked), 1) if grade is not None]
    ranks = np.array([rank for rank, _ in at], dtype=np.int64)
    pool = [grade for grade in (ranked if everything is None else everything) if grade is not None]
    zeros = np.zeros(len(at), dtype=np.int64)
    batch = Batch(
        Judged(1, np.zeros(len(pool), dtype=np.int64), np.array(pool, dtype=np.float64)),
        Ranked(
            zeros,
            np.array([grade for _, grade in at], dtype=np.float64),
            ranks,
            ranks,
            zeros + 1,
            np.array([len(ranked)], dtype=np.int64),
        ),
    )
    try:
        computed = measure.family.compute(batch, measure)
    except GainError as error:
        hint = "say what it is worth with negative='clamp' or negative='keep'" if error.grade < 0 else None
        raise InputError(f"grade {error.grade:g} {error.problem}", code="gain", hint=hint) from None
    value = float(computed.value[0])
    if not math.isfinite(value):
        raise InputError(f"{measure.name} is beyond the range of a float", code="overflow", hint="use gain='linear'")
    if not computed.relevant[0]:
        policy = measure.conventions.text("empty")
        if policy == "error":
            raise InputError("no judged grade has a positive gain", code="empty_query")
        # A sum is there without a relevant document too: losses alone add up.
        return {"zero": 0.0, "one": 1.0}.get(policy, value if measure.family is DCG else None)
    if not ranked and measure.family is nDCG and measure["missing"] != "zero":
        if measure["missing"] == "error":
            raise InputError("the list is empty", code="missing_query")
        return None
    return value


def _kept(measure: Measure, ranked: Sequence[float | None]) -> Sequence[float | None]:
    policy = measure["unjudged"]
    head = ranked if measure.k is None else ranked[: measure.k]
    if policy == "error" and None in head:
        raise InputError(f"the document at rank {list(ranked).index(None) + 1} is unjudged", code="unjudged_document")
    return [grade for grade in ranked if grade is not None] if policy == "skip" else ranked


def _numbers(values: Iterable[object], what: str, query: str | None) -> list[float | None]:
    """Grades as finite floats, None where a document is unjudged; raises ValueError or TypeError with the value."""
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        raise DataTypeError(
            f"{what} are a list of numbers, found {values!r}",
            code="grades_shape",
            faults=_at(query, f"{values!r}"),
        )
    values = list(values)
    if set(map(type, values)) <= {int, float}:
        with suppress(OverflowError):
            plain: list[float | None] = list(map(float, cast(list[float], values)))
            if math.isfinite(sum(cast(list[float], plain))):
                return plain
    numbers: list[float | None] = []
    for value in values:
        if value is None and what == "grades":
            numbers.append(None)
            continue
        if not is_real(value) or getattr(value, "ndim", False):
            raise NotANumberError(f"{what}: {value!r} is not a number", code="not_a_number", faults=_at(query, what))
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise InputError(f"{what}: {shown(value)} is not a finite number", code="grade", faults=_at(query, what))
        numbers.append(number)
    return numbers


class NotANumberError(InputError, TypeError):
    """A grade that is not a number: a ValueError and a TypeError, since callers expect either."""


def _at(query: str | None, what: str) -> list[Fault]:
    return [Fault(what, None, query=query)] if query is not None else []


def _check_contained(ranked: Sequence[float | None], judged: Sequence[float | None] | None, query: str | None) -> None:
    """Positive grades of the list must be among the judged ones."""
    if judged is None:
        return
    positive = Counter(grade for grade in ranked if grade is not None and grade > 0)
    lacking = positive - Counter(grade for grade in judged if grade is not None)
    if lacking:
        grade, count = next(iter(lacking.items()))
        held, judgments = _times(positive[grade]), _times(positive[grade] - count)
        raise InputError(
            f"grade {grade:g} stands {held} in the list but {judgments} in judged",
            code="not_judged",
            faults=_at(query, f"grade {grade:g} is in the list but not in judged"),
            hint="judged= holds all judged grades of the query, those of the list included",
        )


def _times(count: int) -> str:
    return {0: "not", 1: "once", 2: "twice"}.get(count, f"{count} times")


_RANKS: list[str] = []
"""The names of the documents of all lists, made once."""


def _documents(count: int) -> list[str]:
    while len(_RANKS) < count:
        _RANKS.append(f"rank {len(_RANKS) + 1}")
    return _RANKS[:count]


def _judgments(ranked: Sequence[float | None], judged: Sequence[float | None] | None) -> dict[str, float]:
    """Judgments that give the list its grades, and the rest of `judged` to documents that were not returned."""
    names = _documents(len(ranked))
    grades = {name: grade for name, grade in zip(names, ranked, strict=True) if grade is not None}
    if judged is not None:
        rest = Counter(judged) - Counter(grades.values())
        grades.update({f"missed {number}": float(g) for number, g in enumerate(rest.elements(), 1) if g is not None})
    return grades
