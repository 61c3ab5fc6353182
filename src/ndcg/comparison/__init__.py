"""Statistics of per-query values, as plain functions on numbers: intervals, tests, adjustments, effect sizes, power.

Every function takes numbers and keyword options and returns a small frozen object with `as_dict()`, and with
`.p_value` where there is one. The names are imported on first use; SciPy is loaded only by functions that need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .effects import effect_size
    from .intervals import bootstrap_interval, bootstrap_intervals, effective_number, interval, t_interval
    from .margins import equivalence_test, non_inferiority_test
    from .multiplicity import adjust, benjamini_hochberg, bonferroni, holm
    from .outcomes import Adjusted, Effect, Interval, MarginTest, PairTests, SeveralTests, Test
    from .paired_tests import bootstrap_test, sign_test, t_test, wilcoxon_test
    from .sign_flips import sign_flip_test

_HOMES = {
    "Adjusted": "outcomes",
    "Effect": "outcomes",
    "Interval": "outcomes",
    "MarginTest": "outcomes",
    "PairTests": "outcomes",
    "SeveralTests": "outcomes",
    "Test": "outcomes",
    "adjust": "multiplicity",
    "benjamini_hochberg": "multiplicity",
    "bonferroni": "multiplicity",
    "bootstrap_interval": "intervals",
    "bootstrap_intervals": "intervals",
    "bootstrap_test": "paired_tests",
    "effect_size": "effects",
    "effective_number": "intervals",
    "equivalence_test": "margins",
    "holm": "multiplicity",
    "interval": "intervals",
    "non_inferiority_test": "margins",
    "sign_flip_test": "sign_flips",
    "sign_test": "paired_tests",
    "t_interval": "intervals",
    "t_test": "paired_tests",
    "wilcoxon_test": "paired_tests",
}

__all__ = [
    "Adjusted",
    "Effect",
    "Interval",
    "MarginTest",
    "PairTests",
    "SeveralTests",
    "Test",
    "adjust",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_test",
    "effect_size",
    "effective_number",
    "equivalence_test",
    "holm",
    "interval",
    "non_inferiority_test",
    "sign_flip_test",
    "sign_test",
    "t_interval",
    "t_test",
    "wilcoxon_test",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
