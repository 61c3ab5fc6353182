"""The random draws: what is drawn from which stream, in which order.

All streams are NumPy's PCG64 with the seed that the result names. Nothing depends on how draws are cut into blocks,
nor on the number of threads.

- *Bootstrap*: `Generator(PCG64(seed)).integers(0, n, size=(resamples, n))`; row r holds the places (queries, or
  clusters in the order in which they first appear) of resample r. `scipy.stats.bootstrap` draws the same.
- *Sign flips*: `PCG64(seed).random_raw(resamples * w)` with w = ceil(n / 64) words per resample; bit b (0 is the least
  significant) of word a of resample r decides difference 64 a + b: 1 keeps its sign, 0 turns it.
- *Permutations*: resamples 256 g to 256 g + 255 are `Generator(PCG64([seed, g])).permuted` along the last axis of
  (256, n, systems) places; the last group is cut short. Groups are streams of their own, so that they can be drawn at
  the same time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from .exact_sums import split
from .numbers import Floats, Integers

BLOCK = 2_000_000
"""How many numbers of a drawn table are held at once."""

CACHED = 50_000
"""How many permuted numbers are held at once by each thread: they stay in the processor's cache."""

PERMUTED = 256
"""Resamples of one stream of permutations."""

WORTH_THREADS = 2_000_000
"""From so many numbers on, permutations are drawn by several threads."""

MOST_THREADS = 8
"""More threads than this wait for Python."""


def bootstrap_sums(columns: Floats, resamples: int, seed: int, block: int = BLOCK) -> Floats:
    """Sums of each column over bootstrap resamples of the rows: (resamples, columns)."""
    n = len(columns)
    generator = np.random.Generator(np.random.PCG64(seed))
    parts = split(columns, n)
    made = np.empty((resamples, columns.shape[1]))
    for start, rows in _blocks(resamples, n, block):
        places = generator.integers(0, n, size=(rows, n))
        places += np.arange(rows)[:, None] * n
        counts = np.bincount(places.ravel(), minlength=rows * n).reshape(rows, n)
        made[start : start + rows] = parts.sums(counts.astype(np.float64))
    return made


def sign_flip_sums(columns: Floats, resamples: int, seed: int, block: int = BLOCK) -> Floats:
    """Sums of each column with the signs of its rows turned at random, the same turns for all: (resamples, columns)."""
    n = len(columns)
    words = -(-n // 64)
    stream = np.random.PCG64(seed)
    tables = _tables(columns)
    made = np.empty((resamples, columns.shape[1]))
    for start, rows in _blocks(resamples, words * 8, block):
        drawn = stream.random_raw(rows * words).astype("<u8").reshape(rows, words)
        made[start : start + rows] = _signed(tables, drawn)
    return made


def all_sign_flip_sums(columns: Floats, block: int = BLOCK) -> Iterator[Floats]:
    """The same for all 2**n ways of turning signs (n at most 62), in blocks."""
    tables = _tables(columns)
    for start, rows in _blocks(1 << len(columns), columns.shape[1] * 8, block):
        yield _signed(tables, np.arange(start, start + rows, dtype="<u8").reshape(rows, 1))


def _tables(columns: Floats) -> Floats:
    """For every 8 rows the sums under each of their 256 patterns of signs: (bytes, 256, columns)."""
    n, systems = columns.shape
    count = -(-n // 8)
    padded = np.zeros((count * 8, systems))
    padded[:n] = columns
    sums = np.zeros((count, 1, systems))
    for rows in padded.reshape(count, 8, systems).transpose(1, 0, 2)[:, :, None]:
        # The first row ends up in the least significant bit: a later row doubles the patterns above it.
        sums = np.concatenate([sums - rows, sums + rows], axis=1)
    return sums


def _signed(tables: Floats, words: np.ndarray[tuple[int, int], np.dtype[np.uint64]]) -> Floats:
    """Sums where bits of 1 keep the sign and bits of 0 turn it, eight rows at a time, always in the same order."""
    places = np.ascontiguousarray(words.view(np.uint8)[:, : len(tables)].T)
    sums = np.zeros((len(words), tables.shape[2]))
    for table, place in zip(tables, places, strict=True):
        sums += table.take(place, axis=0)
    return sums


def permuted_sums(numbers: Integers, resamples: int, seed: int, block: int = CACHED) -> Iterator[Integers]:
    """Column sums of whole numbers (n, systems) with the systems permuted inside each row, in groups of resamples."""
    n, systems = numbers.shape
    width = max(1, block // (n * systems))

    def sums(group: int) -> Integers:
        generator = np.random.Generator(np.random.PCG64([seed, group]))
        rows = min(PERMUTED, resamples - group * PERMUTED)
        drawn = [
            generator.permuted(np.broadcast_to(numbers, (min(width, rows - at), n, systems)), axis=2).sum(axis=1)
            for at in range(0, rows, width)
        ]
        return np.concatenate(drawn)

    groups = range(-(-resamples // PERMUTED))
    if resamples * n * systems < WORTH_THREADS:
        yield from map(sums, groups)
        return
    from concurrent.futures import ThreadPoolExecutor

    # NumPy permutes without holding Python.
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as threads:
        yield from threads.map(sums, groups)


def _blocks(resamples: int, width: int, block: int) -> Iterator[tuple[int, int]]:
    """(start, rows) that together cover the resamples."""
    rows = max(1, block // max(width, 1))
    for start in range(0, resamples, rows):
        yield start, min(rows, resamples - start)
