"""Slices of documents: the same queries scored again, counting gain only from the documents of one slice.

`keep` leaves every document at its true rank: those outside the slice gain nothing, and the ideal is that of the
slice's judged documents. The run is ranked once more for all slices together, with the number of each judgment in
place of its grade, so that every ranked document is known again; then only arithmetic is left.
`restrict` takes the documents outside the slice out of the run and out of the judgments, so the others move up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .engines.contract import Ranking, RunFacts
from .engines.judgments import Judgments
from .kernel.batch import Bools, Judged
from .measures.ndcg import gains_by_document
from .readers.source import Mapped, Role, Source
from .scoring import entry_of, plan, score_run
from .slices import refuse_several

if TYPE_CHECKING:
    from .attributes import Attribute
    from .engines.contract import Listed
    from .measures.measure import Measure
    from .results import Entry
    from .session import Session


def no_slices(measure: Measure, mode: str) -> str | None:
    """Why a measure has no slices of documents, or None where it has."""
    if measure.family.always_defined:
        return f"{measure} counts documents of every kind: it has no slices of documents"
    if mode == "keep":
        least = dict(measure.options).get("rel")
        worth = gains_by_document({"": 0.0}, _lenient(measure))[""]
        counts = isinstance(least, int | float) and least <= 0
        if worth or counts or _moves_ranks(measure) or measure.conventions["unjudged_grade"] is not None:
            return (
                f"under {measure} a document of no gain still counts, so it has no slices of documents at true ranks; "
                "slice_mode='restrict' (--slice-mode restrict) has them"
            )
    return None


def _moves_ranks(measure: Measure) -> bool:
    """Whether grades decide which documents keep a rank at all."""
    return measure.conventions["negative"] in ("remove", "padding")


def masks_of(attribute: Attribute, judgments: Judgments, overlap: str) -> dict[str | None, Bools]:
    """Per value, which judgments are of documents of the slice, in the order of the judgments; no value last."""
    documents = [doc for grades in judgments.mapping.values() for doc in grades]
    refuse_several(attribute, dict.fromkeys(documents), overlap)
    found: dict[str | None, Bools] = {}
    without = np.zeros(len(documents), np.bool_)
    for at, document in enumerate(documents):
        values = attribute.values.get(document)
        if not values:
            without[at] = True
        for value in values or ():
            if value not in found:
                found[value] = np.zeros(len(documents), np.bool_)
            found[value][at] = True
    if without.any():
        found[None] = without
    return found


def kept_in_place(
    session: Session, measures: Sequence[Measure], masks: Sequence[Mapping[str | None, Bools]]
) -> Iterator[list[Mapping[tuple[str, str | None], Entry]]]:
    """For each run and each attribute, {(measure, value): entry} with true ranks. One pass over each run."""
    judgments = session.judgments
    numbers = judgments.numbers
    mapping, at = {}, 0
    for query, grades in judgments.mapping.items():
        mapping[query] = {doc: float(number) for number, doc in enumerate(grades, at)}
        at += len(grades)
    numbered = Judgments(list(judgments.queries), judgments.workspace, _mapping=mapping, pool=judgments.pool)
    requests = plan(measures)
    distinct = list(dict.fromkeys(requests.values()))
    for name in session.runs:
        engine = replace(session, judgments=numbered).engine(name)
        facts, rankings = engine.rank(distinct)
        engine.close()
        answers = dict(zip(distinct, rankings, strict=True))
        yield [
            {
                (str(measure), value): _masked(
                    name, judgments, numbers, facts, answers[requests[measure]], measure, mask
                )
                for measure in measures
                for value, mask in of_attribute.items()
            }
            for of_attribute in masks
        ]


def _masked(
    name: str, judgments: Judgments, numbers: Judged, facts: RunFacts, ranking: Ranking, measure: Measure, mask: Bools
) -> Entry:
    """The entry with the grade 0 for every document outside the mask, at the ranks that it has."""
    grades = np.where(mask, numbers.grade, 0.0)
    places = ranking.ranked.grade.astype(np.int64)
    seen = replace(
        judgments,
        _numbers=Judged(numbers.queries, numbers.query, grades, numbers.in_pool),
    )
    ranked = ranking._replace(ranked=ranking.ranked._replace(grade=grades[places]))
    queries = [*judgments.queries, *facts.others]
    entry = entry_of(name, seen, queries, facts, ranked, _lenient(measure))
    own = np.zeros(len(queries), np.int32)
    own[: numbers.queries] = np.bincount(numbers.query[mask], minlength=numbers.queries)
    return replace(entry, measure=str(measure), declaration=measure.declaration(), rows=replace(entry.rows, judged=own))


def _lenient(measure: Measure) -> Measure:
    """A query without a judged document of the slice is empty there, and a document outside it is worth nothing.

    Neither is a fault of the data: it must not stop at `empty='error'` or at a gain table without the grade 0.
    """
    gain = measure.conventions["gain"]
    changed: dict[str, object] = {"empty": "exclude"} if measure.conventions["empty"] == "error" else {}
    if isinstance(gain, tuple) and 0.0 not in dict(gain):
        changed["gain"] = {**dict(gain), 0.0: 0.0}
    return measure.with_conventions(changed) if changed else measure


def restricted(
    session: Session, measures: Sequence[Measure], attribute: Attribute, values: Sequence[str | None]
) -> Iterator[dict[tuple[str, str | None], Entry]]:
    """For each run, {(measure, value): entry} of the lists that hold only documents of the slice.

    The whole run is read into memory once; every slice is then scored as a run of its own.
    """
    judgments = session.judgments
    for name, source in session.runs.items():
        engine = session.engine(name)
        facts, _ = engine.rank(list(dict.fromkeys(plan(measures).values())))
        lists = engine.lists(judgments.queries)
        engine.close()
        found: dict[tuple[str, str | None], Entry] = {}
        for value in values:
            part = replace(
                session,
                judgments=_only(judgments, attribute, value),
                collapse=None,
                runs={name: _filtered(source, lists, facts, judgments, attribute, value)},
            )
            entries, _ = score_run(name, part.engine(name), part.judgments, [_lenient(m) for m in measures])
            for measure, entry in zip(measures, entries, strict=True):
                found[str(measure), value] = replace(entry, measure=str(measure), declaration=measure.declaration())
        yield found


def _inside(attribute: Attribute, document: str, value: str | None) -> bool:
    values = attribute.values.get(document)
    return not values if value is None else value in (values or ())


def _only(judgments: Judgments, attribute: Attribute, value: str | None) -> Judgments:
    mapping = {
        query: {doc: grade for doc, grade in grades.items() if _inside(attribute, doc, value)}
        for query, grades in judgments.mapping.items()
    }
    return Judgments(list(judgments.queries), judgments.workspace, _mapping=mapping, pool=judgments.pool)


def _filtered(
    source: Source,
    lists: Mapping[str, Sequence[Listed]],
    facts: RunFacts,
    judgments: Judgments,
    attribute: Attribute,
    value: str | None,
) -> Mapped:
    """The run with the documents of the slice only: scores where it has them, otherwise ranked lists."""
    rows: dict[object, object] = {}
    ranked = all(row.score is None for listed in lists.values() for row in listed)
    for at, query in enumerate(judgments.queries):
        if facts.failed[at]:
            rows[query] = None
            continue
        inside = [row for row in lists.get(query, ()) if _inside(attribute, row.document, value)]
        if ranked:
            rows[query] = [row.document for row in sorted(inside, key=lambda row: row.rank or 0.0)]
            continue
        scores: dict[str, float] = {}
        for row in inside:
            score = row.score if row.score is not None else -(row.rank or 0.0)
            # Of repeats the best-ranked one counts.
            if row.document not in scores or score > scores[row.document]:
                scores[row.document] = score
        rows[query] = scores
    return Mapped(Role.RUN, source.described, rows, ranked)
