"""What all charts share: Altair, loaded when the first chart is made, and rows as inline data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from ..errors import missing_extra

WIDTH, HEIGHT = 560, 300
"""The size of a chart, in pixels."""

MOST_POINTS = 2_000
"""More marks than this are not told apart by anybody: charts thin or bin what they draw, and say so."""

COLOURS = ("#3b6ea8", "#d1793c", "#4e9a68", "#8a63a6", "#b0485b", "#7d7d7d")
"""Distinct also for most colour-blind readers, in the order in which runs take them."""

GAIN, LOSS, NEUTRAL = "#4e9a68", "#b0485b", "#9a9a9a"
"""Better, worse, the same."""


class Plots:
    """What `.plot` of a result is: its methods make charts, and it shows which there are."""

    def __repr__(self) -> str:
        made = [name for name, value in vars(type(self)).items() if callable(value) and not name.startswith("_")]
        return f"<charts: {', '.join(f'.{name}()' for name in made)}>"


def altair() -> ModuleType:
    """The library; one sentence with the install command where it is missing."""
    try:
        import altair
    except ImportError:
        raise missing_extra("altair", "plots", "a chart") from None
    return altair


def data(rows: Sequence[Mapping[str, object]]) -> Any:
    """Rows as inline data: no frame library is needed, and no limit of rows applies."""
    return altair().Data(values=[dict(row) for row in rows])


def titled(chart: Any, title: str, subtitle: Sequence[str] = (), width: int = WIDTH, height: int = HEIGHT) -> Any:
    """The chart with its title, what it was made from below it, and the usual size."""
    params = altair().TitleParams(title, subtitle=list(subtitle), anchor="start", subtitleColor="#555555")
    return chart.properties(title=params, width=width, height=height)


def runs_colour(runs: Sequence[str]) -> Any:
    """One colour for each run, in their order."""
    alt = altair()
    colours = [COLOURS[at % len(COLOURS)] for at in range(len(runs))]
    return alt.Color(
        "run:N",
        title=None,
        scale=alt.Scale(domain=list(runs), range=colours),
        legend=alt.Legend(symbolOpacity=1),
    )


def queries(count: int) -> str:
    """`1 query`, `61 queries`."""
    return f"{count:,} {'query' if count == 1 else 'queries'}"
