"""gdeval.pl, the TREC web track script."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="gdeval",
        tool="gdeval.pl nDCG@k",
        versions="1.2a",
        checked="run",
        source="gdeval.pl as bundled in ir_measures",
        conventions={
            "ties": "docid_desc",
            "rounding": "nearest(5)",
            "empty": "exclude",
            "missing": "exclude",
            "duplicates": "count",
        },
        notes=(
            "2^grade - 1, grades up to 4.",
            "A query without a relevant document is neither printed nor averaged.",
            "A document returned twice gains twice, so values above 1 occur.",
        ),
        decimals=5,
    ),
)
