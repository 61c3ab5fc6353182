"""The outcomes as a picture: every ratio that has a target. The table and the raw timings hold the others.

python -m bench.plot TIMINGS.json PICTURE.png
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

GOOD, BAD = "#2f7d4f", "#b5452c"
MEASURE = {"time": "time", "peak": "peak memory"}


def bars(results: list[dict[str, Any]]) -> list[tuple[str, float, str, str]]:
    """(label, ratio, bound in words, colour) of every measured ratio with a target."""
    found = []
    for result in results:
        for target in result["targets"]:
            if target["reached"] is None:
                continue
            label = f"{result['title']}\n{MEASURE[target['quantity']]}: {target['over']} / {target['under']}"
            found.append((label, target["ratio"], target["bound"], GOOD if target["reached"] else BAD))
    return found


def draw(results: list[dict[str, Any]], path: Path) -> None:
    """One bar per ratio on a logarithmic axis, its target beside it; no picture where nothing has a target."""
    rows = bars(results)
    if not rows:
        return
    figure, axes = pyplot.subplots(figsize=(11, 0.52 * len(rows) + 1.4), layout="constrained")
    places = range(len(rows), 0, -1)
    axes.barh(
        list(places),
        [row[1] - 1 for row in rows],
        left=1,
        color=[row[3] for row in rows],
        height=0.6,
    )
    for place, (_, ratio, bound, _) in zip(places, rows, strict=True):
        axes.annotate(
            f"{ratio:.2f}  (target: {bound})", (max(ratio, 1.0), place), (4, 0), textcoords="offset points", va="center"
        )
    axes.set_yticks(list(places), [row[0] for row in rows], fontsize=8)
    axes.set_xscale("log")
    axes.set_ylim(0.4, len(rows) + 0.6)
    axes.set_xlim(right=max(row[1] for row in rows) * 6)
    axes.axvline(1, color="#222222", linewidth=0.8)
    axes.set_xlabel("ratio (green: target reached, red: not reached)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text())["results"], Path(sys.argv[2]))
