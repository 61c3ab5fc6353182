"""OpenLiveQ run: a line that describes the run, then query and document in ranked order, separated by a tab."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer
from .headerless import problem


def text(content: Content) -> Iterator[str]:
    """The description and one line per row."""
    yield f"{' '.join((content.tag or 'run').split()) or 'run'}\n"
    for row in content.rows("rank"):
        yield f"{row.query}\t{row.doc}\n"


WRITER = Writer(
    "openliveq_run", (Role.RUN,), text, frozenset({"order", "tag", "repeats"}), frozenset({"order"}), problem
)
