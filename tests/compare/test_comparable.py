"""What may be compared: saved results, fingerprints, and the stamp of what was forced."""

from __future__ import annotations

import json

import pytest

import ndcg
from ndcg.errors import UsageError

from .building import BASE, JUDGED, NEW


def saved(run, measure="nDCG@10", judged=JUDGED, **options):
    return ndcg.evaluate(judged, run, measure, **options)


def test_saved_results_are_compared_as_the_runs_were(tmp_path):
    live = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@10").pair()
    saved(BASE).save(tmp_path / "base.json")
    for given in ({"base": saved(BASE), "new": saved(NEW)}, {"base": str(tmp_path / "base.json"), "new": saved(NEW)}):
        pair = ndcg.compare(None, given).pair()
        assert (pair.difference, pair.interval, pair.tests, pair.common, pair.union, pair.shares, pair.drivers) == (
            live.difference,
            live.interval,
            live.tests,
            live.common,
            live.union,
            live.shares,
            live.drivers,
        )
        assert pair.overlap is None and (pair.pools.kind, pair.pools.overlap) == ("unknown", None)


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_compressed_saved_result_is_one_too(tmp_path, ending):
    path = tmp_path / f"base.json.{ending}"
    saved(BASE).save(path)
    plain = ndcg.compare(None, {"base": saved(BASE), "new": saved(NEW)}).pair()
    assert ndcg.compare(None, {"base": str(path), "new": saved(NEW)}).pair().difference == plain.difference


def test_one_result_with_several_runs():
    result = ndcg.evaluate(JUDGED, {"one": BASE, "two": NEW, "three": BASE}, ["nDCG@10", "AP"])
    found = ndcg.compare(result, baseline="two")
    assert found.runs == ("two", "one", "three") and found.measures == ("nDCG@10", "AP") and len(found.pairs) == 4
    assert found.adjusted.family == 4
    assert ndcg.compare(result, pairs="all").leaderboards[0].standings[0].run == "one"


def test_a_run_against_a_saved_baseline(tmp_path):
    saved(BASE).save(tmp_path / "base.json")
    found = ndcg.compare(JUDGED, {"base": tmp_path / "base.json", "new": NEW}, "nDCG@10")
    assert found.pair().difference == ndcg.compare(JUDGED, {"base": BASE, "new": NEW}).difference
    assert found.stamp is None and "base.json" not in found.pair().verdict.sentence


@pytest.mark.parametrize(
    ("other", "names"),
    [
        (lambda: saved(NEW, "nDCG(gain='linear')@10"), ["gain: exp2 in base, linear in new"]),
        (lambda: saved(NEW, missing="exclude", empty="zero"), ["missing: zero in base", "empty: exclude in base"]),
        (lambda: saved(NEW, judged={**JUDGED, "q1": {"a": 2, "b": 1, "c": 0}}), ["judgments"]),
        (lambda: saved(NEW, judged={**JUDGED, "q6": {"k": 1}}), ["judgments", "query set", "q6"]),
    ],
)
def test_what_differs_is_named(other, names):
    with pytest.raises(UsageError, match="cannot be compared") as caught:
        ndcg.compare(None, {"base": saved(BASE), "new": other()}, "nDCG@10")
    assert caught.value.code == "not_comparable"
    for name in names:
        assert name in str(caught.value)
    forced = ndcg.compare(None, {"base": saved(BASE), "new": other()}, "nDCG@10", force=True)
    assert all(any(name in str(mismatch) for mismatch in forced.not_comparable) for name in names)


def test_every_output_of_a_forced_comparison_is_stamped():
    given = {"base": saved(BASE), "new": saved(NEW, "nDCG(gain='linear')@10")}
    for options in ({}, {"pairs": "all"}):
        found = ndcg.compare(None, given, "nDCG@10", force=True, **options)
        for text in (str(found), found.to_markdown(), found.to_csv(), found.to_latex(), found.to_json()):
            assert "NOT COMPARABLE" in text
        assert found._repr_html_().count("NOT COMPARABLE") == 2
        data = json.loads(found.to_json())
        assert data["comparable"] is False and data["stamp"] == "NOT COMPARABLE" and data["not_comparable"]
        rows = found.to_csv().splitlines()[1:]
        assert rows and all(row.startswith("NOT COMPARABLE") for row in rows)


def test_what_is_comparable_bears_no_stamp():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, force=True)
    for text in (str(found), found.to_markdown(), found.to_csv(), found.to_latex()):
        assert "NOT COMPARABLE" not in text
    assert json.loads(found.to_json())["comparable"] is True


def test_order_of_judgments_and_engine_change_nothing(tmp_path):
    turned = {query: dict(reversed(grades.items())) for query, grades in reversed(JUDGED.items())}
    found = ndcg.compare(None, {"base": saved(BASE), "new": saved(NEW, judged=turned)})
    assert found.stamp is None and found.pair().union.queries == 4


