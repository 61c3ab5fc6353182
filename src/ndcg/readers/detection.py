"""Which format a file has: its content decides first, its name second."""

from __future__ import annotations

import re
from pathlib import Path

from ..counted import counted_noun
from ..errors import Fault, InputError
from . import numbers
from .columns import names_columns, role_of
from .context import Context
from .lines import unify
from .source import Role
from .streams import BOM, head
from .trec_lines import QRELS, RUN, Shape, shaped

HEAD = 1 << 16
_NAMES = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
}
_YAML_KEY = re.compile(rb"""(?:-[ \t]+)?["']?([A-Za-z_][\w -]*)["']?:(?:[ \t]|$)""")
_BULK = re.compile(rb'\{[ \t]*"(?:index|create|update|delete)"[ \t]*:[ \t]*\{[^{}]*\}[ \t]*\}[ \t]*$')


def detect(path: str, context: Context) -> str:
    """The name of the file's format. InputError where nothing fits, saying what was expected and found."""
    if context.features is not None and not context.implied and context.role is Role.RUN:
        return "predictions"
    data, whole = head(path, HEAD)
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path} is UTF-16 text", code="encoding", hint="save it as UTF-8")
    lines = _lines(data.removeprefix(BOM), whole)
    rows = [line for line in lines if line.strip(b" \t")]
    if not rows:
        raise InputError(f"{path} is empty" if not data else f"{path} holds only blank lines", code="empty")
    if rows[0].lstrip()[:1] in (b"{", b"["):
        kind = _json(rows, whole)
        if kind == "jsonl" and b'"queryText"' in rows[0]:
            from .known import query_set

            raise query_set(path)
        if kind == "jsonl" and _BULK.match(rows[0].lstrip()):
            from .known import bulk

            raise bulk(path)
        if kind is not None and not (kind == "json" and _is_yaml(path, rows)):
            return kind
    return "yaml" if _is_yaml(path, rows) else _text(path, rows, context)


def _is_yaml(path: str, rows: list[bytes]) -> bool:
    """Whether a text is YAML: by its first lines, or by its name, but for JSON, which opens with a bracket."""
    first = rows[0].rstrip()
    if _suffix(path) in {".yaml", ".yml"}:
        return first[:1] not in b"[{" or not first
    if b":" not in first and not first.startswith((b"#", b"-")):
        return False  # most files
    data = [row.rstrip() for row in rows[:100] if not row.startswith(b"#")] or [first]
    if data[0] == b"---":
        return True
    if data[0].endswith(b":") and len(data) > 1 and data[1][:1] in b" -" and data[0][:1] not in b"[{":
        return _YAML_KEY.search(data[1]) is not None or data[1].lstrip().startswith(b"- ")
    keys = [found[1].decode() if (found := _YAML_KEY.match(row.lstrip())) else "" for row in data]
    # Rows that all begin with one word and a colon are text: "query: boiler valve", as some models want it.
    several = len(set(keys)) > 1 and b"\t" not in data[0]
    return several and keys[0] != "" and any(key == "q" or role_of(key) == "query" for key in keys)


def _lines(data: bytes, whole: bool) -> list[bytes]:
    lines = unify(data).split(b"\n")
    return lines if whole or len(lines) == 1 else lines[:-1]


def _json(rows: list[bytes], whole: bool) -> str | None:
    if rows[0].lstrip().startswith(b"["):
        return None if shaped(rows[0], RUN) or shaped(rows[0], QRELS) else "json"
    import json

    try:
        first = json.loads(rows[0])
    except ValueError:
        return None if shaped(rows[0], RUN) or shaped(rows[0], QRELS) else "json"
    if len(rows) > 1 or not whole:
        return "jsonl"
    # A single line: one object of queries, or one row, which has values that hold nothing.
    held = list(first.values()) if isinstance(first, dict) else []
    nested = all(isinstance(value, dict | list) or value is None for value in held)
    row = bool(held) and not any(isinstance(value, dict | list) for value in held)
    keys = {role_of(key) for key in first} if isinstance(first, dict) else set()
    return "jsonl" if not nested and (row or "query" in keys) else "json"


