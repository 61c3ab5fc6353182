"""A conversion as text and JSON: what was written, what was left behind, what was made up."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING

from .layout import WIDTH
from .words import counted_noun

if TYPE_CHECKING:
    from ..conversion import Conversion


def conversion_text(done: Conversion) -> str:
    """Two lines or more, without a final line end."""
    rows = counted_noun(done.rows, "document")
    queries = f"{done.queries} queries" if done.queries != 1 else "1 query"
    kind = "a run" if done.kind == "run" else "judgments"
    lines = [
        f"{done.target}: {kind}, {queries}, {rows}",
        f"{'formats':<12}{done.source_format} to {done.target_format}",
    ]
    for label, things in (("dropped", done.dropped or ("nothing",)), ("made", done.made)):
        for at, thing in enumerate(things):
            head = f"{label if at == 0 else '':<12}"
            lines += textwrap.wrap(
                head + thing, WIDTH, subsequent_indent=" " * 12, break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines)


def conversion_json(done: Conversion) -> str:
    """The same as one JSON document."""
    return json.dumps(asdict(done), ensure_ascii=False, indent=2)
