"""Conventions in a few words each, for tables: what a value does, where its sentence would be too long."""

from __future__ import annotations

from .convention import Value, split_parameter
from .conventions import CONVENTIONS
from .nearest import shown

PHRASES = {
    ("gain", "exp2"): "gain 2^grade - 1",
    ("gain", "linear"): "gain is the grade",
    ("gain", "binary"): "relevant or not",
    ("gain", "judged"): "every judged document is relevant",
    ("gain", "exp2_int64"): "gain 2^grade - 1 in 64-bit whole numbers",
    ("gain", "exp2_to_30"): "gain 2^grade - 1 of whole grades up to 30",
    ("discount", "jarvelin"): "the 2002 paper's discount",
    ("discount", "reciprocal"): "discount 1 / rank",
    ("discount", "none"): "no discount",
    ("ideal", "candidates"): "ideal from the candidate pool",
    ("ideal", "returned"): "ideal from returned documents only",
    ("ideal", "hits"): "ideal of hits at every rank",
    ("ideal", "given"): "ideal in the order of the judgments, unsorted",
    ("ideal_cut", "none"): "ideal not cut",
    ("ideal_cut", "returned"): "ideal cut at the number returned",
    ("ideal_order", "grade"): "ideal by grade, not by gain",
    ("ties", "docid"): "ties by id ascending",
    ("ties", "docid_desc"): "ties by id descending",
    ("ties", "given"): "ties in input order",
    ("ties", "average"): "ties averaged",
    ("ties", "best"): "ties at their best",
    ("ties", "worst"): "ties at their worst",
    ("ties", "given_reversed"): "ties in reverse input order",
    ("ties", "shared"): "tied documents share a rank",
    ("unjudged", "skip"): "unjudged documents removed",
    ("negative", "keep"): "negative grades are losses",
    ("negative", "signed"): "negative grades are losses, in the ideal too",
    ("negative", "remove"): "negative grades removed",
    ("negative", "padding"): "grade -1 removed",
    ("empty", "exclude"): "empty queries left out",
    ("empty", "zero"): "empty queries count 0",
    ("empty", "one"): "empty queries count 1",
    ("empty", "compute"): "empty queries computed",
    ("no_ideal", "one"): "lists without gain count 1",
    ("no_ideal", "exclude"): "lists without gain left out",
    ("no_ideal_by", "sum"): "lists whose grades add up to 0 are empty",
    ("missing", "zero"): "missing queries count 0",
    ("missing", "exclude"): "missing queries left out",
    ("empty_run", "missing"): "a run without rows misses every query",
    ("empty_missing", "missing"): "empty missing queries treated as missing",
    ("empty_list", "zero"): "named but empty lists count 0",
    ("failed", "zero"): "failed queries count 0",
    ("unjudged_query", "zero"): "queries without judgments count 0",
    ("unjudged_query", "one"): "queries without judgments count 1",
    ("short_list", "zero"): "lists shorter than the cutoff count 0",
    ("cutoff_zero", "whole"): "cutoff 0 is the whole list",
    ("cutoff_zero", "nothing"): "cutoff 0 looks at nothing",
    ("duplicates", "error"): "repeated documents refused",
    ("duplicates", "count"): "repeated documents gain again",
    ("duplicates", "merged"): "repeated documents gain again, in the ideal too",
    ("duplicates", "joined"): "repeated documents joined with themselves",
    ("self", "drop"): "the query's own document dropped",
    ("score_type", "float32"): "scores in single precision",
    ("minus_infinity", "unretrieved"): "score -inf is not retrieved",
    ("off_table", "zero"): "grades off the table gain nothing",
    ("off_table", "grade"): "grades off the table gain themselves",
    ("grade_type", "int"): "grades cut to whole numbers",
    ("gain_type", "float32"): "gains in single precision",
    ("overflow", "zero"): "values beyond a float count 0",
    ("terms", "floor"): "each term cut down",
    ("rounding", "nearest"): "each query rounded",
    ("rounding", "half_up"): "each query rounded",
    ("rounding", "floor"): "each query cut down",
}


def phrase(name: str, value: Value) -> str:
    """A convention and its value in a few words; `name=value` where there are none."""
    if isinstance(value, str):
        choice, parameter = split_parameter(value)
        if (name, choice) in PHRASES:
            places = f" to {parameter:g} decimals" if choice in CONVENTIONS[name].places else ""
            return PHRASES[name, choice] + places
    if name == "gain" and isinstance(value, tuple):
        return f"gains {shown(value)}"
    return f"{name}={shown(value)}"
