"""Column names that the caller declares, held against what a format has: a name that nothing reads is an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..errors import UsageError
from .columns import only_rank
from .context import Context, Piece
from .source import Part, Role, Source

FIXED: dict[str, tuple[str, ...]] = {
    "trec_qrels": ("query", "doc", "grade"),
    "trec_run": ("query", "doc", "rank", "score"),
    "msmarco_run": ("query", "doc", "rank", "score"),
}
"""Formats whose columns have no names in the file: each role has its own name, and no other."""

TAKEN: dict[str, tuple[str, ...]] = {
    "ranked": (),
    "scored": (),
    "graded": (),
    "mapping": (),
    "svmlight": (),
    "msmarco_top": (),
    "openliveq_run": (),
    "quepid": (),
    "quepid_basic_snapshot": (),
    "quepid_detailed": (),
    "quepid_snapshot": (),
    "quepid_json": (),
    "opensearch_judgments": (),
    "mteb_predictions": (),
    "predictions": ("score",),
    "rre": ("query",),
    "es_rank_eval": ("query", "doc"),
    "es_rank_eval_response": ("doc",),
    "es_search": ("doc",),
    "quepid_book": ("query", "doc", "grade"),
}
"""Formats that let the caller choose only some of their columns, or none; those that are in neither table, any."""

_UNNAMED = ("ranked", "scored", "graded", "openliveq_run")


class Declared(dict[str, str]):
    """Column names by role for one input; `shared` roles are meant for every input that has such a column."""

    def __init__(self, names: Mapping[str, str], shared: Iterable[str] = ()) -> None:
        super().__init__(names)
        self.shared = frozenset(shared)


def held_against(piece: Piece, context: Context, where: str) -> Piece:
    """The piece as the declared columns want it: ordered by rank where only the rank is named.

    Raises UsageError where a name is declared that nothing reads; a shared one is only noted.
    """
    if not context.columns:
        return piece
    useless = [role for role, name in context.columns.items() if not _is_read(role, name, piece)]
    refused = [role for role in useless if role not in context.shared]
    if refused:
        raise _not_read(refused[0], context.columns[refused[0]], piece, where)
    notes = tuple(f"{_unused(role, context.columns[role])}{_why(piece)}" for role in useless)
    piece = piece._replace(notes=(*piece.notes, *notes))
    if piece.format in FIXED and context.role is Role.RUN and only_rank(context.columns) and piece.part is not None:
        layout = f"{piece.layout}, rank=rank"
        return piece._replace(part=by_rank(piece.part), ranked=True, layout=layout, unused=(*piece.unused, "scores"))
    return piece


def refuse_unused(declared: Mapping[str, str] | None, sources: Iterable[Source]) -> None:
    """Raise UsageError where a name that is declared for all inputs at once is read in none of them."""
    if not isinstance(declared, Declared):
        return
    notes = [source.described.notes for source in sources]
    for role in sorted(declared.shared & declared.keys()):
        mark = _unused(role, declared[role])
        if notes and all(any(note.startswith(mark) for note in told) for told in notes):
            raise UsageError(
                f"columns= names {declared[role]!r} for the {role}, and nothing reads it: no input has named columns",
                code="columns",
                hint=f"leave {role}={declared[role]} out",
            )


def _unused(role: str, name: str) -> str:
    """How the note about a name that nothing reads begins."""
    return f"{role}={name} is not used: "


def by_rank(part: Part) -> Part:
    """The part with its scores left out, so that the ranks order."""

    def bare(select: str) -> str:
        return f"SELECT query, doc, CAST(NULL AS DOUBLE) AS number, rank, fault FROM ({select})"

    return replace(part, select=bare(part.select), careful=bare(part.careful) if part.careful else None)


def _is_read(role: str, name: str, piece: Piece) -> bool:
    if role == "grade" and piece.constant:
        return True
    if piece.format in FIXED:
        return role in FIXED[piece.format] and name == role
    if piece.format == "json" and piece.mapping is not None:
        return False
    return piece.format not in TAKEN or role in TAKEN[piece.format]


def _why(piece: Piece) -> str:
    """Why a name says nothing here."""
    if piece.format in FIXED:
        return f"the columns of {piece.format} are {', '.join(FIXED[piece.format])}"
    if piece.format == "mapping" or piece.mapping is not None:
        return "{query: {document: number}} has no columns"
    named = TAKEN[piece.format]
    return f"{piece.format} has {'only named columns for ' + ', '.join(named) if named else 'no named columns'}"


def _not_read(role: str, name: str, piece: Piece, where: str) -> UsageError:
    hint = f"leave {role}={name} out"
    if piece.format in _UNNAMED:
        hint += ", or give the file a header line that names its columns"
    elif piece.format != "mapping" and piece.mapping is None:
        part = "qrels_" if role in ("grade", "judge") else "run_" if role in ("score", "rank") else ""
        hint += f", or name the format if the file is another one, such as {part}format='csv'"
    return UsageError(
        f"{where}: columns= names {name!r} for the {role}, and nothing reads it: {_why(piece)}",
        code="columns",
        hint=hint,
    )
