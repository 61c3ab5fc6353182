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

COLOURS = (
    *("#3b6ea8", "#d1793c", "#4e9a68", "#8a63a6", "#b0485b", "#7d7d7d"),
    *("#8fb8de", "#f0b98d", "#9bd0ac", "#c9aee0", "#e39aa8", "#3a3a3a"),
)
"""Distinct also for most colour-blind readers, in the order in which runs take them; beyond them lines are dashed."""

DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3))
"""How the lines of runs are broken, once all colours are taken."""

NAMES = 360
"""Pixels that a name may take beside a chart before it is cut."""

FEW_COUNTS = 5
"""Up to here every whole number has its mark on an axis of counts."""

METHODS = {"t": "t", "bca": "BCa bootstrap", "percentile": "percentile bootstrap"}
"""Intervals in words."""

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
        legend=alt.Legend(symbolOpacity=1, labelLimit=NAMES),
    )


def runs_dash(runs: Sequence[str]) -> Any:
    """Broken lines that tell runs apart that have to share a colour."""
    alt = altair()
    dashes = [list(DASHES[at // len(COLOURS) % len(DASHES)]) for at in range(len(runs))]
    return alt.StrokeDash("run:N", title=None, scale=alt.Scale(domain=list(runs), range=dashes))


def counts(title: str, most: int) -> Any:
    """An axis of counts of queries: whole numbers from 0 to `most`."""
    alt = altair()
    values = list(range(most + 1)) if most <= FEW_COUNTS else alt.Undefined
    return alt.Y("queries:Q", title=title, axis=alt.Axis(values=values, format=",d"), scale=alt.Scale(domain=[0, most]))


def interval_words(method: object, level: object) -> str:
    """`BCa bootstrap, 95 %`."""
    percent = f"{float(level) * 100:g}" if isinstance(level, int | float) else str(level)
    return f"{METHODS.get(str(method), method)}, {percent} %"


def queries(count: int) -> str:
    """`1 query`, `61 queries`."""
    return f"{count:,} {'query' if count == 1 else 'queries'}"
