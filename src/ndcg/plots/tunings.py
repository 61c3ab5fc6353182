"""The chart of a tuning: the value over alpha, with what the choice is worth on held-out queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .base import COLOURS, GAIN, NAMES, Plots, altair, data, interval_words, queries, titled

if TYPE_CHECKING:
    from ..fusion.tuning import Tuning


@dataclass(frozen=True, repr=False)
class TuningPlots(Plots):
    """`tuning.plot`: every method returns an Altair chart."""

    tuning: Tuning

    def curve(self) -> Any:
        """The mean over alpha with its interval; lines at the held-out value and at the two runs alone."""
        alt = altair()
        found = self.tuning
        rows = [
            {"alpha": point.alpha, "value": point.value, "low": point.interval.low, "high": point.interval.high}
            for point in found.points
        ]
        base = alt.Chart(data(rows)).encode(
            x=alt.X("alpha:Q", title=f"alpha, the share of {found.second}", scale=alt.Scale(domain=[0, 1]))
        )
        band = base.mark_area(opacity=0.15, color=COLOURS[0]).encode(y="low:Q", y2="high:Q")
        line = base.mark_line(point=True, color=COLOURS[0]).encode(
            y=alt.Y("value:Q", title=found.measure, scale=alt.Scale(zero=False)),
            tooltip=["alpha:Q", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("value", "low", "high"))],
        )
        lines = [
            {"what": "held out", "value": found.held_out},
            *({"what": f"{name} alone", "value": value} for name, value in found.alone.items()),
        ]
        names = [str(row["what"]) for row in lines]
        rules = (
            alt.Chart(data(lines))
            .mark_rule(strokeDash=[5, 3], size=1.5)
            .encode(
                y="value:Q",
                color=alt.Color(
                    "what:N",
                    title=None,
                    scale=alt.Scale(domain=names, range=[GAIN, COLOURS[1], COLOURS[3]]),
                    legend=alt.Legend(labelLimit=NAMES),
                ),
            )
        )
        best = (
            alt.Chart(data([{"alpha": found.best.alpha, "value": found.best.value}]))
            .mark_point(size=140, color="black", filled=False)
            .encode(x="alpha:Q", y="value:Q")
        )
        notes = [
            f"{found.first} + {found.second}, {queries(found.counted)}; band: "
            f"{interval_words(found.held_out_interval.method, found.held_out_interval.level)}",
            f"circle: the best alpha, {found.best.value:.4f} in sample; held out over {len(found.folds)} folds "
            f"it is worth {found.held_out:.4f}",
        ]
        return titled(band + rules + line + best, f"{found.measure} over alpha", notes)
