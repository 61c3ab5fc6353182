"""An explanation as text and as HTML: the ranking and the ideal side by side, what was missed, what would help."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ..counted import counted_noun
from .layout import WIDTH, block, columns, shown_id, width
from .words import decimals, differences, first_ranks, grade_text, main_line, nearest_sentences

if TYPE_CHECKING:
    from ..explained import Explanation, Missed, RankedRow
    from ..moves import Move

ROWS = 20
"""How many ranks are shown; the rest are summed up."""

LONGEST = 80
"""No id takes more than this, wherever it stands."""

SHORTEST = 12
"""No id is cut to less than this, even if the table gets wider than a terminal for it."""

MISSED = 10
"""How many missed documents are named."""

HEADER = ("rank", "document", "score", "grade", "gain", "discount", "adds", "total")
IDEAL_HEADER = ("|", "ideal (grade)")


def explanation_text(explanation: Explanation) -> str:
    """The explanation as text of at most about 100 columns, without a final line end."""
    lines = [_headline(explanation)]
    lines += ["", *block("query", [f"{explanation.status}: {explanation.sentence}."])]
    lines += block("declared", [f"{main_line(explanation.declaration)}."])
    lines += block("differing", [f"{change}." for change in differences(explanation.declaration)])
    ending = block("nearest", [f"{sentence}." for sentence in nearest_sentences([explanation.measure])])
    if explanation.status != "scored":
        return "\n".join(lines + _missed_lines(explanation) + ending)
    k = cutoff(explanation)
    if explanation.judged_at_k is not None:
        share = f"{decimals(explanation.judged_at_k)} (share of judged documents in the {first_ranks(k)})."
        lines += block(f"judged@{k}" if k is not None else "judged", [share])
    if explanation.tied_at_cutoff:
        lines += block("ties", [f"rank {k} cuts a group of {explanation.tied_at_cutoff} documents with equal scores."])
    lines += ["", *_side_by_side(explanation)]
    lines.append("")
    lines += _missed_lines(explanation) or block("missed", ["no judged document with gain."])
    lines += block("moves", [_move_text(move, explanation) for move in explanation.moves] or [NO_MOVE])
    return "\n".join(lines + ending)


NO_MOVE = "no single move would raise the value."


def cutoff(explanation: Explanation) -> int | None:
    """The declared cutoff."""
    k = explanation.declaration.get("k")
    return k if isinstance(k, int) else None


def _headline(explanation: Explanation) -> str:
    head = f"{explanation.measure} of query {shown_id(explanation.query)} in {shown_id(explanation.run)}: "
    head += decimals(explanation.value)
    if explanation.status == "scored" and explanation.measure.startswith("nDCG"):
        head += f" = DCG {decimals(explanation.dcg)} / ideal DCG {decimals(explanation.ideal_dcg)}"
    return head


def _side_by_side(explanation: Explanation) -> list[str]:
    """The ranking with the ideal list beside it, or below it where ids would have to be cut.

    Then what the ranks that are not shown add, and what the signs in the table mean.
    """
    lines = _table(explanation, LONGEST, beside=True)
    beside = max(map(width, lines), default=0) <= WIDTH
    if not beside:
        for size in range(LONGEST, SHORTEST - 1, -1):
            lines = _table(explanation, size, beside=False)
            if max(map(width, lines), default=0) <= WIDTH:
                break
    hidden = explanation.rows[ROWS:]
    if hidden:
        added = hidden[-1].total - explanation.rows[ROWS - 1].total
        lines.append(f"... ranks {hidden[0].rank} to {hidden[-1].rank} add {decimals(added)} more")
    if len(explanation.ideal) > ROWS:
        lines.append(f"... the ideal list has {counted_noun(len(explanation.ideal) - ROWS, 'more rank')}")
    lines += _notes(explanation)
    if not beside and explanation.ideal:
        best = [f"{row.rank} {shown(row.document)} ({grade_text(row.grade)})" for row in explanation.ideal[:ROWS]]
        lines += ["", *block("ideal", [f"rank, document and grade: {', '.join(best)}."])]
    return lines


def _table(explanation: Explanation, size: int, *, beside: bool) -> list[str]:
    rows, ideal = explanation.rows[:ROWS], explanation.ideal[:ROWS]
    if not beside:
        ideal = ()
    scores = any(row.score is not None for row in rows)
    keep = [at for at, name in enumerate(HEADER) if scores or name != "score"]
    table = []
    for at in range(max(len(rows), len(ideal))):
        left = _ranked_cells(rows[at], size) if at < len(rows) else [str(at + 1), "-", *[""] * 6]
        right = ["|", ""] if beside else []
        if at < len(ideal):
            right[1] = f"{shown(ideal[at].document, size)} ({grade_text(ideal[at].grade)})"
        table.append([*(left[place] for place in keep), *right])
    header = [*(HEADER[place] for place in keep), *(IDEAL_HEADER if beside else ())]
    numbers = [*(HEADER[place] != "document" for place in keep), *([False, False] if beside else [])]
    return columns(header, table, numbers)


def _ranked_cells(row: RankedRow, size: int) -> list[str]:
    tied = "=" if row.tied is not None else ""
    return [
        f"{tied}{row.rank}",
        shown(row.document, size),
        f"{row.score:.5g}" if row.score is not None else "",
        grade_text(row.grade),
        f"{row.gain:.4g}",
        decimals(row.discount),
        decimals(row.contribution),
        decimals(row.total),
    ]


def _notes(explanation: Explanation) -> list[str]:
    """What the signs in the table mean, where they occur."""
    rows = explanation.rows[:ROWS]
    notes = []
    if any(row.grade is None for row in rows):
        notes.append("grade -: unjudged")
    if any(row.tied for row in rows):
        ties = str(explanation.declaration.get("ties"))
        rule = TIED.get(ties, f"they stand by ties={ties}")
        notes.append(f"= equal scores: {rule}")
    return notes


TIED = {
    "average": "each of them has the mean gain of its group",
    "best": "they stand in the most flattering order",
    "worst": "they stand in the least flattering order",
}
"""What is done with documents of equal scores, for the rules that look at a group as a whole."""


def shown(identifier: str, size: int = LONGEST) -> str:
    """A document's id for people, whole where it fits, else shortened in its middle."""
    return shown_id(middle(identifier, size), size)


