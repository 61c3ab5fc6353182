"""Adjusted p-values: published examples, SciPy, and what must always hold."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from ndcg.comparison import adjust, benjamini_hochberg, bonferroni, holm

FOUR = [0.01, 0.04, 0.03, 0.005]


def test_four_p_values():
    assert holm(FOUR).adjusted == (0.03, 0.06, 0.06, 0.02)
    assert bonferroni(FOUR).adjusted == (0.04, 0.16, 0.12, 0.02)
    assert benjamini_hochberg(FOUR).adjusted == (0.02, 0.04, 0.04, 0.02)
    assert adjust(FOUR).adjusted == holm(FOUR).adjusted and adjust(FOUR, "bh") == benjamini_hochberg(FOUR)
    assert adjust(FOUR, "none").adjusted == tuple(FOUR)
    assert holm(FOUR).family == 4 and holm(FOUR).as_dict()["family"] == 4


def test_no_comparison_at_all():
    assert holm([]).adjusted == benjamini_hochberg([]).adjusted == ()


P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), min_size=1, max_size=12)


def test_no_last_digit_is_lost():
    """Three times p by three is below p for this one."""
    assert adjust([0.0, 0.0, 0.4656099046475449], "bh").adjusted[2] == 0.4656099046475449


@given(P_VALUES, st.randoms(use_true_random=False))
def test_what_must_always_hold(p_values, shuffler):
    for method in ("holm", "bonferroni", "benjamini_hochberg"):
        found = adjust(p_values, method).adjusted
        assert all(raw <= one <= 1 for raw, one in zip(p_values, found, strict=True))
        order = sorted(range(len(p_values)), key=p_values.__getitem__)
        assert [found[at] for at in order] == sorted(found)
        shuffled = list(range(len(p_values)))
        shuffler.shuffle(shuffled)
        again = adjust([p_values[at] for at in shuffled], method).adjusted
        assert again == tuple(found[at] for at in shuffled)
    assert all(a <= b for a, b in zip(holm(p_values).adjusted, bonferroni(p_values).adjusted, strict=True))
    expected = scipy.stats.false_discovery_control(p_values)
    assert np.allclose(benjamini_hochberg(p_values).adjusted, expected, rtol=1e-12, atol=0)


def test_what_is_no_p_value():
    with pytest.raises(ValueError, match=r"number 2 is 1\.5, and a p-value is from 0 to 1"):
        holm([0.5, 1.5])
    with pytest.raises(ValueError, match="did you mean 'holm'"):
        adjust(FOUR, "hom")
