"""Two rankers on SQLite's full-text index: bm25 with a heavy title, and bm25 with a heavy body."""

import sqlite3
from collections.abc import Callable

from .collect import Document
from .words import query_words

Ranking = list[tuple[str, float]]
Ranker = Callable[[str], Ranking]


def fts_index(documents: list[Document]) -> sqlite3.Connection:
    """An index in memory over title and text, with stemmed words."""
    index = sqlite3.connect(":memory:")
    columns = "id UNINDEXED, title, body, tokenize='porter unicode61'"
    index.execute(f"CREATE VIRTUAL TABLE docs USING fts5({columns})")
    rows = ((each.id, each.title, each.text) for each in documents)
    index.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
    return index


def fts_title(index: sqlite3.Connection) -> Ranker:
    """Title ten times the body; a document must have a word of the query in its title."""

    def ranked(query: str) -> Ranking:
        either = any_word(query)
        return matches(index, f"{{title}} : ({either}) AND ({either})", 10.0, 1.0)

    return ranked


def fts_body(index: sqlite3.Connection) -> Ranker:
    """Body four times the title; any word of the query will do."""
    return lambda query: matches(index, any_word(query), 1.0, 4.0)


def any_word(query: str) -> str:
    """The index's query for any word of the query."""
    return " OR ".join(f'"{word}"' for word in query_words(query))


def matches(index: sqlite3.Connection, match: str, title: float, body: float) -> Ranking:
    """Matching documents with their scores, best first, equal scores by id."""
    rows = index.execute(
        "SELECT id, -bm25(docs, 0, ?, ?) FROM docs WHERE docs MATCH ?", (title, body, match)
    ).fetchall()
    return sorted(((doc, round(score, 6)) for doc, score in rows), key=lambda row: (-row[1], row[0]))
