"""Candidate pools: what is a pure reranking, what each pool is worth, and the exact split of a difference."""

from __future__ import annotations

import math

import pytest

import ndcg
from ndcg.errors import InputError, UsageError

from .building import BASE, JUDGED, NEW, written, written_judgments

JUDGED_ONE = {"q": {"a": 3, "b": 2, "c": 1}}
IDEAL = 7 + 3 / math.log2(3) + 1 / 2


@pytest.fixture(params=["dicts", "files", "mixed"])
def inputs(request, tmp_path):
    """The same judgments and runs in memory, as files, and one of each."""

    def given(judged, runs):
        if request.param == "dicts":
            return judged, runs
        names = list(runs)
        files = {name: written(tmp_path, name, runs[name]) for name in names}
        if request.param == "mixed":
            files[names[0]] = runs[names[0]]
        return written_judgments(tmp_path, judged), files

    return given


def ranked(*docs):
    return {"q": {doc: float(-at) for at, doc in enumerate(docs)}}


def pools_of(inputs, base, new, judged=JUDGED_ONE, **options):
    return ndcg.compare(*inputs(judged, {"base": base, "new": new}), "nDCG@10", resamples=50, **options).pair().pools


def test_the_same_pool_is_a_pure_reranking(inputs):
    pool = {"q": ["a", "b", "x"]}
    found = pools_of(inputs, ranked("x", "b", "a"), ranked("a", "b", "x"), candidates=pool)
    assert found.kind == "reranking" and found.label.startswith("pure reranking") and found.split is None
    assert found.overlap.same and found.base.recall == found.new.recall == 2 / 3
    ceiling = (7 + 3 / math.log2(3)) / IDEAL
    assert found.base.ceiling == pytest.approx(ceiling, abs=1e-15) and found.new.quality == 1.0
    # ideal='candidates' stands beside the default.
    beside = found.candidates
    assert beside.new == 1.0 and beside.over == "candidates"
    assert beside.base == pytest.approx((3 / math.log2(3) + 7 / 2) / (7 + 3 / math.log2(3)))


def test_a_run_that_is_its_pool(inputs):
    same = pools_of(inputs, ranked("x", "b", "a"), ranked("a", "b", "x"), run_is_pool=True)
    assert (same.kind, same.declared) == ("reranking", "run")
    other = pools_of(inputs, ranked("x", "b", "a"), ranked("a", "b", "c"), run_is_pool=True)
    assert other.kind == "end-to-end" and not other.overlap.same
    assert (other.overlap.both, other.overlap.base_only, other.overlap.new_only) == (2, 1, 1)
    assert (other.overlap.base_only_relevant, other.overlap.new_only_relevant) == (0, 1)


def test_different_pools_are_end_to_end_with_the_split(inputs):
    found = pools_of(
        inputs,
        ranked("b", "a"),
        ranked("a", "b", "c"),
        candidates={"base": {"q": ["a", "b"]}, "new": {"q": ["a", "b", "c", "x"]}},
    )
    assert found.kind == "end-to-end"
    assert (found.base.depth, found.new.depth, found.base.recall, found.new.recall) == (2, 4, 2 / 3, 1.0)
    ceiling = (7 + 3 / math.log2(3)) / IDEAL
    quality = (3 + 7 / math.log2(3)) / (7 + 3 / math.log2(3))
    assert (found.base.ceiling, found.base.quality) == pytest.approx((ceiling, quality))
    assert (found.new.ceiling, found.new.quality) == (1.0, 1.0)
    split = found.split
    assert split.retrieval == pytest.approx((1 - ceiling) * (1 + quality) / 2)
    assert split.ranking == pytest.approx((1 - quality) * (1 + ceiling) / 2)
    assert split.retrieval + split.ranking == pytest.approx(split.difference, abs=1e-15)


def test_a_pool_without_gain_leaves_all_to_retrieval(inputs):
    found = pools_of(inputs, ranked("x", "y"), ranked("b", "a"), run_is_pool=True)
    assert found.split.undefined == 1 and found.split.ranking == 0
    assert found.split.retrieval == found.split.difference > 0
    assert found.split.per_query[0].base_quality is None and found.base.quality is None


def test_unknown_pools_are_never_called_a_reranking(inputs):
    """Not even where both returned the same documents: nobody declared that this was all they could return."""
    args = inputs(JUDGED_ONE, {"base": ranked("x", "b", "a"), "new": ranked("a", "b", "x")})
    found = ndcg.compare(*args, "nDCG@10", resamples=50)
    pools = found.pair().pools
    assert pools.kind == "unknown" and pools.overlap.same and pools.split is None and pools.candidates is None
    for text in (str(found), found.to_markdown(), found.to_csv(), found.to_json()):
        assert "reranking" not in text
    assert pools.base.recall == 2 / 3 and pools.base.depth == 3


def test_unknown_pools_show_what_only_one_returned(inputs):
    pools = pools_of(inputs, ranked("x", "b"), ranked("a", "c", "b"), judged=JUDGED_ONE)
    assert pools.kind == "unknown"
    assert (pools.overlap.both, pools.overlap.base_only, pools.overlap.new_only) == (1, 1, 2)
    assert (pools.overlap.base_only_relevant, pools.overlap.new_only_relevant) == (0, 2)
    assert (pools.base.recall, pools.new.recall, pools.base.depth, pools.new.depth) == (1 / 3, 1.0, 2, 3)


