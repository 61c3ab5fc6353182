"""Ids are text. Integers in memory are their decimal text; every other type is refused, never guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from ..errors import DataTypeError, Fault, InputError

Value = TypeVar("Value")


def text_id(value: object, what: str, *, where: str, query: str | None = None) -> str:
    """The id as text; raises DataTypeError for bool, float, bytes, None and anything else that is not text."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(int(value))
    if type(value).__module__ == "numpy" and hasattr(value, "__index__") and type(value).__name__ != "bool":
        return str(value.__index__())
    problem = f"{what} id {value!r} is a {type(value).__name__}; ids are text or integers"
    raise DataTypeError(
        problem,
        code="id_type",
        faults=[Fault(problem, where, query=query)],
        hint=f"turn {what} ids into text",
    )


def text_keys(mapping: Mapping[object, Value], where: str) -> dict[str, Value]:
    """A mapping by query with text ids; raises InputError where a query is there as text and as integer."""
    texts: dict[str, Value] = {}
    for raw, value in mapping.items():
        query = text_id(raw, "query", where=where)
        if query in texts:
            raise InputError(f"{where}: query {query!r} is there as text and as integer", code="repeated_query")
        texts[query] = value
    return texts


def all_text(values: Iterable[object]) -> bool:
    """Whether every id is text already; joining them is the fastest way to ask."""
    try:
        "".join(values)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def refuse_surrogates(values: Iterable[str]) -> None:
    """Raise InputError for an id with half a surrogate pair: Python holds it, a file in UTF-8 cannot."""
    for value in values:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"the id {value!r} holds half of a surrogate pair, which is no text in UTF-8",
                code="id_text",
                hint="read the ids with the encoding of their file",
            ) from None
