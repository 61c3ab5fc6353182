"""Sums of products that come out the same whatever the block, the thread count and the library that multiplies.

A matrix product adds its terms in an order of its own, which changes bits with the shape of the block and with the
number of threads. Here every number is split into two parts that are whole numbers in some unit, small enough that
every partial sum of counts times parts is a whole number below 2**53: then no addition rounds, and no order matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .numbers import Floats, Integers


@dataclass(frozen=True, slots=True)
class Split:
    """Columns of numbers as high and low whole parts: number = (high / 2**bits + low / 4**bits) * scale."""

    parts: Floats
    scale: Floats
    bits: int

    def sums(self, counts: Floats) -> Floats:
        """Sums of counts x numbers, (resamples, n) times (n, columns); counts are whole, `total` at most in a row."""
        columns = len(self.scale)
        made = counts @ self.parts
        unit = math.ldexp(1.0, -self.bits)
        sums: Floats = (made[:, :columns] * unit + made[:, columns:] * (unit * unit)) * self.scale
        return sums


def split(numbers: Floats, total: int) -> Split:
    """Split the columns of (n, columns) numbers for sums whose counts add up to at most `total`.

    Exact for numbers within a factor 2**(2 * bits - 53) of the largest of their column, where
    bits = 52 - log2(total): with 7,000 queries, 25 binary orders; smaller ones lose what is below 2**(-2 * bits) of it.
    """
    bits = min(40, 52 - math.ceil(math.log2(max(total, 2))))
    scale = powers_above(numbers)
    shares = numbers / scale
    high = np.rint(np.ldexp(shares, bits))
    low = np.rint(np.ldexp(shares - np.ldexp(high, -bits), 2 * bits))
    return Split(np.concatenate([high, low], axis=1), scale, bits)


def powers_above(numbers: Floats) -> Floats:
    """The power of two at or above the largest size in each column, 1.0 for a column of zeros."""
    largest = np.abs(numbers).max(axis=0, initial=0.0)
    _, exponents = np.frexp(largest)
    return np.where(largest > 0, np.ldexp(1.0, exponents), 1.0)


def whole(numbers: Floats, total: int) -> tuple[Integers, float]:
    """Numbers as whole multiples of one unit, so that `total` of them add up without overflow; and that unit."""
    bits = 62 - math.ceil(math.log2(max(total, 2)))
    bits = min(bits, 52)
    scale = float(powers_above(numbers.reshape(-1, 1))[0])
    return np.rint(np.ldexp(numbers / scale, bits)).astype(np.int64), math.ldexp(scale, -bits)
