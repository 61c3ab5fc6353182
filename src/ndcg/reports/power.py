"""How many queries, as text for people, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from .csv import csv_text
from .layout import block, columns, shown_id
from .markdown import code, escaped, table
from .words import decimals

if TYPE_CHECKING:
    from ..comparison.generalizability import Limits
    from ..comparison.planning import PowerReport
    from ..comparison.plans import Needed, PairPlan, Plan

SHOWN = 6
"""Up to so many pairs are all shown; of more, those that vary least, in the middle and most."""


def power_text(report: PowerReport, notes: Sequence[str] = ()) -> str:
    """The plans as text, without a final line end."""
    lines = [*block("note", [f"{note}." for note in notes]), ""] if notes else []
    for at, plan in enumerate(report.plans):
        lines += [""] * bool(at)
        lines += _plan_lines(plan)
    lines += block("warning", [f"{warning}." for warning in report.warnings])
    return "\n".join(lines).rstrip("\n")


def _plan_lines(plan: Plan) -> list[str]:
    lines = [headline(plan), *[f"{sentence}." for sentence in answer(plan)], ""]
    header, rows, caption = pair_table(plan)
    lines += [*columns(header, rows, [False, *[True] * (len(header) - 1)]), ""]
    lines += block("columns", [f"{caption}."])
    if plan.systems:
        header, rows = system_table(plan)
        lines += ["", *columns(header, rows, [False, *[True] * (len(header) - 1)])]
    if plan.reliability is not None:
        lines += ["", *block("reliability", [f"{sentence}." for sentence in reliability_sentences(plan)])]
    sentences = [*ranges(plan), *plan.notes]
    if sentences:
        lines += ["", *block("note", [f"{sentence}." for sentence in sentences])]
    return lines


def headline(plan: Plan) -> str:
    """What the plan is about."""
    noun = "query" if plan.queries == 1 else "queries"
    whose = "with a value" if len(plan.runs) == 1 else "with a value in every run"
    more = f", {plan.left_out:,} with one in some runs only left out" if plan.left_out else ""
    return f"{plan.measure}: {plan.queries:,} {noun} {whose}{more}"


def answer(plan: Plan) -> list[str]:
    """What the queries there are can show, in a sentence."""
    found = sorted(pair.detectable for pair in plan.pairs if pair.detectable is not None)
    if not found:
        return []
    size = decimals(found[0])
    if decimals(found[-1]) != size:
        size += f" to {decimals(found[-1])}, by pair of runs"
    return [f"They detect a true difference of {size} (power {plan.power:g}, p below {plan.alpha:g}, two-sided)"]


def pairs_shown(plan: Plan) -> list[PairPlan]:
    """All pairs, or the ones of least, middle and largest spread where there are many."""
    if len(plan.pairs) <= SHOWN:
        return list(plan.pairs)
    ordered = sorted(plan.pairs, key=lambda pair: pair.sd or 0.0)
    places = [round(step * (len(ordered) - 1) / (SHOWN - 2)) for step in range(SHOWN - 1)]
    return [ordered[place] for place in places]


def pair_table(plan: Plan) -> tuple[list[str], list[list[str]], str]:
    """Header, rows and caption of the pairs of runs."""
    shown = pairs_shown(plan)
    header = ["paired t test", "difference", "sd", "changed", f"with {plan.queries:,}"]
    header += [f"for {number(difference)}" for difference in plan.differences]
    rows = [
        [
            f"{shown_id(pair.first, 20)} - {shown_id(pair.second, 20)}",
            "" if pair.difference is None else f"{pair.difference:+.4f}",
            decimals(pair.sd, none="-"),
            "" if pair.changed is None else f"{pair.changed:,}",
            decimals(pair.detectable, none="-"),
            *map(count, pair.needed),
        ]
        for pair in shown
    ]
    caption = (
        f"sd: of the differences per query; changed: queries with a difference; with {plan.queries:,}: the least true "
        f"difference that these queries detect; for {number(plan.differences[0])}: the queries that such a true "
        "difference needs"
    )
    if len(shown) < len(plan.pairs):
        caption += f"; {len(shown)} of {len(plan.pairs):,} pairs, from the least sd to the largest"
    return header, rows, caption


def system_table(plan: Plan) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the analyses of variance."""
    header = [f"all {len(plan.runs)} runs", "variance", f"with {plan.queries:,}"]
    header += [f"for {number(difference)}" for difference in plan.differences]
    rows = [
        [design.test, f"{design.variance:.4f}", decimals(design.detectable, none="-"), *map(count, design.needed)]
        for design in plan.systems
    ]
    return header, rows