def middle(text: str, size: int) -> str:
    """The text shortened in its middle: ids of a kind often begin alike.

    >>> middle("pathlib.PurePath.as_posix", 16)
    'pathli...s_posix'
    """
    if len(text) <= size:
        return text
    head = (size - 3) // 2
    return f"{text[:head]}...{text[len(text) - (size - 3 - head) :]}"


def _missed_lines(explanation: Explanation) -> list[str]:
    if not explanation.missed:
        return []
    shown = [_missed_text(missed) for missed in explanation.missed[:MISSED]]
    more = len(explanation.missed) - MISSED
    return block("missed", [", ".join(shown) + (f" and {more} more" if more > 0 else "") + "."])


def _missed_text(missed: Missed) -> str:
    where = f"rank {missed.rank}" if missed.rank is not None else "not returned"
    return f"{shown(missed.document)} (grade {grade_text(missed.grade)}, {where})"


def _move_text(move: Move, explanation: Explanation) -> str:
    grade = f"grade {grade_text(move.grade)}" if move.grade is not None else "unjudged"
    origin = f"from rank {move.origin}" if move.origin is not None else "not returned,"
    k = cutoff(explanation)
    below = " (below the cutoff)" if k is not None and move.target > k else ""
    return (
        f"{shown(move.document)} ({grade}) {origin} to rank {move.target}{below}: "
        f"{decimals(move.value)} ({move.change:+.4f})."
    )


def explanation_html(explanation: Explanation) -> str:
    """The explanation as HTML: two tables, and the text in a fold below."""
    from .notebook import html_table

    parts = [f"<p>{escape(_headline(explanation))}<br>{escape(explanation.sentence)}.</p>"]
    if explanation.status == "scored":
        rows: Sequence[RankedRow] = explanation.rows[:ROWS]
        parts.append(html_table(HEADER, [_ranked_cells(row, 80) for row in rows]))
        moves = [f"<li>{escape(_move_text(move, explanation))}</li>" for move in explanation.moves]
        parts.append(f"<ol>{''.join(moves)}</ol>" if moves else f"<p>{NO_MOVE}</p>")
    parts.append(f"<details><summary>Everything</summary><pre>{escape(explanation_text(explanation))}</pre></details>")
    return "\n".join(parts)
