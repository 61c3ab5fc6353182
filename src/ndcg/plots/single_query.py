"""The chart of an explanation: what each rank adds, beside what the ideal list would add there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .base import COLOURS, NAMES, NEUTRAL, Plots, altair, data, titled

if TYPE_CHECKING:
    from ..explained import Explanation


@dataclass(frozen=True, repr=False)
class ExplanationPlots(Plots):
    """`explanation.plot`: every method returns an Altair chart."""

    explanation: Explanation

    def gain_by_rank(self, discounted: bool = True) -> Any:
        """Gain (times discount, unless `discounted` is False) of each rank, ideal and actual side by side."""
        alt = altair()
        found = self.explanation
        ideal = "ideal" if found.run != "ideal" else "ideal list"
        rows = [
            {
                "rank": row.rank,
                "list": name,
                "amount": row.contribution if discounted else row.gain,
                "document": row.document,
                "grade": row.grade,
            }
            for name, listed in ((found.run, found.rows), (ideal, found.ideal))
            for row in listed
        ]
        names = [found.run, ideal]
        bars = (
            alt.Chart(data(rows))
            .mark_bar(minBandSize=1)
            .encode(
                x=alt.X("rank:O", title="rank", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
                xOffset=alt.XOffset("list:N", sort=names),
                y=alt.Y("amount:Q", title="gain x discount" if discounted else "gain"),
                color=alt.Color(
                    "list:N",
                    title=None,
                    scale=alt.Scale(domain=names, range=[COLOURS[0], NEUTRAL]),
                    legend=alt.Legend(labelLimit=NAMES),
                ),
                tooltip=["list:N", "rank:O", "document:N", "grade:Q", alt.Tooltip("amount:Q", format=".4f")],
            )
        )
        value = "no value" if found.value is None else f"{found.value:.4f}"
        return titled(bars, f"{found.measure} of query {found.query}: {value}", [found.sentence])
