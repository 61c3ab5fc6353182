"""The benchmark of the statistics runs and agrees with SciPy. Nothing is timed."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import per_query_statistics as benchmark
from bench.measuring import Failed, run_once

SIZES = ["30", "3", "500"]


def test_limits_and_p_values_agree():
    assert benchmark.agreement(benchmark.contenders(benchmark.INTERVALS, SIZES), 1e-9) < 1e-9
    with pytest.raises(Failed, match="differ by"):
        benchmark.agreement(benchmark.contenders(benchmark.SIGNS, SIZES), -1.0)


def test_the_programs_without_a_peer_run():
    for contender in benchmark.contenders(benchmark.ALONE, SIZES):
        (p_values,) = json.loads(run_once(contender.command)[2])
        assert all(0 < p_value <= 1 for p_value in p_values)
