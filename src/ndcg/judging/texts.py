"""The texts of some queries and documents, for those who judge: from CSV, TSV, JSON Lines or JSON files."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from ..errors import Fault, InputError, unreadable
from ..readers.columns import role_of
from ..readers.lines import LONGEST, numbered, numbered_with_ends

TEXTS = ("text", "contents", "content", "body", "query_text", "document_text", "passage", "question", "query")
TITLES = ("title", "headline")
BARE = ("id", "_id")


def read_texts(path: str, wanted: Collection[str], kind: str) -> dict[str, str]:
    """{id: text} of the wanted ids; `kind` is 'query' or 'doc'.

    JSON Lines and JSON hold objects with an id and a text (and a title), or one object {id: text}; CSV and TSV have a
    header, or two columns id and text. Ids without a text are left out. Raises InputError for anything else.
    """
    try:
        first = next(((number, line) for number, line in numbered(path) if line.strip()), None)
    except OSError as error:
        raise unreadable(error, path) from None
    if first is None:
        raise InputError(f"{path} is empty", code="empty_input", hint="give a file with ids and texts")
    start = first[1].lstrip()[:1]
    if start == b"[" or (start == b"{" and not _is_object(first[1])):
        records = _from_json(path)
    elif start == b"{":
        records = _from_lines(path)
    else:
        records = _from_table(path, first[1].decode("utf-8", "replace"), kind)
    found: dict[str, str] = {}
    for where, record in records:
        key = _id_key(record, kind, where)
        identifier = _identifier(record[key], where)
        if identifier in wanted:
            found[identifier] = _text(record, key, where)
    return found


Record = tuple[Fault, Mapping[str, object]]


def _is_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object with an id, and not the beginning of a longer one."""
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and any(_is_id(key, kind) for key in found for kind in ("query", "doc"))


def _is_id(key: str, kind: str) -> bool:
    return key.strip().lower() in BARE or role_of(key) == kind


def _from_lines(path: str) -> Iterator[Record]:
    for number, line in numbered(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(
                "the line is not JSON", code="json", faults=[Fault(f"the line is not JSON: {error}", path, number)]
            ) from None
        if not isinstance(record, dict):
            raise InputError("expected an object", code="json", faults=[Fault("expected an object", path, number)])
        yield Fault("", path, number), record


def _from_json(path: str) -> Iterator[Record]:
    from ..readers.streams import BOM, chunks

    data = b"".join(chunks(path)).removeprefix(BOM)
    try:
        found = json.loads(data)
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}", code="json") from None
    if isinstance(found, dict):
        for key, value in found.items():
            yield Fault("", path), {**value, "_id": key} if isinstance(value, dict) else {"_id": key, "text": value}
        return
    for record in found:
        if not isinstance(record, dict):
            raise InputError(f"{path}: expected a list of objects", code="json")
        yield Fault("", path), record


def _from_table(path: str, header: str, kind: str) -> Iterator[Record]:
    delimiter = "\t" if "\t" in header else ","
    csv.field_size_limit(LONGEST)

    line = 0

    def lines() -> Iterator[str]:
        nonlocal line
        for number, data, _ in numbered_with_ends(path):
            line = number
            yield data.decode("utf-8", "replace") + "\n"

    rows: Iterator[list[str]] = csv.reader(lines(), delimiter=delimiter, quoting=csv.QUOTE_MINIMAL)
    names = next(rows)
    if not any(_is_id(name.strip(), kind) for name in names):
        if len(names) != 2:
            raise InputError(
                f"{path}: no id column; the columns are {', '.join(map(repr, names))}",
                code="missing_column",
                hint="name it id, query or doc, and the text text",
            )
        rows, names = chain([names], rows), ["_id", "text"]
    for row in rows:
        if not row:
            continue
        if len(row) != len(names):
            problem = f"expected {len(names)} fields, found {len(row)}"
            raise InputError(problem, code="fields", faults=[Fault(problem, path, line)])
        yield Fault("", path, line), dict(zip((name.strip() for name in names), row, strict=True))


def _id_key(record: Mapping[str, object], kind: str, where: Fault) -> str:
    """The key that holds the id: one that says so goes before one that may be a text (`query`)."""
    keys = [key for key in record if _is_id(key, kind)]
    if not keys:
        raise InputError(
            f"{where.where}: no id among {', '.join(map(repr, record))}", code="missing_column", hint="name it id"
        )
    return min(keys, key=lambda key: ("id" not in key.lower() and "no" not in key.lower(), role_of(key) != kind))


def _identifier(value: object, where: Fault) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        problem = f"the id {value!r} is neither text nor a whole number"
        raise InputError(problem, code="id_type", faults=[Fault(problem, where.where, where.line)])
    return str(value)


def _text(record: Mapping[str, object], key: str, where: Fault) -> str:
    """Title and text on one line."""
    found = _first(record, TEXTS, key)
    title = _first(record, TITLES, key)
    if found is None and title is None:
        raise InputError(
            f"{where.where}: no text among {', '.join(map(repr, record))}", code="missing_column", hint="name it text"
        )
    parts = [part for part in (title, found) if part]
    if len(parts) == 2 and parts[1].startswith(parts[0]):
        parts = parts[1:]
    return " ".join(": ".join(parts).split())


def _first(record: Mapping[str, object], names: Sequence[str], without: str) -> str | None:
    folded = {key.strip().lower(): value for key, value in record.items() if key != without}
    value = next((folded[name] for name in names if name in folded), None)
    return None if value is None else str(value)
