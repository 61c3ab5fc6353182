"""The outcomes as a table for people."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib import metadata

from .comparison import Outcome

PACKAGES = ("ndcg", "numpy", "duckdb", "pytrec_eval-terrier", "ir-measures", "ranx", "scikit-learn", "pandas", "polars")
CLOSE = 1e-12


def machine() -> dict[str, str]:
    """What the numbers were measured on: processors and versions."""
    found = {"python": platform.python_version(), "system": platform.system(), "cpus": str(os.cpu_count())}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def verdict(reached: bool | None) -> str:
    """A target's outcome in words."""
    return {True: "reached", False: "not reached", None: ""}[reached]


def section(outcome: Outcome) -> list[str]:
    """One comparison: its contenders, then its ratios, as two Markdown tables."""
    lines = [f"### {outcome.comparison.title}", ""]
    if outcome.failure is not None:
        return [*lines, f"Not measured: {outcome.failure.strip().splitlines()[-1]}", ""]
    lines += ["| contender | median s | least s | peak MB | runs |", "| --- | ---: | ---: | ---: | ---: |"]
    for one in outcome.measured.values():
        peak = f"{one.peak:,.0f}" if one.peak else ""
        lines.append(f"| {one.name} | {one.median:.3f} | {one.least:.3f} | {peak} | {len(one.seconds)} |")
    lines += ["", "| ratio | of medians | of least | target | |", "| --- | ---: | ---: | --- | --- |"]
    for target in outcome.comparison.targets:
        ratio = target.ratio(outcome.measured)
        least = target.ratio(outcome.measured, least=True)
        if ratio is not None and least is not None:
            what = f"{target.quantity}: {target.over} / {target.under}"
            told = verdict(target.reached(ratio))
            lines.append(f"| {what} | {ratio:.2f} | {least:.2f} | {target.words()} | {told} |")
    lines.append("")
    for pair, difference in outcome.differences.items():
        same = "agree" if difference <= CLOSE else "DO NOT AGREE"
        lines.append(f"Values of {pair} {same}: largest difference {difference:.1e}.")
    return [*lines, ""] if outcome.differences else lines


def markdown(outcomes: Sequence[Outcome], on: dict[str, str], date: str) -> str:
    """All comparisons."""
    head = f"Measured {date} on {on['cpus']} CPUs: " + ", ".join(
        f"{name} {version}" for name, version in on.items() if name != "cpus"
    )
    return "\n".join([head, "", *(line for outcome in outcomes for line in section(outcome))])