def reliability_sentences(plan: Plan) -> list[str]:
    """Erho2 and Phi in words."""
    found = plan.reliability
    if found is None:
        return []
    level = f"{100 * found.level:g} %"

    def said(name: str, what: str, limits: Limits, needed: int | None) -> str:
        if limits.value is None:
            return f"{name} has no value: the runs do not vary"
        between = "" if limits.low is None else f" ({limits.low:.2f} to {limits.high:.2f} at {level})"
        queries = "no number of queries reaches" if needed is None else f"{needed:,} queries reach"
        return f"{name} {limits.value:.2f}{between}, {what}; {queries} {found.target:g}"

    sentences = [
        said("Erho2", "for the order of runs like these", found.erho2, found.needed_for_erho2),
        said("Phi", "for their values, with hard and easy queries", found.phi, found.needed_for_phi),
    ]
    return sentences if found.reason is None else [*sentences, found.reason]


def ranges(plan: Plan) -> list[str]:
    """How far the needed queries may be off, for the pair that varies most."""
    measured = [pair for pair in plan.pairs if pair.sd]
    if not measured or plan.queries < 2:
        return []
    pair = max(measured, key=lambda one: one.sd or 0.0)
    known = [needed for needed in pair.needed if needed.low is not None and needed.high is not None]
    if not known:
        return []
    parts = [f"{needed.low:,} to {needed.high:,} for {number(needed.difference)}" for needed in known]
    return [
        f"the sd of {pair.first} - {pair.second} is {pair.sd_low:.4f} to {pair.sd_high:.4f} at {100 * plan.level:g} %, "
        f"so the queries needed are {', '.join(parts)}"
    ]


def power_markdown(report: PowerReport, notes: Sequence[str] = ()) -> str:
    """The plans as Markdown, without a final line end."""
    lines = [f"{escaped(note)}.\n" for note in notes]
    for plan in report.plans:
        lines += [escaped(headline(plan)).replace(escaped(plan.measure), code(plan.measure), 1)]
        lines += [*[f"{sentence}." for sentence in answer(plan)], ""]
        header, rows, caption = pair_table(plan)
        lines += [*_table(header, rows), "", f"- {escaped(caption)}"]
        if plan.systems:
            lines += ["", *_table(*system_table(plan)), ""]
        said = [*reliability_sentences(plan), *ranges(plan), *plan.notes]
        lines += [*(f"- {escaped(sentence)}" for sentence in said), ""]
    lines += [f"- **warning**: {escaped(warning)}" for warning in report.warnings]
    return "\n".join(lines).rstrip("\n")


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return table(header, [[escaped(cell) for cell in row] for row in rows], numbers=range(1, len(header)))


COLUMNS = (
    "measure",
    "design",
    "first",
    "second",
    "queries",
    "mean_difference",
    "sd",
    "sd_low",
    "sd_high",
    "changed",
    "detectable",
    "for_difference",
    "needed",
    "needed_low",
    "needed_high",
    "power",
    "alpha",
)


def power_csv(report: PowerReport) -> str:
    """A header, and one row per measure, design, pair and difference asked for; full precision."""
    return csv_text(COLUMNS, _rows(report))


def _rows(report: PowerReport) -> Iterator[list[object]]:
    for plan in report.plans:
        tail = [plan.power, plan.alpha]
        for pair in plan.pairs:
            head = [plan.measure, "paired t", pair.first, pair.second, plan.queries, pair.difference, pair.sd]
            head += [pair.sd_low, pair.sd_high, pair.changed, pair.detectable]
            for one in pair.needed:
                yield [*head, one.difference, one.queries, one.low, one.high, *tail]
        for design in plan.systems:
            head = [plan.measure, design.test, "", "", plan.queries, None, design.variance**0.5]
            head += [None, None, None, design.detectable]
            for one in design.needed:
                yield [*head, one.difference, one.queries, one.low, one.high, *tail]


def number(value: float) -> str:
    """A number as it was given."""
    return f"{value:.10g}"


def count(needed: Needed) -> str:
    """A number of queries, a dash where there is none."""
    return "-" if needed.queries is None else f"{needed.queries:,}"


RENDERED: dict[str, Callable[[PowerReport, Sequence[str]], str]] = {
    "table": power_text,
    "md": power_markdown,
    "json": lambda report, notes: report.to_json(),
    "csv": lambda report, notes: power_csv(report),
}
"""The report in each output format."""
