"""trec_eval, the reference implementation of TREC."""

from __future__ import annotations

from ..trec_names import MEASURES
from .contract import Dialect

NAN = "A NaN score is neither above nor below any other, so the order depends on the neighbours."

OF_9 = tuple(dict.fromkeys(one.family for one in MEASURES.values() if one.family is not None and one.since <= 9))
"""What trec_eval 9 measures, by the names of this package."""

UNLIKE_9 = {one.family for one in MEASURES.values() if one.newer}
"""What version 10 computes in another way, which is an option of the measure and no convention."""

DIALECTS = (
    Dialect(
        name="trec_eval_9",
        tool="trec_eval ndcg_cut",
        versions="up to 9.0.8",
        checked="run",
        source="usnistgov/trec_eval, tag v9.0.8: m_ndcg_cut.c, form_res_rels.c, get_qrels.c",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "empty": "zero",
            "missing": "exclude",
            "empty_missing": "missing",
            "score_type": "float32",
            "grade_type": "int",
            "duplicates": "error",
        },
        notes=(
            "The gain is the grade itself, not 2^grade - 1; negative grades gain nothing.",
            "Equal scores are ordered by document id, descending, byte by byte; the rank column is never read.",
            "A query without a relevant document scores 0 and counts.",
            "Scores are compared in single precision.",
            "A judged query that the run lacks leaves the mean; with -c it counts 0 (missing='zero').",
            "With -J unjudged and negative documents are removed (unjudged='skip', negative='remove').",
            "A grade of 1.9 is read as 1.",
            "A document returned twice ends the program.",
        ),
        also=OF_9,
        decimals=4,
        undefined=NAN,
        aliases=("trec_eval",),
    ),
    Dialect(
        name="trec_eval_10",
        tool="trec_eval ndcg_cut",
        versions="10.0",
        checked="run",
        source="usnistgov/trec_eval, tag v10.0: m_ndcg_cut.c, trec_eval.c",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "empty": "zero",
            "missing": "error",
            "empty_missing": "missing",
            "grade_type": "int",
            "duplicates": "error",
        },
        notes=(
            "The gain is the grade itself, not 2^grade - 1; negative grades gain nothing.",
            "Equal scores are ordered by document id, descending, byte by byte; the rank column is never read.",
            "A query without a relevant document scores 0 and counts.",
            "Scores are compared in double precision, unlike 9.x.",
            "A judged query that the run lacks ends the program; with -c it counts 0 (missing='zero').",
            "With -J unjudged documents and those with negative grades are removed first.",
        ),
        also=(*(name for name in OF_9 if name not in UNLIKE_9), "DCG", "IDCG"),
        decimals=4,
        undefined=NAN,
    ),
)
