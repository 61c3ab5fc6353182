"""A comparison as a LaTeX table: a leaderboard with its groups, or every run against the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..counted import counted_noun
from .compare import interval_cell
from .compare_parts import board_weights, traffic_sentences, weighted_cells
from .compare_words import board_note, ends, interval_method, p_text
from .layout import shown_id
from .words import decimals, signed

if TYPE_CHECKING:
    from ..compared import Comparison
    from ..comparison.leaderboard import Leaderboard

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # At the start of a row a bracket would be read as an option of the line end before it.
    "[": "{[}",
}


def tex(text: str) -> str:
    """Text in which LaTeX finds no commands.

    >>> tex("bm25_v2 & 50%")
    'bm25\\\\_v2 \\\\& 50\\\\%'
    """
    return "".join(SPECIAL.get(char, char) for char in text)


def comparison_latex(comparison: Comparison) -> str:
    """One table per measure, in the manner of booktabs; a forced comparison bears its stamp in every caption."""
    tables = [_board(board, comparison) for board in comparison.leaderboards]
    if not tables:
        tables = [_against(comparison, measure) for measure in comparison.measures]
    traffic = [f"% traffic of {sentence}" for sentence in traffic_sentences(comparison)]
    return "\n\n".join(["\n".join(["% needs \\usepackage{booktabs}", *traffic]), *tables])


def _table(columns: str, header: list[str], rows: list[list[str]], caption: str, comparison: Comparison) -> str:
    stamp = rf"\textbf{{{tex(comparison.stamp)}}}. " if comparison.stamp else ""
    lines = [
        r"\begin{table}",
        rf"\caption{{{stamp}{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _board(board: Leaderboard, comparison: Comparison) -> str:
    weighted = comparison.settings.weighted
    rows = [
        [
            str(standing.place),
            tex(shown_id(standing.run)),
            decimals(standing.mean),
            interval_cell(standing.interval),
            standing.letters,
            *([decimals(standing.weighted), interval_cell(standing.weighted_interval)] if weighted else []),
        ]
        for standing in board.standings
    ]
    header = ["", "run", tex(board.measure), "interval", "groups", *(["weighted", "interval"] if weighted else [])]
    weight = board_weights(board, comparison)
    told = [board_note(board), *([weight] if weight else []), interval_method(comparison)]
    caption = tex(f"{'; '.join(told)}.")
    return _table("rlrrlrr" if weighted else "rlrrl", header, rows, f"{caption[0].upper()}{caption[1:]}", comparison)


def _against(comparison: Comparison, measure: str) -> str:
    pairs = [pair for pair in comparison.pairs if pair.measure == measure]
    weighted = comparison.settings.weighted
    rows = [[tex(shown_id(comparison.baseline)), decimals(pairs[0].side.base) if pairs else "none", *[""] * 4]]
    if weighted:
        side = pairs[0].weighted if pairs else None
        rows[0] += [decimals(side.base) if side is not None else "none", "", "", ""]
    for pair in pairs:
        outcome = pair.side.outcome
        rows.append(
            [
                tex(shown_id(pair.new)),
                decimals(pair.side.new),
                signed(pair.difference),
                ends(pair.interval),
                p_text(pair.adjusted),
                f"{outcome.wins} / {outcome.ties} / {outcome.losses}",
                *(weighted_cells(pair.weighted) if weighted else []),
            ]
        )
    adjusted = comparison.adjusted
    family = f"; p adjusted by {adjusted.method} for {counted_noun(adjusted.family, 'comparison')}" if adjusted else ""
    caption = tex(f"Against {shown_id(comparison.baseline)}; {interval_method(comparison)}{family}.")
    header = ["run", tex(measure), "difference", "interval", "$p$", "win / tie / loss"]
    header += ["weighted", "difference", "interval", "effective queries"] if weighted else []
    return _table("lrrrrrrrrr" if weighted else "lrrrrr", header, rows, caption, comparison)
