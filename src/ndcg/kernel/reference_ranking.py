"""Steps 1 to 5 of the slow definition: from the rows of a run to one ranking, and what ties in it.

An entry is a document with its score. Sakai 2007 defines condensed lists: unjudged documents removed before ranking.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Collection, Sequence

Entry = tuple[str, float]


def round_score(score: float, score_type: str) -> float:
    """Step 1b: the score as it is compared. Single precision turns what is beyond its range into infinity."""
    if math.isnan(score):
        raise ValueError("the score is NaN, which has no place in an order")
    return ctypes.c_float(score).value if score_type == "float32" else float(score)


def drop_self(entries: Sequence[Entry], query: str) -> list[Entry]:
    """Step 2: without the document that bears the id of the query."""
    return [(doc, score) for doc, score in entries if doc != query]


def drop_repeats(entries: Sequence[Entry], duplicates: str) -> list[Entry]:
    """Step 3: of each document the best-scored occurrence, the earliest of equal ones, in input order.

    Tools that count every occurrence drop none.
    """
    if duplicates in ("count", "merged", "joined"):
        return list(entries)
    kept: dict[str, int] = {}
    for position, (doc, score) in enumerate(entries):
        if doc in kept and duplicates == "error":
            raise ValueError(f"document {doc!r}: returned more than once (again with score {score!r})")
        if doc not in kept or score > entries[kept[doc]][1]:
            kept[doc] = position
    return [entries[position] for position in sorted(kept.values())]


def condense(entries: Sequence[Entry], judged: Collection[str]) -> list[Entry]:
    """Step 4, `unjudged=skip`: only documents that have a judgment (Sakai 2007)."""
    return [(doc, score) for doc, score in entries if doc in judged]


def rank(entries: Sequence[Entry], ties: str) -> list[Entry]:
    """Step 5: score descending; among equal scores by id, or as given.

    `average`, `best` and `worst` look at a tied group as a whole (`gains_by_rank`). Where a count needs one
    order of them all the same, it is that of `docid`.
    """
    by_id = list(entries)
    if ties not in ("given", "given_reversed", "shared"):
        # Code-point order of text is the byte order of its UTF-8 form.
        by_id.sort(key=lambda entry: entry[0], reverse=ties == "docid_desc")
    return sorted(by_id, key=lambda entry: -entry[1])


def tied_groups(ranking: Sequence[Entry]) -> list[list[Entry]]:
    """The ranking cut into runs of equal score. Equality is that of numbers: -0.0 is 0.0, inf is inf."""
    groups: list[list[Entry]] = []
    for doc, score in ranking:
        if groups and groups[-1][0][1] == score:
            groups[-1].append((doc, score))
        else:
            groups.append([(doc, score)])
    return groups


def tied_at_cutoff(ranking: Sequence[Entry], k: int | None, ties: str) -> int:
    """How many documents share the score of rank k, if rank k + 1 is among them; else 0."""
    if (
        k is None
        or k == 0
        or ties in ("given", "given_reversed", "shared")
        or len(ranking) <= k
        or ranking[k - 1][1] != ranking[k][1]
    ):
        return 0
    return Counter(score for _, score in ranking)[ranking[k][1]]