def _features(path: str, rows: list[bytes], role: Role) -> str | None:
    """Feature files, and predictions for their rows."""
    if not rows[0].startswith(b"#") and b":" not in rows[0] and len(rows[0].split()) > 1:
        return None  # most files: what follows need not be loaded
    from .predictions import is_column_of_numbers
    from .svmlight import is_header, looks_like_features

    if role is Role.RUN and is_column_of_numbers(rows[:1000]):
        return "predictions"
    first = next((row for row in rows if not row.startswith(b"#")), None)
    if not (is_header(rows[0]) if first is None else looks_like_features(first)):
        return None
    if role is Role.RUN:
        raise InputError(
            f"{path} is a feature file: it holds judgments, not a run",
            code="wrong_kind",
            hint="give the predictions for its rows as the run, and the file itself with features= (--features FILE)",
        )
    return "svmlight"


def _text(path: str, rows: list[bytes], context: Context) -> str:
    features = _features(path, rows, context.role)
    if features is not None:
        return features
    comments = context.comments is not False
    data = [row for row in rows if not (comments and row.startswith(b"#"))]
    if not data:
        hashed = any(shaped(row, shape) for row in rows for shape in (RUN, QRELS))
        if not hashed:
            raise InputError(f"{path} holds only comments in its first lines", code="empty")
        data = rows
    shapes = _shapes(context.role)
    worded = _is_worded(data[:100])
    found = None if worded else _trec(data[:1], shapes)
    if found:
        return found
    from .known import header_format

    found = header_format(path, data, context)
    if found:
        return found
    from .delimited import header_fields
    from .headerless import separator

    for delimiter, name in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        fields = header_fields(data[0].decode("utf-8", "replace"), delimiter)
        if names_columns(fields, context.columns):
            beir = name == "tsv" and fields == ["query-id", "corpus-id", "score"] and context.role is Role.JUDGMENTS
            return "beir_qrels" if beir else name
    found = None if worded else _trec(data[:1000], shapes)
    if found:
        return found
    from . import msmarco
    from .openliveq import is_described

    if context.role is not Role.JUDGMENTS and msmarco.is_run(data[:100]):
        return "msmarco_run"
    if context.role is Role.POOL and msmarco.is_top(data[:100]):
        return "msmarco_top"
    if context.role is Role.RUN and is_described(data[:100]):
        return "openliveq_run"
    if not worded:
        _refuse_the_other_kind(path, data, context.role)
    for shape, name in () if worded else shapes:
        # As many blank-separated fields as the format has, on every line: then its numbers are what is wrong.
        if all(len(row.split()) == len(shape.fields) for row in data[:20]):
            return name
    line = data[0].decode("utf-8", "replace")
    if separator(line) is not None and _even(data):
        _refuse_an_unknown_header(path, data, context.role)
        return {Role.RUN: "headerless", Role.JUDGMENTS: "graded", Role.POOL: "graded"}[context.role]
    by_name = _NAMES.get(_suffix(path))
    if by_name in {"csv", "tsv"}:
        _refuse_numbers_alone(path, line, "\t" if "\t" in line else ",")
        return by_name
    raise _unknown(path, line, context.role)


def _shapes(role: Role) -> tuple[tuple[Shape, str], ...]:
    run, qrels = (RUN, "trec_run"), (QRELS, "trec_qrels")
    return {Role.RUN: (run,), Role.JUDGMENTS: (qrels,), Role.POOL: (qrels, run)}[role]


def _trec(rows: list[bytes], shapes: tuple[tuple[Shape, str], ...]) -> str | None:
    for row in rows:
        for shape, name in shapes:
            if shaped(row, shape, exact=False):
                return name
    return None


