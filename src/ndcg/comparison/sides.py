"""The numbers of one set of queries: the difference, its interval, its test, its outcome; and what they say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..attributes import Labels, clusters_of
from ..compared import Side, Verdict
from ..counted import counted_noun
from ..kernel.batch import Bools, Floats, Ints
from ..weights import relative
from .drivers import weights_of
from .effects import effect_size
from .intervals import effective_number, interval
from .paired_tests import sign_test, t_test, wilcoxon_test
from .pairing import Paired, outcome
from .sign_flips import sign_flip_test

if TYPE_CHECKING:
    from ..compared import Settings
    from .outcomes import Effect, Interval, Test
    from .overlap import Overlap

Clusters = Labels | None


def labels_for(queries: Sequence[str], clusters: Clusters) -> list[str] | None:
    """The cluster of each query, None without clusters; InputError for a query without one."""
    return None if clusters is None else clusters_of(clusters, queries)


def mean_of(values: Floats) -> float | None:
    """The correctly rounded mean; None for no values."""
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def by_id(queries: Sequence[str]) -> Ints:
    """The places of the queries in the order of their ids: what a seed draws must not depend on the order of the
    input."""
    return np.array(sorted(range(len(queries)), key=queries.__getitem__), dtype=np.int64)


def side(
    over: str,
    paired: Paired,
    chosen: Bools,
    settings: Settings,
    clusters: Clusters,
    weights: Mapping[str, float] | None = None,
    test: Test | None = None,
) -> Side:
    """The paired difference over the chosen queries, beside a test of it; with weights the weighted one."""
    differences = paired.differences(chosen)
    queries = paired.ids(chosen)
    base, new = mean_of(paired.base[chosen]), mean_of(paired.new[chosen])
    difference = mean_of(differences)
    column = None
    if weights is not None:
        column = weights_of(queries, weights)
        kept = column > 0
        base, new = (_ratio(values[chosen], column) for values in (paired.base, paired.new))
        difference = _ratio(differences, column)
        if not kept.any():
            column, differences, queries = None, differences[:0], []
    order = by_id(queries)
    found = interval(
        differences[order],
        method=settings.interval,
        level=settings.level,
        resamples=settings.resamples,
        seed=settings.seed,
        weights=None if column is None else relative(column[order]),
        clusters=labels_for([queries[at] for at in order.tolist()], clusters),
    )
    return Side(
        over=over,
        queries=int(np.count_nonzero(chosen)),
        base=base,
        new=new,
        difference=difference,
        interval=found,
        outcome=outcome(paired.differences(chosen), settings.tie_width),
        test=test,
        effective=None if column is None else effective_number(relative(column)),
    )


def _ratio(values: Floats, weights: Floats) -> float | None:
    total = math.fsum(weights.tolist())
    return math.fsum((values * weights).tolist()) / total if total else None


def all_tests(differences: Floats, settings: Settings, labels: Sequence[str] | None) -> tuple[Test, ...]:
    """The tests that were asked for. Under clusters the sign-flip test turns the signs of whole clusters: it is made on
    the sums of their differences; the t test takes clusters as its units."""
    units = summed(differences, labels)
    made = []
    for name in settings.tests:
        if name == "sign_flip":
            found = sign_flip_test(units, resamples=settings.flips, seed=settings.seed)
            if labels is not None:
                found = replace(found, method=f"{found.method}, on the sums of {counted_noun(len(units), 'cluster')}")
        elif name == "t":
            found = t_test(differences, clusters=labels)
        elif name == "wilcoxon":
            found = wilcoxon_test(differences)
        else:
            found = sign_test(differences, tie_width=widened(settings.tie_width))
        made.append(found)
    return tuple(made)


def summed(differences: Floats, labels: Sequence[str] | None) -> Floats:
    """The sum of the differences of each cluster, in the order in which clusters appear; as they are without any."""
    if labels is None:
        return differences
    sums: dict[str, list[float]] = {}
    for label, difference in zip(labels, differences.tolist(), strict=True):
        sums.setdefault(label, []).append(difference)
    return np.array([math.fsum(values) for values in sums.values()])


def widened(tie_width: float) -> float:
    """The tie width with room for rounding, as `outcome` has it."""
    return tie_width + 1e-12 * min(1.0, tie_width)


def effect(differences: Floats, settings: Settings) -> Effect | None:
    """The effect size; None for no queries."""
    if not len(differences):
        return None
    found = effect_size(differences, tie_width=widened(settings.tie_width))
    return replace(found, tie_width=settings.tie_width)


def verdict(
    base: str,
    new: str,
    headline: Side,
    other: Side,
    adjusted: float | None,
    settings: Settings,
    family: int,
    largest: float,
    alike: Overlap | None = None,
) -> Verdict:
    """What the headline's numbers say. `adjusted` is the p-value for the family; `largest` the largest difference of a
    query, 0 where all are equal; `alike` how alike the rankings are, where that is known."""
    difference = headline.difference
    opposite = _sign(difference) * _sign(other.difference) < 0
    if difference is None or adjusted is None:
        return Verdict("undefined", f"no query has a value for both {base} and {new}", opposite)
    if largest == 0:
        said = f"{new} and {base} have the same value on every one of {counted(headline.queries)}"
        if alike is not None:
            changed = alike.queries - alike.identical
            ranks = f"the first {alike.depth} ranks"
            said += f", although {ranks} of {counted(changed)} differ" if changed else f", and {ranks} are the same"
        return Verdict("identical", said, False)
    told = f"{difference:+.4f} ({interval_words(headline.interval)}), p = {p_words(adjusted)}"
    if family > 1 and settings.adjust != "none":
        told += f" ({ADJUSTED[settings.adjust]}, {counted_noun(family, 'comparison')})"
    apart = adjusted <= (1 - settings.level) * (1 + 1e-9)
    clear = apart and _excludes_zero(headline.interval)
    if clear:
        word = "higher" if difference > 0 else "lower"
        return Verdict(word, f"{new} is {word} than {base}: {told}", opposite)
    disagree = ""
    if apart or _excludes_zero(headline.interval):
        disagree = "; interval and test do not agree"
    return Verdict("unclear", f"the data cannot tell {new} and {base} apart: {told}{disagree}", opposite)


def counted(queries: int) -> str:
    """A number of queries in words."""
    return "1 query" if queries == 1 else f"{queries:,} queries"


ADJUSTED = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini_hochberg": "Benjamini-Hochberg",
    "max_t": "maxT",
    "none": "not adjusted",
}
"""Adjustments in words."""


def _sign(number: float | None) -> int:
    return 0 if not number else 1 if number > 0 else -1


def _excludes_zero(found: Interval | None) -> bool:
    return found is not None and found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)


def interval_words(found: Interval | None) -> str:
    """An interval in words: `95 % interval -0.0123 to 0.0456`."""
    if found is None or found.low is None or found.high is None:
        return "no interval" if found is None or found.reason is None else f"no interval: {found.reason}"
    return f"{found.level * 100:g} % interval {found.low:+.4f} to {found.high:+.4f}"


def p_words(p_value: float) -> str:
    """A p-value as people read it: four decimals, or the power of ten.

    >>> p_words(0.0312), p_words(0.00000123), p_words(0.0)
    ('0.0312', '1.2e-06', '0')
    """
    if p_value == 0:
        return "0"
    return f"{p_value:.4f}" if p_value >= 0.00005 else f"{p_value:.1e}"
