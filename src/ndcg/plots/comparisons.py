"""Charts of a comparison: sorted per-query differences, their distribution, score A against score B, a leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from .base import (
    COLOURS,
    GAIN,
    LOSS,
    MOST_POINTS,
    NAMES,
    NEUTRAL,
    Plots,
    altair,
    counts,
    data,
    interval_words,
    queries,
    titled,
)

if TYPE_CHECKING:
    from ..compared import Comparison, Pair
    from ..comparison.leaderboard import Leaderboard
    from ..kernel.batch import Floats

BINS = 40
"""Bins of a distribution between -1 and 1, or on a side of the map of scores."""

ROW = 24
"""Pixels of a row of a leaderboard."""


@dataclass(frozen=True, repr=False)
class ComparisonPlots(Plots):
    """`comparison.plot`: every method returns an Altair chart.

    `new` and `measure` pick a comparison with the baseline; they may be left out where there is only one.
    """

    comparison: Comparison

    def differences(self, new: str | None = None, measure: object = None) -> Any:
        """Per-query differences, new less baseline, from largest loss to largest gain, with mean and interval."""
        alt = altair()
        pair, names, base, other = self._values(new, measure)
        change = other - base
        order = np.argsort(change, kind="stable")
        higher, lower = int(np.count_nonzero(change > 0)), int(np.count_nonzero(change < 0))
        same = len(names) - higher - lower
        notes = [self._sentence(pair, len(names)), f"{higher:,} higher, {lower:,} lower, {same:,} the same"]
        if len(order) > MOST_POINTS:
            order = order[np.unique(np.linspace(0, len(order) - 1, MOST_POINTS).round().astype(int))]
            notes.append(f"drawn: {MOST_POINTS:,} of them, evenly spaced in this order")
        rows = [
            {
                "place": place,
                "query": names[at],
                "difference": float(change[at]),
                "base": float(base[at]),
                "new": float(other[at]),
                "kind": "gain" if change[at] > 0 else "loss" if change[at] < 0 else "same",
            }
            for place, at in enumerate(order.tolist())
        ]
        bars = (
            alt.Chart(data(rows))
            .mark_bar()
            .encode(
                x=alt.X("place:O", axis=None, scale=alt.Scale(paddingInner=0.05)),
                y=alt.Y("difference:Q", title=f"difference in {pair.measure}"),
                color=alt.Color(
                    "kind:N",
                    title=None,
                    scale=alt.Scale(domain=["gain", "loss", "same"], range=[GAIN, LOSS, NEUTRAL]),
                ),
                tooltip=[
                    "query:N",
                    *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("base", "new", "difference")),
                ],
            )
        )
        return titled(bars + _mean(pair), f"{pair.new} less {pair.base}, query by query", notes)

    def distribution(self, new: str | None = None, measure: object = None) -> Any:
        """How many queries have which difference, with the mean and its interval."""
        alt = altair()
        pair, names, base, other = self._values(new, measure)
        change = other - base
        widest = max(1.0, float(np.abs(change).max(initial=0.0)))
        found, edges = np.histogram(change, bins=BINS, range=(-widest, widest))
        rows = [
            {"low": low, "high": high, "queries": count}
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), found.tolist(), strict=True)
            if count
        ]
        step = 2 * widest / BINS
        ends = [min([*(row["low"] for row in rows), -step]), max([*(row["high"] for row in rows), step])]
        bars = (
            alt.Chart(data(rows))
            .mark_bar()
            .encode(
                x=alt.X(
                    "low:Q",
                    bin="binned",
                    title=f"difference in {pair.measure}",
                    axis=alt.Axis(tickCount=10),
                    scale=alt.Scale(domain=ends),
                ),
                x2="high:Q",
                y=counts("queries", int(found.max())),
                color=alt.value(COLOURS[0]),
                tooltip=["low:Q", "high:Q", "queries:Q"],
            )
        )
        same = int(np.count_nonzero(change == 0))
        notes = [self._sentence(pair, len(names)), f"{queries(same)} with exactly the same value"]
        return titled(bars + _mean(pair, across=True), f"Differences, {pair.new} less {pair.base}", notes)

    def scores(self, new: str | None = None, measure: object = None) -> Any:
        """Score of the new system against that of the baseline, one mark per query; above the diagonal is better."""
        alt = altair()
        pair, names, base, other = self._values(new, measure)
        high = max(1.0, float(base.max(initial=0.0)), float(other.max(initial=0.0)))
        low = min(0.0, float(base.min(initial=0.0)), float(other.min(initial=0.0)))
        scale = alt.Scale(domain=[low, high])
        x = alt.X("base:Q", title=f"{pair.base}, {pair.measure}", scale=scale)
        y = alt.Y("new:Q", title=f"{pair.new}, {pair.measure}", scale=scale)
        diagonal = (
            alt.Chart(data([{"base": low, "new": low}, {"base": high, "new": high}]))
            .mark_line(color=NEUTRAL, strokeDash=[4, 3])
            .encode(x=x, y=y)
        )
        if len(names) <= MOST_POINTS:
            rows = [
                {"query": name, "base": one, "new": two}
                for name, one, two in zip(names, base.tolist(), other.tolist(), strict=True)
            ]
            marks = (
                alt.Chart(data(rows))
                .mark_circle(size=45, opacity=0.5, color=COLOURS[0])
                .encode(
                    x=x,
                    y=y,
                    tooltip=["query:N", alt.Tooltip("base:Q", format=".4f"), alt.Tooltip("new:Q", format=".4f")],
                )
            )
        else:
            marks = _map(base, other, low, high).encode(x=x, y=y)
        return titled(
            diagonal + marks,
            f"{pair.new} against {pair.base}",
            [self._sentence(pair, len(names)), "above the diagonal the new system is better"],
            width=360,
            height=360,
        )

    def leaderboard(self, measure: object = None) -> Any:
        """All runs, best first, with their intervals; runs that share a letter are not told apart.

        For a comparison of all pairs; `measure` may be left out where there is only one.
        """
        alt = altair()
        board = self._board(measure)
        rows = [
            {
                "run": standing.run,
                "place": standing.place,
                "mean": standing.mean,
                "low": standing.interval.low,
                "high": standing.interval.high,
                "groups": standing.letters,
            }
            for standing in board.standings
        ]
        y = alt.Y("run:N", sort=[standing.run for standing in board.standings], title=None)
        base = alt.Chart(data(rows)).encode(y=y.axis(labelLimit=NAMES))
        points = base.mark_point(filled=True, size=70, color=COLOURS[0]).encode(
            x=alt.X("mean:Q", title=board.measure, scale=alt.Scale(zero=False)),
            tooltip=["place:Q", "run:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("mean", "low", "high"))],
        )
        whiskers = base.transform_filter("datum.low != null").mark_rule(color=COLOURS[0]).encode(x="low:Q", x2="high:Q")
        letters = base.mark_text(align="left", dx=6).encode(x=alt.value("width"), text="groups:N")
        interval = board.standings[0].interval
        words = interval_words(interval.method, interval.level)
        stamp = f"{self.comparison.stamp}: " if self.comparison.stamp else ""
        notes = [
            f"{stamp}{queries(board.queries)} ({board.over}); intervals of each mean alone: {words}",
            f"runs that share a letter are not told apart at {1 - board.level:g} over {board.family:,} "
            f"{'pair' if board.family == 1 else 'pairs'}",
        ]
        return titled(whiskers + points + letters, f"{board.measure}, best first", notes, height=ROW * len(rows))

    def _board(self, measure: object) -> Leaderboard:
        boards = self.comparison.leaderboards
        if not boards:
            raise UsageError(
                "runs were compared with a baseline, not all with each other",
                code="no_leaderboard",
                hint="compare with pairs='all' for a leaderboard",
            )
        named = [board for board in boards if measure is None or board.measure == str(measure)]
        if len(named) != 1:
            raise UsageError(
                "several measures were compared" if measure is None else f"{measure} was not compared",
                code="no_such_entry",
                hint=f"pass one of {', '.join(board.measure for board in boards)}",
            )
        return named[0]

    def _values(self, new: str | None, measure: object) -> tuple[Pair, list[str], Floats, Floats]:
        """The comparison, and the queries of its headline with both values."""
        from ..comparison.pairing import pair as paired

        if not self.comparison.pairs and self.comparison.leaderboards:
            raise UsageError(
                "this chart shows one run against a baseline, and here all pairs of runs were compared",
                code="all_pairs",
                hint="compare with a baseline for it; .plot.leaderboard() shows the runs beside each other",
            )
        pair = self.comparison.pair(new, measure)
        found = paired(self._rows(pair.base, pair.measure), self._rows(pair.new, pair.measure))
        chosen = found.union if pair.headline == "union" else found.common
        return pair, found.ids(chosen), found.base[chosen], found.new[chosen]

    def _rows(self, run: str, measure: str) -> Any:
        return self.comparison.result.entry(run, measure).rows

    def _sentence(self, pair: Pair, count: int) -> str:
        stamp = f"{self.comparison.stamp}: " if self.comparison.stamp else ""
        difference = "no difference" if pair.difference is None else f"mean difference {pair.difference:+.4f}"
        limits = ""
        if pair.interval is not None and pair.interval.low is not None and pair.interval.high is not None:
            words = interval_words(pair.interval.method, pair.interval.level)
            limits = f" [{pair.interval.low:+.4f}, {pair.interval.high:+.4f}] ({words})"
        return f"{stamp}{pair.measure}, {queries(count)} ({pair.headline}): {difference}{limits}"


def _mean(pair: Pair, *, across: bool = False) -> Any:
    """The mean difference as a line, its interval as a band; `across` where differences run from left to right."""
    alt = altair()
    if pair.difference is None:
        return alt.layer()
    axis, second = ("x", "x2") if across else ("y", "y2")
    line = alt.Chart(data([{"mean": pair.difference}])).mark_rule(color="black", strokeDash=[4, 3])
    layers = [line.encode(**{axis: "mean:Q"})]
    interval = pair.interval
    if interval is not None and interval.low is not None:
        band = alt.Chart(data([{"low": interval.low, "high": interval.high}])).mark_rect(
            opacity=0.15, color="black", clip=True
        )
        layers.insert(0, band.encode(**{axis: "low:Q", second: "high:Q"}))
    return alt.layer(*layers)


def _map(base: Floats, new: Floats, low: float, high: float) -> Any:
    """Too many queries for marks: how many there are in each cell of a grid."""
    alt = altair()
    counts, _, _ = np.histogram2d(base, new, bins=BINS, range=((low, high), (low, high)))
    step = (high - low) / BINS
    rows = [
        {"base": low + (one + 0.5) * step, "new": low + (two + 0.5) * step, "queries": int(counts[one, two])}
        for one, two in zip(*np.nonzero(counts), strict=True)
    ]
    return (
        alt.Chart(data(rows))
        .mark_square(size=70)
        .encode(
            color=alt.Color("queries:Q", scale=alt.Scale(type="log", scheme="blues")),
            tooltip=["base:Q", "new:Q", "queries:Q"],
        )
    )
