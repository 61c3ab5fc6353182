"""A comparison as plain text for people: what changed before any score, then the difference with its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..counted import counted_noun
from .compare_parts import (
    WEIGHTED_HEADER,
    board_weights,
    slice_cells,
    slice_groups,
    slice_header,
    slice_legend,
    slice_name,
    slice_title,
    traffic_sentences,
    weighted_cells,
    weighted_note,
)
from .compare_words import (
    SIDE_HEADER,
    beside_sentence,
    beside_signs,
    board_note,
    change_cells,
    change_header,
    coverage_sentence,
    drivers_sentence,
    effect_sentence,
    ends,
    first_changes,
    headline_note,
    interval_method,
    margin_sentence,
    movement,
    overlap_sentence,
    p_text,
    pool_sentences,
    read_how,
    sentence_of_test,
    share_sentence,
    short_names,
    side_cells,
    sides_of,
    stamped,
    tie_note,
    unmatched_sentence,
    warnings_of,
)
from .explanation import middle
from .layout import LABEL, WIDTH, block, columns, shown_id, width
from .words import decimals, differences, grade_text, main_line, nearest_sentences, signed

if TYPE_CHECKING:
    from ..compared import Comparison, Pair
    from ..comparison.drivers import Change
    from ..comparison.leaderboard import Leaderboard
    from ..comparison.outcomes import Interval
    from ..comparison.overlap import Placed, SideBySide
    from ..comparison.slices import SliceDifference

DETAILS = 3
"""Up to so many comparisons are told in full; more are a table."""

NAME = 28
"""How many characters of a run's name are shown in tables."""


def comparison_text(comparison: Comparison, notes: Sequence[str] = ()) -> str:
    """The whole comparison as text of at most about 100 columns, without a final line end."""
    lines: list[str] = []
    stamp = stamped(comparison)
    if stamp:
        lines += [f"*** {stamp[0]} ***", *block("differing", [f"{sentence}." for sentence in stamp[1:]]), ""]
    lines += _shares(comparison)
    if len(comparison.pairs) > 1:
        lines += [*_fitting(comparison, _rows), ""]
        if comparison.settings.weighted:
            lines += ["by weight, beside the macro means above, which decide:", ""]
            lines += [*_fitting(comparison, _weighted_rows), ""]
    if len(comparison.pairs) <= DETAILS:
        for pair in comparison.pairs:
            lines += [*_pair(pair, comparison), ""]
    elif comparison.pairs:
        lines += [*block("details", [f"of each comparison: up to {DETAILS} at a time, or all with --format json."]), ""]
    for pair in comparison.pairs:
        for group in slice_groups(pair):
            lines += [*_slices(group, pair, comparison), ""]
    for board in comparison.leaderboards:
        lines += [*_board(board, comparison), ""]
    for beside in comparison.side_by_side:
        lines += [*_beside(beside), ""]
    lines += block("traffic", [f"{sentence}." for sentence in traffic_sentences(comparison)])
    lines += block("note", [f"{note}." for note in notes])
    lines += _made(comparison)
    lines += block("nearest", [f"{sentence}." for sentence in nearest_sentences(comparison.measures)])
    if stamp:
        lines += ["", f"*** {stamp[0]} ***"]
    return "\n".join(lines)


def _shares(comparison: Comparison) -> list[str]:
    """What changed in the traffic, before any score; pairs that agree are told once."""
    said: dict[str, None] = {}
    for run, changes in comparison.shares.items():
        for change in changes:
            said[f"{share_sentence(change, comparison.baseline, run)}."] = None
    sentences = list(said)
    shown = sentences[:6]
    if len(sentences) > len(shown):
        shown.append(f"and {counted_noun(len(sentences) - len(shown), 'more change')}.")
    return [*block("traffic", ["the query sets changed before any score:", *shown]), ""] if shown else []


def _fitting(comparison: Comparison, rows: Callable[[Comparison, Mapping[str, str]], list[str]]) -> list[str]:
    """A table of all comparisons with the baseline, one line each, with names as long as fit."""
    lines: list[str] = []
    for size in range(NAME, 10, -2):
        lines = rows(comparison, short_names(comparison.runs, size))
        if max(map(width, lines)) <= WIDTH:
            break
    return lines


