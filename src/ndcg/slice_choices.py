"""The choices of slices and intervals: plain data, so that a command lists them without loading NumPy."""

from __future__ import annotations

LEAST = 10
"""A slice with fewer counted queries is marked: its mean says little."""

MODES = ("keep", "restrict")
"""What a slice of documents does with the others: keep their ranks and count no gain, or take them out of the list."""

OVERLAPS = ("refuse", "both")
"""What becomes of a query (or document) with two values of one attribute: an error, or it counts in both slices."""

METHODS = ("t", "bca", "percentile")
"""How an interval is found: Student's t, the bias-corrected accelerated bootstrap, the percentile bootstrap."""
