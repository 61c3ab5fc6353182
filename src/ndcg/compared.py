"""The result of a comparison: frozen objects that carry every number, and the set of queries it was made on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from .counted import counted_noun
from .errors import UsageError

if TYPE_CHECKING:
    from .comparison.comparable import Mismatch
    from .comparison.drivers import Change, Drivers
    from .comparison.leaderboard import Leaderboard
    from .comparison.outcomes import Adjusted, Effect, Interval, MarginTest, Test
    from .comparison.overlap import Overlap, SideBySide
    from .comparison.pairing import Outcome, ShareChange, Unmatched
    from .comparison.slices import SliceDifference
    from .plots.comparisons import ComparisonPlots
    from .pools import Decomposition, PoolFacts, PoolOverlap
    from .results import Input, Result
    from .weights import Traffic

FORMAT = 1
"""The layout of the JSON document of a comparison."""


def plain(value: object) -> Any:
    """A frozen object as plain data that JSON can hold; numbers that are not finite become None."""
    if is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "as_dict"):
            return plain(value.as_dict())
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = value.as_dict() if hasattr(value, "as_dict") else dict(zip(value._fields, value, strict=True))
        return {name: plain(part) for name, part in named.items()}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """How the comparison was made: every option, as it was declared or by default."""

    interval: str
    level: float
    resamples: int
    tests: tuple[str, ...]
    flips: int
    seed: int
    adjust: str
    tie_width: float
    margin: float | None
    clustered: bool
    weighted: bool
    pairs: str
    depth: int
    persistence: float


@dataclass(frozen=True, slots=True)
class Side:
    """The paired difference over one set of queries.

    `over` is 'common', 'union' or 'weighted'. `base` and `new` are the means over these queries and `difference` the
    mean of the per-query differences, new less baseline; None where there is no query. `test` is the first of the
    tests that were asked for, None for the weighted difference. `effective` is Kish's effective number of queries under
    the weights: as many of equal weight would tell as much; None without weights.
    """

    over: str
    queries: int
    base: float | None
    new: float | None
    difference: float | None
    interval: Interval | None
    outcome: Outcome
    test: Test | None
    effective: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the data say, in one word and one sentence.

    `word` is 'higher' or 'lower' (the new system, p at most 1 - level after adjustment and an interval without 0),
    'unclear' (the data cannot tell them apart), 'identical' (the same value for every query) or 'undefined' (no query).
    With a declared margin, `margin` holds the verdicts of equivalence and non-inferiority. `opposite` says that the
    difference on the common queries and on the union have opposite signs.
    """

    word: str
    sentence: str
    opposite: bool


@dataclass(frozen=True, slots=True)
class Pools:
    """Whether the two systems ranked the same candidates.

    `kind` is 'reranking' (the same pool), 'end-to-end' (different pools) or 'unknown' (no pool was given or declared:
    end-to-end with unknown pools). `declared` is 'given', 'run' (the run is the pool) or 'none'. `overlap` compares the
    pools, or without pools the returned documents; `base` and `new` tell what each side holds. `split` is the exact
    decomposition of the difference, `candidates` the difference under `ideal='candidates'` where both share a pool. Of
    saved results only fingerprints of pools are known, so all but `kind` and `declared` are None.
    """

    kind: str
    declared: str
    overlap: PoolOverlap | None
    base: PoolFacts | None
    new: PoolFacts | None
    split: Decomposition | None
    candidates: Side | None

    @property
    def label(self) -> str:
        """The kind in words."""
        return LABELS[self.kind]


LABELS = {
    "reranking": "pure reranking: both systems ordered the same candidates",
    "end-to-end": "end-to-end: the candidate pools differ, so retrieval and ranking both count",
    "unknown": "end-to-end with unknown pools: no candidate pool was given or declared",
}
"""The kinds of comparison in words."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One new system against the baseline under one measure.

    `shares` come first: what changed in the traffic before any score. `headline` is the side that the declared
    `missing` asks for: the union under zero, the common queries under exclude. `adjusted` is the p-value of the first
    test, adjusted within the family of all comparisons of the call. `slices` holds the differences by attribute, where
    `by` was asked for.
    """

    measure: str
    base: str
    new: str
    shares: tuple[ShareChange, ...]
    verdict: Verdict
    headline: str
    common: Side
    union: Side
    weighted: Side | None
    effect: Effect | None
    tests: tuple[Test, ...]
    adjusted: float | None
    equivalence: MarginTest | None
    non_inferiority: MarginTest | None
    unmatched: tuple[Unmatched, ...]
    judged_at_k: tuple[float | None, float | None]
    drivers: Drivers
    gains: tuple[Change, ...]
    losses: tuple[Change, ...]
    overlap: Overlap | None
    pools: Pools | None
    notes: tuple[str, ...]
    slices: tuple[SliceDifference, ...] = ()

    @property
    def side(self) -> Side:
        """The headline's side."""
        return self.union if self.headline == "union" else self.common

    @property
    def difference(self) -> float | None:
        """The headline's mean difference, new less baseline."""
        return self.side.difference

    @property
    def interval(self) -> Interval | None:
        """The headline's interval."""
        return self.side.interval

    @property
    def p_value(self) -> float | None:
        """The p-value of the first test, not adjusted."""
        return self.tests[0].p_value if self.tests else None

    def as_dict(self) -> dict[str, Any]:
        """Plain data: the headline's numbers first."""
        found: dict[str, Any] = {
            "measure": self.measure,
            "base": self.base,
            "new": self.new,
            "shares": plain(self.shares),
            "verdict": plain(self.verdict),
            "difference": self.difference,
            "interval": plain(self.interval),
            "p_value": self.p_value,
        }
        for part in fields(self):
            if part.name not in found:
                found[part.name] = plain(getattr(self, part.name))
        if self.pools is not None:
            found["pools"]["label"] = self.pools.label
        return found

    def __repr__(self) -> str:
        told = "none" if self.difference is None else f"{self.difference:+.4f}"
        return f"<{self.new} against {self.base}, {self.measure}: {told}, {self.verdict.word}>"


