"""Steps through a parsed JSON document that keep the path for messages: `$.ratings[3].rating`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .gathering import Gathering

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def below(place: str, key: str | int) -> str:
    """The path of a member or an item.

    >>> below(below("$", "ratings"), 3)
    '$.ratings[3]'
    """
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key}" if _PLAIN.fullmatch(key) else f"{place}[{json.dumps(key, ensure_ascii=False)}]"


def objects(rows: Gathering, held: Any, key: str, place: str) -> Iterator[tuple[dict[str, Any], str]]:
    """(object, path) for the list under `key` of an object; a fault where it is no list, or an item no object."""
    inside = below(place, key)
    listed = held.get(key) if isinstance(held, dict) else None
    if not isinstance(listed, list):
        rows.fault(f"expected a list, found {kind(listed)}", place=inside)
        return
    for at, item in enumerate(listed):
        if isinstance(item, dict):
            yield item, below(inside, at)
        else:
            rows.fault(f"expected an object, found {kind(item)}", place=below(inside, at))


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "nothing"
    words = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return words.get(type(value), "a number")


def leftover(rows: Gathering, held: dict[str, Any], known: tuple[str, ...], what: str) -> None:
    """Remember the keys that nothing reads."""
    for key in held:
        if key not in known:
            rows.unused[f"{what} {key!r}"] = None
