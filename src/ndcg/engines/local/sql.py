"""The SQL that the local engine is made of: plain text, no data in it."""

from __future__ import annotations

from ..contract import Request

LARGEST_FLOAT32 = "3.4028235677973366e38"
"""Half a step above the largest single-precision number: from here on rounding gives infinity."""


def single(column: str) -> str:
    """A number in single precision, infinite beyond its range; -0.0 becomes 0.0."""
    return (
        f"(case when abs({column}) >= {LARGEST_FLOAT32} then sign({column}) * 'inf'::double "
        f"else {column}::float::double + 0.0 end)"
    )


def score(request: Request, ranked: bool) -> str:
    """The number that orders a document, higher first; -0.0 becomes 0.0."""
    if ranked:
        return "(0.0 - rank)"
    if request.score_type == "float32":
        return single("number")
    return "(number + 0.0)"


def top(request: Request, ranked: bool, depth: int, *, judged_only: bool) -> str:
    """An aggregate that keeps the first `depth` rows of each query as a list of structs (s, d, r)."""
    value = score(request, ranked)
    if request.order == "docid":
        kept = f"min({{'s': 0.0 - {value}, 'd': doc, 'r': rank}}, {depth})"
    elif request.order == "docid_desc":
        kept = f"max({{'s': {value}, 'd': doc, 'r': rank}}, {depth})"
    else:
        kept = f"min({{'s': 0.0 - {value}, 'p': place, 'd': doc, 'r': rank}}, {depth})"
    return f"{kept}{kept_rows(request, judged_only=judged_only)}"


def kept_rows(request: Request, *, judged_only: bool = False) -> str:
    """The FILTER clause of an aggregate: own documents out where the request drops them."""
    conditions = ["doc <> query"] if request.self == "drop" else []
    conditions += ["grade is not null"] if judged_only else []
    return f" filter (where {' and '.join(conditions)})" if conditions else ""


def ordering(request: Request) -> str:
    """ORDER BY of the rows of one query, best first, over columns score, doc, place."""
    ties = {"docid": "doc", "docid_desc": "doc desc", "given": "place"}[request.order]
    return f"score desc, {ties}"
