"""The options of a comparison, checked before anything is read."""

from __future__ import annotations

from collections.abc import Sequence

from ..compared import Settings
from ..errors import UsageError, choose
from .intervals import METHODS
from .numbers import checked_count, checked_positive, checked_share

TESTS = ("sign_flip", "t", "wilcoxon", "sign")
"""The paired tests, the default first."""

PAIRS = ("baseline", "all")
"""What is compared: every run with the baseline, or every run with every other."""

FAMILIES = {"baseline": "comparisons with one baseline", "all": "all pairs of runs"}
"""What is compared, in words."""

AGAINST_BASELINE = ("holm", "bonferroni", "benjamini_hochberg", "bh", "max_t", "none")
"""Adjustments for several comparisons with one baseline, the default first."""

ALL_PAIRS = ("randomised_tukey", "tukey", "holm", "bonferroni", "benjamini_hochberg", "bh")
"""Methods for all pairs of systems, the default first; an adjustment is applied to the first test of every pair."""


def settings_of(
    *,
    interval: object,
    level: float,
    resamples: int,
    tests: object,
    flips: int,
    seed: int,
    adjust: object,
    tie_width: float,
    margin: float | None,
    pairs: object,
    persistence: float,
    clustered: bool = False,
) -> Settings:
    """The options as a frozen value; raises UsageError, with the nearest choice, for one that is wrong."""
    if interval not in METHODS:
        raise choose("interval=", interval, METHODS)
    if pairs not in PAIRS:
        raise choose("pairs=", pairs, PAIRS)
    choices = ALL_PAIRS if pairs == "all" else AGAINST_BASELINE
    chosen = choices[0] if adjust is None else str(adjust)
    others, way = (AGAINST_BASELINE, "baseline") if pairs == "all" else (ALL_PAIRS, "all")
    if chosen not in choices and chosen in others:
        more = ", or compare all pairs with pairs='all'" if way == "all" else ""
        raise UsageError(
            f"adjust={chosen!r} is for {FAMILIES[way]}, and this is about {FAMILIES[str(pairs)]}",
            code="adjust",
            hint=f"choose from {', '.join(choices)}{more}",
        )
    if chosen not in choices:
        raise choose(f"adjust= for pairs={pairs!r}", adjust, choices)
    names = [tests] if isinstance(tests, str) else list(tests) if isinstance(tests, Sequence) else [tests]
    for name in names:
        if name not in TESTS:
            raise choose("test", name, TESTS)
    if not names:
        raise UsageError("tests= is empty", code="tests", hint=f"choose from {', '.join(TESTS)}")
    _refuse_idle(pairs, chosen, names, margin, clustered, level)
    if isinstance(tie_width, bool) or not isinstance(tie_width, int | float) or not 0 <= tie_width < float("inf"):
        raise UsageError(f"tie_width={tie_width!r} is not a number of at least 0", code="tie_width")
    if isinstance(persistence, bool) or not isinstance(persistence, int | float) or not 0 < persistence < 1:
        raise UsageError(f"persistence={persistence!r} is not a number between 0 and 1", code="persistence")
    return Settings(
        interval=str(interval),
        level=checked_share("level", level),
        resamples=checked_count("resamples", resamples),
        tests=tuple(dict.fromkeys(str(name) for name in names)),
        flips=checked_count("flips", flips),
        seed=checked_count("seed", seed, 0),
        adjust="benjamini_hochberg" if chosen == "bh" else chosen,
        tie_width=float(tie_width),
        margin=None if margin is None else checked_positive("margin", margin),
        clustered=False,
        weighted=False,
        pairs=str(pairs),
        depth=0,
        persistence=float(persistence),
    )


def _refuse_idle(
    pairs: object, chosen: str, names: Sequence[object], margin: object, clustered: bool, level: object
) -> None:
    """UsageError for options that the comparison asked for would not look at."""
    if pairs == "all":
        for name, given in (("margin=", margin is not None), ("cluster=", clustered)):
            if given:
                raise UsageError(
                    f"{name} is for comparisons with a baseline: a leaderboard does not look at it",
                    code="no_effect",
                    hint=f"leave out {name}, or pairs='all' (--all-pairs)",
                )
    if chosen == "max_t" and names[0] != TESTS[0]:
        raise UsageError(
            f"adjust='max_t' is made of sign flips, and the first test is {names[0]!r}",
            code="max_t",
            hint="name 'sign_flip' first, or use adjust='holm'",
        )
    if margin is not None and isinstance(level, int | float) and level <= 0.5:
        raise UsageError(
            f"level={level!r}: a test against a margin needs a level above 0.5", code="share", hint="the usual is 0.95"
        )
