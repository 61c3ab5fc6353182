"""TREC run: six columns, `query Q0 document rank score tag`."""

from __future__ import annotations

from ..counted import counted_noun
from ..errors import SHOWN, InputError
from .context import Context, Piece
from .source import Described, Role, Scanned
from .trec_lines import RUN, Layout, all_tabs, data_lines
from .trec_text import read_part, rows


def read(path: str, context: Context) -> Piece:
    """Read one file; the engine gets score and rank. For a pool only query and document count."""
    found = read_part(path, RUN, name=path, comments=context.comments, several_tags=context.several_tags)
    part = context.without_numbers(found.part) if context.role is Role.POOL else found.part
    return Piece("trec_run", part, found.layout, found.notes, tag=found.tag)


def by_tag(path: str, *, comments: bool | None = None) -> dict[str, Scanned]:
    """The runs of a file with several run tags, by tag in order of appearance.

    Read line by line in Python; a bad line anywhere is an InputError, as in a file with one tag.
    """
    found = read_part(path, RUN, name=path, comments=comments, several_tags=True)
    total, faults = found.part.faults(SHOWN)
    if total:
        raise InputError(f"{path}: {counted_noun(total, 'bad line')}", code="bad_rows", faults=faults, total=total)
    known = Layout(all_tabs(data_lines(path, comments is not False), RUN), comments is not False, several=True)
    from .spill import Spill

    spills: dict[str, Spill] = {}
    for number, _, (query, _, doc, rank, score, tag), _ in rows(path, RUN, known):
        if tag not in spills:
            spills[tag] = Spill()
        spills[tag].add((query, doc, score, rank, number))
    return {
        tag: Scanned(
            Role.RUN,
            Described(tag, "trec_run", f"{found.layout}, of {path}"),
            (spill.part(path, "score", number=True, rank=True),),
        )
        for tag, spill in spills.items()
    }
