"""From what the caller gives to files or one table: paths, globs, folders, lists, pipes; then their formats."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import COPIES, DataTypeError, InputError, UsageError, choose, of_originals, unreadable
from . import known, temporary
from .beir_folders import judgments_in
from .context import Context, Piece
from .declared import held_against
from .source import Described, Mapped, Role, Scanned, Source
from .streams import CHUNK

FILES = {
    "trec_qrels": ("trec_qrels", "read"),
    "trec_run": ("trec_run", "read"),
    "csv": ("csv", "read"),
    "tsv": ("tsv", "read"),
    "beir_qrels": ("beir_qrels", "read"),
    "ranked": ("headerless", "read_ranked"),
    "scored": ("headerless", "read_scored"),
    "graded": ("headerless", "read_graded"),
    "headerless": ("headerless", "read_either"),
    "json": ("json", "read"),
    "jsonl": ("jsonl", "read"),
    "parquet": ("parquet", "read"),
    "quepid": ("quepid", "read"),
    "quepid_basic_snapshot": ("quepid", "read_snapshot"),
    "quepid_detailed": ("quepid_detailed", "read"),
    "quepid_snapshot": ("quepid_snapshot", "read"),
    "quepid_book": ("quepid_book", "read"),
    "quepid_json": ("quepid_json", "read"),
    "es_rank_eval": ("es_rank_eval", "read"),
    "es_search": ("es_search", "read"),
    "es_rank_eval_response": ("es_rank_eval_response", "read"),
    "opensearch_judgments": ("opensearch_judgments", "read"),
    "rre": ("rre", "read"),
    "mteb_predictions": ("mteb_predictions", "read"),
    "yaml": ("yaml", "read"),
    "fill_down": ("fill_down", "read"),
    "svmlight": ("svmlight", "read"),
    "predictions": ("predictions", "read"),
    "msmarco_run": ("msmarco", "read_run"),
    "msmarco_top": ("msmarco", "read_top"),
    "openliveq_run": ("openliveq", "read"),
}
"""File format -> (module, function)."""

ROLES = {
    **known.ROLES,
    "trec_qrels": (Role.JUDGMENTS, Role.POOL),
    "trec_run": (Role.RUN, Role.POOL),
    "beir_qrels": (Role.JUDGMENTS, Role.POOL),
    "graded": (Role.JUDGMENTS, Role.POOL),
    "ranked": (Role.RUN,),
    "scored": (Role.RUN,),
    "headerless": (Role.RUN,),
    "svmlight": (Role.JUDGMENTS, Role.POOL),
    "predictions": (Role.RUN,),
    "msmarco_run": (Role.RUN, Role.POOL),
    "msmarco_top": (Role.POOL,),
    "openliveq_run": (Role.RUN,),
}
"""File formats that hold only some kinds of input; the others hold any."""

TABLES = {
    "pandas": "pandas_frames",
    "polars": "polars_frames",
    "arrow": "arrow_tables",
    "duckdb": "duckdb_relations",
}
"""Table format -> module."""

TAKEN = (
    "a path, a list of paths, a glob, a folder, a dict {query: {document: number}}, a pandas or polars frame, "
    "an Arrow table or a DuckDB relation"
)


def table_kind(source: object) -> str | None:
    """'pandas', 'polars', 'arrow' or 'duckdb' by the type's own module, so that nothing is imported to ask."""
    kind = type(source)
    known = {
        ("pandas", "DataFrame"): "pandas",
        ("polars", "DataFrame"): "polars",
        ("polars", "LazyFrame"): "polars",
        ("pyarrow", "Table"): "arrow",
        ("pyarrow", "RecordBatch"): "arrow",
        ("pyarrow", "RecordBatchReader"): "arrow",
        ("duckdb", "DuckDBPyRelation"): "duckdb",
        ("_duckdb", "DuckDBPyRelation"): "duckdb",
    }
    for base in kind.__mro__:
        found = known.get((base.__module__.split(".")[0], base.__name__))
        if found is not None:
            return found
    return None


