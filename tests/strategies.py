"""Shared strategies: small judgments and runs that are hostile on purpose, and the grid of conventions."""

from __future__ import annotations

from hypothesis import strategies as st

IDS = ["a", "b", "c", "10", "9", "007", "7", "é", "z", "\U0001f600", "～", "a b", "d#1", "NA", "1e5"]
QUERIES = ["q1", "q2", "q10", "a", "é"]
GRADES = [-2.0, -1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0]
FRACTIONS = [0.5, 1.9, 2.25]
SCORES = [0.0, -0.0, 1.0, 1.0, 2.0, 0.5, 16777216.0, 16777217.0, 0.900000001, 0.900000002, float("inf"), -1e300]

judgments = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from([*IDS, *QUERIES]), st.sampled_from(GRADES), max_size=7),
    min_size=1,
    max_size=4,
)

scored_lists = st.lists(st.tuples(st.sampled_from([*IDS, *QUERIES]), st.sampled_from(SCORES)), max_size=9)
distinct_lists = st.lists(
    st.tuples(st.sampled_from([*IDS, *QUERIES]), st.sampled_from(SCORES)), max_size=9, unique_by=lambda row: row[0]
)


def runs(lists: st.SearchStrategy[list[tuple[str, float]]]) -> st.SearchStrategy[dict[str, list[tuple[str, float]]]]:
    return st.dictionaries(st.sampled_from([*QUERIES, "other"]), lists, min_size=1, max_size=5)


CHOICES: dict[str, list[object]] = {
    "gain": ["exp2", "linear", {-2: -1, -1: 0, 0: 0, 1: 0.3, 2: 0.7, 3: 5}],
    "discount": ["log2", "reciprocal", "none", "jarvelin(2)", "jarvelin(3)"],
    "ideal": ["judged", "returned"],
    "ties": ["docid", "docid_desc", "given", "average", "best", "worst"],
    "unjudged": ["zero", "skip"],
    "negative": ["clamp", "keep"],
    "empty": ["exclude", "zero", "one"],
    "missing": ["zero", "exclude"],
    "failed": ["exclude", "zero"],
    "duplicates": ["best"],
    "self": ["keep", "drop"],
    "score_type": ["float64", "float32"],
    "min_grade": [None, 2],
}

conventions = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}).filter(
    lambda chosen: chosen["negative"] != "keep" or chosen["gain"] == "linear"
)
HABITS: dict[str, list[object]] = {
    "gain": ["binary", "judged", "exp2_int64"],
    "ideal": ["hits", "given"],
    "ideal_cut": ["none", "returned"],
    "ties": ["given_reversed", "shared"],
    "negative": ["signed", "remove", "padding"],
    "empty": ["compute"],
    "no_ideal": ["one", "exclude"],
    "no_ideal_by": ["sum"],
    "empty_missing": ["missing"],
    "empty_list": ["zero"],
    "unjudged_query": ["zero", "one"],
    "short_list": ["zero"],
    "duplicates": ["count", "joined", "merged"],
    "ideal_order": ["grade"],
    "cutoff_zero": ["whole", "nothing"],
    "minus_infinity": ["unretrieved"],
    "gain_type": ["float32"],
    "overflow": ["zero"],
    "off_table": ["zero", "grade"],
    "grade_type": ["int"],
    "unjudged_grade": [1, 2],
    "terms": ["floor(1)", "floor(3)"],
    "rounding": ["nearest(2)", "half_up(2)", "floor(2)"],
}
"""What only other tools do: never a default."""

habits = st.dictionaries(st.sampled_from(sorted(HABITS)), st.integers(0, 5), min_size=1, max_size=4).map(
    lambda chosen: {name: HABITS[name][at % len(HABITS[name])] for name, at in chosen.items()}
)


def with_habits(chosen: dict[str, object], habits: dict[str, object]) -> dict[str, object]:
    """Conventions with habits over them; a loss that is kept needs the grade as its gain."""
    merged = {**chosen, **habits}
    if merged.get("negative") == "keep" and merged.get("gain", "exp2") != "linear":
        merged["negative"] = "signed"
    if merged.get("ties") == "shared":
        merged.pop("unjudged_grade", None)
    if merged.get("gain") == "exp2_int64" and merged.get("negative") in ("signed", "padding", "keep"):
        merged["negative"] = "clamp"
    if merged.get("duplicates") == "joined" or merged.get("minus_infinity") == "unretrieved":
        merged.pop("unjudged_grade", None)
    if merged.get("duplicates") == "joined" and merged.get("ties") not in ("docid", "docid_desc", "given"):
        merged["ties"] = "given"
    if merged.get("duplicates") in ("joined", "merged") and merged.get("ideal") not in ("judged", "candidates"):
        merged["ideal"] = "judged"
    if merged.get("off_table") in ("zero", "grade"):
        merged["gain"] = {1: 0.3, 3: 5}
        if merged.get("negative") == "keep":
            merged["negative"] = "signed"
    return merged


cutoffs = st.one_of(st.none(), st.integers(1, 8))
names = st.sampled_from(["nDCG", "DCG", "IDCG", "CG"])
