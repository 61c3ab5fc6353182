"""Run the four rankers over the queries and write the runs in the TREC format."""

from .collect import Document
from .places import RUNS
from .rank_fts import Ranker, fts_body, fts_index, fts_title
from .rank_fused import dense, fused
from .rank_tfidf import tfidf

DEPTH = 50

Run = dict[str, list[tuple[str, float]]]


def rankers(documents: list[Document]) -> dict[str, Ranker]:
    """The four rankers by name."""
    index = fts_index(documents)
    body = fts_body(index)
    return {
        "fts_title": fts_title(index),
        "fts_body": body,
        "tfidf": tfidf(documents),
        "fused": fused(body, dense(documents)),
    }


def all_runs(documents: list[Document], queries: dict[str, str]) -> dict[str, Run]:
    """Each ranker's answers to each query, cut at the depth."""
    return {
        name: {query: ranker(text)[:DEPTH] for query, text in queries.items()}
        for name, ranker in rankers(documents).items()
    }


def write_runs(runs: dict[str, Run]) -> None:
    """One file per run: query, Q0, document, rank, score, name."""
    RUNS.mkdir(parents=True, exist_ok=True)
    for name, run in runs.items():
        lines = [
            f"{query} Q0 {doc} {place} {score!r} {name}\n"
            for query, answers in run.items()
            for place, (doc, score) in enumerate(answers, start=1)
        ]
        (RUNS / f"{name}.run").write_text("".join(lines), encoding="utf-8", newline="\n")
