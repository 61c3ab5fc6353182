"""The slow definition of nDCG@k: plain Python that reads like the formula. It is the specification.

    DCG@k  = sum over ranks r = 1..k of gain(r) / divisor(r)
    nDCG@k = DCG@k / ideal DCG@k

Sources: Järvelin & Kekäläinen 2002 (cumulated gain, a discount from rank b on, division by the ideal),
Burges et al. 2005 (gain 2^grade - 1, discount log2(rank + 1)), McSherry & Najork 2008 (the expected value
over the orders of tied documents), Sakai 2007 (condensed lists: unjudged documents removed before ranking).

The work has eleven steps, and `evaluate` says the number of each. What a step does stands in `reference_ranking.py`
(which documents are ranked, in which order), `reference_gains.py` (what they are worth, and the ideal),
`reference_sums.py` (the discounted sum) and, for what becomes of a query, here.

Ids are text and numbers are numbers here. Whether judgments and run fit together (no query in common, an
empty run) is judged by whoever read them: this module defines what each query is worth.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .reference_gains import (
    Gain,
    gain_of,
    gains_by_rank,
    habitual_ideal,
    is_removed,
    joined_gains,
    mean_of,
    shared_ranks,
)
from .reference_ranking import Entry, condense, drop_repeats, drop_self, rank, round_score, tied_at_cutoff
from .reference_sums import Discount, discounted_sum, placed_sum, rounded

_VALUES = {
    "measure": ("nDCG", "DCG", "IDCG", "CG"),
    "ideal": ("judged", "candidates", "returned", "hits", "given"),
    "ideal_cut": ("k", "none", "returned"),
    "ideal_order": ("gain", "grade"),
    "ties": ("docid", "docid_desc", "given", "average", "best", "worst", "given_reversed", "shared"),
    "unjudged": ("zero", "skip", "error"),
    "negative": ("clamp", "error", "keep", "signed", "remove", "padding"),
    "empty": ("exclude", "zero", "one", "error", "compute"),
    "no_ideal": ("zero", "one", "exclude", "error"),
    "no_ideal_by": ("ideal", "sum"),
    "missing": ("zero", "exclude", "error"),
    "failed": ("exclude", "zero", "error"),
    "empty_missing": ("empty", "missing"),
    "empty_list": ("missing", "zero"),
    "unjudged_query": ("ignore", "error", "zero", "one"),
    "short_list": ("scored", "zero"),
    "off_table": ("error", "zero", "grade"),
    "grade_type": ("float64", "int"),
    "duplicates": ("best", "error", "count", "merged", "joined"),
    "self": ("keep", "drop"),
    "score_type": ("float64", "float32"),
    "cutoff_zero": ("error", "whole", "nothing"),
    "minus_infinity": ("ranked", "unretrieved"),
    "gain_type": ("float64", "float32"),
    "overflow": ("error", "zero"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one query: its status, its value under the declared policies, and the ingredients.

    `dcg` is None for failed and unjudged queries, `ideal_dcg` where nothing is judged. `judged` and
    `relevant` count the judgments, `returned` the rows after step 2, repeats included. `judged_at_k` is taken before
    condensing, None where nothing was returned; `tied_at_cutoff` after it, but before padding is removed.
    """

    query: str
    status: str
    value: float | None
    dcg: float | None
    ideal_dcg: float | None
    judged: int
    relevant: int
    returned: int
    judged_at_k: float | None
    tied_at_cutoff: int


def status_of(failed: bool, judged: bool, relevant: int, returned: int) -> str:
    """The first that applies."""
    if failed:
        return "failed"
    if not judged:
        return "unjudged"
    if relevant == 0:
        return "empty"
    return "missing" if returned == 0 else "scored"


def measured(measure: str, dcg: float, ideal_dcg: float) -> float:
    """Step 9. A query with judged gain whose chosen ideal is 0 has nDCG 0."""
    if measure == "IDCG":
        return ideal_dcg
    if measure in ("DCG", "CG"):
        return dcg
    return dcg / ideal_dcg if ideal_dcg != 0.0 else 0.0


