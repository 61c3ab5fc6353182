"""Ids that may mean the same, in SQL: a key that is equal wherever anything makes two ids equal."""

from __future__ import annotations


def odd(column: str) -> str:
    """An SQL condition: the id may have outer blanks, a '.0', or more than one Unicode form."""
    ends = " or ".join(
        f"{test}({column}, {mark})" for test in ("starts_with", "ends_with") for mark in ("' '", "chr(9)")
    )
    return f"(strlen({column}) <> length({column}) or ends_with({column}, '.0') or {ends})"


def loose(column: str, plain: bool) -> str:
    """An SQL key that is equal wherever any cause makes two ids equal (and elsewhere: what it finds is looked at).

    But blanks inside ids: those are looked for in queries alone. `plain` ids have nothing `odd`, which takes as long
    to undo as all the rest.
    """
    undone = f"nfc_normalize(trim(replace({column}, '.0', ''), ' \t\u00a0\u3000'))"
    text = column if plain else f"case when {odd(column)} then {undone} else {column} end"
    return f"replace(lower({text}), '0', '')"
