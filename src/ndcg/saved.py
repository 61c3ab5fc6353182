"""Results as JSON documents: written whole or not at all, read again unchanged, by later versions too.

The document holds the keys of the command line's `--format json`; `format` numbers its layout. Keys that this version
does not know are ignored, so that a newer version may add some without a new number.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .aggregate import STATUSES
from .errors import InputError, NdcgError, UsageError, clip
from .whole_files import write_whole

if TYPE_CHECKING:
    from .results import Entry, QueryTable, Result

FORMAT = 1
"""The layout that is written; every layout up to this one is read."""

COUNTS = ("duplicates", "negatives", "own", "disagreements")
_SLOT = "\0per query\0"
"""Holds the place of per-query rows until they are written."""


def to_json(result: Result, per_query: bool = True) -> str:
    """One JSON document with full precision, without NaN or Infinity; `load` reads it if it has the per-query rows."""
    text = _text(result, per_query, escapes=False)
    return text if _is_utf8(text) else _text(result, per_query, escapes=True)


def _text(result: Result, per_query: bool, escapes: bool) -> str:
    """The document, per-query rows one a line."""
    document = as_document(result)
    encode = json.JSONEncoder(ensure_ascii=escapes, allow_nan=False).encode
    if per_query:
        for entry in document["results"]:
            entry["per_query"] = _SLOT
    shell = json.dumps(document, ensure_ascii=escapes, allow_nan=False, indent=2)
    if not per_query:
        return shell
    parts = shell.split(encode(_SLOT))
    pieces = [parts[0]]
    for entry, part in zip(result.entries, parts[1:], strict=True):
        pieces += [_rows_text(entry.rows, encode), part]
    return "".join(pieces)


def _is_utf8(text: str) -> bool:
    """Whether UTF-8 can carry the text: it has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def dumped(value: object, indent: int | None = None) -> str:
    """JSON text that UTF-8 can carry: ids with lone surrogates are written as escapes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    if _is_utf8(text):
        return text
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)


def as_document(result: Result) -> dict[str, Any]:
    """The document as plain data, without per-query rows."""
    gaps = {"gaps": [gap.as_dict() for gap in result.gaps]} if result.gaps else {}
    return {
        "format": FORMAT,
        "results": [_entry_data(entry) for entry in result.entries],
        **gaps,
        "fingerprints": {
            "judgments": None,
            "candidates": None,
            "declaration": None,
            **result.fingerprints,
        },
        "pool_version": result.pool_version,
        "warnings": list(result.warnings),
        "inputs": [
            {
                "role": read.role,
                "name": read.name,
                "format": read.format,
                "layout": read.layout,
                "notes": list(read.notes),
            }
            for read in result.inputs
        ],
        "version": result.version,
    }


def _entry_data(entry: Entry) -> dict[str, Any]:
    summary = entry.summary
    return {
        "run": entry.run,
        "measure": entry.measure,
        "declaration": dict(entry.declaration),
        "value": summary.value,
        "aggregate": entry.rows.aggregate,
        "weighted_value": entry.weighted_value,
        "interval": None if entry.interval is None else dict(entry.interval),
        **_weighted_data(entry),
        "queries": summary.queries.as_dict(),
        "zeros": summary.zeros,
        "judged_at_k": summary.judged_at_k,
        "returned": summary.returned,
        "tied": summary.tied,
        **({} if summary.order_moves is None else {"order_moves": summary.order_moves}),
        "without_gain": summary.without_gain,
        # What was met while reading is known of the whole run, not of a slice.
        **({name: getattr(entry.counters, name) for name in COUNTS} if entry.slice is None else {}),
        "warnings": list(entry.warnings),
        "excluded": [
            {"query": query, "status": status, "reason": reason} for query, status, reason in entry.excluded()
        ],
        "worst": [
            {
                "query": row.query,
                "value": row.value,
                "missed": [{"document": doc, "grade": grade} for doc, grade in entry.missed[row.query]],
            }
            for row in entry.worst(len(entry.missed))
            if row.query in entry.missed
        ],
        "slice": entry.slice,
        **({} if entry.part is None else {"slice_detail": entry.part.as_dict()}),
    }


def _weighted_data(entry: Entry) -> dict[str, Any]:
    """What weights add to an entry."""
    if entry.rows.weight is None:
        return {}
    return {
        "weighted_interval": None if entry.weighted_interval is None else dict(entry.weighted_interval),
        "effective": entry.effective,
        **({} if entry.traffic is None else {"traffic": entry.traffic.as_dict()}),
    }


def _rows_text(table: QueryTable, encode: Callable[[object], str]) -> str:
    """The per-query rows, one a line: the public columns and what else is needed to read them again."""
    lines = []
    for at, query in enumerate(table.queries):
        row = table.row(at, "", "")
        data: dict[str, object] = {
            "value": row.value,
            "status": row.status,
            "dcg": row.dcg,
            "ideal_dcg": row.ideal_dcg,
            "judged": row.judged,
            "relevant": row.relevant,
            "returned": row.returned,
            "judged_at_k": row.judged_at_k,
            "tied_at_cutoff": row.tied_at_cutoff,
            "ranks": int(table.ranks[at]),
            "judged_ranks": int(table.judged_ranks[at]),
        }
        if table.without_gain[at]:
            data["without_gain"] = True
        if table.order_moves is not None and table.order_moves[at]:
            data["order_moves"] = True
        if table.weight is not None:
            data["weight"] = float(table.weight[at])
        lines.append(f"        {encode(query)}: {encode(data)}")
    return "{\n" + ",\n".join(lines) + "\n      }" if lines else "{}"


def save(result: Result, path: object) -> None:
    """Write the result with its per-query rows; the file is complete, or as it was before."""
    write_whole(path, to_json(result) + "\n")


def load(source: object) -> Result:
    """Read a saved result from a path or from JSON text.

    Raises InputError for text that is not a saved result, for one of an unknown format number, and for one that was
    written without its per-query rows.

    >>> import ndcg
    >>> result = ndcg.evaluate({"q1": {"A": 1}}, {"q1": ["B", "A"]})
    >>> ndcg.load(result.to_json()).value == result.value
    True
    """
    text, name = _text_of(source)
    try:
        document = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not JSON: {error}", code="not_a_result") from None
    if not isinstance(document, dict) or "format" not in document or "results" not in document:
        raise InputError(
            f"{name} is not a saved result",
            code="not_a_result",
            hint="write one with result.save(path) or ndcg evaluate --format json --per-query",
        )
    number = document["format"]
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= FORMAT:
        raise InputError(
            f"{name} has format {number!r}; this version reads formats 1 to {FORMAT}",
            code="unknown_format",
            hint="a newer version of ndcg wrote it: upgrade to read it",
        )
    try:
        return _result(document, name)
    except NdcgError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{name} is a damaged saved result: {type(error).__name__} {clip(str(error))}", code="damaged"
        ) from error


def _finite(text: str) -> float:
    """A number of a saved result; nothing that is saved is NaN or infinite."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{clip(text, 40)} is not a finite number")
    return number


