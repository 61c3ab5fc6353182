"""The scripts of Microsoft LETOR and MSLR."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

DIALECTS = (
    Dialect(
        name="letor",
        tool="LETOR Eval-Score-4.0.pl NDCG@k",
        versions="LETOR 4.0, 2009",
        checked="run",
        source="Eval-Score-4.0.pl",
        conventions={
            **CANDIDATE_LIST,
            "gain": {0: 0, 1: 1, 2: 3},
            "off_table": "zero",
            "discount": "jarvelin(2)",
            "ties": "given",
            "negative": "error",
            "empty": "zero",
            "short_list": "zero",
            "unjudged_query": "zero",
            "duplicates": "best",
        },
        notes=(
            "Sees one list of labels per query, in input order where scores are equal.",
            "Ranks 1 and 2 are not discounted, rank r after them by 1 / log2(r).",
            "A query with fewer documents than the cutoff scores 0, and that 0 enters the mean.",
            "Gains are 0, 1 and 3 for grades 0 to 2; higher grades gain nothing.",
        ),
        decimals=4,
    ),
    Dialect(
        name="mslr",
        tool="MSLR eval-score-mslr.pl NDCG@k",
        versions="2010",
        checked="run",
        source="eval-score-mslr.pl",
        conventions={
            **CANDIDATE_LIST,
            "gain": {0: 0, 1: 1, 2: 3, 3: 7, 4: 15},
            "off_table": "zero",
            "discount": "jarvelin(2)",
            "ties": "given",
            "negative": "error",
            "empty": "zero",
            "short_list": "zero",
            "unjudged_query": "zero",
        },
        notes=(
            "Sees one list of labels per query, in input order where scores are equal.",
            "Ranks 1 and 2 are not discounted, rank r after them by 1 / log2(r).",
            "A query with fewer documents than the cutoff scores 0, and that 0 enters the mean.",
            "Gains are 0, 1, 3, 7 and 15 for grades 0 to 4; higher grades gain nothing.",
        ),
        decimals=4,
    ),
)