@dataclass(frozen=True, slots=True)
class System:
    """One system under one measure, by itself: the macro mean with its denominators, and the weighted mean beside it
    over the same queries where weights were given, with the shares of the traffic by status."""

    run: str
    measure: str
    value: float | None
    weighted_value: float | None
    judged: int
    counted: int
    scored: int
    empty: int
    missing: int
    unjudged: int
    failed: int
    judged_at_k: float | None
    warnings: tuple[str, ...]
    traffic: Traffic | None = None


@dataclass(frozen=True)
class Comparison:
    """What `compare` returns.

    `pairs` holds every new system against the baseline, measure by measure; `leaderboards`, one per measure, all
    systems with the groups that the data cannot tell apart, where all pairs were asked for. `shares` holds, by run,
    what changed in the traffic against the baseline before any score (under the first measure). `not_comparable` names
    the fields that differ in a comparison that was forced; every output is then stamped. `result` holds the per-query
    rows.
    """

    baseline: str
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    leaderboards: tuple[Leaderboard, ...]
    side_by_side: tuple[SideBySide, ...]
    shares: Mapping[str, tuple[ShareChange, ...]]
    adjusted: Adjusted | None
    settings: Settings
    declarations: Mapping[str, Mapping[str, object]]
    not_comparable: tuple[Mismatch, ...]
    warnings: tuple[str, ...]
    inputs: tuple[Input, ...]
    version: str
    result: Result = field(repr=False, compare=False)

    @property
    def stamp(self) -> str | None:
        """NOT COMPARABLE where the comparison was forced although fields differ, else None."""
        from .comparison.comparable import STAMP

        return STAMP if self.not_comparable else None

    def pair(self, new: str | None = None, measure: object = None) -> Pair:
        """The comparison of a run with the baseline; either may be left out where there is only one."""
        found = [
            pair
            for pair in self.pairs
            if (new is None or pair.new == new) and (measure is None or pair.measure == str(measure))
        ]
        if len(found) != 1:
            named = ", ".join(f"{pair.new} {pair.measure}" for pair in self.pairs[:6])
            raise UsageError(
                f"{counted_noun(len(found), 'comparison matches', 'comparisons match')} "
                f"new={new!r}, measure={str(measure)!r}",
                code="no_such_pair",
                hint=f"there are {named or 'none: all pairs were compared, see .leaderboards'}",
            )
        return found[0]

    @property
    def difference(self) -> float | None:
        """The mean difference, where there is exactly one comparison; otherwise UsageError."""
        return self.pair().difference

    @property
    def interval(self) -> Interval | None:
        """Its interval, where there is exactly one comparison."""
        return self.pair().interval

    @property
    def p_value(self) -> float | None:
        """The p-value of the first test, where there is exactly one comparison."""
        return self.pair().p_value

    @property
    def verdict(self) -> Verdict:
        """The verdict, where there is exactly one comparison."""
        return self.pair().verdict

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; fingerprints are computed now."""
        from .comparison.comparable import query_set

        return {
            "format": FORMAT,
            "comparable": not self.not_comparable,
            "stamp": self.stamp,
            "not_comparable": plain(self.not_comparable),
            "baseline": self.baseline,
            "runs": list(self.runs),
            "measures": list(self.measures),
            "shares": plain(self.shares),
            "pairs": [pair.as_dict() for pair in self.pairs],
            "leaderboards": plain(self.leaderboards),
            "side_by_side": plain(self.side_by_side),
            "systems": plain(self.systems),
            "adjusted": plain(self.adjusted),
            "settings": plain(self.settings),
            "declarations": plain(self.declarations),
            "fingerprints": {**plain(self.result.fingerprints), "queries": query_set(self.result.entries[0].rows)},
            "warnings": list(self.warnings),
            "inputs": plain(self.inputs),
            "version": self.version,
        }

    def to_json(self) -> str:
        """One JSON document with full precision, without NaN or Infinity."""
        from .saved import dumped

        return dumped(self.as_dict(), indent=2)

    def to_markdown(self) -> str:
        """The comparison as Markdown, for pull requests and notes."""
        from .reports.compare_markdown import comparison_markdown

        return comparison_markdown(self)

    def to_csv(self) -> str:
        """One row per comparison with the baseline and per slice of it, or per system of a leaderboard."""
        from .reports.compare_csv import comparison_csv

        return comparison_csv(self)

    def to_latex(self) -> str:
        """The leaderboard, or the comparisons with the baseline, as a LaTeX table, without slices."""
        from .reports.compare_latex import comparison_latex

        return comparison_latex(self)

    @property
    def plot(self) -> ComparisonPlots:
        """Charts: `.differences()`, `.distribution()`, `.scores()`."""
        from .plots.comparisons import ComparisonPlots

        return ComparisonPlots(self)

    def __repr__(self) -> str:
        stamp = f"{self.stamp}: " if self.stamp else ""
        if self.leaderboards:
            told = "; ".join(map(repr, self.leaderboards[:3]))
            more = len(self.leaderboards) - 3
        else:
            told = "; ".join(map(repr, self.pairs[:3]))
            more = len(self.pairs) - 3
        return f"<Comparison {stamp}{told}{f'; and {more} more' if more > 0 else ''}>"

    def __str__(self) -> str:
        from .reports.compare import comparison_text

        return comparison_text(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"
