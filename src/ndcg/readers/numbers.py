"""What text is a number: one grammar for every reader, in the common subset of Python's `re` and DuckDB's RE2."""

from __future__ import annotations

import math
import re

INFINITY = r"[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
DECIMAL = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NUMBER = f"(?:{DECIMAL}|{INFINITY})"
"""Decimal or exponent form, or inf/infinity in any case; nothing around it, no hexadecimal, no underscores."""

_NUMBER = re.compile(NUMBER)
_NAN = re.compile(r"[+-]?nan", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Whether the text has the form of a number (inf is one, NaN is not)."""
    return _NUMBER.fullmatch(text) is not None


def problem(text: str, word: str, *, finite: bool = False) -> str | None:
    """What is wrong with the text as a number, in words that start with `word` ('score', 'grade'); None if nothing.

    `finite` refuses infinities. Text that overflows a float is refused: it would become infinite silently.
    """
    if not is_number(text):
        return f"{word} is NaN" if _NAN.fullmatch(text) else f"{word} {text!r} is not a number"
    if math.isinf(float(text)):
        if "n" not in text.lower():
            return f"{word} {text!r} is beyond the range of a float"
        if finite:
            return f"{word} is infinite"
    return None


def value_problem(value: float, word: str, *, finite: bool = False) -> str | None:
    """What is wrong with a number that already is one: NaN, or infinite where it must be `finite`."""
    if value != value:
        return f"{word} is NaN"
    return f"{word} is infinite" if finite and math.isinf(value) else None


def sql_number(column: str) -> str:
    """The SQL expression of a text column as DOUBLE; NULL where DuckDB's own cast fails."""
    return f"try_cast({column} AS DOUBLE)"


def sql_is_suspect(column: str, *, held: bytes | None = None, blanks: str = "") -> str:
    """The SQL condition that text may not be a number of the grammar, though DuckDB's cast takes it or not.

    Never NULL, and cheap: the cast takes more than the grammar, but nothing beyond blanks around a number, '1_000',
    '+-1' and NaN. `held` are the telling bytes of the file, None if unknown: what a file does not hold is not asked.
    `blanks` are the separators (blank, tab) that the field itself may hold.
    """
    number = sql_number(column)
    conditions = [f"{number} IS NULL", f"isnan({number})", f"isinf({number})"]
    for asked, mark in ((b"_", "'_'"), (b"+", "'+-'")):
        if held is None or asked in held:
            conditions.append(f"contains({column}, {mark})")
    if held is None or any(code in held for code in b"\v\f"):
        conditions.append(f"regexp_matches({column}, '[ \\t\\n\\v\\f\\r]')")
    conditions += [f"contains({column}, chr({ord(blank)}))" for blank in blanks if held is not None]
    return f"coalesce({' OR '.join(conditions)}, true)"


def sql_is_fault(column: str, *, finite: bool = False, held: bytes | None = None, blanks: str = "") -> str:
    """The SQL condition (never NULL) that a text column holds no acceptable number: the grammar decides."""
    number = sql_number(column)
    # An infinite value is only taken from text that says so.
    infinite = f"isinf({number})"
    if not finite:
        infinite += f" AND NOT regexp_matches({column}, '[nN]')"
    fault = f"coalesce({number} IS NULL OR NOT regexp_full_match({column}, '{NUMBER}') OR ({infinite}), true)"
    # Two regular expressions on every row cost more than reading it: they are kept for the rows in doubt.
    return f"(CASE WHEN {sql_is_suspect(column, held=held, blanks=blanks)} THEN {fault} ELSE false END)"
