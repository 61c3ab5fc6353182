"""Every convention a score depends on: its values, its default, and one sentence each.

This file is the one home of conventions. The parser, the command line help, the table of the README, the declaration
printed with each result and the tests are derived from `CONVENTIONS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from .convention import Convention, Value

CONVENTIONS: Mapping[str, Convention] = {
    convention.name: convention
    for convention in (
        Convention(
            "gain",
            "gain",
            "what a judged grade is worth",
            {
                "exp2": "2^grade - 1: one grade more doubles the worth of a document (Burges et al. 2005)",
                "linear": "the grade itself (Järvelin & Kekäläinen 2002)",
                "binary": "1 for a grade above 0 (with min_grade: for a grade from there on), else 0",
                "judged": "1 for every judged document, whatever its grade: a set of ids that ignores grades",
                "exp2_int64": "2^grade - 1 in whole numbers of 64 bits, which turn over: grade 63 gains 2^63 - 1, "
                "every higher whole grade -1 (recommenders, trectools)",
                "exp2_to_30": "2^grade - 1 for whole grades from 0 to 30; any other grade is an error (LightGBM's "
                "own label_gain)",
            },
            aliases={"burges": "exp2", "jarvelin": "linear"},
            habits=frozenset({"judged", "exp2_int64", "exp2_to_30"}),
            table=True,
        ),
        Convention(
            "discount",
            "gain",
            "what a rank keeps of its gain, ranks counted from 1",
            {
                "log2": "1 / log2(rank + 1)",
                "jarvelin": "1 for ranks below b, else 1 / log_b(rank) (the 2002 paper)",
                "reciprocal": "1 / rank",
                "none": "1: every rank keeps its whole gain",
            },
            parametric=frozenset({"jarvelin"}),
        ),
        Convention(
            "ideal",
            "ideal",
            "where the ideal ranking takes its documents from",
            {
                "judged": "every judged document of the query",
                "candidates": "the judged documents of the candidate pool",
                "returned": "only what the run returned: hides missed documents and inflates the score",
                "hits": "a document of gain 1 at every rank up to the cut, however many there are (RecTools)",
                "given": "the judged documents in the order of the judgments, never sorted: may exceed 1 (Spark)",
            },
            habits=frozenset({"hits", "given"}),
        ),
        Convention(
            "ideal_cut",
            "ideal",
            "where the ideal ranking ends",
            {
                "k": "at the cutoff",
                "none": "nowhere: every document of the pool is in it, whatever the cutoff (Quepid's ndcg@10)",
                "returned": "at the cutoff or the number of documents returned, if that is less: "
                "one perfect hit of many scores 1 (Elasticsearch)",
            },
            habits=frozenset({"none", "returned"}),
        ),
        Convention(
            "ideal_order",
            "ideal",
            "which documents the ideal ranking takes first",
            {
                "gain": "those with the largest gains",
                "grade": "those with the highest grades, whatever they gain (trectools: gains that turned over)",
            },
            habits=frozenset({"grade"}),
        ),
        Convention(
            "ties",
            "ranking",
            "the order of documents with equal scores",
            {
                "docid": "document id ascending, by UTF-8 bytes",
                "docid_desc": "document id descending, by UTF-8 bytes (trec_eval)",
                "given": "the order of the input, stable",
                "average": "the expected value over all orders of each tied group, exact (McSherry & Najork 2008)",
                "best": "the most flattering order",
                "worst": "the least flattering order",
                "given_reversed": "the reverse of the input order (sorting ascending and turning round)",
                "shared": "tied documents share their mean rank, cut to a whole number (Evidently)",
            },
            habits=frozenset({"given_reversed", "shared"}),
        ),
        Convention(
            "unjudged",
            "ranking",
            "what a document without a judgment is worth",
            {
                "zero": "grade 0, and it keeps its rank",
                "skip": "removed before ranking: the condensed list (Sakai 2007)",
                "error": "an unjudged document among the scored ranks is an error",
            },
            aliases={"judged_only": "skip"},
        ),
        Convention(
            "negative",
            "gain",
            "what a negative grade is worth",
            {
                "clamp": "gain 0, counted",
                "error": "a negative grade is an error",
                "keep": "the loss is real; linear gain only, and the ideal stops where gains stop being positive",
                "signed": "what the gain says, under any gain; the ideal holds the largest gains, losses included",
                "remove": "removed from the list before ranks are given",
                "padding": "grade -1 is removed from the list, other negative grades are signed (allRank)",
            },
            habits=frozenset({"signed", "remove", "padding"}),
        ),
        Convention(
            "empty",
            "query",
            "a judged query without any relevant document",
            {
                "exclude": "not counted, listed",
                "zero": "counts 0",
                "one": "counts 1",
                "error": "is an error",
                "compute": "DCG / ideal DCG as it comes, losses included; `no_ideal` where the ideal is 0",
            },
            habits=frozenset({"compute"}),
        ),
        Convention(
            "no_ideal",
            "query",
            "a query whose chosen ideal is 0 although it has judged gain (or with empty=compute)",
            {
                "zero": "counts 0",
                "one": "counts 1",
                "exclude": "not counted, listed",
                "error": "is an error",
            },
            habits=frozenset({"one", "exclude"}),
        ),
        Convention(
            "no_ideal_by",
            "query",
            "what makes a chosen ideal count as 0",
            {
                "ideal": "its DCG is 0",
                "sum": "the grades of its documents add up to 0, losses included (torchmetrics)",
            },
            habits=frozenset({"sum"}),
        ),
        Convention(
            "missing",
            "query",
            "a judged query for which the run returned nothing",
            {
                "zero": "counts 0, listed",
                "exclude": "not counted, listed (trec_eval 9 without -c)",
                "error": "is an error",
            },
        ),
        Convention(
            "empty_run",
            "query",
            "a run without a single row",
            {
                "error": "is an error",
                "missing": "misses every query, and `missing` says what that counts (ir_measures, Spark)",
            },
            habits=frozenset({"missing"}),
        ),
        Convention(
            "empty_missing",
            "query",
            "a query that is both empty and missing",
            {
                "empty": "is treated as empty",
                "missing": "is treated as missing",
            },
            habits=frozenset({"missing"}),
        ),
        Convention(
            "empty_list",
            "query",
            "a query that the run names with an empty list",
            {
                "missing": "is treated as missing",
                "zero": "counts 0, whatever is done with missing ones (pytrec_eval)",
            },
            habits=frozenset({"zero"}),
        ),
        Convention(
            "failed",
            "query",
            "a query whose search failed, as the run records",
            {
                "exclude": "not counted, listed apart from missing",
                "zero": "counts 0",
                "error": "is an error",
            },
        ),
        Convention(
            "unjudged_query",
            "query",
            "a query of the run that has no judgment at all",
            {
                "ignore": "listed, never scored",
                "error": "is an error",
                "zero": "counts 0 (Spark, trectools)",
                "one": "counts 1 (LightGBM, XGBoost, CatBoost: a group without a positive label)",
            },
            habits=frozenset({"zero", "one"}),
        ),
        Convention(
            "short_list",
            "query",
            "a query with fewer documents than the cutoff",
            {
                "scored": "is scored like any other",
                "zero": "counts 0 (LETOR's script)",
            },
            habits=frozenset({"zero"}),
        ),
        Convention(
            "cutoff_zero",
            "query",
            "a cutoff of 0",
            {
                "error": "is an error, like every cutoff below 1",
                "whole": "is the whole list (ranx)",
                "nothing": "looks at no rank: DCG and ideal are 0, and `no_ideal` says what that counts "
                "(CatBoost, Rax)",
            },
            habits=frozenset({"whole", "nothing"}),
        ),
        Convention(
            "duplicates",
            "ranking",
            "a document returned twice for one query",
            {
                "best": "the best-ranked occurrence counts, the rest go before ranks are given; counted",
                "error": "is an error",
                "count": "every occurrence keeps its rank and gains again, so values above 1 occur; the ideal holds a "
                "judged document once, one of ideal=returned as often as it was returned (gdeval, Quepid, Spark)",
                "merged": "as `count`, and the ideal holds a document as often as the list does "
                "(RecTools with divide_by_achievable)",
                "joined": "every occurrence among the scored ranks gains as often as the whole list holds the "
                "document, and enters the ideal as often (recommenders: its tables are joined by document)",
            },
            habits=frozenset({"count", "merged", "joined"}),
        ),
        Convention(
            "self",
            "ranking",
            "a document whose id equals the query id",
            {
                "keep": "stays",
                "drop": "removed before ranking (BEIR's ignore_identical_ids)",
            },
        ),
        Convention(
            "score_type",
            "ranking",
            "the precision in which scores are compared",
            {
                "float64": "as read",
                "float32": "rounded to single precision before ties are found (trec_eval up to 9.0.8)",
            },
        ),
        Convention(
            "minus_infinity",
            "ranking",
            "a document whose score is minus infinity",
            {
                "ranked": "has its rank at the end of the list",
                "unretrieved": "was not retrieved: it gains nothing, and stays in the ideal (Rax)",
            },
            habits=frozenset({"unretrieved"}),
        ),
        Convention(
            "min_grade",
            "gain",
            "grades below this number gain nothing, in the ranking and in the ideal",
            {"absent": "every grade gains what `gain` says"},
            number=True,
        ),
        Convention(
            "off_table",
            "gain",
            "a grade that the gain table does not name",
            {
                "error": "is an error",
                "zero": "gains nothing (LETOR's script)",
                "grade": "gains itself (ir_measures' gains)",
            },
            habits=frozenset({"zero", "grade"}),
        ),
        Convention(
            "grade_type",
            "gain",
            "how grades are read before anything else",
            {
                "float64": "as read",
                "int": "cut to a whole number towards 0: 1.9 counts as 1 (trec_eval)",
            },
            habits=frozenset({"int"}),
        ),
        Convention(
            "gain_type",
            "gain",
            "the numbers that gains are",
            {
                "float64": "double precision",
                "float32": "rounded to single precision; a gain beyond its range, such as 2^128 - 1, is an error "
                "(Rax, allRank, TF-Ranking: NaN)",
            },
            habits=frozenset({"float32"}),
        ),
        Convention(
            "unjudged_grade",
            "gain",
            "the grade of an unjudged document in the ranking; it never enters the ideal",
            {"absent": "none: it gains nothing"},
            number=True,
        ),
        Convention(
            "terms",
            "gain",
            "whether the discounted gains are rounded one by one",
            {
                "exact": "they are not",
                "floor": "each is cut down to so many decimals, in the ranking and in the ideal (RRE)",
            },
            places=frozenset({"floor"}),
            habits=frozenset({"floor"}),
        ),
        Convention(
            "overflow",
            "query",
            "a query whose gains, DCG or ideal are beyond the range of a float",
            {
                "error": "is an error",
                "zero": "counts 0, and so do its DCG and its ideal (OpenSearch: NaN rounds to 0)",
            },
            habits=frozenset({"zero"}),
        ),
        Convention(
            "rounding",
            "query",
            "whether the value of each query is rounded before the mean",
            {
                "none": "it is not",
                "nearest": "to so many decimals, as printf does (gdeval)",
                "half_up": "to so many decimals, halves upwards (OpenSearch, Quepid's server)",
                "floor": "cut down to so many decimals (RRE)",
            },
            places=frozenset({"nearest", "half_up", "floor"}),
            habits=frozenset({"nearest", "half_up", "floor"}),
        ),
        Convention(
            "edition",
            "query",
            "the edition of the definitions: a fix that changes numbers makes a new one",
            {"1": "the first edition"},
        ),
    )
}


DEFAULTS: Mapping[str, Value] = {name: convention.default for name, convention in CONVENTIONS.items()}
"""The value of each convention where nothing is said."""