def open_source(source: object, context: Context, format: str | None, name: str | None) -> Source:
    """Read `source` as what it is. DataTypeError says what is taken."""
    where = name or ("run" if context.role is Role.RUN else str(context.role))
    if context.features is not None and not context.implied and _is_values(source):
        from .predictions import from_values

        return _joined([from_values(source, context, where)], context.role, where)
    kind = table_kind(source)
    if kind is not None:
        _refuse_format(format, kind)
        reader = import_module(f".{TABLES[kind]}", __package__)
        return _joined([reader.read(source, context, where)], context.role, where)
    if isinstance(source, Mapping):
        _refuse_format(format, "mapping")
        from . import mapping

        return _joined([held_against(mapping.read(source, context, where), context, where)], context.role, where)
    files = list(_files(judgments_in(source, context.role)))
    try:
        pieces = [_file(path, context, format) for path in files]
    except OSError as error:
        raise unreadable(error) from None
    _refuse_several_tags(pieces, files, context)
    return _joined(
        pieces,
        context.role,
        name or (files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"),
        files,
    )


def _is_values(source: object) -> bool:
    """Whether predictions are in memory: a list of numbers, an array or a series."""
    if isinstance(source, list | tuple):
        return not any(isinstance(item, str | os.PathLike) for item in source[:1])
    return hasattr(source, "tolist") and table_kind(source) is None


def _refuse_several_tags(pieces: list[Piece], files: list[str], context: Context) -> None:
    """Files of one run bear one tag: two tags are two systems, whose results must not be mixed."""
    tagged = [(piece.tag, path) for piece, path in zip(pieces, files, strict=True) if piece.tag]
    other = next(((tag, path) for tag, path in tagged if tag != tagged[0][0]), None)
    if other is not None and context.role is Role.RUN and not context.several_tags:
        raise InputError(
            f"{tagged[0][1]} and {other[1]} are files of different runs: their tags are {tagged[0][0]!r} and "
            f"{other[0]!r}",
            code="several_tags",
            hint="score each as a run of its own (--runs FOLDER, or a dict of runs)",
        )


def _refuse_format(format: str | None, kind: str) -> None:
    if format not in (None, kind):
        raise (
            choose("format", format, (kind,))
            if format not in FILES
            else InputError(f"format={format!r} is for files; this input is in memory", code="format")
        )


def _file(path: str, context: Context, format: str | None) -> Piece:
    if format is None:
        from .detection import detect

        format = detect(path, context)
    elif format not in FILES:
        raise choose("format", format, tuple(key for key in FILES if key != "headerless"))
    if context.role not in ROLES.get(format, (context.role,)):
        raise UsageError(
            f"format={format!r} cannot hold a {context.role}"
            if context.role is not Role.JUDGMENTS
            else f"format={format!r} cannot hold judgments",
            code="format",
        )
    module, function = FILES[format]
    read: Any = getattr(import_module(f".{module}", __package__), function)
    made: Piece = read(path, context)
    return held_against(made, context, path)


def _files(source: object) -> Iterator[str]:
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        if isinstance(path, bytes):
            raise _not_taken(source)
        yield from _paths(path)
    elif isinstance(source, list | tuple):
        if not source:
            raise InputError("an empty list of paths", code="empty")
        for item in source:
            if not isinstance(item, str | os.PathLike) or isinstance(os.fspath(item), bytes):
                raise _not_taken(source, f" of {type(item).__name__}")
            yield from _paths(os.fspath(item))
    else:
        raise _not_taken(source)


def paths_of(source: object) -> list[str]:
    """The files that a path, a glob, a folder or a list of these means; standard input and pipes as copies."""
    return list(_files(source))


def files_of(source: object) -> list[str]:
    """The same for judgments or a run: of a folder of BEIR the judgments."""
    return paths_of(judgments_in(source))


def _not_taken(source: object, more: str = "") -> DataTypeError:
    if type(source).__name__ == "Series" and hasattr(source, "reset_index"):
        hint = (
            "pass a frame with a column for each: series.reset_index() makes one of a series whose index holds the ids"
        )
        return DataTypeError("Series is not taken as input", code="input_type", hint=hint)
    return DataTypeError(
        f"{type(source).__name__}{more} is not taken as input", code="input_type", hint=f"pass {TAKEN}"
    )


def _paths(path: str) -> Iterator[str]:
    if path == "-":
        yield _copied(sys.stdin.buffer, "standard-input", "standard input")
        return
    if not path:
        raise InputError("the path is empty", code="missing_file", hint="was a variable not set?")
    if "\0" in path or "\n" in path:
        raise InputError("a path holds a line end or NUL", code="missing_file", hint="pass a path, not the data itself")
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        yield from _matches(path)
        return
    if stat.S_ISDIR(mode):
        inside = sorted(str(item) for item in Path(path).iterdir() if item.is_file() and item.name[0] != ".")
        if not inside:
            raise InputError(f"{path} is a folder without files", code="missing_file")
        yield from inside
    elif stat.S_ISREG(mode):
        yield path
    else:
        # A pipe gives nothing the second time, without an error.
        with Path(path).open("rb") as file:
            yield _copied(file, Path(path).name, path)


def _matches(path: str) -> Iterator[str]:
    if not any(mark in path for mark in "*?["):
        raise InputError(f"no such file: {path}", code="missing_file")
    found = sorted(item for item in glob.glob(path, recursive=True) if Path(item).is_file())  # noqa: PTH207
    if not found:
        raise InputError(f"no file matches {path}", code="missing_file")
    yield from found


def _copied(file: Any, name: str, original: str) -> str:
    """The path of a temporary copy; messages name the original."""
    path = str(temporary.copy(iter(lambda: file.read(CHUNK), b""), f"-{name}"))
    COPIES[path] = original
    return path


def _joined(pieces: list[Piece], role: Role, where: str, files: list[str] | None = None) -> Source:
    """One Source from the pieces of one input."""
    formats = list(dict.fromkeys(piece.format for piece in pieces))
    layouts = list(dict.fromkeys(piece.layout for piece in pieces if piece.layout))
    notes = tuple(
        f"{Path(file).name}: {note}" if len(pieces) > 1 else note
        for file, piece in zip(files or [where] * len(pieces), pieces, strict=True)
        for note in piece.notes
    )
    tag = next((piece.tag for piece in pieces if piece.tag), "")
    unused = tuple(dict.fromkeys(thing for piece in pieces for thing in piece.unused))
    described = Described(of_originals(where), ", ".join(formats), "; ".join(layouts), notes, unused, tag)
    told = [piece for piece in pieces if not piece.rowless] or pieces
    if len({piece.ranked for piece in told}) > 1:
        raise InputError(f"{where}: some files have scores, others only ranks", code="layout")
    ranked = told[0].ranked
    parts = tuple(piece.part for piece in pieces if piece.part is not None)
    if len(parts) == len(pieces):
        return Scanned(role, described, parts, ranked)
    if parts:
        raise InputError(
            f"{where}: files of different kinds ({described.format})",
            code="layout",
            hint="write the JSON objects in the format of the others first (ndcg convert IN OUT)",
        )
    mappings = [piece.mapping for piece in pieces if piece.mapping is not None]
    if len(mappings) == 1:
        return Mapped(role, described, mappings[0], ranked)
    from .json import merged

    return Mapped(role, described, merged(list(zip(files or [], mappings, strict=True))), ranked)
