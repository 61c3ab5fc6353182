"""The queries, as people type them."""

import csv

from .places import TOOLS


def query_texts() -> dict[str, str]:
    """Each query's text by its id."""
    return {row["query"]: row["text"] for row in rows()}


def query_kinds() -> list[str]:
    """The kind of every query."""
    return [row["kind"] for row in rows()]


def rows() -> list[dict[str, str]]:
    """The declared table."""
    with (TOOLS / "queries.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
