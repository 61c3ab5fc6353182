"""trec_eval's own data and golden outputs, read where they lie; tests that need them are skipped where they are not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = SHARED / "01_trec_eval"

needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared data is not here")


def lines(path: Path) -> list[str]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [line for line in text.split("\n") if line.strip()]


def judgments(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in lines(path):
        query, _, doc, grade = line.split()
        found.setdefault(query, {})[doc] = int(grade)
    return found


def run(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in lines(path):
        query, _, doc, _, score = line.split()[:5]
        found.setdefault(query, {})[doc] = float(score)
    return found


def golden(name: str, version: int) -> list[tuple[str, str, str]]:
    """(measure, query, printed value) of one expected output, in its order."""
    folder = FOLDER if version == 10 else FOLDER / "v9.0.8_expected"
    rows = (line.split("\t") for line in lines(folder / name))
    return [(measure.strip(), query, value) for measure, query, value in rows]
