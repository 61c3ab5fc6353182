"""Cases that the properties run over."""

from __future__ import annotations

from hypothesis import strategies as st

import ndcg

DOCS = ["a", "b", "c", "d", "10", "9", "é", "x", "y"]
STANDARD = [
    "nDCG",
    "nDCG@1",
    "nDCG@3",
    "nDCG(gain=linear)@3",
    "nDCG(ties=docid_desc)@3",
    "nDCG(ties=average)@3",
    "nDCG(ties=best)@2",
    "nDCG(ties=worst)@2",
    "nDCG(unjudged=skip)@3",
    "nDCG(ideal=returned)@3",
    "DCG@3",
    "CG@3",
    "IDCG@3",
]


@st.composite
def cases(draw):
    """Judgments and a run that share at least one query; many ties."""
    queries = draw(st.lists(st.sampled_from(["q1", "q2", "q10", "é"]), min_size=1, max_size=4, unique=True))
    judged = {query: draw(st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), max_size=6)) for query in queries}
    run = {
        query: draw(st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0]), max_size=8))
        for query in draw(st.lists(st.sampled_from([*queries, "other"]), max_size=4, unique=True))
    }
    run.setdefault(queries[0], {})
    return judged, run


def per_query(result):
    return {
        row.query: (row.status, row.value, row.dcg, row.ideal_dcg, row.judged_at_k, row.tied_at_cutoff)
        for row in result.per_query
    }


def score(judged, run, measure):
    """Per-query values."""
    return {row.query: row.value for row in ndcg.evaluate(judged, run, measure).per_query}