def test_memory_and_files_say_the_same(tmp_path):
    runs = {"base": BASE, "new": NEW}
    files = {name: written(tmp_path, name, run) for name, run in runs.items()}
    qrels = written_judgments(tmp_path, JUDGED)
    for options in ({}, {"run_is_pool": True}):
        one = ndcg.compare(JUDGED, runs, "nDCG@10", resamples=50, **options).pair()
        other = ndcg.compare(qrels, files, "nDCG@10", resamples=50, **options).pair()
        mixed = ndcg.compare(qrels, {"base": BASE, "new": files["new"]}, "nDCG@10", resamples=50, **options).pair()
        assert one.pools == other.pools == mixed.pools
        assert one == other == mixed


def test_a_pool_for_each_run_from_files(tmp_path):
    for name, docs in (("base", "ab"), ("new", "abcx")):
        (tmp_path / f"{name}.csv").write_text("query,doc\n" + "".join(f"q,{doc}\n" for doc in docs))
    runs = {"base": ranked("b", "a"), "new": ranked("a", "b", "c")}
    given = {name: str(tmp_path / f"{name}.csv") for name in runs}
    found = ndcg.compare(JUDGED_ONE, runs, "nDCG@10", candidates=given, resamples=50)
    assert found.pair().pools.kind == "end-to-end" and found.pair().pools.new.depth == 4
    prints = found.as_dict()["fingerprints"]["candidates"]
    assert set(prints) == {"base", "new"} and prints["base"] != prints["new"]


def test_pools_that_do_not_fit_the_runs():
    runs = {"base": ranked("b"), "new": ranked("a")}
    with pytest.raises(UsageError, match="no pool for the run 'new'"):
        ndcg.compare(JUDGED_ONE, runs, candidates={"base": {"q": ["b"]}})
    with pytest.raises(UsageError, match="there is no run 'third'"):
        ndcg.compare(JUDGED_ONE, runs, candidates={name: {"q": ["a", "b"]} for name in ("base", "new", "third")})
    with pytest.raises(UsageError, match="both declare the candidate pool"):
        ndcg.compare(JUDGED_ONE, runs, candidates={"q": ["a", "b"]}, run_is_pool=True)
    with pytest.raises(InputError, match="outside the candidate pool"):
        ndcg.compare(JUDGED_ONE, runs, candidates={"base": {"q": ["b"]}, "new": {"q": ["b"]}})
    with pytest.raises(UsageError, match="takes its ideal from the candidate pool"):
        ndcg.compare(JUDGED_ONE, runs, "nDCG(ideal='candidates')@10")


def test_ideals_of_two_pools_are_not_comparable():
    runs = {"base": ranked("b", "a"), "new": ranked("a", "c")}
    measure = "nDCG(ideal='candidates')@10"
    with pytest.raises(UsageError, match=r"cannot be compared.*candidate pool.*--force"):
        ndcg.compare(JUDGED_ONE, runs, measure, run_is_pool=True)
    forced = ndcg.compare(JUDGED_ONE, runs, measure, run_is_pool=True, force=True)
    assert forced.stamp == "NOT COMPARABLE"
    pool = {"q": ["a", "b", "c"]}
    assert ndcg.compare(JUDGED_ONE, runs, measure, candidates=pool).pair().pools.kind == "reranking"


def test_measures_without_a_product_have_recall_only(inputs):
    args = inputs(JUDGED_ONE, {"base": ranked("x", "b"), "new": ranked("a", "c", "b")})
    found = ndcg.compare(*args, "AP", resamples=50, run_is_pool=True).pair().pools
    assert found.kind == "end-to-end" and found.split is None and found.base.ceiling is None
    assert (found.base.recall, found.new.recall) == (1 / 3, 1.0)


def test_chunks_are_pooled_as_their_documents():
    runs = {"base": ranked("a#1", "b#1"), "new": ranked("a#2", "b#7", "b#1")}
    found = ndcg.compare(JUDGED_ONE, runs, "nDCG@10", collapse="#[0-9]+$", resamples=50).pair()
    assert found.pools.overlap.same and found.pools.base.recall == 2 / 3 and found.verdict.word == "identical"


@pytest.mark.parametrize("pool", ["pool.csv", {"q1": ["a", "b"]}, {"q1": {"a": 1}}])
def test_a_pool_of_an_unknown_run_names_the_runs(pool):
    runs = {"base": BASE, "new": NEW}
    for given in ({"zz": pool}, {"base": pool, "zz": pool, "new": pool}):
        with pytest.raises(UsageError, match="there is no run 'zz'; the runs are base, new"):
            ndcg.compare(JUDGED, runs, candidates=given)
    with pytest.raises(UsageError, match="did you mean 'base'"):
        ndcg.compare(JUDGED, runs, candidates={"bse": pool, "new": pool})
    with pytest.raises(UsageError, match="no pool for the run 'new'"):
        ndcg.compare(JUDGED, runs, candidates={"base": pool})
