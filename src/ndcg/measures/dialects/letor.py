"""The scripts of Microsoft LETOR and MSLR."""

from __future__ import annotations

from .contract import CANDIDATE_LIST, Dialect

BOTH = {
    **CANDIDATE_LIST,
    "off_table": "zero",
    "discount": "jarvelin(2)",
    "ties": "given",
    "negative": "error",
    "empty": "zero",
    "short_list": "zero",
    "unjudged_query": "zero",
}

NOTES = (
    "Sees one list of labels per query, in input order where scores are equal.",
    "Ranks 1 and 2 are not discounted, rank r after them by 1 / log2(r).",
    "A query with fewer documents than the cutoff scores 0, and that 0 enters the mean.",
)

NAN = "Perl's comparison of a NaN score has no result, so the order depends on the neighbours."

DIALECTS = (
    Dialect(
        name="letor",
        tool="LETOR Eval-Score-4.0.pl NDCG@k",
        versions="LETOR 4.0, 2009",
        checked="run",
        source="Eval-Score-4.0.pl",
        conventions={**BOTH, "gain": {0: 0, 1: 1, 2: 3}, "duplicates": "best"},
        notes=(
            *NOTES,
            "Gains are 0, 1 and 3 for grades 0 to 2; higher grades gain nothing.",
            "Documents are told apart by their ids, so a repeated one stands once.",
        ),
        decimals=4,
        undefined=NAN,
    ),
    Dialect(
        name="mslr",
        tool="MSLR eval-score-mslr.pl NDCG@k",
        versions="2010",
        checked="run",
        source="eval-score-mslr.pl",
        conventions={**BOTH, "gain": {0: 0, 1: 1, 2: 3, 3: 7, 4: 15}},
        notes=(
            *NOTES,
            "Gains are 0, 1, 3, 7 and 15 for grades 0 to 4; higher grades gain nothing.",
            "Each line of the list is a document, so a repeated one stands twice.",
        ),
        decimals=4,
        undefined=NAN,
    ),
)
