"""The tuning of a hybrid as text for people, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .csv import csv_text
from .layout import block, columns, listing
from .markdown import escaped, table
from .words import differences as differing
from .words import main_line

if TYPE_CHECKING:
    from ..comparison import Interval
    from ..fusion.tuning import Point, Tuning

BAR = 40
"""The widest bar of the curve, in cells."""

HEADER = ("alpha", "value", "low", "high")


def tuning_text(found: Tuning, notes: Sequence[str] = ()) -> str:
    """Headline, curve with bars, held-out value, folds, the runs alone; without a final line end."""
    lines = [headline(found), ""]
    if notes:
        lines += [*block("note", [f"{note}." for note in notes]), ""]
    drawn = bars(found.points)
    rows = [(*row, bar) for row, bar in zip(point_rows(found), drawn, strict=True)]
    lines += [*columns((*HEADER, ""), rows, (True, True, True, True, False)), ""]
    for label, sentences in sections(found):
        lines += block(label, [f"{sentence}." for sentence in sentences])
    return "\n".join(lines)


def headline(found: Tuning) -> str:
    """The honest number first."""
    return (
        f"{found.measure} of {found.first} + {found.second}: {found.held_out:.4f} held out "
        f"{limits(found.held_out_interval)}, use alpha {found.alpha:g}"
    )


def limits(interval: Interval) -> str:
    """An interval in brackets, or why there is none."""
    if interval.low is None or interval.high is None:
        return "[no interval]"
    return f"[{interval.low:.4f}, {interval.high:.4f}]"


def point_rows(found: Tuning) -> list[tuple[str, str, str, str]]:
    """(alpha, value, low, high) of the curve as text."""
    digits = _digits(found.points)
    return [
        (f"{point.alpha:.{digits}f}", f"{point.value:.4f}", _number(point.interval.low), _number(point.interval.high))
        for point in found.points
    ]


def _digits(points: Sequence[Point]) -> int:
    """The decimals that tell every alpha apart from the next, at least two."""
    return next((n for n in (2, 3, 4) if all(round(p.alpha, n) == p.alpha for p in points)), 4)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def bars(points: Sequence[Point]) -> list[str]:
    """Bars between the least and the greatest value of the curve; the best one is marked."""
    values = [point.value for point in points]
    low, high = min(values), max(values)
    drawn = []
    for value in values:
        size = round((value - low) / (high - low) * BAR) if high > low else BAR
        drawn.append("#" * size + (" best" if value == high else ""))
    return drawn


def sections(found: Tuning) -> list[tuple[str, list[str]]]:
    """What is to be said, by label."""
    other = found.second if found.better == found.first else found.first
    scale = f"{found.normalisation} scores" if found.normalisation else f"reciprocal ranks (k={found.k:g})"
    alone = ", ".join(f"{name} {value:.4f}" for name, value in found.alone.items())
    parts = [
        ("alpha", [f"the share of {found.second}: (1 - alpha) x {found.first} + alpha x {found.second}, of {scale}"]),
        (
            "held out",
            [
                f"{found.held_out:.4f}: every query scored under the alpha that was best on the other "
                f"{len(found.folds) - 1} of {len(found.folds)} folds (seed {found.seed}), which chose "
                + ", ".join(f"{fold.alpha:g}" for fold in found.folds)
            ],
        ),
        (
            "in sample",
            [
                f"{found.best.value:.4f} at alpha {found.best.alpha:g}, chosen on the queries it is measured on: "
                f"{found.optimism:+.4f} of it is not to be expected elsewhere"
            ],
        ),
        (
            "alone",
            [
                f"{alone}; held out less {found.better}, the better one: "
                f"{found.held_out - found.alone[found.better]:+.4f} {limits(found.gain)}, "
                f"less {other} {found.held_out - found.alone[other]:+.4f}"
            ],
        ),
        (
            "queries",
            [
                f"{found.counted} counted of {found.judged} judged; intervals: {found.held_out_interval.method} over "
                f"queries, level {found.held_out_interval.level:g}; every alpha was scored again",
                *_left_out(found),
            ],
        ),
        ("declared", [main_line(found.declaration), *differing(found.declaration)]),
    ]
    if found.warnings:
        parts.append(("warning", list(found.warnings)))
    return parts


def _left_out(found: Tuning) -> list[str]:
    """Who was left out, and why."""
    if not found.left_out:
        return []
    names = listing(found.left_out[:10], len(found.left_out) - 10)
    return [f"left out, without a value under some alpha or for a run alone, as declared: {names}"]


def tuning_markdown(found: Tuning) -> str:
    """The same for Markdown."""
    lines = [f"**{escaped(headline(found))}**", "", *table(HEADER, point_rows(found), range(4)), ""]
    lines += [f"- {label}: {escaped('; '.join(sentences))}" for label, sentences in sections(found)]
    return "\n".join(lines)


def tuning_csv(found: Tuning) -> str:
    """The curve as CSV, with full precision."""
    return csv_text(
        HEADER,
        [(point.alpha, point.value, point.interval.low, point.interval.high) for point in found.points],
    )
