"""Bad input is one clear sentence, never a wrong number; SciPy is only needed where it is used."""

import importlib
import json
import subprocess
import sys

import numpy as np
import pytest

import ndcg.comparison
from ndcg.comparison import (
    bootstrap_interval,
    bootstrap_intervals,
    effect_size,
    effective_number,
    equivalence_test,
    interval,
    max_t,
    non_inferiority_test,
    randomised_tukey_hsd,
    sign_flip_test,
    sign_test,
    t_interval,
    t_test,
    tukey_hsd,
    wilcoxon_test,
)
from ndcg.errors import DataTypeError, InputError, UsageError

TESTS = (sign_flip_test, t_test, wilcoxon_test, sign_test, effect_size)
MATRICES = (tukey_hsd, randomised_tukey_hsd, max_t, bootstrap_intervals)


@pytest.mark.parametrize("function", [*TESTS, interval])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), None])
def test_numbers_are_finite(function, value):
    with pytest.raises(InputError, match=r"number 2 is (nan|inf), which no statistic can use"):
        function([0.5, value, 0.5])


@pytest.mark.parametrize("function", [*TESTS, interval])
@pytest.mark.parametrize("values", ["abc", ["a", "b"], [True, False], [[1.0], [2.0, 3.0]], {"a": 1.0}, [b"1"]])
def test_numbers_are_numbers(function, values):
    with pytest.raises(DataTypeError, match="numbers were expected, found"):
        function(values)


@pytest.mark.parametrize("function", [*TESTS])
def test_no_differences(function):
    with pytest.raises(InputError, match=r"at least 1 value\(s\) are needed, found 0"):
        function([])


@pytest.mark.parametrize("function", [*TESTS, interval])
def test_one_dimension(function):
    with pytest.raises(InputError, match="one number per query was expected, found 2 dimensions"):
        function([[1.0, 2.0]])


@pytest.mark.parametrize("function", MATRICES)
def test_matrices(function):
    with pytest.raises(InputError, match="a row per query and a column per system"):
        function([1.0, 2.0])
    with pytest.raises(InputError, match="number 2, 1 is nan"):
        function([[1.0, 2.0], [float("nan"), 1.0]])
    with pytest.raises(InputError, match="at least 1 query"):
        function(np.zeros((0, 2)))


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan"), True, "0.95", None])
def test_levels_are_between_0_and_1(level):
    for call in (
        lambda: t_interval([0.1, 0.2], level=level),
        lambda: bootstrap_interval([0.1, 0.2], level=level),
        lambda: tukey_hsd([[0.1, 0.2]], level=level),
        lambda: non_inferiority_test([0.1, 0.2], margin=0.1, level=level),
    ):
        with pytest.raises(UsageError, match=r"level=.* is not a number between 0 and 1"):
            call()


@pytest.mark.parametrize("count", [0, -1, 2.5, True, None, "100"])
def test_resamples_are_counted(count):
    for call in (
        lambda: bootstrap_interval([0.1, 0.2], resamples=count),
        lambda: sign_flip_test([0.1, 0.2], resamples=count),
        lambda: max_t([[0.1, 0.2]], resamples=count),
        lambda: randomised_tukey_hsd([[0.1, 0.2]], resamples=count),
    ):
        with pytest.raises(UsageError, match=r"resamples=.* is not a whole number of at least 1"):
            call()


def test_seeds_are_not_negative():
    with pytest.raises(UsageError, match="seed=-1 is not a whole number of at least 0"):
        bootstrap_interval([0.1, 0.2], seed=-1)


def test_choices_suggest_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'greater'"):
        t_test([0.1], alternative="grater")
    with pytest.raises(UsageError, match="choose from t, percentile, bca; did you mean 'percentile'"):
        interval([0.1], method="percentil")
    with pytest.raises(UsageError, match="choose from drop, keep"):
        sign_test([0.1], zeros="half")


def test_weights_and_clusters_fit_the_values():
    for call, words in (
        (lambda: interval([0.1, 0.2], weights=[1.0]), "weights: 2 numbers were expected, found 1"),
        (lambda: interval([0.1, 0.2], weights=[1.0, -2.0]), "weights: number 2 is -2.0"),
        (lambda: interval([0.1, 0.2], clusters=["a"]), "clusters: 2 labels were expected, found 1"),
        (lambda: effective_number([-1.0]), "a weight is at least 0"),
    ):
        with pytest.raises(InputError, match=words):
            call()


def test_widths_and_levels_that_make_no_sense():
    for function in (effect_size, sign_test):
        for width in (-1, float("nan"), True, None, "0.1"):
            with pytest.raises(UsageError, match=r"tie_width=.* is not a number of at least 0"):
                function([0.1], tie_width=width)
    with pytest.raises(UsageError, match="2 \\* level - 1"):
        equivalence_test([0.1, 0.2], margin=0.1, level=0.5)


def test_the_names_of_the_room():
    for name in ndcg.comparison.__all__:
        found = getattr(importlib.reload(ndcg.comparison), name)
        assert callable(found) and found.__doc__, name
    assert set(ndcg.comparison.__all__) == set(dir(ndcg.comparison)) == set(ndcg.comparison._HOMES)
    with pytest.raises(AttributeError, match="no attribute 'sign_flop_test'"):
        ndcg.comparison.sign_flop_test  # noqa: B018


WITHOUT_SCIPY = """
import json, sys
sys.modules["scipy"] = None
from ndcg import comparison as c
said = []
d = [0.1, -0.2, 0.3, 0.1]
for call in (
    lambda: c.t_test(d), lambda: c.t_interval(d), lambda: c.wilcoxon_test(d),
    lambda: c.tukey_hsd([[0.1, 0.2], [0.4, 0.1]]),
    lambda: c.equivalence_test(d, margin=0.1), lambda: c.queries_needed(0.5), lambda: c.friedman_test([[1, 2, 3.0]]),
):
    try:
        call()
    except ImportError as error:
        said.append(str(error))
for call in (
    lambda: c.sign_flip_test(d), lambda: c.bootstrap_interval(d, resamples=50), lambda: c.sign_test(d),
    lambda: c.holm(d[:1]),
    lambda: c.randomised_tukey_hsd([[0.1, 0.2], [0.4, 0.1]]), lambda: c.max_t([d]), lambda: c.effect_size(d),
):
    call()
print(json.dumps(said))
"""


def test_without_scipy_one_sentence_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT_SCIPY], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert len(said) == 7
    assert all(sentence.endswith('needs SciPy; install it with: pip install "ndcg[statistics]"') for sentence in said)


def test_numbers_whose_squares_overflow_are_refused():
    for call in (
        lambda: ndcg.comparison.sign_flip_test([1e308, 1e308]),
        lambda: ndcg.comparison.t_interval([1e-300, 1e300]),
        lambda: ndcg.comparison.randomised_tukey_hsd([[1e200, 0.0], [0.0, 1.0]]),
    ):
        with pytest.raises(ndcg.InputError, match="too large, its square overflows"):
            call()
    judged, runs = {"q1": {"a": 1020}, "q2": {"a": 1020}}, {"one": {"q1": ["a"]}, "two": {"q2": ["a"]}}
    with pytest.raises(ndcg.InputError, match="too large"):
        ndcg.compare(judged, runs, "DCG@1")
