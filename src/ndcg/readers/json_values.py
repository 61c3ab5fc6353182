"""JSON text to ids and numbers: duplicate keys, id types and number types are checked here, for both JSON formats."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from . import numbers
from .columns import preference, role_of
from .streams import BOM, chunks


class Repeated(ValueError):
    """A key that stands twice in one JSON object."""

    def __init__(self, key: str) -> None:
        super().__init__(f"key {key!r} stands twice in one object")
        self.key = key


def text(path: str) -> str:
    """The whole file as text; UnicodeDecodeError where it is not UTF-8."""
    return b"".join(chunks(path)).removeprefix(BOM).decode("utf-8")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object as a dict; a repeated key is an error instead of a silent overwrite."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        raise Repeated(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return made


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is beyond the range of a float")
    return value


def loads(source: str) -> Any:
    """Parse JSON; a repeated key raises Repeated, a number out of range ValueError, other faults JSONDecodeError."""
    return json.loads(source, object_pairs_hook=unique, parse_float=_number)


def id_problem(value: object, word: str) -> str | None:
    """What is wrong with a value as an id, or None."""
    if isinstance(value, str):
        if not value:
            return f"the {word} id is empty"
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return f"the {word} id holds half of a character (a lone surrogate)"
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return None
    return f"the {word} id is {json.dumps(value)[:40]}, not text"


def number(value: object, word: str, *, finite: bool) -> tuple[float | None, str | None]:
    """A JSON value as (number, problem): numbers, or text in the number grammar."""
    if isinstance(value, str):
        problem = numbers.problem(value, word, finite=finite)
        return (None, problem) if problem else (float(value), None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None, f"{word} {json.dumps(value)[:40]} is not a number"
    try:
        made = float(value)
    except OverflowError:
        return None, f"{word} is beyond the range of a float"
    return made, numbers.value_problem(made, word, finite=finite)


def value_at(held: Any, path: str) -> Any:
    """The value under a dotted path of keys, None where there is none.

    >>> value_at({"params": {"text": "pump"}}, "params.text")
    'pump'
    """
    if isinstance(held, dict) and path in held:
        return held[path]
    first, dot, rest = path.partition(".")
    if not isinstance(held, dict) or not dot:
        return None
    return value_at(held.get(first), rest)


def reached(record: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The record with the values that declared names reach by a dotted path, under these names.

    >>> reached({"qid": "q", "hit": {"id": "a"}}, ["hit.id"])
    {'qid': 'q', 'hit': {'id': 'a'}, 'hit.id': 'a'}
    """
    inside = {name: value_at(record, name) for name in names if "." in name and name not in record}
    inside = {name: value for name, value in inside.items() if value is not None}
    return {**record, **inside} if inside else record


def roles(record: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """Role -> key of a row object."""
    found = {role: key for role, key in given.items() if key in record}
    for key in sorted(record, key=preference):
        role = role_of(key)
        if role is not None and role not in given:
            found.setdefault(role, key)
    return found
