"""Judgments, runs and attributes for tests of slices, and strategies that make more."""

from hypothesis import strategies as st

from strategies import GRADES, IDS

QUERIES = [f"q{number}" for number in range(12)]

judgments = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(IDS), st.sampled_from(GRADES), max_size=6),
    min_size=1,
    max_size=10,
)
runs = st.dictionaries(
    st.sampled_from([*QUERIES, "stranger"]),
    st.one_of(
        st.none(),
        st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.0, 1.0, 1.0, 2.5, -3.0, 7.0]), max_size=6),
    ),
    min_size=1,
    max_size=12,
)
values = st.dictionaries(st.sampled_from([*QUERIES, "stranger"]), st.sampled_from(["de", "en", "fr", None]))
weights = st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0, 7.5, 1e-3, 1e6]), min_size=13, max_size=13).map(
    lambda found: dict(zip([*QUERIES, "stranger"], found, strict=True))
)

JUDGED = {
    "q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3},
    "q2": {"A": 1},
    "q3": {"X": 0},
    "q4": {"M": 2},
    "q5": {"A": 2, "N": 1},
    "q6": {"B": 1, "D": 3},
}
BASE = {
    "q1": {"A": 4, "B": 3, "C": 2, "D": 1},
    "q2": {"Z": 2, "A": 1},
    "q3": {"X": 1},
    "q5": {"A": 3, "N": 2},
    "q6": {"B": 2, "D": 1},
    "q9": {"A": 1},
}
NEW = {
    "q1": {"E": 4, "A": 3, "D": 1},
    "q2": {"A": 1},
    "q4": {"M": 1},
    "q5": {"N": 3, "A": 2},
    "q6": {"D": 2, "B": 1},
}
LANGUAGE = {"q1": "de", "q2": "en", "q3": "en", "q4": "de", "q5": "en", "q9": "de"}
AGE = {"A": "old", "B": "new", "D": "old", "E": "new", "M": "old", "N": "new", "X": "old"}


def common(judged, run):
    """Whether judgments and run share a query, without which nothing is scored."""
    return bool(set(judged) & set(run))
