"""MTEB predictions: runs of one model by subset and split, `{subset: {split: {query: {document: score}}}}`.

Beside them stands `mteb_model_meta`. A file with several subsets or splits holds several runs.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .json import parsed
from .json_walk import below, kind
from .source import Described, Role, Scanned

META = "mteb_model_meta"


def read(path: str, context: Context) -> Piece:
    """Read one file that holds one run, or several as one where `several_tags` says so."""
    return from_data(parsed(path), path, context)


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed file; several subsets or splits are an InputError unless taken as one."""
    found = _runs(data, path)
    if len(found) > 1 and not context.several_tags:
        raise InputError(
            f"{path} holds {len(found)} runs: {', '.join(list(found)[:10])}",
            code="several_tags",
            hint="score each as a run of its own with --split-tags",
        )
    rows = Gathering(context, path, "mteb_predictions")
    for tag, (held, place) in found.items():
        _rows(rows, held, place)
        rows.unused[f"subset and split {tag!r}"] = None
    if META in data:
        rows.unused[f"key {META!r}"] = None
    return rows.piece(f"predictions, {', '.join(found)}", tag=_model(data))


def _model(data: dict[str, Any]) -> str:
    """The model's name, which is the run's."""
    meta = data.get(META)
    name = meta.get("model_name") if isinstance(meta, dict) else None
    return name if isinstance(name, str) else ""


def by_tag(path: str) -> dict[str, Scanned]:
    """The runs of a file by `subset/split`."""
    made: dict[str, Scanned] = {}
    for tag, (held, place) in _runs(parsed(path), path).items():
        rows = Gathering(Context(Role.RUN), path, "mteb_predictions")
        _rows(rows, held, place)
        piece = rows.piece(f"predictions, {tag}")
        assert piece.part is not None
        described = Described(tag, "mteb_predictions", f"{piece.layout}, of {path}", piece.notes)
        made[tag] = Scanned(Role.RUN, described, (piece.part,))
    return made


def _runs(data: Any, path: str) -> dict[str, tuple[Any, str]]:
    if not isinstance(data, dict):
        raise InputError(f"{path}: $: expected an object, found {kind(data)}", code="layout")
    found: dict[str, tuple[Any, str]] = {}
    for subset, splits in data.items():
        if subset == META:
            continue
        place = below("$", subset)
        if not isinstance(splits, dict):
            raise InputError(f"{path}: {place}: expected an object of splits, found {kind(splits)}", code="layout")
        for split, held in splits.items():
            found[f"{subset}/{split}"] = (held, below(place, split))
    if not found:
        raise InputError(f"{path} has no predictions", code="empty")
    return found


def _rows(rows: Gathering, held: Any, place: str) -> None:
    if not isinstance(held, dict):
        rows.fault(f"expected an object of queries, found {kind(held)}", place=place)
        return
    for name, documents in held.items():
        inside = below(place, name)
        query = rows.query(name, place=inside)
        if query is None:
            continue
        if not isinstance(documents, dict):
            rows.fault(f"expected {{document: score}}, found {kind(documents)}", place=inside, query=query)
            continue
        for doc, score in documents.items():
            if score is None:
                rows.fault("the score is null", place=below(inside, doc), query=query, doc=doc)
            else:
                rows.row(query, doc, score, place=below(inside, doc))
