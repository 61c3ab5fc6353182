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
    "jsonl": "JSON Lines: an object per row (query, doc, score, grade or rank) or per query (query, results); results "
    "of null, an error or failed: true mark a failed query.",
    "parquet": "Parquet with the columns query, document and grade, score or rank.",
    "quepid": "Quepid's basic ratings: query, docid, rating; unrated queries and documents are counted.",
    "quepid_basic_snapshot": "Quepid's basic export of what was returned: the same header, in ranked order.",
    "quepid_detailed": "Quepid's detailed export: ratings and positions of one case, with document fields.",
    "quepid_snapshot": "Quepid's snapshot: what each query returned, by position; several are several runs.",
    "quepid_book": "Judgments with a column per judge: query, docid, Anna, Ben, ... as Quepid's books export.",
    "quepid_json": "Quepid's JSON exports: a book with its judges, a case, or the ratings of a case.",
    "es_search": "Elasticsearch or OpenSearch _search responses, each under its query.",
    "es_rank_eval": "Elasticsearch or OpenSearch _rank_eval request: ratings per request.",
    "es_rank_eval_response": "Elasticsearch or OpenSearch _rank_eval response: the hits of each request.",
    "opensearch_judgments": "OpenSearch judgment list: ratings per query text, as imported.",
    "rre": "Rated Ranking Evaluator ratings: topics, query groups, queries and their relevant documents.",
    "mteb_predictions": "MTEB predictions: subset, split, query, document, score.",
    "yaml": "YAML targets: a query and its relevant documents, rows, or {query: {document: number}}.",
    "fill_down": "CSV or TSV with a header whose query cell is empty where the one above holds on.",
    "mapping": "Python dict {query: {document: number}}, or {query: [documents]} for a run or a pool.",
    "pandas": "pandas DataFrame with the columns query, document and grade, score or rank.",
    "polars": "polars DataFrame or LazyFrame with the columns query, document and grade, score or rank.",
    "arrow": "pyarrow Table, RecordBatch or RecordBatchReader with the same columns.",
    "svmlight": "SVMlight / LETOR text: grade, qid:QUERY, features, the document in a comment; or with a group file.",
    "predictions": "A model's scores, one per row of a feature file (features=), in the same order.",
    "msmarco_run": "MS MARCO run of four columns: query, document, rank, score, separated by tabs.",
    "msmarco_top": "MS MARCO candidates: query, document, wording, passage, separated by tabs.",
    "openliveq_run": "OpenLiveQ run: a line of description, then query and document in ranked order.",
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
    labels: object = None,
    groups: object = None,
    features: object = None,
    implied: bool = False,
    query_ids: object = None,
) -> Source:
    """Read an input of `role` from whatever it is in.

    `source`: a path, a list of paths (one input in several files), a glob, a folder (of
    BEIR: the judgments of its only split), '-' for standard input, a dict
    `{query: {document: number}}` or `{query: [documents]}`, a pandas or polars frame, an Arrow table or reader, or a
    DuckDB relation. `format` is one of FORMATS, found by looking if None. `columns` maps role names (query, doc,
    grade, score, rank) to column names; a rank named without a score decides the order, and a name that the format
    has no use for is a UsageError.
    A number in place of the grade's column (`{"grade": 1}`) is the grade of every row. `comments` says whether lines
    of TREC text that start with '#' are skipped (True), data (False), or skipped unless they look like data, which is
    an error (None). `several_tags` lets a TREC
    file hold several run tags. `labels` maps the labels of judgments to grades: a table `{label: grade}` or the
    name of one. `groups` is the group file of a feature file without query ids. `features` is the feature file whose
    rows a run of predictions belongs to, line by line; `implied` says that the caller did not name it.
    `query_ids` turns the wording of queries into their ids: `{id: wording}`, or a file with both.

    Raises InputError for data that cannot be used and DataTypeError for what is never taken. Rows are checked when an
    engine scans them: a Part says how.
    """
    from .context import Context, path_of
    from .declared import Declared
    from .inputs import open_source
    from .labels import as_labels, plain_words

    declared = as_labels(labels)
    paths = path_of(groups, "groups"), path_of(features, "features")
    shared = columns.shared if isinstance(columns, Declared) else frozenset[str]()
    context = Context(
        role,
        {role: str(each) for role, each in (columns or {}).items()},
        comments,
        several_tags,
        declared,
        *paths,
        implied,
        shared,
    )
    opened = open_source(source, context, format, name)
    if query_ids is not None:
        from .query_ids import as_query_ids, with_ids

        table = as_query_ids(query_ids)
        opened = opened if table is None else with_ids(opened, table)
    if declared is None or role is not Role.JUDGMENTS:
        return opened
    described = opened.described
    plain = sum(part.plain() for part in opened.parts) if isinstance(opened, Scanned) else 0
    return opened._replace(
        described=described._replace(notes=(*described.notes, *([plain_words(plain)] if plain else []), declared.words))
    )


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
