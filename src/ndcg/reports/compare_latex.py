"""A comparison as a LaTeX table: a leaderboard with its groups, or every run against the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .compare import interval_cell
from .compare_words import board_note, ends, interval_method, p_text, signed
from .layout import shown_id
from .words import decimals

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
    return "\n\n".join(["% needs \\usepackage{booktabs}", *tables])


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
    rows = [
        [
            str(standing.place),
            tex(shown_id(standing.run)),
            decimals(standing.mean),
            interval_cell(standing.interval.low, standing.interval.high),
            standing.letters,
        ]
        for standing in board.standings
    ]
    header = ["", "run", tex(board.measure), "interval", "groups"]
    caption = tex(f"{board_note(board)}; {interval_method(comparison)}.")
    return _table("rlrrl", header, rows, f"{caption[0].upper()}{caption[1:]}", comparison)


def _against(comparison: Comparison, measure: str) -> str:
    pairs = [pair for pair in comparison.pairs if pair.measure == measure]
    rows = [[tex(shown_id(comparison.baseline)), decimals(pairs[0].side.base) if pairs else "none", *[""] * 4]]
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
            ]
        )
    adjusted = comparison.adjusted
    family = f"; p adjusted by {adjusted.method} for {adjusted.family} comparisons" if adjusted else ""
    caption = tex(f"Against {shown_id(comparison.baseline)}; {interval_method(comparison)}{family}.")
    header = ["run", tex(measure), "difference", "interval", "$p$", "win / tie / loss"]
    return _table("lrrrrr", header, rows, caption, comparison)
