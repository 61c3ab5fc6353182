"""Writes the corpus: judgments and runs as TREC text and as Parquet, each file once.

    python -m bench.corpus FOLDER QUERIES DEPTH [SHARDS]

With SHARDS the run is written as that many files instead, each holding every query and every n-th rank of it.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars
import pyarrow.parquet

from .corpus_files import Corpus
from .judgments import Judgments, judge
from .rankings import Block, blocks

SEED = 20_241_130


def frame_of(block: Block, tag: str = "bench") -> polars.DataFrame:
    """The rows of a block in the columns of a TREC run."""
    return polars.DataFrame(
        {"query": block.query, "q0": "Q0", "doc": block.doc, "rank": block.rank, "score": block.score, "tag": tag}
    )


def write_text(frame: polars.DataFrame, file: Any) -> None:
    """Append a frame to TREC text."""
    frame.write_csv(file, include_header=False, separator=" ", quote_style="never", float_precision=6)


def write_qrels(corpus: Corpus, judgments: Judgments) -> None:
    """Both variants of the judgments, in both formats."""
    for kind, rows in (("dev", judgments.dev()), ("graded", judgments.graded())):
        query, doc, grade = rows
        frame = polars.DataFrame({"query": query, "q0": "0", "doc": doc, "grade": grade})
        with corpus.qrels(kind).open("wb") as file:
            write_text(frame, file)
        texts = frame.select(
            polars.col("query").cast(polars.String), polars.col("doc").cast(polars.String), polars.col("grade")
        )
        texts.write_parquet(corpus.qrels(kind, "parquet"))


def write_run(corpus: Corpus, judgments: Judgments) -> None:
    """The run in one file, as text and as Parquet (ids as text)."""
    with ExitStack() as opened:
        text = opened.enter_context(corpus.run().open("wb"))
        columnar: Any = None
        for block in blocks(judgments, corpus.depth, SEED):
            frame = frame_of(block)
            write_text(frame, text)
            typed = frame.select(
                polars.col("query").cast(polars.String),
                polars.col("doc").cast(polars.String),
                polars.col("rank"),
                polars.col("score"),
            ).to_arrow()
            if columnar is None:
                columnar = opened.enter_context(pyarrow.parquet.ParquetWriter(corpus.run("parquet"), typed.schema))
            columnar.write_table(typed)


def write_shards(corpus: Corpus, judgments: Judgments, count: int) -> None:
    """The run in several files, each with every query."""
    paths = corpus.shards(count)
    paths[0].parent.mkdir(exist_ok=True)
    with ExitStack() as opened:
        files = [opened.enter_context(path.open("wb")) for path in paths]
        for block in blocks(judgments, corpus.depth, SEED):
            frame = frame_of(block)
            for number, file in enumerate(files):
                write_text(frame.filter((polars.col("rank") - 1) % count == number), file)


def write(corpus: Corpus, shards: int = 0) -> None:
    """Write what is missing. A marker is written last, so a half-written corpus is written again."""
    done = corpus.folder / f"{corpus.queries}x{corpus.depth}{f'-{shards}' if shards else ''}.done"
    if done.exists():
        return
    corpus.folder.mkdir(parents=True, exist_ok=True)
    judgments = judge(corpus.queries, SEED)
    write_qrels(corpus, judgments)
    if shards:
        write_shards(corpus, judgments, shards)
    else:
        write_run(corpus, judgments)
    done.touch()


if __name__ == "__main__":
    write(Corpus(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])), int(sys.argv[4]) if sys.argv[4:] else 0)