def _rows(comparison: Comparison, names: Mapping[str, str]) -> list[str]:
    several = len(comparison.measures) > 1
    header = ["run", *(["measure"] if several else []), "value", "difference", "interval", "p", "adjusted"]
    header += ["win/tie/loss", ""]
    rows = []
    for measure in comparison.measures:
        pairs = [pair for pair in comparison.pairs if pair.measure == measure]
        base = decimals(pairs[0].side.base) if pairs else ""
        name = f"{names[comparison.baseline]} (baseline)"
        rows.append([name, *([measure] if several else []), base, *[""] * (len(header) - 2 - several)])
        for pair in pairs:
            outcome = pair.side.outcome
            rows.append(
                [
                    names[pair.new],
                    *([measure] if several else []),
                    decimals(pair.side.new),
                    signed(pair.difference),
                    ends(pair.interval),
                    p_text(pair.p_value),
                    p_text(pair.adjusted),
                    f"{outcome.wins:,} / {outcome.ties:,} / {outcome.losses:,}",
                    pair.verdict.word + (" !" if pair.verdict.opposite else ""),
                ]
            )
    right = [False] * (1 + several) + [True] * 5 + [False] * 2
    return columns(header, rows, right)


def _weighted_rows(comparison: Comparison, names: Mapping[str, str]) -> list[str]:
    """The weighted means and differences of all comparisons."""
    several = len(comparison.measures) > 1
    rows = []
    for measure in comparison.measures:
        pairs = [pair for pair in comparison.pairs if pair.measure == measure]
        name = f"{names[comparison.baseline]} (baseline)"
        base = decimals(pairs[0].weighted.base) if pairs and pairs[0].weighted is not None else ""
        rows.append([name, *([measure] if several else []), base, *[""] * (len(WEIGHTED_HEADER) - 1)])
        rows += [[names[pair.new], *([measure] if several else []), *weighted_cells(pair.weighted)] for pair in pairs]
    header = ["run", *(["measure"] if several else []), *WEIGHTED_HEADER]
    return columns(header, rows, [False] * (1 + several) + [True] * len(WEIGHTED_HEADER))


def _slices(group: Sequence[SliceDifference], pair: Pair, comparison: Comparison) -> list[str]:
    """The slices of one attribute, the largest impact first."""
    header = ["", *slice_header(comparison.settings.weighted)]
    lines: list[str] = []
    for size in range(NAME, 10, -2):
        rows = [[slice_name(one, size), *slice_cells(one)] for one in group]
        lines = columns(header, rows, [False, *[True] * (len(header) - 1)])
        if max(map(width, lines)) <= WIDTH:
            break
    legend = block("slices", [f"{slice_legend(group, comparison)}."])
    return [slice_title(group, pair), "", *lines, "", *legend]


def _pair(pair: Pair, comparison: Comparison) -> list[str]:
    lines = [f"{pair.measure}: {shown_id(pair.new)} against {shown_id(pair.base)}"]
    lines += block("verdict", [f"{pair.verdict.sentence}."])
    if pair.verdict.opposite:
        sentence = "OPPOSITE SIGNS: the difference on the common queries and that on the union point apart."
        lines += block("", [sentence])
    lines.append("")
    rows = [side_cells(side, main) for side, main in sides_of(pair)]
    lines += [f"  {line}" for line in columns(SIDE_HEADER, rows, [False, *[True] * 7])]
    lines += [f"  {headline_note(pair)}.", ""]
    weight = weighted_note(pair)
    lines += block("weights", [f"{weight}."] if weight else [])
    effect = effect_sentence(pair)
    lines += block("effect", [f"{effect}."] if effect else [])
    lines += block("tests", [f"{sentence_of_test(test)}." for test in pair.tests])
    margins = [test for test in (pair.equivalence, pair.non_inferiority) if test is not None]
    lines += block("margin", [f"{margin_sentence(test)}." for test in margins])
    overlap = overlap_sentence(pair)
    lines += block("overlap", [f"{overlap}."] if overlap else [])
    if pair.pools is not None:
        lines += block("pools", [f"{sentence}." for sentence in pool_sentences(pair.pools)])
    lines += block("judged@k", [f"{decimals(pair.judged_at_k[0])} base, {decimals(pair.judged_at_k[1])} new."])
    lines += block("unmatched", [f"{unmatched_sentence(one, pair)}." for one in pair.unmatched])
    lines += block("drivers", [f"{drivers_sentence(pair)}."])
    lines += block("note", [f"{note}." for note in pair.notes])
    for label, changes in (("gains", pair.gains), ("losses", pair.losses)):
        lines += _changes(label, changes, comparison)
    return lines


def _changes(label: str, changes: Sequence[Change], comparison: Comparison) -> list[str]:
    if not changes:
        return []
    weighted = comparison.settings.weighted
    rows = [change_cells(change, weighted) for change in first_changes(changes, comparison)]
    header = change_header(weighted)
    right = [False, *[True] * (len(header) - 2), False]
    table = columns(header, rows, right)
    more = len(changes) - len(rows)
    if more:
        table.append(f"and {more} more in --format json")
    return ["", *(f"{label if not at else '':<{LABEL}}{line}".rstrip() for at, line in enumerate(table))]


