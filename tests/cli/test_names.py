"""Names of runs: short where they can be, never the same twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg.cli.names import named


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/bm25.run"], ["bm25"]),
        (["a/bm25.run", "a/dense.run.gz"], ["bm25", "dense"]),
        (["a/bm25.run", "b/bm25.run"], ["a/bm25", "b/bm25"]),
        (["x/a/r.run", "y/a/r.run", "z.run"], ["x/a/r", "y/a/r", "z"]),
        (["bm25.run", "bm25.txt"], ["bm25.run", "bm25.txt"]),
        (["bm25.run", "bm25.run"], ["bm25", "bm25#2"]),
        (["a/r.run", "a/r.run", "b/r.run"], ["a/r", "a/r#2", "b/r"]),
        (["r/", "s"], ["r", "s"]),
        (["-"], ["stdin"]),
        (["a#2", "a", "a"], ["a#2", "a", "a#3"]),
    ],
)
def test_names(paths, names):
    assert list(named(paths)) == names
    assert list(named(paths).values()) == paths


@given(st.lists(st.sampled_from(["a", "a.run", "b/a.run", "b/a", "./a", "c/b/a.run", "a#2"]), max_size=8))
def test_no_run_is_lost(paths):
    assert sorted(named(paths).values()) == sorted(paths)
