"""Judgments given twice: with different grades, or with the same one."""

from __future__ import annotations

from collections.abc import Iterator

from ...engines.judgments import MERGES
from ...readers.source import Scanned
from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..words import numbers, of_faults, some


def _conflicts(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or not judged.conflicts:
        return
    examples = tuple(
        Example(query, doc, f"grades {numbers(grades)}") for query, doc, grades in judged.conflicts[:SHOWN]
    )
    if isinstance(judged.source, Scanned):
        pairs = [(query, doc) for query, doc, _ in judged.conflicts[:SHOWN]]
        located = [fault for part in judged.source.parts for fault in part.locate(pairs, 2 * SHOWN)]
        examples = of_faults(located, 2 * SHOWN) or examples
    queries = len({query for query, _, _ in judged.conflicts})
    yield Found(
        len(judged.conflicts),
        judged.pairs,
        words={
            "documents": some(len(judged.conflicts), "document has", "documents have"),
            "queries": some(queries, "query", "queries"),
            "merged": f"; they are combined by merge={judged.merge}" if judged.merge else "",
        },
        examples=examples,
        variants=tuple(Variant(f"merge={rule}", merge=rule) for rule in MERGES),
        stands=judged.merge is not None,
    )


def _repeats(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or not judged.repeats:
        return
    rows = judged.ask(
        "select query, doc, number, count(*) from {t} group by query, doc, number having count(*) > 1 "
        f"order by min(rowid) limit {SHOWN}"
    )
    yield Found(
        judged.repeats,
        judged.loaded.rows,
        words={"rows": some(judged.repeats, "judgment says", "judgments say")},
        examples=tuple(Example(q, d, f"grade {g:g} given {n} times") for q, d, g, n in rows),
        variants=(Variant("merge=mean", merge="mean"),) if judged.merge or judged.conflicts else (),
        none=None if judged.conflicts else "identical judgments count once",
    )


KINDS = (
    Kind(
        "conflicting_grades",
        Weight.REFUSED,
        "{documents} different grades for one query, in {queries}{merged}",
        "Which grade holds is not for a program to guess: scoring stops until a rule is declared.",
        "--merge max, min, mean or median",
        _conflicts,
    ),
    Kind(
        "repeated_judgments",
        Weight.NOTE,
        "{rows} again what another one says: same query, document and grade",
        "Identical repeats count once; with --merge mean or median every one counts.",
        "nothing to settle; remove the repeats to be rid of the count",
        _repeats,
    ),
)
