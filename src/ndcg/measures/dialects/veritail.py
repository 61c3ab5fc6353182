"""veritail."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="veritail",
        tool="veritail nDCG@k",
        versions="0.5.1",
        checked="read",
        source="asarnaout/veritail e4a04b1",
        conventions={
            "ties": "given",
            "empty": "zero",
            "ideal": "returned",
            "missing": "zero",
        },
        notes=("The ideal is built from the judged documents that were returned.",),
    ),
)
