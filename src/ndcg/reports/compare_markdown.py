"""A comparison as Markdown: for pull requests and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .compare import interval_cell
from .compare_parts import (
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
    side_cells,
    sides_of,
    stamped,
    tie_note,
    unmatched_sentence,
    warnings_of,
)
from .layout import shown_id
from .markdown import code, escaped, table
from .words import decimals, differences, grade_text, main_line, nearest_sentences, signed

if TYPE_CHECKING:
    from ..compared import Comparison, Pair
    from ..comparison.leaderboard import Leaderboard
    from ..comparison.overlap import SideBySide
    from ..comparison.slices import SliceDifference


def comparison_markdown(comparison: Comparison) -> str:
    """The whole comparison as Markdown, without a final line end."""
    lines: list[str] = []
    stamp = stamped(comparison)
    if stamp:
        lines += [f"**{stamp[0]}**", "", *(f"- {escaped(sentence)}" for sentence in stamp[1:]), ""]
    shares = [
        share_sentence(change, comparison.baseline, run)
        for run, changes in comparison.shares.items()
        for change in changes
    ]
    if shares:
        lines += ["Changed before any score:", "", *(f"- {escaped(sentence)}" for sentence in shares), ""]
    if len(comparison.pairs) > 1:
        lines += [*_table(comparison), ""]
    for pair in comparison.pairs:
        lines += [*_pair(pair, comparison), ""]
    for pair in comparison.pairs:
        for group in slice_groups(pair):
            lines += [*_slices(group, pair, comparison), ""]
    for board in comparison.leaderboards:
        lines += [*_board(board, comparison), ""]
    for beside in comparison.side_by_side:
        lines += [*_beside(beside), ""]
    lines += [f"- traffic: {escaped(sentence)}" for sentence in traffic_sentences(comparison)]
    lines.append(f"- made: {interval_method(comparison)}; {tie_note(comparison)}")
    coverage = coverage_sentence(comparison)
    if coverage is not None:
        lines.append(f"- made: {escaped(coverage)}")
    adjusted = comparison.adjusted
    if adjusted is not None and adjusted.family > 1:
        lines.append(f"- p-values adjusted by {adjusted.method} for a family of {adjusted.family}")
    for measure, declaration in comparison.declarations.items():
        lines.append(f"- declared ({code(measure)}): {main_line(declaration)}")
        lines += [f"- differing: {escaped(change)}" for change in differences(declaration)]
    lines += [f"- **warning**: {escaped(warning)}" for warning in warnings_of(comparison)]
    lines += [
        f"- read: {escaped(shown_id(one.role))} {code(shown_id(one.name))} ({escaped(read_how(one))})"
        for one in comparison.inputs
    ]
    lines += [f"- nearest dialect: {escaped(sentence)}" for sentence in nearest_sentences(comparison.measures)]
    if stamp:
        lines += ["", f"**{stamp[0]}**"]
    return "\n".join(lines)


def _table(comparison: Comparison) -> list[str]:
    header = ["run", "measure", "value", "difference", "interval", "p", "adjusted", "win/tie/loss", "verdict"]
    weighted = comparison.settings.weighted
    numbers = list(range(2, 7))
    if weighted:
        header += ["weighted value", "weighted difference", "interval", "effective queries"]
        numbers += range(9, 13)
    rows = []
    for pair in comparison.pairs:
        cells = side_cells(pair.side, False)
        rows.append(
            [
                escaped(shown_id(pair.new)),
                code(pair.measure),
                decimals(pair.side.new),
                *cells[4:7],
                p_text(pair.adjusted),
                cells[7],
                pair.verdict.word,
                *(weighted_cells(pair.weighted) if weighted else []),
            ]
        )
    return table(header, rows, numbers=numbers)


def _slices(group: Sequence[SliceDifference], pair: Pair, comparison: Comparison) -> list[str]:
    header = ["slice", *slice_header(comparison.settings.weighted)]
    rows = [[escaped(slice_name(one)), *slice_cells(one)] for one in group]
    return [
        f"### {escaped(slice_title(group, pair))}",
        "",
        *table(header, rows, numbers=range(1, len(header))),
        "",
        f"{escaped(slice_legend(group, comparison))}.",
    ]


def _pair(pair: Pair, comparison: Comparison) -> list[str]:
    lines = [f"### {code(pair.measure)}: {escaped(shown_id(pair.new))} against {escaped(shown_id(pair.base))}", ""]
    lines += [f"{escaped(pair.verdict.sentence)}.", ""]
    if pair.verdict.opposite:
        lines += ["**Opposite signs**: the differences on the common queries and on the union point apart.", ""]
    rows = [[escaped(cell) for cell in side_cells(side, main)] for side, main in sides_of(pair)]
    lines += [*table(SIDE_HEADER, rows, numbers=range(1, 8)), "", escaped(headline_note(pair)), ""]
    effect, overlap = effect_sentence(pair), overlap_sentence(pair)
    told = [
        ("weights", weighted_note(pair)),
        ("effect", effect),
        *(("test", sentence_of_test(test)) for test in pair.tests),
    ]
    told += [("margin", margin_sentence(test)) for test in (pair.equivalence, pair.non_inferiority) if test is not None]
    told.append(("overlap", overlap))
    if pair.pools is not None:
        told += [("pools", sentence) for sentence in pool_sentences(pair.pools)]
    told.append(("judged@k", f"{decimals(pair.judged_at_k[0])} base, {decimals(pair.judged_at_k[1])} new"))
    told += [("unmatched", unmatched_sentence(one, pair)) for one in pair.unmatched]
    told.append(("drivers", drivers_sentence(pair)))
    told += [("note", note) for note in pair.notes]
    lines += [f"- {label}: {escaped(sentence)}" for label, sentence in told if sentence]
    weighted = comparison.settings.weighted
    for label, changes in (("Gains", pair.gains), ("Losses", pair.losses)):
        if changes:
            cells = [
                [escaped(cell) for cell in change_cells(one, weighted)] for one in first_changes(changes, comparison)
            ]
            header = change_header(weighted)
            lines += ["", f"{label}:", "", *table(header, cells, numbers=range(1, len(header) - 1))]
    return lines


def _board(board: Leaderboard, comparison: Comparison) -> list[str]:
    weighted = comparison.settings.weighted
    rows = [
        [
            str(standing.place),
            escaped(shown_id(standing.run)),
            decimals(standing.mean),
            interval_cell(standing.interval),
            signed(standing.best) if standing.best else "",
            standing.letters,
            *([decimals(standing.weighted), interval_cell(standing.weighted_interval)] if weighted else []),
        ]
        for standing in board.standings
    ]
    header = ["", "run", code(board.measure), "interval", "to the best", "groups"]
    header += ["weighted", "interval"] if weighted else []
    weight = board_weights(board, comparison)
    return [
        *table(header, rows, numbers=(0, 2, 3, 4, 6, 7)),
        "",
        f"{escaped(board_note(board))}.",
        *(["", f"{escaped(weight)}."] if weight else []),
    ]


def _beside(beside: SideBySide) -> list[str]:
    head = (
        f"### query {code(shown_id(beside.query))} by {code(beside.measure)}: {escaped(shown_id(beside.base))} "
        f"{decimals(beside.base_value)}, {escaped(shown_id(beside.new))} {decimals(beside.new_value)}"
    )
    rows = []
    for row in beside.rows:
        cells = [f"{'> ' if row.rank == beside.first_difference else ''}{row.rank}"]
        for placed in (row.base, row.new):
            cells += (
                ["", "", ""]
                if placed is None
                else [escaped(shown_id(placed.document, 200)), grade_text(placed.grade), escaped(movement(placed, ""))]
            )
        rows.append([*cells, "" if row.gap is None else signed(row.gap)])
    header = ["rank", escaped(shown_id(beside.base)), "grade", "", escaped(shown_id(beside.new)), "grade", "", "gap"]
    return [
        head,
        "",
        *table(header, rows, numbers=(0, 2, 5, 7)),
        "",
        f"{escaped(beside_sentence(beside))}.",
        "",
        f"{escaped(beside_signs(beside))}.",
    ]