def _board(board: Leaderboard, comparison: Comparison) -> list[str]:
    several = {standing.place for standing in board.standings}
    weighted = comparison.settings.weighted
    header = ["", "run", "value", "interval", "to the best", "groups", *(["weighted", "interval"] if weighted else [])]
    table: list[str] = []
    for size in range(NAME, 10, -2):
        names = short_names(board.runs, size)
        rows = [
            [
                str(standing.place),
                names[standing.run],
                decimals(standing.mean),
                interval_cell(standing.interval),
                signed(standing.best) if standing.best else "",
                lettered(board, standing.letters),
                *([decimals(standing.weighted), interval_cell(standing.weighted_interval)] if weighted else []),
            ]
            for standing in board.standings
        ]
        table = columns(header, rows, [True, False, True, True, True, False, *([True, True] if weighted else [])])
        if max(map(width, table)) <= WIDTH:
            break
    lines = [f"{board.measure}: {counted_noun(len(board.standings), 'system')}, best first", "", *table]
    ties = len(board.standings) - len(several)
    if ties:
        lines += block(
            "note", [f"{counted_noun(ties, 'more system has', 'more systems have')} exactly the value of another."]
        )
    weight = board_weights(board, comparison)
    return [
        *lines,
        "",
        *block("groups", [f"{board_note(board)}."]),
        *block("weights", [f"{weight}."] if weight else []),
    ]


def interval_cell(found: Interval | None) -> str:
    """An interval of a value, which has no sign."""
    return (
        "none" if found is None or found.low is None or found.high is None else f"{found.low:.4f} to {found.high:.4f}"
    )


def lettered(board: Leaderboard, letters: str) -> str:
    """The letters of a system, each in its own column where there are few groups."""
    count = len(board.groups)
    if count > 26:
        return letters
    return "".join(letter if letter in letters else " " for letter in "abcdefghijklmnopqrstuvwxyz"[:count])


def _beside(beside: SideBySide) -> list[str]:
    """The first ranks of one query, side by side."""
    values = [
        f"{shown_id(run)} {decimals(value)}" + (f" ({status})" if status != "scored" else "")
        for run, value, status in (
            (beside.base, beside.base_value, beside.base_status),
            (beside.new, beside.new_value, beside.new_status),
        )
    ]
    head = f"query {shown_id(beside.query)} by {beside.measure}: {values[0]}, {values[1]}"
    lines: list[str] = []
    for size in range(40, 10, -2):
        rows = []
        for row in beside.rows:
            mark = ">" if row.rank == beside.first_difference else ""
            gap = "" if row.gap is None else signed(row.gap)
            rows.append([f"{mark}{row.rank}", *_placed(row.base, size), "|", *_placed(row.new, size), gap])
        names = short_names([beside.base, beside.new], size)
        header = ["", names[beside.base], "grade", "", "|", names[beside.new], "grade", "", "gap"]
        lines = columns(header, rows, [True, False, True, False, False, False, True, False, True])
        if max(map(width, lines)) <= WIDTH:
            break
    lines += block("signs", [f"{beside_signs(beside)}."])
    return [head, "", *lines, *block("lists", [f"{beside_sentence(beside)}."])]


def _placed(placed: Placed | None, size: int) -> list[str]:
    if placed is None:
        return ["", "", ""]
    return [middle(shown_id(placed.document, 80), size), grade_text(placed.grade), movement(placed, "")]


def _made(comparison: Comparison) -> list[str]:
    """How it was made, once for everything."""
    settings = comparison.settings
    made = [f"{interval_method(comparison)}."]
    coverage = coverage_sentence(comparison)
    if coverage is not None:
        made.append(f"{coverage}.")
    if comparison.pairs:
        made.append(f"{tie_note(comparison)}.")
    adjusted = comparison.adjusted
    if adjusted is not None and adjusted.family > 1:
        made.append(f"p-values adjusted by {adjusted.method} for a family of {adjusted.family}: {adjusted.controls}.")
    if settings.weighted:
        what = "difference" if comparison.pairs else "value"
        made.append(
            f"the weighted {what} is sum(weight x {what}) / sum(weight); values and weights are resampled together."
        )
    lines = block("made", made)
    for measure, declaration in comparison.declarations.items():
        whose = f" ({measure})" if len(comparison.declarations) > 1 else ""
        lines += block("declared", [f"{main_line(declaration)}{whose}."])
        lines += block("differing", [f"{change}." for change in differences(declaration)])
    lines += block("warning", [f"{warning}." for warning in warnings_of(comparison)])
    read = [f"{one.role}: {one.name} ({read_how(one)})" for one in comparison.inputs]
    if len(read) > 8:
        read = [*read[:8], f"and {len(read) - 8} more"]
    return lines + block("read", read)
