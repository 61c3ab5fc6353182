"""SQL text that reads files with DuckDB: nothing is sniffed, paths are parameters, names are quoted."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .lines import LONGEST
from .streams import compression

BUFFER = 8 << 20
"""Bytes of one read buffer: larger ones took three times the memory at the same speed."""

BUFFER_OF_LINES = 16 << 20
"""The same where whole lines are read: fewer pieces leave the pattern that takes them apart a little more time."""


def literal(text: str) -> str:
    """The text as an SQL string literal."""
    quoted = "'" + text.replace("'", "''") + "'"
    return quoted if "\0" not in quoted else "(" + quoted.replace("\0", "' || chr(0) || '") + ")"


def name(text: str) -> str:
    """The text as an SQL identifier."""
    return '"' + text.replace('"', '""') + '"'


def escaped(path: str) -> str:
    """A path in which no character is a wildcard."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def read_csv(
    path: str,
    columns: Sequence[str],
    *,
    delimiter: str,
    quote: str = "",
    header: bool = False,
    ours: bool = False,
    doubles: Collection[str] = (),
    buffer: int = BUFFER,
) -> str:
    """The read_csv call for one file, its columns text but for `doubles`; its only parameter is the path.

    `ours` is a file that this package wrote: its lines end with \\n, whatever its quoted fields hold.
    """
    line_end = ", new_line='\\n'" if ours else ""
    typed = ", ".join(f"{literal(column)}: '{'DOUBLE' if column in doubles else 'VARCHAR'}'" for column in columns)
    packed = compression(path) or "none"
    return (
        f"read_csv(?, auto_detect=false, header={str(header).lower()}, delim={literal(delimiter)}, "
        f"quote={literal(quote)}, escape={literal(quote)}, columns={{{typed}}}, compression='{packed}', "
        f"buffer_size={buffer}, max_line_size={LONGEST}{line_end})"
    )
