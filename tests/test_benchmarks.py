"""The benchmark runs: its generator writes what it says, and one tiny comparison comes out. Nothing is timed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import ndcg

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

polars = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

from bench.comparison import Comparison, Target  # noqa: E402
from bench.corpus import write  # noqa: E402
from bench.corpus_files import Corpus  # noqa: E402
from bench.measuring import Contender, Measured, largest_difference, measure  # noqa: E402
from bench.paths import DOUBLE, TREC_EVAL, ours, script  # noqa: E402
from bench.report import machine, markdown  # noqa: E402
from run import outcome_of  # noqa: E402


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    made = Corpus(tmp_path_factory.mktemp("corpus"), 30, 25)
    write(made)
    write(made, 3)
    return made


def test_the_corpus_has_the_declared_shape(corpus: Corpus) -> None:
    rows = [line.split(" ") for line in corpus.run().read_text().splitlines()]
    assert len(rows) == 750 and {len(row) for row in rows} == {6}
    assert len({(row[0], row[2]) for row in rows}) == 750
    scores = [float(row[4]) for row in rows[:25]]
    assert scores == sorted(scores, reverse=True)
    assert len(corpus.qrels("graded").read_text().splitlines()) == 30 * 20


def test_text_parquet_and_shards_hold_the_same_rows(corpus: Corpus) -> None:
    values = [
        ndcg.evaluate(corpus.qrels(ending=ending), run, DOUBLE).value
        for ending, run in (
            ("trec", corpus.run()),
            ("parquet", corpus.run("parquet")),
            ("trec", [str(path) for path in corpus.shards(3)]),
        )
    ]
    assert values[0] == values[1] == values[2] != 0


def test_it_is_the_same_corpus_every_time(corpus: Corpus, tmp_path: Path) -> None:
    again = Corpus(tmp_path, 30, 25)
    write(again)
    assert again.run().read_bytes() == corpus.run().read_bytes()


def test_one_tiny_comparison(corpus: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("pytrec_eval")
    from bench.comparison import Agreement

    mine = ours(corpus.qrels(), corpus.run(), TREC_EVAL)
    peer = script("pytrec_files", corpus.qrels(), corpus.run(), "")
    comparison = Comparison(
        "tiny",
        "tiny",
        (Contender("ndcg", mine), Contender("pytrec_eval", peer)),
        (Target("time", "pytrec_eval", "ndcg", at_least=0),),
        (Agreement("ndcg", "pytrec_eval", (mine, peer)),),
    )
    outcome = outcome_of(comparison, 1)
    assert outcome.failure is None
    assert outcome.differences == {"ndcg and pytrec_eval": pytest.approx(0, abs=1e-12)}
    assert outcome.measured["ndcg"].peak > 1
    assert "reached" in markdown([outcome], machine(), "today")
    assert json.loads(json.dumps(outcome.as_dict()))["targets"][0]["reached"] is True


def test_a_process_that_fails_is_told_not_timed(corpus: Corpus) -> None:
    broken = Comparison("x", "x", (Contender("broken", (sys.executable, "-c", "raise SystemExit(3)")),))
    outcome = outcome_of(broken, 1)
    assert outcome.failure is not None and "ended with 3" in outcome.failure


def test_ratios_and_bounds() -> None:
    measured = {"a": Measured("a", [2.0, 4.0, 3.0], [200]), "b": Measured("b", [1.0], [100])}
    assert Target("time", "a", "b", at_least=3).ratio(measured) == 3
    assert Target("peak", "a", "b").ratio(measured) == 2
    assert Target("time", "a", "c").ratio(measured) is None
    assert Target("time", "a", "b", at_most=2).reached(3) is False
    assert largest_difference({"q": 1.0}, {"r": 1.0}) == float("inf")


def test_contenders_take_turns(tmp_path: Path) -> None:
    log = tmp_path / "log"
    line = "import sys; open(sys.argv[1], 'a').write(sys.argv[2])"
    contenders = [Contender(name, (sys.executable, "-c", line, str(log), name)) for name in "ab"]
    assert len(measure(contenders, 2)["a"].seconds) == 2
    assert log.read_text() == "ababba"


def test_the_ragged_run_holds_the_same_rows(corpus: Corpus) -> None:
    from ragged import ragged

    made = ragged(corpus.run())
    text = made.read_text()
    assert "\t" in text and "  " in text and " \n" in text
    assert (
        ndcg.evaluate(corpus.qrels(), made, DOUBLE).value == ndcg.evaluate(corpus.qrels(), corpus.run(), DOUBLE).value
    )
