"""What typed tables have in common (Parquet, frames, relations): a Part over any DuckDB table expression."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import DataTypeError, Fault, InputError
from . import numbers
from .columns import Chosen, choose_columns, refuse_several_runs, run_column
from .context import Context, Piece
from .labels import Found, Labels, found_hint, labels_among
from .source import Part, Role
from .sql import name as quoted

_INTEGER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|VARINT")
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|REAL|DECIMAL\(.*\)|BIGNUM|VARINT|FLOAT16")


def piece(
    table: str,
    types: Mapping[str, str],
    context: Context,
    *,
    format: str,
    where: str,
    parameters: tuple[object, ...] = (),
    tables: Mapping[str, object] | None = None,
    in_memory: bool = True,
    path: str | None = None,
) -> Piece:
    """The part over `table`, an SQL table expression with columns of `types` (DuckDB's names).

    Id columns are text or integers, others a DataTypeError for data in memory, an InputError for files.
    """
    chosen = choose_columns(list(types), context.role, context.columns, where)
    runs = run_column(list(types), chosen) if context.role is Role.RUN else None
    error: type[DataTypeError] | type[InputError] = DataTypeError if in_memory else InputError
    for column, word in ((chosen.query, "query"), (chosen.doc, "document")):
        kind = types[column]
        if kind != "VARCHAR" and not kind.startswith("ENUM") and not _INTEGER.fullmatch(kind):
            raise error(
                f"{where}: the {word} ids in column {column!r} are {_said(kind)}, not text",
                code="id_type",
                hint="turn them into text: only text and integers are taken as ids",
            )
    labels = context.labels if context.role is Role.JUDGMENTS else None
    word = "grade" if context.role is Role.JUDGMENTS else "score"
    scan = Rows("", parameters, dict(tables or {}), where, word if chosen.number or word == "grade" else "rank", labels)
    if in_memory and labels is None:
        _refuse_text_numbers(chosen, types, where, scan if word == "grade" else None, table)
    number, bad_number = _number(chosen.number, types, word, where, error, finite=word == "grade", labels=labels)
    if chosen.constant is not None:
        number = f"{chosen.constant!r}::DOUBLE"
    rank, bad_rank = _number(chosen.rank, types, "rank", where, error, finite=True)
    query, doc = (f"CAST({quoted(column)} AS VARCHAR)" for column in (chosen.query, chosen.doc))
    fault = f"coalesce({query} IS NULL OR {query} = '' OR {doc} IS NULL OR {doc} = '', true){bad_number}{bad_rank}"
    values = f"{query} AS query, {doc} AS doc, {number} AS number, {rank} AS rank, ({fault}) AS fault"
    select = f"SELECT {values} FROM {table}"
    columns = [column for column in (chosen.number, chosen.rank) if column is not None]
    shown = f"CAST({quoted(columns[0])} AS VARCHAR)" if columns else "NULL"
    if runs is not None:
        scan.select = f"SELECT CAST({quoted(runs)} AS VARCHAR) AS shown FROM {table}"
        refuse_several_runs(where, runs, scan.distinct(4))
    judge = "NULL" if chosen.judge is None else f"coalesce(CAST({quoted(chosen.judge)} AS VARCHAR), '')"
    scan.select = f"SELECT {values}, {shown} AS shown, {judge} AS judge FROM {table}"
    part = Part(
        name=where,
        select=select,
        parameters=parameters,
        tables=dict(tables or {}),
        faults=scan.faults,
        locate=scan.locate,
        path=path,
        plain=scan.plain,
        labels=scan.labels_found if word == "grade" and labels is None else lambda limit: [],
        judges=None
        if chosen.judge is None
        else f"SELECT {query} AS query, {doc} AS doc, {judge} AS judge, {number} AS grade FROM {table}",
    )
    ranked = context.role is Role.RUN and chosen.number is None
    used = {chosen.query, chosen.doc, chosen.number, chosen.rank, chosen.judge}
    unused = tuple(f"column {name!r}" for name in types if name not in used)
    return Piece(format, part, chosen.words, ranked=ranked, unused=unused)


def _refuse_text_numbers(chosen: Chosen, types: Mapping[str, str], where: str, grades: Rows | None, table: str) -> None:
    """Text in the place of numbers is refused in memory; `grades` can look for labels in the column of grades."""
    for column in (chosen.number, chosen.rank):
        if column is not None and types[column] == "VARCHAR":
            hint = None
            if grades is not None:
                grades.select = f"SELECT {quoted(column)} AS shown FROM {table}"
                hint = found_hint(labels_among(grades.distinct(20), 20))
            raise DataTypeError(
                f"{where}: column {column!r} holds text, not numbers",
                code="number_type",
                hint=hint or "turn it into numbers",
            )


def _number(
    column: str | None,
    types: Mapping[str, str],
    word: str,
    where: str,
    error: type[DataTypeError] | type[InputError],
    *,
    finite: bool,
    labels: Labels | None = None,
) -> tuple[str, str]:
    """The SQL value of a number column and its share of the fault condition."""
    if column is None:
        return "CAST(NULL AS DOUBLE)", ""
    kind, text = types[column], quoted(column)
    if labels is not None:
        value = labels.sql(f"CAST({text} AS VARCHAR)")
        return value, f" OR {value} IS NULL"
    if kind == "VARCHAR":
        return numbers.sql_number(text), f" OR {numbers.sql_is_fault(text, finite=finite)}"
    if not _NUMERIC.fullmatch(kind):
        raise error(
            f"{where}: the {word} column {column!r} holds {_said(kind)}, not numbers",
            code="number_type",
            hint=found_hint(["true", "false"]) if kind == "BOOLEAN" and word == "grade" else None,
        )
    value = f"CAST({text} AS DOUBLE)"
    infinite = f" OR isinf({value})" if finite else ""
    return value, f" OR coalesce({value} IS NULL OR isnan({value}){infinite}, true)"


def _said(kind: str) -> str:
    words = {
        "BOOLEAN": "true/false values",
        "DOUBLE": "floating-point numbers",
        "FLOAT": "floating-point numbers",
        "BLOB": "bytes",
    }
    return words.get(kind, f"of type {kind}")


_SHOWN = "line, query, doc, number, shown, judge"


class Rows:
    """The slow second look at a table, for messages: rows are counted from 1."""

    def __init__(
        self,
        select: str,
        parameters: tuple[object, ...],
        tables: dict[str, object],
        where: str,
        word: str,
        labels: Labels | None = None,
    ) -> None:
        self.select, self.parameters, self.tables = select, parameters, tables
        self.where, self.word, self.labels = where, word, labels

    def _query(self, columns: str, tail: str, more: Sequence[object] = ()) -> list[tuple[object, ...]]:
        from .duck import duckdb, register

        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            register(connection, self.tables)
            rows = f"(SELECT row_number() OVER () AS line, * FROM ({self.select}))"
            found: list[tuple[object, ...]] = connection.execute(
                f"SELECT {columns} FROM {rows} WHERE {tail}", [*self.parameters, *more]
            ).fetchall()
            return found

    def faults(self, limit: int) -> tuple[int, list[Fault]]:
        """The number of bad rows, and the first `limit`."""
        total = self._query("count(*)", "fault")[0][0]
        bad = self._query(_SHOWN, f"fault ORDER BY line LIMIT {int(limit)}")
        return int(str(total)), [self._fault(row) for row in bad]

    def _fault(self, row: tuple[object, ...]) -> Fault:
        line, query, doc, _, shown, _ = row
        if not query:
            problem = "the query id is missing"
        elif not doc:
            problem = "the document id is missing"
        elif shown is None:
            problem = f"the {self.word} is missing"
        elif self.labels is not None:
            problem = self.labels.problem(str(shown)) or f"the {self.word} is no number"
        else:
            finite = self.word != "score"
            text = str(shown)
            problem = numbers.problem(text, self.word, finite=finite) or f"the rank or {self.word} is no number"
        return Fault(f"row {line}: {problem}", self.where, None, _text(query), _text(doc))

    def locate(self, pairs: Sequence[tuple[str, str]], limit: int) -> list[Fault]:
        """The rows of (query, document) pairs."""
        wanted = list(pairs)[: max(limit, 1) * 4]
        either = " OR ".join(["(query = ? AND doc = ?)"] * len(wanted)) or "false"
        found = self._query(
            _SHOWN, f"{either} ORDER BY line LIMIT {int(limit)}", [value for pair in wanted for value in pair]
        )
        return [
            Fault(
                f"row {line}: {self.word} {number}{'' if judge is None else f' by judge {judge!r}'}",
                self.where,
                None,
                _text(query),
                _text(doc),
            )
            for line, query, doc, number, _, judge in found
        ]

    def distinct(self, limit: int) -> list[str]:
        """The first distinct texts of the number column."""
        found = self._query("shown, min(line)", f"shown IS NOT NULL GROUP BY shown ORDER BY 2 LIMIT {int(limit)}")
        return [str(row[0]) for row in found]

    def plain(self) -> int:
        """How many grades are numbers beside labels."""
        if self.labels is None or not self.labels.beside_numbers:
            return 0
        return int(str(self._query("count(*)", self.labels.sql_is_plain("shown"))[0][0]))

    def labels_found(self, limit: int) -> Found:
        """The first distinct texts that stand in the place of grades and are no numbers."""
        return labels_among(self.distinct(limit * 5), limit)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
