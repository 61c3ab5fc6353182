"""YAML: a mapping of queries to `{document: number}`, or to documents in ranked order; every id is quoted."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, grouped, numeral

_LONGEST = 500
"""Longer keys need a question mark before them."""


def text(content: Content) -> Iterator[str]:
    """A block per query."""
    for query, rows in grouped(content.rows("query" if content.scored else "rank")):
        yield f"{_key(scalar(query))}\n"
        for row in rows:
            doc = scalar(row.doc)
            yield f"  - {doc}\n" if row.number is None else f"  {_key(doc, '  ')} {numeral(row.number)}\n"
    for query in content.bare:
        yield f"{_key(scalar(query))} {{}}\n"
    for query in content.failed:
        yield f"{_key(scalar(query))}\n"


def _key(quoted: str, indent: str = "") -> str:
    return f"{quoted}:" if len(quoted) < _LONGEST else f"? {quoted}\n{indent}:"


def scalar(value: str) -> str:
    r"""A text in quotation marks, with escapes for what YAML would not keep.

    >>> print(scalar('no "x"'), scalar("007\n"))
    "no \"x\"" "007\n"
    """
    return '"' + "".join(map(_written, value)) + '"'


def _written(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char == " " or char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


HOLDS = frozenset({"scores", "order", "bare", "nothing", "failed"})
WRITER = Writer("yaml", (Role.JUDGMENTS, Role.RUN), text, HOLDS)