def _text_of(source: object) -> tuple[str, str]:
    if isinstance(source, str) and source.lstrip().startswith(("{", "[")):
        return source, "the text"
    if not isinstance(source, str | os.PathLike):
        raise UsageError(f"a path or JSON text is needed, found {type(source).__name__}", code="path")
    from .readers.streams import chunks

    name = os.fspath(cast("str | os.PathLike[str]", source))
    try:
        return b"".join(chunks(name)).decode("utf-8"), name
    except FileNotFoundError:
        raise InputError(f"no such file: {clip(name)}", code="missing_file") from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text", code="not_a_result") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {clip(name)}: {error}", code="unreadable") from None


def _result(document: Mapping[str, Any], name: str) -> Result:
    from .gaps import Gap
    from .results import Input, Result

    entries = tuple(_entry(data, name) for data in document["results"])
    fingerprints = dict(document.get("fingerprints") or {})
    return Result(
        entries=entries,
        inputs=tuple(
            Input(
                read["role"],
                read["name"],
                read["format"],
                read.get("layout", ""),
                tuple(read.get("notes", ())),
            )
            for read in document.get("inputs", ())
        ),
        version=document["version"],
        pool_version=document.get("pool_version"),
        warnings=tuple(document.get("warnings", ())),
        measures=_measures(entries),
        gaps=tuple(Gap(**_known(Gap, gap)) for gap in document.get("gaps", ())),
        _fingerprints=lambda: fingerprints,
    )


