"""Writes many runs of the same queries as TREC text, each file once.

python -m bench.many_runs CORPUS FOLDER RUNS QUERIES DEPTH
"""

from __future__ import annotations

import sys
from pathlib import Path

from .corpus import SEED, frame_of, write_qrels, write_text
from .corpus_files import Corpus
from .judgments import judge
from .rankings import blocks


def main() -> None:
    """Judgments where there are none yet, and one run for each seed."""
    corpus, folder = Path(sys.argv[1]), Path(sys.argv[2])
    runs, queries, depth = map(int, sys.argv[3:6])
    folder.mkdir(parents=True, exist_ok=True)
    where = Corpus(corpus, queries, depth)
    judgments = judge(queries, SEED)
    if not where.qrels("graded").exists():
        write_qrels(where, judgments)
    for number in range(runs):
        path = folder / f"run{number:03}.run"
        if path.exists():
            continue
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as file:
            for block in blocks(judgments, depth, SEED + number):
                write_text(frame_of(block, path.stem), file)
        unfinished.rename(path)


if __name__ == "__main__":
    main()
