"""OpenLiveQ runs: the first line describes the run, each other one is query and document in ranked order."""

from __future__ import annotations

from dataclasses import replace

from ..counted import counted_noun
from ..errors import SHOWN, Fault, InputError, clip
from .context import Context, Piece
from .lines import numbered
from .spill import Spill


def is_described(rows: list[bytes]) -> bool:
    """Whether a line without a tab stands above lines of two tab-separated fields."""
    return len(rows) > 1 and b"\t" not in rows[0] and all(row.count(b"\t") == 1 for row in rows[1:])


def read(path: str, context: Context) -> Piece:
    """Read one file; the order of the lines is the order of the documents."""
    spill = Spill()
    description: str | None = None
    faults: list[Fault] = []
    total = 0
    for number, line in numbered(path):
        if not line.strip(b" \t"):
            continue
        problem, text = None, line.decode("utf-8", "backslashreplace")
        if description is None:
            description = text
            continue
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte 0x{line[error.start]:02X} at offset {error.start} of the line is not valid UTF-8"
        fields = text.split("\t")
        if problem is None and (len(fields) != 2 or not all(fields)):
            found = counted_noun(len([f for f in fields if f]), "field")
            problem = f"expected query and document, separated by a tab, found {found}"
        if problem is not None:
            total += 1
            faults += [Fault(problem, path, number, text=text)] if len(faults) < SHOWN else []
            continue
        spill.add((fields[0], fields[1], "", str(spill.count + 1), number))
    if total:
        raise InputError(f"{path}: {counted_noun(total, 'bad line')}", code="bad_lines", faults=faults, total=total)
    if not spill.count:
        raise InputError(f"{path} has a first line and no rows", code="empty")
    part = replace(spill.part(path, "rank", number=False, rank=True), path=path)
    layout = f"query and document in order, separated by tabs, below the line {clip(description or '', 60)!r}"
    return Piece("openliveq_run", part, layout, ranked=True)
