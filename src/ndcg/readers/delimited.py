"""Text with one separator between columns: with a header line, or ranked lists without one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from ..errors import Fault, InputError
from . import numbers, temporary
from .columns import Chosen, choose_columns
from .context import Context, Piece
from .lines import LONGEST, look, numbered
from .source import Part, Role
from .sql import escaped, name, read_csv


@dataclass(frozen=True, slots=True)
class Table:
    """How one file is laid out: separator, quotation mark ('' for none), header, and the column of each role."""

    path: str
    delimiter: str
    quote: str
    header: bool
    width: int
    query: int
    doc: int
    number: int | None
    rank: int | None
    word: str

    @property
    def finite(self) -> bool:
        """Whether infinite numbers are faults."""
        return self.word == "grade"


def part(table: Table, where: str, *, row_order: bool = False) -> Part:
    """The Part that scans the file. `row_order` makes the place in the file the rank."""
    seen = look(table.path)
    scanned = str(temporary.with_one_line_end(table.path)) if seen.mixed else table.path

    def select(known: Table) -> str:
        names = [f"c{index}" for index in range(known.width)]
        source = read_csv(scanned, names, delimiter=known.delimiter, quote=known.quote, header=known.header)
        return _select(known, source, row_order)

    raw = replace(table, quote="")
    return Part(
        name=where,
        select=select(table),
        parameters=(escaped(scanned),),
        # Tab-separated text may hold quotation marks that enclose nothing: read as they stand, then.
        careful=select(raw) if table.quote and table.delimiter == "\t" else None,
        careful_parameters=(escaped(scanned),),
        faults=lambda limit: faults(table, where, limit),
        locate=lambda pairs, limit: locate(table, where, pairs, limit),
        path=table.path,
    )


def _select(table: Table, source: str, row_order: bool) -> str:
    nothing = "CAST(NULL AS DOUBLE)"
    query, doc = f"c{table.query}", f"c{table.doc}"
    faults = [f"{query} IS NULL", f"{doc} IS NULL"]
    number, rank = nothing, nothing
    if table.number is not None:
        number = numbers.sql_number(f"c{table.number}")
        faults.append(numbers.sql_is_fault(f"c{table.number}", finite=table.finite))
    if table.rank is not None:
        rank = numbers.sql_number(f"c{table.rank}")
        faults.append(numbers.sql_is_fault(f"c{table.rank}", finite=True))
    elif row_order:
        rank = "CAST(row_number() OVER () AS DOUBLE)"
    return (
        f"SELECT {query} AS query, {doc} AS doc, {number} AS number, {rank} AS rank, "
        f"({' OR '.join(faults)}) AS fault FROM {source}"
    )


def records(table: Table, *, header: bool = False) -> Iterator[tuple[int, list[str] | None, str]]:
    """Every record in plain Python as (line number, fields or None where they cannot be taken apart, text)."""
    number = 0

    def text() -> Iterator[str]:
        nonlocal number
        for line_number, line in numbered(table.path):
            number = line_number
            yield line.decode("utf-8", "backslashreplace") + "\n"

    if not table.quote:
        for line in text():
            if line != "\n":
                yield number, line[:-1].split(table.delimiter), line[:-1]
        return
    reader = csv.reader(text(), delimiter=table.delimiter, quotechar=table.quote, strict=True)
    csv.field_size_limit(LONGEST)
    while True:
        begun = number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield begun, None, str(error)
            continue
        if fields:
            yield begun, fields, table.delimiter.join(fields)


def _problems(table: Table) -> Iterator[tuple[int, list[str], str, str | None]]:
    skip = table.header
    for number, fields, text in records(table):
        if skip:
            skip = False
            continue
        if fields is None:
            yield number, [], "", f"quotation marks do not match ({text})"
        elif len(fields) != table.width:
            yield number, [], text, f"expected {table.width} fields, found {len(fields)}"
        else:
            yield number, fields, text, _problem(table, fields)


def _problem(table: Table, fields: Sequence[str]) -> str | None:
    if not fields[table.query]:
        return "the query id is empty"
    if not fields[table.doc]:
        return "the document id is empty"
    if table.number is not None:
        found = numbers.problem(fields[table.number], table.word, finite=table.finite)
        if found:
            return found
    return None if table.rank is None else numbers.problem(fields[table.rank], "rank", finite=True)


def faults(table: Table, where: str, limit: int) -> tuple[int, list[Fault]]:
    """The number of bad records, and the first `limit` with their positions."""
    total = 0
    shown: list[Fault] = []
    for number, line in _undecodable(table.path):
        total += 1
        if len(shown) < limit:
            shown.append(Fault(line, where, number))
    for number, fields, text, problem in _problems(table):
        if problem is not None:
            total += 1
            if len(shown) < limit:
                ids = (fields[table.query], fields[table.doc]) if fields else (None, None)
                shown.append(Fault(problem, where, number, *ids, text=text))
    return total, shown


def _undecodable(path: str) -> Iterator[tuple[int, str]]:
    for number, line in numbered(path):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = line[error.start]
            yield number, f"byte 0x{byte:02X} at offset {error.start} of the line is not valid UTF-8"


def locate(table: Table, where: str, pairs: Sequence[tuple[str, str]], limit: int) -> list[Fault]:
    """The lines of (query, document) pairs, at most `limit`."""
    wanted = set(pairs)
    found: list[Fault] = []
    for number, fields, text, _ in _problems(table):
        if fields and (fields[table.query], fields[table.doc]) in wanted:
            value = f"{table.word} {fields[table.number]}" if table.number is not None else "listed"
            found.append(Fault(value, where, number, fields[table.query], fields[table.doc], text))
            if len(found) >= limit:
                break
    return found


def header_fields(line: str, delimiter: str) -> list[str]:
    """The column names of a header line."""
    return next(csv.reader(io.StringIO(line), delimiter=delimiter), [])


def read_headed(path: str, context: Context, delimiter: str, format: str) -> Piece:
    """Read a file whose first line names the columns."""
    first = next(((number, line) for number, line in numbered(path) if line.strip(b" \t")), None)
    if first is None:
        raise InputError(f"{path} is empty", code="empty", hint="expected a header line and rows")
    if first[0] != 1:
        raise InputError(f"{path}: blank lines stand before the header", code="layout", hint="remove them")
    names = header_fields(first[1].decode("utf-8", "replace"), delimiter)
    chosen = choose_columns(names, context.role, context.columns, path)
    if next((True for number, line in numbered(path) if number > 1 and line), None) is None:
        raise InputError(f"{path} has a header and no rows", code="empty")
    quote = '"' if look(path).quotes and (delimiter != "\t" or quoted_fields(path, delimiter)) else ""
    table = Table(path, delimiter, quote, True, len(names), *_places(names, chosen), _word(context.role))
    made = part(table, path)
    ranked = context.role is Role.RUN and chosen.number is None
    notes = ("quotation marks enclose fields",) if quote and delimiter == "\t" else ()
    return Piece(format, made, f"header line, {chosen.words}", notes, ranked)


def _places(names: list[str], chosen: Chosen) -> tuple[int, int, int | None, int | None]:
    number = names.index(chosen.number) if chosen.number is not None else None
    rank = names.index(chosen.rank) if chosen.rank is not None else None
    return names.index(chosen.query), names.index(chosen.doc), number, rank


def _word(role: Role) -> str:
    return "grade" if role is Role.JUDGMENTS else "score"


def quoted_fields(path: str, delimiter: str) -> bool:
    """Whether some field begins with a quotation mark."""
    inside = (delimiter + '"').encode()
    return any(line.startswith(b'"') or inside in line for _, line in numbered(path))


def refuse(path: str, problem: str, hint: str, code: str = "layout") -> NoReturn:
    """Raise the InputError for a file whose layout cannot be used."""
    raise InputError(f"{path}: {problem}", code=code, hint=hint)


__all__ = ["Table", "faults", "header_fields", "locate", "name", "part", "read_headed", "records", "refuse"]
