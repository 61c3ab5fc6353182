"""Charts of a result: slices with intervals, the distribution of per-query values, the value over k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from .base import HEIGHT, NAMES, Plots, altair, counts, data, interval_words, queries, runs_colour, runs_dash, titled

if TYPE_CHECKING:
    from ..results import Entry, Result

BINS = 20
"""Bins of a distribution between 0 and 1."""

ROW = 26
"""Pixels of a row of slices."""

BEYOND = 0.2
"""How far beyond 0 and 1 the axis of values from 0 to 1 goes: intervals of a few queries reach far into nowhere."""

WIDE = 20
"""From this ratio of the last k to the first on, k has a logarithmic axis."""

MOST_TICKS = 15
"""With no more cutoffs than this, every one of them has its mark on the axis."""


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
            "y": alt.Y("slice:N", sort=order, title=attribute, axis=alt.Axis(labelLimit=NAMES)),
            "yOffset": alt.YOffset("run:N", sort=runs),
            "color": runs_colour(runs),
        }
        tips = ["run:N", "slice:N", alt.Tooltip("value:Q", format=".4f"), "counted:Q", "low:Q", "high:Q"]
        span, cut = _span([*rows, *totals])
        scale = alt.Scale(zero=False) if span is None else alt.Scale(domain=list(span))
        points = base.mark_point(filled=True, size=70).encode(
            x=alt.X("value:Q", title=chosen, scale=scale),
            opacity=alt.condition("datum.small", alt.value(0.4), alt.value(1)),
            tooltip=tips,
            **where,
        )
        whiskers = (
            base.transform_filter("datum.low != null").mark_rule(clip=True).encode(x="low:Q", x2="high:Q", **where)
        )
        absent = (
            base.transform_filter("datum.value == null")
            .mark_text(align="left", dx=6, fontStyle="italic")
            .encode(x=alt.value(0), text=alt.value("no value: no query counts"), **where)
        )
        lines = alt.Chart(data(totals)).mark_rule(strokeDash=[4, 3]).encode(x="value:Q", color=runs_colour(runs))
        height = max(60, ROW * len(order) * max(1, len(runs)))
        notes = [f"dashed: the total; {self._interval_note(entries)}"]
        if any(row["small"] for row in rows):
            notes.append("pale: too few counted queries to be relied on")
        if cut:
            notes.append("intervals that leave the axis are cut")
        return titled(lines + whiskers + absent + points, f"{chosen} by {attribute}", notes, height=height)

    def distribution(self, measure: object = None) -> Any:
        """How many counted queries have which value, run by run; a line at each mean."""
        chosen = self._measure(measure)
        entries = self._totals(chosen)
        runs = [entry.run for entry in entries]
        known = [entry for entry in entries if entry.value is not None]
        if not known:
            raise UsageError(f"no query counts under {chosen}: there is nothing to draw", code="no_values")
        bins = [_bins(entry) for entry in known]
        most = max(row["queries"] for rows in bins for row in rows)
        layers = [
            titled(_histogram(entry, rows, most, runs), self._run_title(entry), height=150)
            for entry, rows in zip(known, bins, strict=True)
        ]
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
            base = alt.Chart(data(rows)).encode(x=_cutoffs([row["k"] for row in rows]), color=runs_colour(runs))
            band = (
                base.transform_filter("datum.low != null")
                .mark_area(opacity=min(0.15, 0.4 / len(runs)))
                .encode(y="low:Q", y2="high:Q")
            )
            line = base.mark_line(point=True).encode(
                strokeDash=runs_dash(runs),
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
        return f"intervals: {interval_words(known['method'], known['level'])}"


def _span(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[float, float] | None, bool]:
    """(the ends of the axis where intervals leave values from 0 to 1 too far behind, else None; whether they do)."""
    values = [row["value"] for row in rows if row["value"] is not None]
    limits = [row[name] for row in rows for name in ("low", "high") if row.get(name) is not None]
    ends = min([*values, *limits], default=0.0), max([*values, *limits], default=1.0)
    if not all(0 <= value <= 1 for value in values) or (ends[0] >= -BEYOND and ends[1] <= 1 + BEYOND):
        return None, False
    return (max(ends[0], -BEYOND), min(ends[1], 1 + BEYOND)), True


def _cutoffs(cutoffs: Sequence[Any]) -> Any:
    """The axis of k: a mark at each cutoff where there are few, logarithmic where they are far apart."""
    alt = altair()
    marks = sorted(set(cutoffs))
    wide = marks[-1] >= WIDE * marks[0]
    values = marks if len(marks) <= MOST_TICKS else alt.Undefined
    return alt.X(
        "k:Q",
        title="k (logarithmic)" if wide else "k",
        scale=alt.Scale(type="log" if wide else "linear", nice=False, zero=False),
        axis=alt.Axis(values=values, tickMinStep=1, format=",d", labelOverlap=True),
    )


def _bins(entry: Entry) -> list[dict[str, Any]]:
    """Counted queries by value."""
    values = entry.rows.value[entry.rows.counted]
    span = (min(0.0, float(values.min())), max(1.0, float(values.max())))
    found, edges = np.histogram(values, bins=BINS, range=span)
    return [
        {"run": entry.run, "low": low, "high": high, "queries": count}
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), found.tolist(), strict=True)
    ]


def _histogram(entry: Entry, rows: list[dict[str, Any]], most: int, runs: list[str]) -> Any:
    """Counted queries by value, and a line at the mean."""
    alt = altair()
    bars = (
        alt.Chart(data(rows))
        .mark_bar(opacity=0.85)
        .encode(
            x=alt.X("low:Q", bin="binned", title=entry.measure, axis=alt.Axis(tickCount=10)),
            x2="high:Q",
            y=counts("counted queries", most),
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