def policy_value(status: str, policy: str) -> float | None:
    """Step 10: the value of a query that has no value of its own."""
    if policy == "error":
        raise ValueError(f"status {status!r}, and the declared policy for it is 'error'")
    return {"exclude": None, "ignore": None, "zero": 0.0, "one": 1.0}[policy]


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Let an error from inside say where it arose."""
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{where}: {error}") from error


def _finite(what: str, number: float, of: Iterable[float]) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{what} overflows a float (the largest number that went into it: {max(of, key=abs)!r})")
    return number


def _check_declaration(
    named: Mapping[str, str], k: int | None, gain: Gain, discount: Discount, min_grade: float | None
) -> None:
    """A convention that does not exist is an error, never a default."""
    for name, value in named.items():
        if value not in _VALUES[name]:
            raise ValueError(f"{name}={value!r} is not one of {', '.join(_VALUES[name])}")
    least = 1 if named["cutoff_zero"] == "error" else 0
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < least):
        raise ValueError(f"k={k!r} is not a whole number of at least 1")
    if not isinstance(gain, Mapping) and gain not in ("exp2", "linear", "binary", "judged", "exp2_int64", "exp2_to_30"):
        raise ValueError(f"gain={gain!r} is not exp2, linear, binary, judged, exp2_int64, exp2_to_30 or a table")
    if named["negative"] == "keep" and gain != "linear":
        raise ValueError(f"negative='keep' is defined for gain='linear' only, not for gain={gain!r}")
    if isinstance(discount, tuple):
        # At base 1 the logarithm of the base is 0, below it ranks would gain weight on the way down.
        if len(discount) != 2 or discount[0] != "jarvelin" or not 1 < discount[1] < math.inf:
            raise ValueError(f"discount={discount!r} is not ('jarvelin', b) with a finite b above 1")
    elif discount not in ("log2", "reciprocal", "none"):
        raise ValueError(f"discount={discount!r} is not log2, reciprocal, none or ('jarvelin', b)")
    if min_grade is not None and not math.isfinite(min_grade):
        raise ValueError(f"min_grade={min_grade!r} is not a finite number")


def evaluate(
    judgments: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Sequence[tuple[str, float]] | None],
    *,
    measure: str = "nDCG",
    k: int | None = None,
    gain: Gain = "exp2",
    discount: Discount = "log2",
    ideal: str = "judged",
    ties: str = "docid",
    unjudged: str = "zero",
    negative: str = "clamp",
    empty: str = "exclude",
    missing: str = "zero",
    failed: str = "exclude",
    unjudged_query: str = "ignore",
    duplicates: str = "best",
    self: str = "keep",
    score_type: str = "float64",
    min_grade: float | None = None,
    candidates: Mapping[str, Collection[str]] | None = None,
    ideal_cut: str = "k",
    no_ideal: str = "zero",
    no_ideal_by: str = "ideal",
    empty_missing: str = "empty",
    empty_list: str = "missing",
    short_list: str = "scored",
    off_table: str = "error",
    grade_type: str = "float64",
    ideal_order: str = "gain",
    cutoff_zero: str = "error",
    minus_infinity: str = "ranked",
    gain_type: str = "float64",
    overflow: str = "error",
    unjudged_grade: float | None = None,
    terms: int | None = None,
    rounding: tuple[str, int] | None = None,
) -> dict[str, Row]:
    """One row per query: the judged ones in the order of the judgments, then the others in that of the run.

    `run[query]` holds (document, score) in input order; `None` says that the search failed. CG is DCG
    without a discount, whatever `discount` says. A query that `candidates` lacks has an empty pool.

    The keywords after `candidates` are habits of other tools. `terms` is the number of decimals to which each
    discounted gain is cut down, `rounding` the rule and the decimals for the value of each query.
    """
    named = {
        "measure": measure,
        "ideal": ideal,
        "ties": ties,
        "unjudged": unjudged,
        "negative": negative,
        "empty": empty,
        "missing": missing,
        "failed": failed,
        "unjudged_query": unjudged_query,
        "duplicates": duplicates,
        "self": self,
        "score_type": score_type,
        "ideal_cut": ideal_cut,
        "no_ideal": no_ideal,
        "no_ideal_by": no_ideal_by,
        "empty_missing": empty_missing,
        "empty_list": empty_list,
        "short_list": short_list,
        "off_table": off_table,
        "grade_type": grade_type,
        "ideal_order": ideal_order,
        "cutoff_zero": cutoff_zero,
        "minus_infinity": minus_infinity,
        "gain_type": gain_type,
        "overflow": overflow,
    }
    _check_declaration(named, k, gain, discount, min_grade)
    if ideal == "candidates" and candidates is None:
        raise ValueError("ideal='candidates' needs candidates: a pool of documents per query")
    if measure == "CG":
        discount = "none"
    if k == 0 and cutoff_zero == "whole":
        k = None
    policies = {"failed": failed, "unjudged": unjudged_query, "empty": empty, "missing": missing}

    rows: dict[str, Row] = {}
    for query in [*judgments, *(query for query in run if query not in judgments)]:
        with _naming(f"query {query!r}"):
            is_judged = query in judgments
            grades = judgments.get(query, {})
            gains: dict[str, float] = {}
            for doc, grade in grades.items():
                with _naming(f"document {doc!r}"):
                    gains[doc] = gain_of(grade, gain, negative, min_grade, off_table, grade_type, gain_type, overflow)
            relevant = sum(worth > 0.0 for worth in gains.values())

            entries: list[Entry] = []  # 1b
            for doc, score in run.get(query) or ():
                with _naming(f"document {doc!r}"):
                    entries.append((doc, round_score(score, score_type)))
            if self == "drop":  # 2
                entries = drop_self(entries, query)
            returned = len(entries)
            entries = drop_repeats(entries, duplicates if is_judged else "best")  # 3

            # What was looked at is counted before condensing, which would make every document judged.
            head = [doc for doc, _ in rank(entries, ties)[:k]]
            strangers = [doc for doc in head if doc not in grades]
            if is_judged and strangers and unjudged == "error":
                raise ValueError(f"document {strangers[0]!r}: returned but not judged, and unjudged='error'")
            pool: Collection[str] = set(grades)
            if is_judged and ideal == "candidates" and candidates is not None:
                pool = set(candidates.get(query, ()))
                for doc, _ in entries:
                    if doc not in pool:
                        raise ValueError(f"document {doc!r}: returned but not in the query's candidate pool")

            if unjudged == "skip":  # 4
                entries = condense(entries, grades)
            length = len(entries)
            gone = {doc for doc, grade in grades.items() if is_removed(grade, negative, grade_type)}
            ranking = rank([entry for entry in entries if entry[0] not in gone], ties)  # 5
            pool = [doc for doc in grades if doc in pool and doc not in gone]
            if ideal == "returned":
                pool = [doc for doc, _ in ranking]
            joined = joined_gains(ranking, gains, k) if duplicates == "joined" else None
            if joined is not None:
                pool = [*pool, *joined[1]]
            elif duplicates == "merged":
                pool = [
                    *pool,
                    *(doc for doc, times in Counter(doc for doc, _ in ranking).items() for _ in range(1, times)),
                ]

            status = status_of(query in run and run[query] is None, is_judged, relevant, returned)
            dcg = ideal_dcg = None
            if is_judged and status != "failed":  # 6, 7
                stranger = 0.0
                if unjudged_grade is not None and unjudged != "skip":
                    stranger = gain_of(
                        unjudged_grade, gain, negative, min_grade, off_table, grade_type, gain_type, overflow
                    )
                shown = ranking
                if minus_infinity == "unretrieved":
                    # They stand below all others, so whoever is left keeps its rank.
                    shown = [entry for entry in ranking if entry[1] != -math.inf]
                if joined is not None:
                    dcg = discounted_sum(joined[0][: len(shown)], discount, terms)
                elif ties == "shared":
                    dcg = placed_sum(shared_ranks(shown, gains, k, stranger), discount, terms)
                else:
                    dcg = discounted_sum(gains_by_rank(shown, gains, ties, k, stranger), discount, terms)
                if overflow == "error":
                    _finite("DCG", dcg, grades.values())
            if is_judged:  # 8
                reached = len(ranking) if k is None else min(k, len(ranking))
                end = {"k": k, "none": None, "returned": reached}[ideal_cut]
                hits = reached if ideal_cut == "returned" or k is None else k
                signed = negative in ("signed", "padding")
                best = habitual_ideal(grades, gains, pool, ideal, signed, hits, end, ideal_order)
                ideal_dcg = discounted_sum(best, discount, terms)
                if overflow == "error":
                    _finite("ideal DCG", ideal_dcg, grades.values())
            beyond = not all(math.isfinite(number) for number in (dcg, ideal_dcg) if number is not None)
            if beyond:
                dcg, ideal_dcg = None if dcg is None else 0.0, 0.0
            idle = False
            if measure == "nDCG" and ideal_dcg is not None:
                total = sum(grades[doc] for doc in pool if doc in grades)
                idle = (ideal_dcg == 0.0 and not beyond) or (no_ideal_by == "sum" and total == 0.0)
                ideal_dcg = 0.0 if idle else ideal_dcg
            treated = status
            if status == "empty" and empty_missing == "missing" and returned == 0:
                treated = "missing"
            elif status == "empty" and empty == "compute":
                treated = "scored"
            if treated == "scored" and dcg is not None and ideal_dcg is not None:  # 9
                value: float | None = _finite(measure, measured(measure, dcg, ideal_dcg), grades.values())
                if idle:
                    value = policy_value(status, no_ideal)
                if short_list == "zero" and k is not None and length < k and value is not None:
                    value = 0.0
                if rounding is not None and value is not None:
                    value = rounded(value, *rounding)
            elif treated == "missing" and empty_list == "zero" and query in run:
                value = 0.0
            else:  # 10
                value = policy_value(status, policies[treated])

            rows[query] = Row(
                query=query,
                status=status,
                value=value,
                dcg=dcg,
                ideal_dcg=ideal_dcg,
                judged=len(grades),
                relevant=relevant,
                returned=returned,
                judged_at_k=(len(head) - len(strangers)) / len(head) if head and is_judged else None,
                tied_at_cutoff=tied_at_cutoff(rank(entries, ties), k, ties) if is_judged else 0,
            )
    return rows


def mean(rows: Iterable[Row] | Mapping[str, Row]) -> float | None:
    """Step 11: the macro mean over counted queries; None where none is counted."""
    listed = rows.values() if isinstance(rows, Mapping) else rows
    values = [row.value for row in listed if row.value is not None]
    return _finite("mean", mean_of(values), values) if values else None
