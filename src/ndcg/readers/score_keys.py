"""Objects of results without a known score or rank: which of their keys could be the score, and how to say so.

A list is in ranked order only if nothing else can be: a number under an unknown key may be what ranked it, or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import numbers
from .columns import role_of

_OF_SEARCH_ENGINES = frozenset({"_version", "_seq_no", "_primary_term"})
"""Numbers that a search response holds beside its hits' scores, and that never are scores."""

_LARGER_IS_WORSE = ("dist", "loss", "perplexity", "error")


def candidates(row: Mapping[str, Any], used: Iterable[str]) -> list[str]:
    """The keys with numbers that nothing reads; of numbers inside an object those that are called scores.

    >>> candidates({"doc": "7", "similarity": 0.4, "title": "Pump"}, ["doc"])
    ['similarity']
    >>> candidates({"doc": "7", "metadata": {"score": 0.4, "page": 2}}, ["doc"])
    ['metadata.score']
    """
    known = {*used, *_OF_SEARCH_ENGINES}
    found = [key for key, value in row.items() if key not in known and _is_number(value)]
    for key, value in row.items():
        if isinstance(value, dict) and not key.startswith("_"):  # '_source' is the document, not how it was found
            found += [f"{key}.{inner}" for inner in value if _is_score(inner) and _is_number(value[inner])]
    return found


def _is_score(key: str) -> bool:
    return role_of(key) == "score" or "score" in key.lower() or _is_worse(key)


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return numbers.is_number(value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def hint(keys: Iterable[str], holder: str | None) -> str | None:
    """The way on: name the score; or, for a list under the key `holder`, say that its order is the ranking."""
    keys = list(keys)
    if not keys:
        return None
    best = next((key for key in keys if not _is_worse(key)), None)
    ways = []
    if best is not None:
        ways.append(f"if {best!r} ranks (highest first), name it with columns={{'run': {{'score': {best!r}}}}}")
    elif holder is None:
        return f"scores rank highest first: give the negative of {keys[0]!r} as the score, or a rank"
    if holder is not None:
        ways.append(f"if the order of the list is the ranking, say so with columns={{'run': {{'rank': {holder!r}}}}}")
    if any(map(_is_worse, keys)):
        ways.append("scores rank highest first, a distance does not: give its negative as the score")
    return "; ".join(ways)


def _is_worse(key: str) -> bool:
    return any(word in key.lower() for word in _LARGER_IS_WORSE)
