"""Plain text that lines up: widths as terminals count them, columns, labelled and wrapped blocks."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from ..errors import clip

WIDTH = 100
"""The width that text is wrapped at."""

LABEL = 12
"""The width of the column of labels."""


def width(text: str) -> int:
    """How many cells a terminal gives the text: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, size: int, right: bool = False) -> str:
    """The text filled with blanks to `size` cells."""
    blanks = " " * max(0, size - width(text))
    return blanks + text if right else text + blanks


def shown_id(identifier: str, size: int = 40) -> str:
    """An id for people: shortened, control characters visible, quoted where its blanks would be lost."""
    text = clip(identifier, size)
    return repr(text) if not text or text != text.strip() else text


def columns(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Lines of a table with a header; `right` says which columns are numbers."""
    sizes = [max(width(row[at]) for row in (header, *rows)) for at in range(len(header))]
    return [
        "  ".join(pad(cell, size, number) for cell, size, number in zip(row, sizes, right, strict=True)).rstrip()
        for row in (header, *rows)
    ]


def block(label: str, paragraphs: Sequence[str]) -> list[str]:
    """Paragraphs beside a label, wrapped, later lines indented."""
    lines: list[str] = []
    for paragraph in paragraphs:
        wrapped = textwrap.wrap(
            paragraph,
            WIDTH - LABEL,
            break_on_hyphens=False,
            break_long_words=False,
            subsequent_indent="  " if lines or len(paragraphs) > 1 else "",
        )
        lines += wrapped or [""]
    return [f"{pad(label if not at else '', LABEL)}{line}".rstrip() for at, line in enumerate(lines)]


def preformatted(text: str) -> str:
    """Text for people as HTML for notebooks.

    >>> preformatted("a < b")
    '<pre>a &lt; b</pre>'
    """
    from html import escape

    return f"<pre>{escape(text)}</pre>"


def listing(identifiers: Sequence[str], more: int, size: int = 40) -> str:
    """Ids for people, and how many more there are."""
    shown = ", ".join(shown_id(identifier, size) for identifier in identifiers)
    return f"{shown} and {more:,} more" if more > 0 else shown
