"""The text form of measures: `NAME(option=value, ...)@k`, as ir_measures made it common.

The grammar, in full:

    measure := NAME [ '(' [ option { ',' option } ] ')' ] [ '@' cutoff ]
    option  := WORD '=' value
    value   := 'text' | "text" | number | word | word '(' number ')' | table
    table   := '{' number ':' number { ',' number ':' number } '}'

Quotes may be left out, because shells eat them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import UsageError, clip

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<quoted>'[^']*'|"[^"]*")
    | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<word>11pt_avg|[A-Za-z_][\w.+-]*)
    | (?P<sign>[(){}=,:@])
    )""",
    re.VERBOSE | re.ASCII,
)
_WHOLE = re.compile(r"[+-]?\d{1,400}", re.ASCII)


class Parsed(NamedTuple):
    """A measure string taken apart: nothing in it is resolved yet."""

    name: str
    options: dict[str, object]
    cutoff: int | float | None


@dataclass(slots=True)
class _Reader:
    text: str
    tokens: list[tuple[str, str]]
    at: int = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, kind: str, value: str | None = None) -> str:
        found, text = self.peek()
        if found != kind or (value is not None and text != value):
            expected = repr(value) if value else {"word": "a name", "number": "a number"}.get(kind, kind)
            raise self.wrong(f"expected {expected}, found {text!r}" if text else f"expected {expected}")
        self.at += 1
        return text

    def wrong(self, problem: str) -> UsageError:
        return UsageError(
            f"measure {clip(self.text, 200)!r}: {problem}",
            code="measure_syntax",
            hint="a measure reads like nDCG@10 or nDCG(gain='linear', ties='average')@10",
        )


def take_apart(text: str) -> Parsed:
    """Split a measure string into name, options and cutoff; raises UsageError with what was expected."""
    reader = _Reader(text, _tokens(text))
    name = reader.take("word")
    options: dict[str, object] = {}
    if reader.peek()[1] == "(":
        reader.take("sign", "(")
        while reader.peek()[1] != ")":
            option = reader.take("word")
            reader.take("sign", "=")
            if option == "k":
                raise reader.wrong("the cutoff is written after the measure, with @")
            if option in options:
                raise reader.wrong(f"option {option!r} is given twice")
            options[option] = _value(reader)
            if reader.peek()[1] != ")":
                reader.take("sign", ",")
        reader.take("sign", ")")
    cutoff: int | float | None = None
    if reader.peek()[1] == "@":
        reader.take("sign", "@")
        cutoff = _number(reader, reader.take("number"))
    if reader.peek()[0] != "end":
        raise reader.wrong(f"nothing may follow the cutoff, found {reader.peek()[1]!r}")
    return Parsed(name, options, cutoff)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at, stripped = [], 0, text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None or match.lastgroup is None:
            raise _Reader(text, []).wrong(f"cannot read {stripped[at:]!r}")
        tokens.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return tokens


def _number(reader: _Reader, text: str) -> int | float:
    number = float(text)
    if math.isinf(number):
        raise reader.wrong(f"{clip(text, 40)} is beyond the range of a float")
    return int(text) if _WHOLE.fullmatch(text) else number


def _value(reader: _Reader) -> object:
    kind, text = reader.peek()
    if kind == "quoted":
        reader.take(kind)
        return text[1:-1]
    if kind == "number":
        reader.take(kind)
        return _number(reader, text)
    if text == "{":
        return _table(reader)
    word = reader.take("word")
    if word in ("True", "true", "False", "false"):
        return word in ("True", "true")
    if word == "None":
        return None
    if reader.peek()[1] == "(":
        reader.take("sign", "(")
        argument = reader.take("number")
        reader.take("sign", ")")
        return f"{word}({argument})"
    return word


def _table(reader: _Reader) -> dict[float, float]:
    table: dict[float, float] = {}
    reader.take("sign", "{")
    while reader.peek()[1] != "}":
        grade = float(reader.take("number"))
        reader.take("sign", ":")
        if grade in table:
            raise reader.wrong(f"grade {grade:g} is in the table twice")
        table[grade] = float(reader.take("number"))
        if reader.peek()[1] != "}":
            reader.take("sign", ",")
    reader.take("sign", "}")
    return table
