"""Files that hold several runs: run tags of TREC text, snapshots of Quepid, subsets and splits of MTEB."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .context import Context, Piece
from .declared import held_against
from .source import Role, Scanned


def by_tag(path: str, *, comments: bool | None = None, columns: Mapping[str, str] | None = None) -> dict[str, Scanned]:
    """The runs of one file by name, in order of appearance; a file of any other format is read as TREC text.

    `columns` as in `read`: `{'rank': 'rank'}` orders the runs of TREC text by rank.
    """
    context = Context(Role.RUN, dict(columns or {}), comments)
    return {name: _as_declared(run, context, path) for name, run in _by_tag(path, comments).items()}


def _as_declared(run: Scanned, context: Context, path: str) -> Scanned:
    if not context.columns:
        return run
    described = run.described
    piece = held_against(
        Piece(described.format, run.parts[0], described.layout, described.notes, run.ranked), context, path
    )
    described = described._replace(layout=piece.layout, notes=piece.notes)
    parts = run.parts if piece.part is None else (piece.part, *run.parts[1:])
    return run._replace(described=described, parts=parts, ranked=piece.ranked)


def _by_tag(path: str, comments: bool | None) -> dict[str, Scanned]:
    from .detection import detect

    format = detect(path, Context(Role.RUN, comments=comments))
    if format == "json":
        from .json import parsed
        from .mteb_predictions import META

        data = parsed(path)
        if isinstance(data, dict) and META in data:
            format = "mteb_predictions"
    if format in ("quepid_snapshot", "mteb_predictions"):
        read: Any = import_module(f".{format}", __package__).by_tag
        found: dict[str, Scanned] = read(path)
        return found
    from .trec_run import by_tag as of_trec

    return of_trec(path, comments=comments)