def test_saved_with_a_candidate_pool():
    measure = "nDCG(ideal='candidates')@10"
    wide = {query: [*"abcdefghxyz"] for query in [*JUDGED, "q9"]}
    narrow = {**wide, "q1": ["a", "x", "b"]}
    base, new = saved(BASE, measure, candidates=wide), saved(NEW, measure, candidates=narrow)
    with pytest.raises(UsageError, match=r"candidate pool, which .* takes its ideal from"):
        ndcg.compare(None, {"base": base, "new": new})
    ndcg.compare(None, {"base": base, "new": saved(NEW, measure, candidates=wide)})
    # With the ideal of the judgments two pools are two systems end to end.
    kinds = []
    for pool in (wide, narrow, None):
        found = ndcg.compare(None, {"base": saved(BASE, candidates=wide), "new": saved(NEW, candidates=pool)})
        kinds.append(found.pair().pools.kind)
        assert found.pair().pools.label in " ".join(str(found).split()) and found.pair().pools.split is None
    assert kinds == ["reranking", "end-to-end", "unknown"]


def test_gain_tables_survive_saving(tmp_path):
    measure = "nDCG(gain={0: 0, 1: 1, 2: 3, 3: 10})@10"
    saved(BASE, measure).save(tmp_path / "base.json")
    assert ndcg.compare(None, {"base": tmp_path / "base.json", "new": saved(NEW, measure)}).stamp is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndcg.compare(JUDGED, {"base": BASE}), "needs two systems"),
        (lambda: ndcg.compare(JUDGED, BASE), "look like one run"),
        (lambda: ndcg.compare(JUDGED, ["a.run", "b.run"]), "runs by name"),
        (lambda: ndcg.compare(None, {"base": BASE, "new": NEW}), "needs judgments"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, baseline="bsae"), "did you mean 'base'"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, interval="bac"), "did you mean 'bca'"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, tests="wilcoxn"), "did you mean 'wilcoxon'"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, adjust="tukey"), "tukey.* for all pairs of runs"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, adjust="tukye"), "choose from holm"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, pairs="all", adjust="max_t"), "randomised_tukey"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, level=95), "between 0 and 1"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, margin=0), "above 0"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, tie_width=-1), "at least 0"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, default_weight=1), "needs weights"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, depth=0), "at least 1"),
        (lambda: ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, pool_version="v1"), "none was given"),
        (lambda: ndcg.compare(None, {"base": saved(BASE), "new": saved(NEW)}, "AP"), "holds no AP"),
        (lambda: ndcg.compare(None, {"base": saved(BASE), "new": saved(NEW)}, query="q1"), "holds none"),
        (lambda: ndcg.compare(saved(BASE), {"base": BASE, "new": NEW}), "holds the judgments"),
    ],
)
def test_wrong_calls_say_what_to_do(call, message):
    with pytest.raises(UsageError, match=message):
        call()


def test_an_unknown_keyword():
    with pytest.raises(TypeError, match="did you mean 'resamples'"):
        ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, resample=5)


def test_a_pipe_is_read_once(tmp_path):
    """A pipe gives nothing the second time: it is not looked into to see whether it is a saved result."""
    import os
    import threading

    pipe = tmp_path / "run"
    os.mkfifo(pipe)
    rows = "".join(f"{query} Q0 {doc} 0 {score} t\n" for query, docs in NEW.items() for doc, score in docs.items())
    writing = threading.Thread(target=pipe.write_text, args=(rows,))
    writing.start()
    found = ndcg.compare(JUDGED, {"base": BASE, "new": str(pipe)})
    writing.join()
    assert found.difference == ndcg.compare(JUDGED, {"base": BASE, "new": NEW}).difference


def test_the_fingerprint_of_a_pool_is_that_of_its_documents_wherever_they_come_from():
    pool = {query: list(rows) for query, rows in BASE.items()}
    rescored = {query: {doc: 9.0 - score for doc, score in rows.items()} for query, rows in BASE.items()}
    runs = {"base": BASE, "new": rescored}
    given = ndcg.compare(JUDGED, runs, candidates=pool).result.fingerprints["candidates"]
    assert given == ndcg.evaluate(JUDGED, BASE, candidates=pool).fingerprints["candidates"]
    for options in ({"run_is_pool": True}, {"candidates": {"base": pool, "new": pool}}):
        found = ndcg.compare(JUDGED, runs, **options).result.fingerprints["candidates"]
        assert found == {"base": given, "new": given}
    inside = "nDCG(ideal='candidates')@10"
    saved = ndcg.evaluate(JUDGED, BASE, inside, candidates=pool)
    assert ndcg.compare(JUDGED, {"base": saved, "new": rescored}, inside, run_is_pool=True).not_comparable == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gain": "linear"}, r"hold nDCG@10 and not nDCG\(gain='linear'\)@10"),
        ({"measures": "nDCG(missing='exclude')@10"}, "score the runs again"),
        ({"labels": "wands"}, "saved results are not read again"),
        ({"collapse": "#[0-9]+$"}, "saved results are not read again"),
        ({"merge": "max"}, "saved results are not read again"),
    ],
)
def test_saved_results_are_never_renamed_to_other_conventions(options, message):
    judged = {"q1": {"a": 3, "b": 1}, "q2": {"a": 1}}
    base = ndcg.evaluate(judged, {"q1": ["b", "a"], "q2": ["a"]})
    new = ndcg.evaluate(judged, {"q1": ["a", "b"], "q2": ["a"]})
    with pytest.raises(ndcg.UsageError, match=message):
        ndcg.compare(None, {"base": base, "new": new}, **options)
    assert ndcg.compare(None, {"base": base, "new": new}).difference > 0
