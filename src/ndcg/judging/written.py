"""Merged judgments as text: tables and JSON Lines hold what stood beside the grades, the TREC format does not."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..counted import counted_noun
from ..errors import SHOWN, Fault, InputError, UsageError
from ..measures.convention import number_text
from ..writers.contract import Row, json_number, whole
from ..writers.files import ending
from .beside import Pair

HOLDERS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Endings of files that have a place for further columns, and what they are."""

OTHERS = (".json", ".yaml", ".yml", ".parquet", ".run", ".xlsx")
"""Endings that promise what is not written here."""

Texts = Mapping[Pair, Mapping[str, str]]


def format_of(path: str) -> str:
    """csv, tsv, jsonl or trec by the ending of the path (before .gz or .zst); UsageError for that of another format."""
    found = ending(path)
    if found in OTHERS:
        raise UsageError(
            f"{path}: merged judgments are not written as {found[1:]}",
            code="format",
            hint="name a file that ends in .csv, .tsv, .jsonl or .qrels; ndcg convert makes other formats of it",
        )
    return HOLDERS.get(found, "trec")


def judgments_text(
    judgments: Mapping[str, Mapping[str, float]],
    path: str,
    kept: Sequence[str] = (),
    beside: Texts = MappingProxyType({}),
) -> str:
    """Judgments in the format of the path: CSV, TSV and JSON Lines with the columns kept beside them, or TREC lines."""
    format = format_of(path)
    if format == "jsonl":
        return _lines(judgments, beside)
    rows = [(query, doc, number_text(grade)) for query, grades in judgments.items() for doc, grade in grades.items()]
    if format != "trec":
        return _table(rows, "," if format == "csv" else "\t", kept, beside)
    for query, doc, _ in rows:
        if len(query.split()) != 1 or len(doc.split()) != 1 or query.startswith("#"):
            raise UsageError(
                f"query {query!r}, document {doc!r}: the TREC format cannot hold these ids",
                code="ids",
                hint="write a file that ends in .csv",
            )
    _check_whole(judgments, path)
    return "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in rows)


def _table(rows: Sequence[tuple[str, str, str]], delimiter: str, kept: Sequence[str], beside: Texts) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("query", "doc", "grade", *kept))
    for query, doc, grade in rows:
        texts = beside.get((query, doc), {})
        writer.writerow((query, doc, grade, *(texts.get(name, "") for name in kept)))
    return out.getvalue()


def _lines(judgments: Mapping[str, Mapping[str, float]], beside: Texts) -> str:
    """An object per judgment, with the texts beside its grade under their names."""
    lines = []
    for query, grades in judgments.items():
        for doc, grade in grades.items():
            held = {"query_id": query, "doc_id": doc, "grade": json_number(grade), **beside.get((query, doc), {})}
            lines.append(json.dumps(held, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)


def _check_whole(judgments: Mapping[str, Mapping[str, float]], path: str) -> None:
    """Refuse fractional grades where the TREC format is to hold them: trec_eval cuts the fractions off."""
    broken = [
        (query, doc, problem)
        for query, grades in judgments.items()
        for doc, grade in grades.items()
        if (problem := whole(Row(query, doc, grade, None)))
    ]
    if broken:
        many = counted_noun(len(broken), "grade is no whole number", "grades are no whole numbers")
        raise InputError(
            f"{path}: {many}, which the TREC format cannot hold",
            code="cannot_hold",
            faults=[Fault(problem, None, None, query, doc) for query, doc, problem in broken[:SHOWN]],
            total=len(broken),
            hint="write a file that ends in .csv",
        )
