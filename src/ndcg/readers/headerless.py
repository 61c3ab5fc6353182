"""Ranked lists without a header: query, document and a rank or score, separated by tabs, commas or blanks."""

from __future__ import annotations

from itertools import islice

from ..errors import InputError
from . import numbers
from .columns import ALIKE, constant_words, declared_grade
from .context import Context, Piece
from .delimited import Table, part, quotation, records
from .lines import numbered
from .source import Part, Role
from .trec_lines import RUN, shaped

_HEAD = 5_000


def separator(line: str) -> str | None:
    """The separator of a headerless line of two or three fields, or None."""
    for candidate in ("\t", ",", " "):
        if len(line.split(candidate)) in (2, 3):
            return candidate
    return None


def read_ranked(path: str, context: Context) -> Piece:
    """Query, document, rank; or query, document in ranked order."""
    return _read(path, context, "ranked")


def read_scored(path: str, context: Context) -> Piece:
    """Query, document, score."""
    return _read(path, context, "scored")


def read_graded(path: str, context: Context) -> Piece:
    """Query, document, grade (judgments), or query, document (a pool)."""
    return _read(path, context, "graded")


def read_either(path: str, context: Context) -> Piece:
    """A run whose third column is a rank if it counts 1..n in every query; otherwise the caller has to say."""
    return _read(path, context, None)


def _read(path: str, context: Context, meaning: str | None) -> Piece:
    first = next((line.decode("utf-8", "replace") for _, line in numbered(path) if line.strip(b" \t")), None)
    if first is None:
        raise InputError(f"{path} is empty", code="empty", hint="expected query and document rows")
    delimiter = separator(first)
    if delimiter is None:
        raise InputError(
            f"{path}: expected 2 or 3 fields separated by tabs, commas or blanks in the first line",
            code="layout",
            hint=_other_shape(first, context),
        )
    width = len(first.split(delimiter))
    if width == 2 and meaning not in ("ranked", "scored") and _are_levels(path, delimiter):
        raise InputError(
            f"{path}: a list of documents and relevance levels, as NTCIREVAL keeps one for each query, names no query",
            code="no_query",
            hint="write query, document and level on each line, and say labels='ntcir' (--labels ntcir)",
        )
    quote = "" if delimiter == " " else quotation(path, delimiter)
    word = "grade" if context.role is Role.JUDGMENTS else "rank" if meaning == "ranked" else "score"
    third = 2 if width == 3 and context.role is not Role.POOL else None
    constant = declared_grade(context.columns) if context.role is Role.JUDGMENTS and width == 2 else None
    if constant is not None:
        made = part(Table(path, delimiter, quote, False, width, 0, 1, None, None, word, constant=constant), path)
        layout = f"no header, query, document, {constant_words(constant)}"
        return Piece("graded", made, layout, constant=True)
    if context.role is Role.JUDGMENTS and third is None:
        raise InputError(
            f"{path}: judgments need a grade, but the lines have only two fields",
            code="missing_column",
            hint=f"add a third column with the grade or, if every document was liked, {ALIKE}",
        )
    if meaning == "scored" and third is None:
        raise InputError(f"{path}: no score: the lines have only two fields", code="missing_column")
    labels = context.labels if context.role is Role.JUDGMENTS else None
    table = Table(path, delimiter, quote, False, width, 0, 1, third, None, word, labels=labels)
    if context.role is Role.RUN and meaning is None and third is not None:
        if not _counts(table, part(table, path)):
            raise InputError(
                f"{path}: the third column could be a rank or a score (it does not count 1, 2, 3, ... in every query)",
                code="ambiguous_number",
                hint="say which with format='ranked' or format='scored'",
            )
        meaning = "ranked"
    words = {"\t": "tabs", ",": "commas", " ": "blanks"}[delimiter]
    kind = word if third is not None else "in order"
    ranked = context.role is Role.RUN and (meaning == "ranked" or third is None)
    if ranked:
        kind = "rank" if third is not None else "in order"
        table = Table(path, delimiter, table.quote, False, width, 0, 1, None, third, "rank")
    made = part(table, path, row_order=ranked and third is None)
    layout = f"no header, query, document, {kind}, separated by {words}"
    name = "ranked" if ranked else "scored" if context.role is Role.RUN else "graded"
    return Piece(name, made, layout, ranked=ranked)


def _are_levels(path: str, delimiter: str) -> bool:
    """Whether the second fields of the first lines are NTCIR's levels: L0, L1, ..."""
    lines = (line.decode("utf-8", "replace").split(delimiter) for _, line in islice(numbered(path), 20))
    levels = [fields[1].strip(" \t") for fields in lines if len(fields) == 2]
    return all(level[:1] == "L" and level[1:] in "0123456789" and len(level) == 2 for level in levels)


def _other_shape(line: str, context: Context) -> str:
    """The way on for a first line of another width."""
    if context.role is Role.RUN and shaped(line.encode(), RUN):
        return "it is a TREC run of six columns: columns={'rank': 'rank'} orders it by rank"
    return "give the file a header line, or name the format with format=..."


def _counts(table: Table, scan: Part) -> bool:
    """Whether the third column runs 1..n, in order, in every query: the head decides first, then all rows."""
    reached: dict[str, int] = {}
    for _, fields, _text in islice(records(table), _HEAD):
        if fields is None or len(fields) != 3:
            continue  # a bad line is reported as one, later
        if not numbers.is_number(fields[2]) or float(fields[2]) != reached.get(fields[0], 0) + 1:
            return False
        reached[fields[0]] = reached.get(fields[0], 0) + 1
    from .duck import duckdb

    placed = f"SELECT query, number, row_number() OVER () AS place FROM ({scan.select}) WHERE NOT fault"
    within = f"SELECT number, row_number() OVER (PARTITION BY query ORDER BY place) AS expected FROM ({placed})"
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            found = connection.execute(
                f"SELECT coalesce(bool_and(number = expected), false) FROM ({within})", list(scan.parameters)
            ).fetchone()
        except duckdb.Error:
            return True  # a malformed line: the engine meets it again and names it
    return bool(found and found[0])