def _known(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that this version knows: a later one may have added some."""
    return {key: value for key, value in data.items() if key in kind.__annotations__}


def _measures(entries: tuple[Entry, ...]) -> Any:
    """The measures as values; none where this version does not know one of them."""
    from .measures.registry import parse

    try:
        return tuple(dict.fromkeys(parse(entry.measure) for entry in entries))
    except NdcgError:
        return ()


def _entry(data: Mapping[str, Any], name: str) -> Entry:
    from .results import Counters, Entry
    from .slices import Slice
    from .weights import Traffic

    rows = data.get("per_query")
    if not isinstance(rows, dict):
        raise InputError(
            f"{name} holds no per-query rows",
            code="no_rows",
            hint="write it with result.save(path) or with --per-query",
        )
    for key, kind in (("run", str), ("measure", str), ("declaration", dict)):
        if not isinstance(data[key], kind):
            raise TypeError(f"{key} is a {type(data[key]).__name__}")
    return Entry(
        run=data["run"],
        measure=data["measure"],
        declaration=data["declaration"],
        rows=_table(rows, data["queries"]["judged"], data.get("aggregate", "mean"), "order_moves" in data),
        counters=Counters(*(data.get(count, 0) for count in COUNTS)),
        warnings=tuple(data.get("warnings", ())),
        interval=data.get("interval"),
        slice=data.get("slice"),
        weighted_value=data.get("weighted_value"),
        weighted_interval=data.get("weighted_interval"),
        part=Slice(**_known(Slice, data["slice_detail"])) if data.get("slice_detail") is not None else None,
        traffic=Traffic(**_known(Traffic, data["traffic"])) if data.get("traffic") is not None else None,
        effective=data.get("effective"),
        missed={
            worst["query"]: [(missed["document"], missed["grade"]) for missed in worst["missed"]]
            for worst in data.get("worst", ())
        },
    )


def _table(rows: Mapping[str, Mapping[str, Any]], judged: int, aggregate: Any, orders_known: bool) -> QueryTable:
    from .results import QueryTable

    values = list(rows.values())

    def whole(key: str) -> Any:
        return np.array([row[key] for row in values], dtype=np.int32)

    def real(key: str) -> Any:
        return np.array([row[key] if row[key] is not None else 0.0 for row in values], dtype=np.float64)

    def part(key: str) -> Any:
        return real(key) if any(row[key] is not None for row in values) else None

    return QueryTable(
        queries=list(rows),
        judged_queries=judged,
        status=np.array([STATUSES.index(row["status"]) for row in values], dtype=np.int8),
        counted=np.array([row["value"] is not None for row in values], dtype=np.bool_),
        value=real("value"),
        dcg=part("dcg"),
        ideal=part("ideal_dcg"),
        judged=whole("judged"),
        relevant=whole("relevant"),
        returned=whole("returned"),
        ranks=whole("ranks"),
        judged_ranks=whole("judged_ranks"),
        tied=whole("tied_at_cutoff"),
        without_gain=np.array([row.get("without_gain", False) for row in values], dtype=np.bool_),
        aggregate=aggregate,
        weight=real("weight") if values and all("weight" in row for row in values) else None,
        order_moves=np.array([row.get("order_moves", False) for row in values], dtype=np.bool_)
        if orders_known
        else None,
    )
