"""Writers: judgments and runs in the formats that others read, one file per format."""

from __future__ import annotations

from importlib import import_module

from ..errors import UsageError, choose
from .contract import Content, Row, Writer

WRITERS = {
    "trec_qrels": "trec_qrels",
    "trec_run": "trec_run",
    "csv": "csv",
    "tsv": "tsv",
    "beir_qrels": "beir_qrels",
    "graded": "graded",
    "ranked": "ranked",
    "scored": "scored",
    "json": "json",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "quepid": "quepid",
    "quepid_basic_snapshot": "quepid_basic_snapshot",
    "quepid_book": "quepid_book",
    "quepid_snapshot": "quepid_snapshot",
    "opensearch_judgments": "opensearch_judgments",
    "rre": "rre",
    "mteb_predictions": "mteb_predictions",
    "yaml": "yaml",
    "fill_down": "fill_down",
    "svmlight": "svmlight",
    "msmarco_run": "msmarco_run",
    "openliveq_run": "openliveq_run",
}
"""Every format that can be written, and its module."""

WHY_NOT = {
    "es_rank_eval": "a request needs the text of the searches, which judgments do not have",
    "es_search": "only a search engine answers a search",
    "quepid_json": "Quepid imports its CSV: quepid, quepid_book",
    "es_rank_eval_response": "only a search engine answers a request",
    "quepid_detailed": "it is one case of Quepid, with the fields of its documents",
    "predictions": "they belong to the rows of a feature file",
    "msmarco_top": "it holds the wording of queries and passages, which a run does not have",
}
"""Formats of files that are read and not written, and why."""


def writer(format: str) -> Writer:
    """The writer of a format. UsageError for a name that is none, or of a format that is only read."""
    if format in WHY_NOT:
        raise UsageError(
            f"{format} is not written: {WHY_NOT[format]}", code="not_written", hint=f"choose from {', '.join(WRITERS)}"
        )
    if format not in WRITERS:
        raise choose("format", format, tuple(WRITERS))
    made: Writer = import_module(f".{WRITERS[format]}", __package__).WRITER
    return made


__all__ = ["WHY_NOT", "WRITERS", "Content", "Row", "Writer", "writer"]
