"""Statistics of per-query values, as plain functions on numbers: intervals, tests, adjustments, effect sizes, power.

Every function takes numbers and keyword options and returns a small frozen object with `as_dict()`, and with
`.p_value` where there is one. The names are imported on first use; SciPy is loaded only by functions that need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .all_pairs import friedman_test, pairwise_tests, randomised_tukey_hsd, tukey_hsd
    from .effects import effect_size
    from .generalizability import Components, Limits, Reliability, reliability, reliability_from_mean_squares
    from .intervals import bootstrap_interval, bootstrap_intervals, effective_number, interval, t_interval
    from .letter_groups import Groups, compact_letters, indistinguishable_groups
    from .margins import equivalence_test, non_inferiority_test
    from .multiplicity import adjust, benjamini_hochberg, bonferroni, holm
    from .outcomes import Adjusted, Effect, Interval, MarginTest, PairTests, SeveralTests, Test
    from .paired_tests import bootstrap_test, sign_test, t_test, wilcoxon_test
    from .planning import PowerReport
    from .plans import Needed, PairPlan, Plan, SystemsPlan, plan_queries, sd_limits
    from .power import (
        Design,
        detectable_difference,
        detectable_difference_of_anova,
        power_of_anova,
        power_of_paired_t,
        queries_needed,
        queries_needed_for_anova,
    )
    from .several import max_t
    from .sign_flips import sign_flip_test

_HOMES = {
    "Adjusted": "outcomes",
    "Components": "generalizability",
    "Design": "power",
    "Effect": "outcomes",
    "Groups": "letter_groups",
    "Interval": "outcomes",
    "Limits": "generalizability",
    "MarginTest": "outcomes",
    "Needed": "plans",
    "PairPlan": "plans",
    "PairTests": "outcomes",
    "Plan": "plans",
    "PowerReport": "planning",
    "Reliability": "generalizability",
    "SeveralTests": "outcomes",
    "SystemsPlan": "plans",
    "Test": "outcomes",
    "adjust": "multiplicity",
    "benjamini_hochberg": "multiplicity",
    "bonferroni": "multiplicity",
    "bootstrap_interval": "intervals",
    "bootstrap_intervals": "intervals",
    "bootstrap_test": "paired_tests",
    "compact_letters": "letter_groups",
    "detectable_difference": "power",
    "detectable_difference_of_anova": "power",
    "effect_size": "effects",
    "effective_number": "intervals",
    "equivalence_test": "margins",
    "friedman_test": "all_pairs",
    "holm": "multiplicity",
    "indistinguishable_groups": "letter_groups",
    "interval": "intervals",
    "max_t": "several",
    "non_inferiority_test": "margins",
    "pairwise_tests": "all_pairs",
    "plan_queries": "plans",
    "power_of_anova": "power",
    "power_of_paired_t": "power",
    "queries_needed": "power",
    "queries_needed_for_anova": "power",
    "randomised_tukey_hsd": "all_pairs",
    "reliability": "generalizability",
    "reliability_from_mean_squares": "generalizability",
    "sd_limits": "plans",
    "sign_flip_test": "sign_flips",
    "sign_test": "paired_tests",
    "t_interval": "intervals",
    "t_test": "paired_tests",
    "tukey_hsd": "all_pairs",
    "wilcoxon_test": "paired_tests",
}

__all__ = [
    "Adjusted",
    "Components",
    "Design",
    "Effect",
    "Groups",
    "Interval",
    "Limits",
    "MarginTest",
    "Needed",
    "PairPlan",
    "PairTests",
    "Plan",
    "PowerReport",
    "Reliability",
    "SeveralTests",
    "SystemsPlan",
    "Test",
    "adjust",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_test",
    "compact_letters",
    "detectable_difference",
    "detectable_difference_of_anova",
    "effect_size",
    "effective_number",
    "equivalence_test",
    "friedman_test",
    "holm",
    "indistinguishable_groups",
    "interval",
    "max_t",
    "non_inferiority_test",
    "pairwise_tests",
    "plan_queries",
    "power_of_anova",
    "power_of_paired_t",
    "queries_needed",
    "queries_needed_for_anova",
    "randomised_tukey_hsd",
    "reliability",
    "reliability_from_mean_squares",
    "sd_limits",
    "sign_flip_test",
    "sign_test",
    "t_interval",
    "t_test",
    "tukey_hsd",
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