def _is_worded(rows: list[bytes]) -> bool:
    """Whether every line is query, document, number between tabs, with words and blanks in some of the queries.

    A query of two words would make the four fields of TREC text, of which the second is a number or Q0.
    """
    if any(row.count(b"\t") != 2 for row in rows):
        return False
    queries = [row.split(b"\t")[0].split() for row in rows]
    return any(len(words) > 2 or (len(words) == 2 and not words[1].removeprefix(b"Q").isdigit()) for words in queries)


def _even(rows: list[bytes]) -> bool:
    """Whether the first lines have one number of fields."""
    from .headerless import separator

    lines = [row.decode("utf-8", "replace") for row in rows[:100]]
    mark = separator(lines[0])
    return mark is not None and sum(len(line.split(mark)) == len(lines[0].split(mark)) for line in lines) * 2 > len(
        lines
    )


def _refuse_an_unknown_header(path: str, rows: list[bytes], role: Role) -> None:
    """A first line without any number, above lines that end in one, names columns in words of its own."""
    from .headerless import separator

    lines = [row.decode("utf-8", "replace") for row in rows[:20]]
    mark = separator(lines[0])
    fields = [[field.strip().strip('"') for field in line.split(mark)] for line in lines]
    if len(lines) < 2 or any(map(numbers.is_number, fields[0])):
        return
    if len(set(fields[0])) < len(fields[0]) or any(row[0] == fields[0][0] for row in fields[1:]):
        return  # data: a header does not name two columns alike, nor a query
    if all(len(row) == len(fields[0]) and any(map(numbers.is_number, row[1:])) for row in fields[1:]):
        number = "grade" if role is Role.JUDGMENTS else "score"
        named = dict(zip(("query", "doc", number), fields[0], strict=False))
        problem = f"the first line looks like a header with column names that are not known: {', '.join(fields[0])}"
        raise InputError(
            problem,
            code="unknown_columns",
            faults=[Fault(problem, path, 1)],
            hint=f"say which column is which with columns={named}",
        )


def _refuse_numbers_alone(path: str, line: str, mark: str) -> None:
    """A first line of numbers names no column: features without names, as XGBoost takes them."""
    fields = [field.strip(" \t") for field in line.split(mark)]
    if len(fields) > 1 and all(map(numbers.is_number, fields)):
        problem = f"the first line holds {len(fields)} numbers and no names of columns"
        raise InputError(
            problem,
            code="no_header",
            faults=[Fault(problem, path, 1, text=line)],
            hint="put a header line above it that names query, document and the grade or score; features are read as "
            "SVMlight text (2 qid:1 1:0.5)",
        )


def _refuse_the_other_kind(path: str, rows: list[bytes], role: Role) -> None:
    if role is Role.POOL:
        return
    other = _trec(rows[:1], ((RUN, "a run"),) if role is Role.JUDGMENTS else ((QRELS, "judgments"),))
    if other:
        here = "judgments" if role is Role.JUDGMENTS else "a run"
        shape = QRELS if role is Role.JUDGMENTS else RUN
        problem = f"expected {here} ({len(shape.fields)} fields: {' '.join(shape.fields)}), found {other}"
        raise InputError(
            problem,
            code="wrong_kind",
            faults=[Fault(problem, path, text=rows[0].decode("utf-8", "replace"))],
            hint="judgments and run look swapped: the judgments come first",
        )


def _suffix(path: str) -> str:
    name = Path(path)
    return Path(name.stem).suffix.lower() if name.suffix.lower() in {".gz", ".zst"} else name.suffix.lower()


def _unknown(path: str, line: str, role: Role) -> InputError:
    shape = RUN if role is Role.RUN else QRELS
    found = len(line.split("\t")) if "\t" in line else len(line.split())
    problem = f"expected {len(shape.fields)} fields ({' '.join(shape.fields)}) or a header line, found "
    problem += "others" if found == len(shape.fields) else counted_noun(found, "field")
    return InputError(
        problem,
        code="unknown_format",
        faults=[Fault(problem, path, 1, text=line)],
        hint="semicolons separate the fields, it seems: give the file a header line with query;doc;... "
        "or the names of its columns with columns="
        if line.count(";") > 1
        else "name the format with format=...",
    )
