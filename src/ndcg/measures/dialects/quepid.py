"""Quepid."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="quepid",
        tool="Quepid ndcg@10",
        versions="8.6.0",
        checked="run",
        source="o19s/quepid: db/scorers/ndcg@10.js, lib/scorer_logic.js",
        conventions={
            "ideal_cut": "none",
            "ties": "given",
            "negative": "signed",
            "empty": "compute",
            "unjudged_query": "zero",
            "duplicates": "count",
            "cutoff_zero": "nothing",
        },
        notes=(
            "The ideal holds every rated document, whatever the cutoff: a perfect first page can score below 1.",
            "Negative ratings lose 2^rating - 1.",
            "A query without results scores 0.",
            "The server rounds each query to 2 decimals (rounding='half_up(2)'); the browser does not.",
        ),
        cutoff=10,
    ),
    Dialect(
        name="quepid_cut",
        tool="Quepid ndcg_cut@10",
        versions="8.6.0",
        checked="run",
        source="o19s/quepid: db/scorers/ndcg_cut@10.js",
        conventions={
            "ties": "given",
            "negative": "signed",
            "empty": "compute",
            "unjudged_query": "zero",
            "duplicates": "count",
            "cutoff_zero": "nothing",
        },
        notes=(
            "The ideal is cut at the cutoff.",
            "Negative ratings lose 2^rating - 1.",
            "A query without results scores 0.",
            "The server rounds each query to 2 decimals (rounding='half_up(2)'); the browser does not.",
        ),
        cutoff=10,
    ),
)
