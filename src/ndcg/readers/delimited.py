"""Text with one separator between columns: with a header line, or ranked lists without one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import Fault, InputError
from . import numbers, temporary
from .columns import Chosen, choose_columns, refuse_several_runs, run_column
from .context import Context, Piece
from .labels import Labels, labels_among
from .lines import LONGEST, look, numbered, numbered_with_ends
from .source import Part, Role
from .sql import escaped, read_csv


class Table(NamedTuple):
    """How one file is laid out: separator, quotation mark ('' for none), header, the column of each role.

    `word` is what the number is called; `ours` marks a file that this package wrote. `judge` is the column of judges,
    `labels` the table that turns the texts of the number column into grades, `constant` the number of every row,
    `runs` place and name of the column that says which run a row belongs to.
    """

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
    ours: bool = False
    judge: int | None = None
    labels: Labels | None = None
    constant: float | None = None
    runs: tuple[int, str] | None = None

    @property
    def finite(self) -> bool:
        """Whether infinite numbers are faults."""
        return self.word == "grade"


def part(table: Table, where: str, *, row_order: bool = False) -> Part:
    """The Part that scans the file. `row_order` makes the place in the file the rank."""
    scanned, known = _for_duckdb(table)
    columns = [f"c{index}" for index in range(known.width)]
    source = read_csv(
        scanned,
        columns,
        delimiter=known.delimiter,
        quote=known.quote,
        header=known.header,
        ours=known.ours,
    )
    if known.runs is not None:
        column, name = known.runs
        asked = f"SELECT c{column} FROM (SELECT *, row_number() OVER () AS line FROM {source}) GROUP BY 1"
        found = _asked(f"{asked} ORDER BY min(line) LIMIT 4", scanned)
        refuse_several_runs(where, name, [row[0] for row in found])
    return Part(
        name=where,
        select=_select(known, source, row_order),
        parameters=(escaped(scanned),),
        faults=lambda limit: faults(table, where, limit),
        locate=lambda pairs, limit: locate(table, where, pairs, limit),
        path=table.path,
        labels=lambda limit: unlike_numbers(table, limit),
        plain=lambda: _plain(known, source, scanned),
        judges=None if table.judge is None else _judges(known, source),
    )


def _plain(table: Table, source: str, path: str) -> int:
    """How many grades are numbers beside labels; 0 where the file is damaged, which scanning says."""
    if table.labels is None or not table.labels.beside_numbers or table.number is None:
        return 0
    asked = f"SELECT count(*) FROM {source} WHERE {table.labels.sql_is_plain(f'c{table.number}')}"
    return sum(int(row[0]) for row in _asked(asked, path))


def _asked(select: str, path: str) -> list[tuple[Any, ...]]:
    """The rows of a SELECT from the file; none where the file is damaged, which scanning says."""
    from .duck import duckdb

    try:
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            found: list[tuple[Any, ...]] = connection.execute(select, [escaped(path)]).fetchall()
            return found
    except duckdb.Error:
        return []


def _judges(table: Table, source: str) -> str:
    """The SELECT of every judge's row."""
    return (
        f"SELECT c{table.query} AS query, c{table.doc} AS doc, coalesce(c{table.judge}, '') AS judge, "
        f"{_number(table)} AS grade "
        f"FROM {source}"
    )


def _number(table: Table) -> str:
    """The SQL value of the number column, or that of every row."""
    if table.constant is not None:
        return f"{table.constant!r}::DOUBLE"
    column = f"c{table.number}"
    return table.labels.sql(column) if table.labels is not None else numbers.sql_number(column)


