"""What to judge next as text, Markdown and a sheet for judges; what a merge has done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..errors import clip
from ..measures.convention import number_text
from .csv import csv_text
from .judging import VERDICTS, bounds_text
from .layout import WIDTH, block, columns, listing, shown_id, width
from .words import counted_noun, grade_text, signed

if TYPE_CHECKING:
    from ..judging.merging import Merged
    from ..judging.model import JudgeNext, NextRow, PairBounds, RunBounds

SHOWN = 20
"""How many rows are shown in the text."""

CLIPS = (40, 32, 24, 16)
"""Widths of ids in the table: the widest that fits is taken."""


def next_text(found: JudgeNext, rows: int = SHOWN) -> str:
    """What to judge next, for people, without a final line end."""
    lines = [bounds_text(found.bounds), ""] if found.bounds is not None else []
    lines += block("judge next", [f"{headline(found)}."])
    if found.within is not None and found.rows:
        lines += block("together", [f"{sentence}." for sentence in together(found)])
    if found.empty_pairs:
        lines += block("empty", [f"{empty_sentence(found)}."])
    for part in (_scored(found), _empty(found)):
        if part:
            lines += ["", *_table(found, part[:rows])]
        if len(part) > rows:
            lines.append(f"... {len(part) - rows:,} more in the sheet (--format csv or -o SHEET.csv)")
    own = [warning for warning in found.warnings if found.bounds is None or warning not in found.bounds.warnings]
    if own:
        lines += ["", *block("note", [f"{warning}." for warning in own])]
    return "\n".join(lines)


def headline(found: JudgeNext) -> str:
    """How many pairs there are, and what their order says."""
    pairs = counted_noun(found.found, "pair")
    ranks = f"the first {found.depth} ranks" if found.depth > 1 else "the first rank"
    if found.aim == "pool":
        return f"{counted_noun(len(found.rows), 'pair')} of the {pairs} in {ranks}, those with the best ranks first"
    what = "a mean" if found.aim == "value" else "the mean difference of two runs"
    idle = f"; {found.idle:,} can change nothing" if found.idle else ""
    return (
        f"{counted_noun(len(found.rows), 'pair')} of {found.found:,} unjudged in {ranks}{idle}, ordered by how far one "
        f"grade alone can move {what}{', those of empty queries last' if found.empty_pairs else ''}"
    )


def _scored(found: JudgeNext) -> list[NextRow]:
    return [row for row in found.rows if not row.empty]


def _empty(found: JudgeNext) -> list[NextRow]:
    return [row for row in found.rows if row.empty]


def empty_sentence(found: JudgeNext) -> str:
    """Why the pairs of empty queries stand apart, and whether they are in the list."""
    queries = len(found.empty_queries)
    names = listing([shown_id(query) for query in found.empty_queries[:10]], queries - 10)
    listed = len(_empty(found))
    verb = "comes" if found.empty_pairs == 1 else "come"
    where = "last" if listed == found.empty_pairs else f"last, {listed:,} of them in this list"
    return (
        f"{counted_noun(found.empty_pairs, 'pair')} of {counted_noun(queries, 'query', 'queries')} for which nothing "
        f"is relevant so far ({names}) {verb} {where if listed else 'after all of these, beyond the budget'}: one "
        "grade makes such a query count, which moves a mean more than most grades and says little of the runs"
    )


def together(found: JudgeNext) -> list[str]:
    """What judging all rows of the list could make of each difference, or of each run where there is only one."""
    assert found.within is not None
    what = "this pair" if len(found.rows) == 1 else f"these {len(found.rows):,} pairs"
    parts: Sequence[PairBounds | RunBounds] = found.within.pairs or found.within.runs
    return [f"judging {what} alone: {_moved(part)}" for part in parts]


def _moved(part: PairBounds | RunBounds) -> str:
    if hasattr(part, "run"):
        return f"{shown_id(part.run)} may come to lie between {part.lower:.4f} and {part.upper:.4f}"
    names = f"{shown_id(part.first)} - {shown_id(part.second)}"
    verdict = "the verdict can turn" if part.verdict == "open" else f"the verdict {VERDICTS[part.verdict]}"
    if part.lower is None or part.upper is None:
        return f"{names} has no value"
    return f"{names} may come to lie between {signed(part.lower)} and {signed(part.upper)}: {verdict}"


def _table(found: JudgeNext, rows: Sequence[NextRow]) -> list[str]:
    lines: list[str] = []
    for size in CLIPS:
        lines = columns(*_cells(found, rows, size))
        if max(map(width, lines)) <= WIDTH:
            break
    return lines


def _cells(found: JudgeNext, rows: Sequence[NextRow], size: int) -> tuple[list[str], list[list[str]], list[bool]]:
    header = ["query", "document", "ranks"]
    cells = [[shown_id(row.query, size), shown_id(row.document, size), ranks_text(row.ranks, size)] for row in rows]
    if found.aim == "pool":
        return header, cells, [False] * 3
    header += ["effect", "by grade", "on"]
    for row, line in zip(rows, cells, strict=True):
        line += [signed(row.change), grade_text(row.grade), clip(row.on or "", size)]
    return header, cells, [False, False, False, True, True, False]


def ranks_text(ranks: Mapping[str, int], size: int = 10_000) -> str:
    """Where runs return a document: `bm25 3, dense 1`."""
    return clip(", ".join(f"{run} {rank}" for run, rank in ranks.items()), size)


def next_markdown(found: JudgeNext) -> str:
    """What to judge next as Markdown."""
    from .judging import bounds_markdown
    from .markdown import escaped, table

    lines = [bounds_markdown(found.bounds), ""] if found.bounds is not None else []
    lines += [f"{headline(found)}.", ""]
    if found.within is not None and found.rows:
        lines += [*(f"- {escaped(sentence)}" for sentence in together(found)), ""]
    if found.empty_pairs:
        lines += [f"{escaped(empty_sentence(found))}.", ""]
    parts = [part for part in (_scored(found), _empty(found)) if part] or [[]]
    tables = []
    for part in parts:
        header, cells, numbers = _cells(found, part, 80)
        right = [at for at, number in enumerate(numbers) if number]
        tables.append("\n".join(table(header, [[escaped(cell) for cell in row] for row in cells], right)))
    return "\n".join([*lines, "\n\n".join(tables)])


def sheet_csv(
    found: JudgeNext,
    rows: Sequence[NextRow],
    queries: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    blind: bool = False,
) -> str:
    """A sheet for judges: one row per pair, the grade left blank, texts where given.

    A blind sheet says nothing about runs: neither ranks nor effects.
    """
    header = ["query", *(["query_text"] if queries is not None else []), "doc"]
    header += [*(["document_text"] if documents is not None else []), "grade", "judge", "comment"]
    if not blind:
        header += ["ranks"] if found.aim == "pool" else ["ranks", "effect", "by_grade", "on"]
    lines = []
    for row in rows:
        cells: list[object] = [row.query]
        cells += [_harmless(queries.get(row.query, ""))] if queries is not None else []
        cells.append(row.document)
        cells += [_harmless(documents.get(row.document, ""))] if documents is not None else []
        cells += ["", "", ""]
        if not blind:
            cells.append("; ".join(f"{run} {rank}" for run, rank in row.ranks.items()))
            if found.aim != "pool":
                cells += [row.change, None if row.grade is None else number_text(row.grade), row.on]
        lines.append(cells)
    return csv_text(header, lines)


def _harmless(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def merged_text(merged: Merged, path: str | None = None) -> str:
    """What a merge has done, for people; with the path that it was written to, what the file does not hold."""
    lines = [
        f"{counted_noun(merged.pairs, 'judgment')}: {merged.existing:,} as before, {merged.added:,} new",
        *block("blank", [f"{counted_noun(merged.blank, 'row')} without a grade, left out."]),
    ]
    if merged.confirmed:
        lines += block("confirmed", [f"{counted_noun(merged.confirmed, 'pair')} had the same grade already."])
    if merged.conflicts:
        shown = [
            f"{shown_id(each.query)} {shown_id(each.document)} "
            f"({' and '.join(map(grade_text, [*([each.existing] if each.existing is not None else []), *each.filled]))}"
            f" became {grade_text(each.result)})"
            for each in merged.conflicts[:10]
        ]
        more = len(merged.conflicts) - len(shown)
        head = f"{counted_noun(len(merged.conflicts), 'pair')} with different grades, decided by {merged.rule}"
        lines += block("conflicts", [f"{head}: {', '.join(shown)}{f' and {more:,} more' if more else ''}."])
    if merged.new_queries:
        names = listing(merged.new_queries[:10], len(merged.new_queries) - 10)
        lines += block(
            "new", [f"{counted_noun(len(merged.new_queries), 'query', 'queries')} had no judgment: {names}."]
        )
    dropped = merged.lost if path is None else merged.dropped(path)
    held = [name for name in merged.kept if f"column {name!r}" not in dropped]
    if held:
        lines += block("kept", [f"beside the grades: {', '.join(map(shown_id, held))}."])
    if dropped:
        lines += block("dropped", [f"{', '.join(dropped)}."])
    lines += block("warning", [f"{warning}." for warning in merged.warnings]) if merged.warnings else []
    if path is not None:
        lines.append(f"written to {path}")
    return "\n".join(lines)
