"""Counts with their nouns, for every sentence that holds one: no output says `1 queries`."""

from __future__ import annotations


def counted_noun(count: int, noun: str, many: str | None = None) -> str:
    """A count with its noun: `1 query`, `2 queries`. Both may go on with their verb, where it changes as well.

    >>> counted_noun(1, "run"), counted_noun(2_000, "query scores", "queries score")
    ('1 run', '2,000 queries score')
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def first_ranks(k: int | None) -> str:
    """The ranks that were looked at: `first 10 ranks`, `first rank`, `whole list`."""
    if k is None:
        return "whole list"
    return "first rank" if k == 1 else f"first {k} ranks"


def among_ranks(k: int | None) -> str:
    """Where something was met that only the scored ranks were searched for: ` in the first 10 ranks`.

    Empty where the whole list was read.
    """
    return "" if k is None else f" in the {first_ranks(k)}"
