"""The page on statistics is true: its examples run and its coverage table is what the intervals reach."""

import doctest
import re
from pathlib import Path

from ndcg.comparison.coverage import COVERAGE

from .test_calibration import held_by

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_examples_run():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 4 and failed == 0


def test_the_coverage_is_what_is_reached(matrix_of):
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", PAGE.read_text(), re.MULTILINE)
    assert [row[0] for row in rows] == ["10", "20", "50", "100"]
    for n, *shares in rows:
        for method, share in zip(("t", "percentile", "bca"), shares, strict=True):
            assert abs(held_by(matrix_of, method, int(n), tries=100) - float(share) / 100) < 0.035


def test_comparisons_quote_this_table():
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", PAGE.read_text(), re.MULTILINE)
    written = {int(n): {"t": t, "percentile": percentile, "bca": bca} for n, t, percentile, bca in rows}
    assert written == {
        n: {method: f"{100 * share:.1f}" for method, share in shares.items()} for n, shares in COVERAGE.items()
    }


def test_every_function_it_names_is_there():
    import ndcg.comparison

    for name in re.findall(r"`([a-z_]+_(?:test|hsd|t))`", PAGE.read_text()):
        assert name in ndcg.comparison.__all__
