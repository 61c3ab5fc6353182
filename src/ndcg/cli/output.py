"""Where output goes: standard output in UTF-8, or a file written whole."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from ..errors import UsageError, choose

FORMATS = {"table": "text for people", "json": "one JSON document", "csv": "rows", "md": "Markdown"}
"""Output formats and what they are."""

_ENDINGS = {".json": "json", ".csv": "csv", ".md": "md", ".markdown": "md"}


def format_of(given: str | None, path: str | None, formats: Iterable[str] = FORMATS) -> str:
    """The output format: as given, or by the ending of the output file, or the table.

    `formats` are those that the command has; an ending of another one says nothing.
    """
    known = list(formats)
    if given is not None:
        if given not in known:
            raise choose("--format", given, known)
        return given
    if path is not None:
        plain = path.lower().removesuffix(".gz").removesuffix(".zst")
        for ending, format in _ENDINGS.items():
            if plain.endswith(ending) and format in known:
                return format
    return "table"


def refuse_inputs(path: str | None, inputs: Iterable[str | None]) -> None:
    """Raise UsageError where the output file is one of the inputs, which it would replace."""
    for source in inputs:
        if path is not None and source is not None and _same(source, path):
            raise UsageError(
                f"-o {path} is one of the inputs and would be replaced", code="output", hint="name another file"
            )


def _same(one: str, other: str) -> bool:
    """Whether two paths name one file that is there."""
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def write(text: str, path: str | None, machine: bool = False) -> None:
    """Write text with a final line end to a file, whole or not at all, or to standard output.

    What machines read is UTF-8 wherever it goes; text for people follows the encoding of standard output, and what that
    cannot hold becomes escapes.
    """
    text = text if text.endswith("\n") else text + "\n"
    if path is not None and path != "-":
        from ..whole_files import write_whole

        write_whole(path, text)
        return
    stream = sys.stdout
    encoding = "utf-8" if machine else stream.encoding or "utf-8"
    data = text.encode(encoding, "backslashreplace")
    binary = getattr(stream, "buffer", None)
    if binary is None:
        stream.write(data.decode(encoding))
    else:
        stream.flush()
        binary.write(data)
    stream.flush()