def _for_duckdb(table: Table) -> tuple[str, Table]:
    """The file to scan and its layout: a copy where DuckDB would refuse the file or read it in its own way."""
    if table.ours:
        return table.path, table
    mixed = look(table.path).mixed
    if not table.quote:
        return (str(temporary.with_one_line_end(table.path)) if mixed else table.path), table
    if not mixed and not _blanks_at_quotes(table):
        return table.path, table
    target = temporary.new(".csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for _, fields, _text in records(table, exact=True):
            # What cannot be taken apart becomes a row without ids: a fault.
            writer.writerow(fields if fields and len(fields) == table.width else [""] * table.width)
    return str(target), table._replace(delimiter=",", ours=True)


def _blanks_at_quotes(table: Table) -> bool:
    """Whether blanks may stand between a separator and a quotation mark: DuckDB drops them, ids would change."""
    mark = re.escape(table.delimiter.encode())
    found = re.compile(rb"(?:^|" + mark + rb")[ \t]+\"|\"[ \t]+(?:" + mark + rb"|$)").search
    return any(found(line) for _, line in numbered(table.path))


def _select(table: Table, source: str, row_order: bool) -> str:
    nothing = "CAST(NULL AS DOUBLE)"
    query, doc = f"c{table.query}", f"c{table.doc}"
    faults = [f"{query} IS NULL", f"{doc} IS NULL"]
    number, rank = nothing, nothing
    blanks = " \t".replace(table.delimiter, "")
    # A quoted field may hold anything, so everything is asked there.
    held = None if table.quote else look(table.path).held
    if table.number is not None or table.constant is not None:
        number = _number(table)
    if table.labels is not None and table.number is not None:
        faults.append(f"{number} IS NULL")
    elif table.number is not None:
        faults.append(numbers.sql_is_fault(f"c{table.number}", finite=table.finite, held=held, blanks=blanks))
    if table.rank is not None:
        rank = numbers.sql_number(f"c{table.rank}")
        faults.append(numbers.sql_is_fault(f"c{table.rank}", finite=True, held=held, blanks=blanks))
    elif row_order:
        rank = "CAST(row_number() OVER () AS DOUBLE)"
    return (
        f"SELECT {query} AS query, {doc} AS doc, {number} AS number, {rank} AS rank, "
        f"({' OR '.join(faults)}) AS fault FROM {source}"
    )


def records(table: Table, *, exact: bool = False) -> Iterator[tuple[int, list[str] | None, str]]:
    """Every record in plain Python as (line number, fields or None where they cannot be taken apart, text).

    `exact` keeps line ends inside quotation marks as they are, and gives None for text that is not UTF-8.
    """
    number = 0

    def text() -> Iterator[str]:
        nonlocal number
        for line_number, line, end in numbered_with_ends(table.path):
            number = line_number
            yield line.decode("utf-8", "surrogateescape" if exact else "backslashreplace") + (end if exact else "\n")

    if not table.quote:
        for line in text():
            bare = line.rstrip("\r\n")
            if bare:
                yield number, bare.split(table.delimiter), bare
        return
    csv.field_size_limit(LONGEST)
    reader = csv.reader(text(), delimiter=table.delimiter, quotechar=table.quote, strict=True)
    while True:
        begun = number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield begun, None, str(error)
            continue
        if exact and any(0xDC80 <= ord(char) <= 0xDCFF for field in fields for char in field):
            yield begun, None, "not valid UTF-8"
        elif fields:
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
        text = fields[table.number]
        found = table.labels.problem(text) if table.labels else numbers.problem(text, table.word, finite=table.finite)
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
                shown.append(Fault(problem, where, number, ids[0], ids[1], text or None))
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
            if table.judge is not None:
                value += f" by judge {fields[table.judge]!r}"
            found.append(Fault(value, where, number, fields[table.query], fields[table.doc], text))
            if len(found) >= limit:
                break
    return found


def unlike_numbers(table: Table, limit: int) -> list[str]:
    """The first distinct texts that stand in the place of grades and are no numbers; none where most are numbers."""
    if table.word != "grade" or table.number is None or table.labels is not None:
        return []
    place = table.number
    rows = (fields[place] for _, fields, _, _ in _problems(table) if len(fields) == table.width)
    return labels_among(rows, limit)


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
    quote = quotation(path, delimiter)
    runs = run_column(names, chosen) if context.role is Role.RUN else None
    table = Table(
        path,
        delimiter,
        quote,
        True,
        len(names),
        *_places(names, chosen),
        _word(context.role),
        judge=names.index(chosen.judge) if chosen.judge is not None else None,
        labels=context.labels if context.role is Role.JUDGMENTS else None,
        constant=chosen.constant,
        runs=(names.index(runs), runs) if runs is not None else None,
    )
    made = part(table, path)
    ranked = context.role is Role.RUN and chosen.number is None
    notes = ("quotation marks enclose fields",) if quote and delimiter == "\t" else ()
    used = {chosen.query, chosen.doc, chosen.number, chosen.rank, chosen.judge}
    unused = tuple(f"column {name!r}" for name in names if name not in used)
    separated = "separated by semicolons, " if delimiter == ";" else ""
    return Piece(format, made, f"header line, {separated}{chosen.words}", notes, ranked, unused=unused)


def _places(names: list[str], chosen: Chosen) -> tuple[int, int, int | None, int | None]:
    number = names.index(chosen.number) if chosen.number is not None else None
    rank = names.index(chosen.rank) if chosen.rank is not None else None
    return names.index(chosen.query), names.index(chosen.doc), number, rank


def _word(role: Role) -> str:
    return "grade" if role is Role.JUDGMENTS else "score"


def quotation(path: str, delimiter: str) -> str:
    """The mark that encloses fields, or '' where quotation marks are only text.

    Values separated by commas or semicolons are quoted. Tab-separated text often holds marks that enclose nothing
    ('12" pipe'): it is quoted if a field begins with a mark and all such fields are properly closed, in the whole file.
    """
    if not look(path).has('"'):
        return ""
    if delimiter in (",", ";"):
        return '"'
    inside = (delimiter + '"').encode()
    if not any(line.startswith(b'"') or inside in line for _, line in numbered(path)):
        return ""
    table = Table(path, delimiter, '"', False, 0, 0, 1, None, None, "")
    return "" if any(fields is None for _, fields, _ in records(table)) else '"'
