"""Dicts in memory: `{query: {document: number}}` or `{query: [documents]}`. Only the outermost shape is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import SHOWN, DataTypeError, Fault, InputError
from .columns import ALIKE, constant_words, declared_grade
from .context import Context, Piece
from .labels import Labels, plain_among, plain_words
from .source import Role


def read(rows: Mapping[Any, Any], context: Context, where: str) -> Piece:
    """The mapping as it is: the engine that scores it checks ids and numbers."""
    if not rows:
        raise InputError(f"{where} has no queries", code="empty")
    first = next((value for value in rows.values() if value is not None), None)
    ranked = first is not None and not isinstance(first, Mapping)
    if ranked and not _listed(first, context.role):
        raise DataTypeError(
            f"{where}: a query holds {type(first).__name__}",
            code="input_type",
            hint="expected {query: {document: number}}"
            + ("" if context.role is Role.JUDGMENTS else " or {query: [documents]}"),
        )
    constant = declared_grade(context.columns) if ranked and context.role is Role.JUDGMENTS else None
    if constant is not None:
        made = {query: _alike(inner, constant) for query, inner in rows.items()}
        layout = f"documents per query, {constant_words(constant)}"
        return Piece("mapping", None, layout, mapping=made, constant=True)
    if ranked and context.role is Role.JUDGMENTS:
        raise DataTypeError(
            f"{where}: lists of documents have no grades",
            code="input_type",
            hint=f"expected {{query: {{document: grade}}}}; if every document was liked, {ALIKE}",
        )
    notes: tuple[str, ...] = ()
    if context.labels is not None and context.role is Role.JUDGMENTS:
        plain = plain_among(rows, context.labels)
        notes = (plain_words(plain),) if plain else ()
        rows = _graded(rows, context.labels, where)
    kind = "lists of documents" if ranked else "documents with numbers"
    return Piece("mapping", None, f"{kind} per query", notes, ranked=ranked, mapping=rows)


def _alike(documents: object, grade: float) -> object:
    """The documents of a query with one grade each; what holds none stays, and the engine says what is wrong."""
    if isinstance(documents, Mapping) or not _listed(documents, Role.JUDGMENTS):
        return documents
    return dict.fromkeys(list(documents), grade)  # type: ignore[call-overload]


def _graded(rows: Mapping[Any, Any], labels: Labels, where: str) -> dict[Any, Any]:
    """The rows with grades for labels; a label that the table lacks is an InputError."""
    made: dict[Any, Any] = {}
    faults: list[Fault] = []
    for query, documents in rows.items():
        if not isinstance(documents, Mapping):
            made[query] = documents  # the engine says what is wrong with it
            continue
        made[query] = {doc: labels.grade(label) for doc, label in documents.items()}
        faults += [
            Fault(problem, where, query=str(query), document=str(doc))
            for doc, label in documents.items()
            if (problem := labels.problem(label))
        ]
    if faults:
        raise InputError(f"{where}: {faults[0].problem}", code="bad_rows", faults=faults[:SHOWN], total=len(faults))
    return made


def _listed(value: object, role: Role) -> bool:
    sets = (set, frozenset) if role is not Role.RUN else ()
    return isinstance(value, (list, tuple, *sets)) or type(value).__module__ == "numpy"
