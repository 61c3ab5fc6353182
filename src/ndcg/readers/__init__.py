"""Readers: whatever people have becomes one of two shapes, a mapping in memory or parts to scan."""

from __future__ import annotations

from collections.abc import Mapping

from .source import Described, Mapped, Part, Role, Scanned, Source

FORMATS: dict[str, str] = {
    "trec_qrels": "TREC judgments: query, unused, document, grade, separated by blanks or tabs.",
    "trec_run": "TREC run: query, unused, document, rank, score, tag, separated by blanks or tabs.",
    "csv": "Comma-separated values with a header line that names the columns.",
    "tsv": "Tab-separated values with a header line that names the columns.",
    "beir_qrels": "BEIR judgments: tab-separated with the header query-id, corpus-id, score.",
    "ranked": "Run without a header: query, document, rank; or query, document in ranked order.",
    "scored": "Run without a header: query, document, score.",
    "graded": "Judgments without a header: query, document, grade.",
    "json": "JSON object {query: {document: number}} or {query: [documents]}; null marks a failed query.",
    "jsonl": "JSON Lines: an object per row (query, doc, score, grade or rank) or per query (query, results).",
    "parquet": "Parquet with the columns query, document and grade, score or rank.",
    "mapping": "Python dict {query: {document: number}}, or {query: [documents]} for a run or a pool.",
    "pandas": "pandas DataFrame with the columns query, document and grade, score or rank.",
    "polars": "polars DataFrame or LazyFrame with the columns query, document and grade, score or rank.",
    "arrow": "pyarrow Table, RecordBatch or RecordBatchReader with the same columns.",
    "duckdb": "DuckDB relation with the same columns.",
}
"""Every format by name, in one sentence: help texts and documents are made from this."""


def read(
    source: object,
    role: Role,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    comments: bool | None = None,
    name: str | None = None,
    several_tags: bool = False,
) -> Source:
    """Read an input of `role` from whatever it is in.

    `source`: a path, a list of paths (one input in several files), a glob, a folder, '-' for standard input, a dict
    `{query: {document: number}}` or `{query: [documents]}`, a pandas or polars frame, an Arrow table or reader, or a
    DuckDB relation. `format` is one of FORMATS, found by looking if None. `columns` maps role names (query, doc,
    grade, score, rank) to column names. `comments` says whether lines of TREC text that start with '#' are skipped
    (True), data (False), or skipped unless they look like data, which is an error (None). `several_tags` lets a TREC
    file hold several run tags.

    Raises InputError for data that cannot be used and DataTypeError for what is never taken. Rows are checked when an
    engine scans them: a Part says how.
    """
    from .context import Context
    from .inputs import open_source

    return open_source(source, Context(role, dict(columns or {}), comments, several_tags), format, name)


def is_several_runs(run: object) -> bool:
    """Whether `run` is a dict of runs by name: its values are paths, tables or dicts of dicts.

    A dict with list values is one run of ranked lists, `{query: {document: number}}` is one run.
    """
    if not isinstance(run, Mapping):
        return False
    first = next((value for value in run.values() if value is not None), None)
    if isinstance(first, Mapping):
        inner = next((value for value in first.values() if value is not None), None)
        return isinstance(inner, Mapping | list | tuple)
    import os

    from .inputs import table_kind

    return isinstance(first, str | os.PathLike) or table_kind(first) is not None


__all__ = [
    "FORMATS",
    "Described",
    "Mapped",
    "Part",
    "Role",
    "Scanned",
    "Source",
    "is_several_runs",
    "read",
]
