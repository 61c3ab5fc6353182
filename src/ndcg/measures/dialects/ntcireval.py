"""NTCIREVAL, through its Python port."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="ntcireval",
        tool="pyNTCIREVAL MSnDCG",
        versions="0.0.3 (Sakai's C program was not read)",
        checked="run",
        source="mpkato/pyNTCIREVAL: metrics/ms_ndcg.py",
        conventions={
            "gain": "linear",
            "ties": "given",
            "negative": "error",
            "empty": "error",
            "missing": "exclude",
            "empty_missing": "missing",
            "duplicates": "count",
        },
        notes=(
            "Lists arrive ranked.",
            "The gains must be given (-g); here they are the grades.",
            "A query without a relevant document ends in a ZeroDivisionError.",
        ),
        cutoff=1000,
    ),
    Dialect(
        name="ntcireval_ndcg",
        tool="pyNTCIREVAL nDCG",
        versions="0.0.3",
        checked="run",
        source="mpkato/pyNTCIREVAL: metrics/ndcg.py",
        conventions={
            "gain": "linear",
            "discount": "jarvelin(2)",
            "ties": "given",
            "negative": "error",
            "empty": "error",
            "missing": "exclude",
            "empty_missing": "missing",
            "duplicates": "count",
        },
        notes=(
            "Lists arrive ranked.",
            "The gains must be given (-g); here they are the grades.",
            "A query without a relevant document ends in a ZeroDivisionError.",
            "The discount is the 2002 paper's with b = 2.",
        ),
        cutoff=1000,
    ),
)
