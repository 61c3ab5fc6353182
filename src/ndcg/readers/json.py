"""JSON: one object `{query: {document: number}}`, or `{query: [documents in ranked order]}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import Fault, InputError
from .columns import ALIKE, constant_words, declared_grade
from .context import Context, Piece
from .json_values import Repeated, id_problem, loads, number, text
from .known import document_reader
from .labels import Labels, found_hint, plain_among, plain_words, written
from .numbers import is_number
from .source import Role


def read(path: str, context: Context) -> Piece:
    """Read one file into memory. Numbers may be text in the number grammar; null marks a failed query of a run."""
    data = parsed(path)
    of_a_tool = document_reader(data, path, context)
    if of_a_tool is not None:
        return of_a_tool()
    if isinstance(data, list):
        from .jsonl import read_records

        return read_records(enumerate(data, 1), path, context, "json")
    if not isinstance(data, dict):
        raise InputError(f"{path}: expected a JSON object of queries, found {type(data).__name__}", code="layout")
    if not data:
        raise InputError(f"{path} has no queries", code="empty")
    values = [value for value in data.values() if value is not None]
    lists = bool(values) and all(isinstance(value, list) for value in values)
    if not lists and not all(isinstance(value, dict) for value in values):
        raise InputError(
            f"{path}: expected {{query: {{document: number}}}} or {{query: [documents]}}",
            code="layout",
            hint="every query holds an object, or every query a list",
        )
    plain = plain_among(data, context.labels) if context.role is Role.JUDGMENTS else 0
    _check(data, lists, path, context)
    constant = declared_grade(context.columns) if context.role is Role.JUDGMENTS and lists else None
    if constant is not None:
        made = {query: dict.fromkeys(inner, constant) for query, inner in data.items()}
        words = f"one object, lists of documents per query, {constant_words(constant)}"
        return Piece("json", None, words, mapping=made, constant=True)
    kind = "lists of documents" if lists else "documents with numbers"
    ranked = lists and context.role is not Role.JUDGMENTS
    notes = (plain_words(plain),) if plain else ()
    return Piece("json", None, f"one object, {kind} per query", notes, ranked=ranked, mapping=data)


def parsed(path: str) -> Any:
    """The file's JSON value; faults name the line, a repeated key the query and document."""
    try:
        return loads(text(path))
    except UnicodeDecodeError as error:
        raise _broken(path, f"not valid UTF-8 at byte {error.start}", None) from None
    except json.JSONDecodeError as error:
        raise _broken(path, f"not valid JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except Repeated as error:
        raise _repeated(path, error.key) from None
    except ValueError as error:
        raise _broken(path, str(error).partition(";")[0], None) from None
    except RecursionError:
        raise _broken(path, "nested too deeply", None) from None


def _broken(path: str, problem: str, line: int | None) -> InputError:
    return InputError(problem, code="damaged", faults=[Fault(problem, path, line)])


def _repeated(path: str, key: str) -> InputError:
    """Find the repeated key again, now with its place."""
    pairs: Any = json.loads(text(path), object_pairs_hook=list)
    problem = "the key stands twice in one object"
    fault = Fault(f"{problem}: {key!r}", path)
    seen: set[str] = set()
    for query, inner in pairs if isinstance(pairs, list) else []:
        if not isinstance(query, str):
            continue
        if query in seen:
            fault = Fault(f"{problem}: the query", path, query=query)
            break
        seen.add(query)
        documents = [pair[0] for pair in inner if isinstance(pair, tuple)] if isinstance(inner, list) else []
        twice = next((name for at, name in enumerate(documents) if name in documents[:at]), None)
        if twice is not None:
            fault = Fault(f"{problem}: the document", path, query=query, document=twice)
            break
    return InputError(fault.problem, code="duplicate_key", faults=[fault])


def _check(data: dict[str, Any], lists: bool, path: str, context: Context) -> None:
    word = "grade" if context.role is Role.JUDGMENTS else "score"
    faults: list[Fault] = []
    for query, inner in data.items():
        problem = id_problem(query, "query")
        if inner is None and context.role is not Role.RUN:
            problem = "null stands for a failed search: only a run has those"
        elif lists and context.role is Role.JUDGMENTS and declared_grade(context.columns) is None:
            problem = "judgments need grades, this is a list"
        if problem:
            faults.append(Fault(problem, path, query=query))
            continue
        if lists:
            faults += [
                Fault(problem, path, query=query) for doc in inner or () if (problem := id_problem(doc, "document"))
            ]
        elif inner is not None:
            labels = context.labels if context.role is Role.JUDGMENTS else None
            faults += _labelled(query, inner, labels, path) if labels else _numbers(query, inner, word, path)
    if faults:
        raise InputError(
            f"{path}: {faults[0].problem}",
            code="bad_rows",
            faults=faults[:10],
            total=len(faults),
            hint=_of_lists(data, context) if lists else _labels(data) if _may_be_labels(context) else None,
        )


def _of_lists(data: Mapping[str, Any], context: Context) -> str | None:
    """The way on where queries hold lists of something else, or judgments lists of documents."""
    if any(isinstance(item, dict) for inner in data.values() for item in inner or ()):
        return 'write an object per query, [{"query": ..., "results": [{"doc": ..., "score": ...}, ...]}, ...]'
    return f"if every document was liked, {ALIKE}" if context.role is Role.JUDGMENTS else None


def _may_be_labels(context: Context) -> bool:
    return context.role is Role.JUDGMENTS and context.labels is None


def _labels(data: Mapping[str, Any]) -> str | None:
    """The way on where grades are labels."""
    inner = (values for values in data.values() if isinstance(values, dict))
    values = [value for values in inner for value in values.values()]
    texts = [written(value) for value in values if isinstance(value, bool | str) and not is_number(written(value))]
    return found_hint(texts, numbers=len(values) - len(texts), others=len(texts))


def _labelled(query: str, inner: dict[str, Any], labels: Labels, path: str) -> list[Fault]:
    """Turn a query's labels into grades."""
    faults = []
    for doc, label in inner.items():
        problem = id_problem(doc, "document") or labels.problem(label)
        if problem:
            faults.append(Fault(problem, path, query=query, document=doc))
        else:
            inner[doc] = labels.grade(label)
    return faults


def _numbers(query: str, inner: dict[str, Any], word: str, path: str) -> list[Fault]:
    """Check a query's documents; text that is a number becomes one."""
    faults = []
    for doc, value in inner.items():
        problem = id_problem(doc, "document")
        if problem is None and type(value) is not float:
            made, problem = number(value, word, finite=word == "grade")
            if isinstance(value, str) and problem is None:
                inner[doc] = made
        elif problem is None and (value != value or (word == "grade" and value in (float("inf"), float("-inf")))):
            problem = number(value, word, finite=word == "grade")[1]
        if problem:
            faults.append(Fault(problem, path, query=query, document=doc))
    return faults


def merged(pieces: list[tuple[str, Mapping[object, object]]]) -> dict[object, object]:
    """Several files of one input as one mapping. One document of one query in two files is an InputError."""
    rows: dict[object, object] = {}
    for path, mapping in pieces:
        for query, inner in mapping.items():
            if query not in rows:
                rows[query] = dict(inner) if isinstance(inner, dict) else inner
                continue
            known = rows[query]
            if not isinstance(known, dict) or not isinstance(inner, dict):
                problem = "the query stands in two files"
                raise InputError(problem, code="duplicate_key", faults=[Fault(problem, path, query=str(query))])
            both = known.keys() & inner.keys()
            if both:
                problem = "the document stands in two files"
                fault = Fault(problem, path, query=str(query), document=str(min(both)))
                raise InputError(problem, code="duplicate_key", faults=[fault])
            known.update(inner)
    return rows
