"""Steps 5 to 8 of the slow definition: what grades are worth, the gain at each rank, and the ideal.

Sources: Burges et al. 2005 (gain 2^grade - 1), McSherry & Najork 2008 (the expected value over the orders of tied
documents).
"""

import ctypes
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from .reference_ranking import Entry, tied_groups

Gain = str | Mapping[float, float]


def is_removed(grade: float, negative: str, grade_type: str = "float64") -> bool:
    """Whether a document with this grade leaves the list: some tools take negative grades for padding."""
    grade = float(math.trunc(grade)) if grade_type == "int" else grade
    return (negative == "remove" and grade < 0) or (negative == "padding" and grade == -1)


def gain_of(
    grade: float,
    gain: Gain,
    negative: str,
    min_grade: float | None,
    off_table: str = "error",
    grade_type: str = "float64",
    gain_type: str = "float64",
    overflow: str = "error",
) -> float:
    """What a grade is worth: 2^grade - 1 (Burges et al. 2005), the grade itself, or a table's entry.

    Negative grades are treated first, then grades below `min_grade`; only what is left consults a table. Tools that
    read grades as integers cut them towards 0 before anything else. `exp2_int64` is 2^grade - 1 in integers of 64 bits
    that turn over, `exp2_to_30` a table of the labels 0 to 30. An infinite gain is an error unless a tool goes on with
    it (`overflow`).
    """
    if not math.isfinite(grade):
        raise ValueError(f"grade {grade!r} is not a finite number")
    if grade_type == "int":
        grade = float(math.trunc(grade))
    if grade < 0 and negative == "error":
        raise ValueError(f"grade {grade!r} is negative, and negative='error'")
    if grade < 0 and gain != "judged" and (negative == "clamp" or is_removed(grade, negative)):
        return 0.0
    if min_grade is not None and grade < min_grade:
        return 0.0
    if gain == "judged":
        return 1.0
    if gain == "binary":
        return 1.0 if grade > 0 else 0.0
    if isinstance(gain, Mapping):
        if grade not in gain and off_table == "error":
            raise ValueError(f"grade {grade!r} is not in the gain table {dict(gain)!r}")
        worth = float(gain.get(grade, grade if off_table == "grade" else 0.0))
    elif gain == "exp2":
        try:
            worth = 2.0 ** float(grade) - 1.0
        except OverflowError:
            worth = math.inf
    elif gain == "exp2_to_30":
        if grade not in range(31):
            raise ValueError(f"grade {grade!r} is not a whole number from 0 to 30")
        worth = float(2 ** int(grade) - 1)
    elif gain == "exp2_int64" and grade == math.trunc(grade):
        if grade < 0:
            raise ValueError(f"grade {grade!r} is negative, and integers have no negative powers")
        # 2^63 is the lowest integer, 1 below it the highest; from grade 64 on the power has lost all its bits.
        worth = float(2 ** int(grade) - 1) if grade < 64 else -1.0
    elif gain == "exp2_int64":
        worth = 2.0 ** float(grade) - 1.0
    else:
        worth = float(grade)
    if gain_type == "float32":
        worth = ctypes.c_float(worth).value
    if not math.isfinite(worth) and not (overflow == "zero" and worth > 0):
        raise ValueError(f"grade {grade!r} has a gain that is not a finite float")
    return worth


def gains_by_rank(
    ranking: Sequence[Entry], gains: Mapping[str, float], ties: str, k: int | None, unjudged: float = 0.0
) -> list[float]:
    """Steps 5 to 7: the gain at each rank 1..k. An unjudged document gains 0, or what a tool gives it.

    `best` and `worst` order a tied group by gain. `average` puts the group's mean gain at each of its
    positions: the expected DCG over all its orders (McSherry & Najork 2008), as DCG is linear in the gains.
    """
    column: list[float] = []
    for group in tied_groups(ranking):
        if k is not None and len(column) >= k:
            break
        worths = [gains.get(doc, unjudged) for doc, _ in group]
        if ties == "given_reversed":
            worths.reverse()
        elif ties in ("best", "worst"):
            worths.sort(reverse=ties == "best")
        elif ties == "average":
            worths = [mean_of(worths)] * len(worths)
        column.extend(worths)
    return column[:k]


def shared_ranks(
    ranking: Sequence[Entry], gains: Mapping[str, float], k: int | None, unjudged: float
) -> list[tuple[int, float]]:
    """(rank, gain): each tied group stands at its mean rank, cut to a whole number, as far as that is at most k."""
    placed, above = [], 0
    for group in tied_groups(ranking):
        at = (above + 1 + above + len(group)) // 2
        if k is None or at <= k:
            placed += [(at, gains.get(doc, unjudged)) for doc, _ in group]
        above += len(group)
    return placed


def joined_gains(ranking: Sequence[Entry], gains: Mapping[str, float], k: int | None) -> tuple[list[float], list[str]]:
    """Repeats as a join of tables by document counts them: the gain at each rank, and what the ideal pool holds more.

    Each occurrence in the first k ranks gains as often as the whole list holds the document, and the ideal pool,
    which holds every document once, holds as many of it.
    """
    times = Counter(doc for doc, _ in ranking)
    head = [doc for doc, _ in ranking[:k]]
    more: list[str] = []
    for position, doc in enumerate(head):
        if doc in gains:
            more += [doc] * (times[doc] if doc in head[:position] else times[doc] - 1)
    return [gains.get(doc, 0.0) * times[doc] for doc in head], more


def habitual_ideal(
    grades: Mapping[str, float],
    gains: Mapping[str, float],
    pool: Collection[str],
    ideal: str,
    signed: bool,
    ranks: int,
    end: int | None,
    order: str,
) -> list[float]:
    """Step 8: the largest positive gains of the pool, descending, cut at `end` documents.

    No order of the pool has a larger sum. Tools do it otherwise:
    `hits` has gain 1 at each of `ranks` ranks, `given` the judged documents as they come. Signed, losses take part:
    the largest gains first, and documents of the pool without a judgment gain 0. By `order='grade'` the highest grades
    come first, whatever they gain.
    """
    if ideal == "hits":
        return [1.0] * ranks
    if ideal == "given":
        return [gains[doc] for doc in grades if doc in pool][:end]
    listed = [(grades.get(doc, 0.0), gains.get(doc, 0.0)) for doc in pool if ideal == "returned" or doc in gains]
    by_grade = order == "grade"
    if not signed:
        listed = [(grade, gain) for grade, gain in listed if gain > 0.0 or (by_grade and grade > 0.0)]
    listed.sort(key=lambda pair: pair if by_grade else pair[1], reverse=True)
    return [gain for _, gain in listed][:end]


def mean_of(numbers: Sequence[float]) -> float:
    """The correctly rounded sum over the count: the order of the numbers never changes a bit."""
    try:
        return math.fsum(numbers) / len(numbers)
    except OverflowError:
        return math.inf
