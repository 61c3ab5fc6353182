"""Charts of a result: slices with intervals, the distribution of per-query values, the value over k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from .base import HEIGHT, Plots, altair, data, queries, runs_colour, titled

if TYPE_CHECKING:
    from ..results import Entry, Result

BINS = 20
"""Bins of a distribution between 0 and 1."""

ROW = 26
"""Pixels of a row of slices."""


@dataclass(frozen=True, repr=False)
class ResultPlots(Plots):
    """`result.plot`: every method returns an Altair chart."""

    result: Result

    def slices(self, attribute: str | None = None, measure: object = None) -> Any:
        """The value of each slice of one attribute with its interval, largest impact first; a line at each total.

        `attribute` and `measure` may be left out where there is only one. Raises UsageError without slices.
        """
        named = list(dict.fromkeys(entry.part.attribute for entry in self.result.slices if entry.part is not None))
        if not named:
            raise UsageError("this result has no slices", code="no_slices", hint="score with by=")
        if attribute is None and len(named) == 1:
            attribute = named[0]
        if attribute not in named:
            raise UsageError(
                f"attribute {attribute!r} is not sliced by" if attribute else "several attributes were sliced by",
                code="no_slices",
                hint=f"pass one of {', '.join(named)}",
            )
        chosen = self._measure(measure)
        entries = [
            entry
            for entry in self.result.slices
            if entry.part is not None and entry.part.attribute == attribute and entry.measure == chosen
        ]
        rows = [_slice_row(entry) for entry in entries]
        totals = [{"run": entry.run, "value": entry.value} for entry in self._totals(chosen) if entry.value is not None]
        alt = altair()
        runs = list(dict.fromkeys(entry.run for entry in entries))
        order = list(dict.fromkeys(str(row["slice"]) for row in rows))
        base = alt.Chart(data(rows))
        where = {
            "y": alt.Y("slice:N", sort=order, title=attribute),
            "yOffset": alt.YOffset("run:N", sort=runs),
            "color": runs_colour(runs),
        }
        tips = ["run:N", "slice:N", alt.Tooltip("value:Q", format=".4f"), "counted:Q", "low:Q", "high:Q"]
        points = base.mark_point(filled=True, size=70).encode(
            x=alt.X("value:Q", title=chosen, scale=alt.Scale(zero=False)),
            opacity=alt.condition("datum.small", alt.value(0.4), alt.value(1)),
            tooltip=tips,
            **where,
        )
        whiskers = base.transform_filter("datum.low != null").mark_rule().encode(x="low:Q", x2="high:Q", **where)
        lines = alt.Chart(data(totals)).mark_rule(strokeDash=[4, 3]).encode(x="value:Q", color=runs_colour(runs))
        height = max(60, ROW * len(order) * max(1, len(runs)))
        notes = [f"dashed: the total; {self._interval_note(entries)}"]
        if any(row["small"] for row in rows):
            notes.append("pale: too few counted queries to be relied on")
        return titled(lines + whiskers + points, f"{chosen} by {attribute}", notes, height=height)

    def distribution(self, measure: object = None) -> Any:
        """How many counted queries have which value, run by run; a line at each mean."""
        chosen = self._measure(measure)
        entries = self._totals(chosen)
        runs = [entry.run for entry in entries]
        layers = [
            titled(_histogram(entry, runs), self._run_title(entry), height=150)
            for entry in entries
            if entry.value is not None
        ]
        if not layers:
            raise UsageError(f"no query counts under {chosen}: there is nothing to draw", code="no_values")
        return altair().vconcat(*layers, title=f"Distribution of {chosen}; line: the mean")

    def over_k(self) -> Any:
        """The value over the cutoff k, for a measure that was scored at several, with its interval where asked for."""
        groups: dict[str, list[Entry]] = {}
        for entry in self._totals(None):
            if isinstance(entry.declaration.get("k"), int):
                groups.setdefault(entry.measure.rpartition("@")[0], []).append(entry)
        several = {name: found for name, found in groups.items() if len({e.declaration["k"] for e in found}) > 1}
        if not several:
            raise UsageError(
                "no measure of this result was scored at several cutoffs",
                code="one_cutoff",
                hint='score ["nDCG@1", "nDCG@3", "nDCG@10"]',
            )
        alt = altair()
        runs = list(dict.fromkeys(entry.run for found in several.values() for entry in found))
        charts = []
        for name, found in several.items():
            rows = [
                {"run": entry.run, "k": entry.declaration["k"], "value": entry.value, **_limits(entry)}
                for entry in found
                if entry.value is not None
            ]
            base = alt.Chart(data(rows)).encode(
                x=alt.X("k:Q", title="k", scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1)),
                color=runs_colour(runs),
            )
            band = base.transform_filter("datum.low != null").mark_area(opacity=0.15).encode(y="low:Q", y2="high:Q")
            line = base.mark_line(point=True).encode(
                y=alt.Y("value:Q", title=f"{name}@k", scale=alt.Scale(zero=False)),
                tooltip=["run:N", "k:Q", alt.Tooltip("value:Q", format=".4f")],
            )
            notes = [f"{queries(found[0].summary.queries.counted)} counted; {self._interval_note(found)}"]
            charts.append(titled(band + line, f"{name}@k over k", notes, height=HEIGHT))
        return charts[0] if len(charts) == 1 else alt.vconcat(*charts)

    def _totals(self, measure: str | None) -> list[Entry]:
        return [entry for entry in self.result.entries if entry.part is None and measure in (None, entry.measure)]

    def _measure(self, measure: object) -> str:
        named = list(dict.fromkeys(entry.measure for entry in self.result.entries))
        if measure is None and len(named) == 1:
            return named[0]
        if str(measure) in named:
            return str(measure)
        raise UsageError(
            f"{measure} was not scored" if measure is not None else "several measures were scored",
            code="no_such_entry",
            hint=f"pass one of {', '.join(named)}",
        )

    @staticmethod
    def _run_title(entry: Entry) -> str:
        value = "no value" if entry.value is None else f"{entry.value:.4f}"
        return f"{entry.run}: {value} over {queries(entry.summary.queries.counted)}"

    @staticmethod
    def _interval_note(entries: list[Entry]) -> str:
        known = next((entry.interval for entry in entries if entry.interval), None)
        if known is None:
            return "no intervals were asked for"
        level = known["level"]
        percent = f"{float(level) * 100:g}" if isinstance(level, int | float) else str(level)
        return f"intervals: {known['method']}, {percent} %"


def _histogram(entry: Entry, runs: list[str]) -> Any:
    """Counted queries by value, and a line at the mean."""
    alt = altair()
    values = entry.rows.value[entry.rows.counted]
    span = (min(0.0, float(values.min())), max(1.0, float(values.max())))
    counts, edges = np.histogram(values, bins=BINS, range=span)
    rows = [
        {"run": entry.run, "low": low, "high": high, "queries": count}
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    ]
    bars = (
        alt.Chart(data(rows))
        .mark_bar(opacity=0.85)
        .encode(
            x=alt.X("low:Q", bin="binned", title=entry.measure, axis=alt.Axis(tickCount=10)),
            x2="high:Q",
            y=alt.Y("queries:Q", title="counted queries"),
            color=runs_colour(runs),
            tooltip=["run:N", "low:Q", "high:Q", "queries:Q"],
        )
    )
    return bars + alt.Chart(data([{"mean": entry.value}])).mark_rule(size=2, color="black").encode(x="mean:Q")


def _slice_row(entry: Entry) -> dict[str, object]:
    assert entry.part is not None
    return {
        "run": entry.run,
        "slice": entry.part.name.partition("=")[2],
        "value": entry.value,
        "counted": entry.summary.queries.counted,
        "small": entry.part.small,
        **_limits(entry),
    }


def _limits(entry: Entry) -> dict[str, object]:
    interval = entry.interval or {}
    return {"low": interval.get("low"), "high": interval.get("high")}
