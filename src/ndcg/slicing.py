"""From a scored result to one with weights, intervals and slices: reads what was asked for, then aggregates again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .attributes import Attribute, attributes_of
from .counted import counted_noun
from .errors import InputError, UsageError, choose, whole_number
from .gaps import Gap, gaps_of
from .intervals import Asked, asked_interval
from .joining import likely_cause, shown
from .results import Entry, Input, Result
from .slice_choices import LEAST, MODES, OVERLAPS
from .slices import (
    Slice,
    Split,
    against_first,
    by_impact,
    contradictions,
    impacts_part,
    measured,
    query_slices,
    sliced,
    split,
    weights_turn,
)
from .weights import Weights, column_of, traffic_of, weights_of

if TYPE_CHECKING:
    from .kernel.batch import Floats
    from .measures.measure import Measure
    from .query_table import QueryTable
    from .session import Session

ByRun = dict[str, Mapping[tuple[str, str | None], Entry]]
"""Entries of slices of documents by run, then by measure and value."""


@dataclass(frozen=True)
class Wanted:
    """What a call asks for beyond the values: attributes to slice by, weights, an interval, and how slices are made."""

    attributes: tuple[Attribute, ...]
    weights: Weights | None
    interval: Asked | None
    mode: str = "keep"
    overlap: str = "refuse"
    least: int = LEAST


def wanted(
    *,
    by: object,
    by_documents: object,
    weights: object,
    default_weight: object,
    interval: object,
    slice_mode: str,
    slice_overlap: str,
    slice_least: int,
    columns_for: Callable[[str], Mapping[str, str] | None],
) -> Wanted | None:
    """Read and check what was asked for, before anything is scored; None where nothing was.

    Raises UsageError, InputError and DataTypeError for options and data that do not fit.
    """
    if slice_mode not in MODES:
        raise choose("slice_mode", slice_mode, MODES)
    if slice_overlap not in OVERLAPS:
        raise choose("slice_overlap", slice_overlap, OVERLAPS)
    whole_number("slice_least=", slice_least, 1)
    if default_weight is not None and weights is None:
        raise UsageError("default_weight= says what a query without a weight weighs, and no weights were given")
    columns = columns_for("by") or {}
    attributes = [] if by is None else attributes_of(by, None, columns, "by=")
    if by_documents is not None:
        attributes += attributes_of(by_documents, "doc", columns, "by_documents=")
    if slice_mode != "keep" and not any(attribute.kind == "doc" for attribute in attributes):
        raise UsageError(
            "slice_mode= is about slices of documents, and no attribute of documents was given", code="slice_mode"
        )
    found = weights_of(weights, default_weight, columns_for("weights") or {}) if weights is not None else None
    asked = asked_interval(interval, columns_for("cluster") or {}, implied=bool(attributes))
    if not attributes and found is None and asked is None:
        return None
    return Wanted(tuple(attributes), found, asked, slice_mode, slice_overlap, slice_least)


def applied(wanted: Wanted, session: Session, result: Result) -> Result:
    """The result with what was asked for: weighted totals, intervals, slices and their gaps."""
    notes: dict[str, list[str]] = {}
    totals = [_total(entry, wanted, notes) for entry in result.entries]
    firsts = {entry.measure: entry for entry in reversed(totals)}
    warnings = [*result.warnings]
    slices: dict[tuple[str, str], list[Entry]] = {(entry.run, entry.measure): [] for entry in totals}
    gaps: list[Gap] = []
    documents = _document_slices(wanted, session, result.measures, notes)
    for attribute in wanted.attributes:
        made = _slices(attribute, wanted, totals, documents, notes)
        for total in totals:
            key, first = (total.run, total.measure), firsts[total.measure]
            found = made[key]
            if total is not first:
                found = against_first(found, total, made[first.run, first.measure], first)
            found = by_impact(found)
            slices[key] += found
            gaps += gaps_of(found, total, wanted.interval)
            if total is first:
                continue
            warnings += contradictions(found, total, first)
            parted = impacts_part(total, first) if attribute.kind == "query" else None
            warnings += [parted] if parted else []
    for total in totals:
        sentence = weights_turn(total, firsts[total.measure])
        warnings += [sentence] if sentence else []
    return replace(
        result,
        entries=(*totals, *(entry for total in totals for entry in slices[total.run, total.measure])),
        inputs=(*result.inputs, *_inputs(wanted, notes)),
        warnings=tuple(dict.fromkeys((*warnings, *notes.get("warnings", ())))),
        gaps=tuple(gaps),
    )


def _total(entry: Entry, wanted: Wanted, notes: dict[str, list[str]]) -> Entry:
    rows, weights = entry.rows, wanted.weights
    if weights is None:
        return measured(entry, wanted.interval)
    column, defaults, unknown = column_of(weights, rows.queries, rows.judged_queries)
    if not column[: rows.judged_queries].any():
        raise InputError(
            f"{weights.where}: every judged query weighs 0", code="no_weight", hint="check the column of the weights"
        )
    if defaults:
        told = f"{counted_noun(defaults, 'judged query', 'judged queries')} without a weight took {weights.default:g}"
        notes.setdefault("weights", []).append(told)
    if unknown:
        some = f"{counted_noun(unknown, 'unjudged query', 'unjudged queries')} of {entry.run} without a weight"
        told = f"took {weights.default:g}" if weights.default is not None else "counted as no traffic"
        notes.setdefault("weights", []).append(f"{some} {told}")
    rows = replace(rows, weight=column)
    return replace(measured(replace(entry, rows=rows), wanted.interval), traffic=traffic_of(rows, weights, unknown))


def _slices(
    attribute: Attribute,
    wanted: Wanted,
    totals: Sequence[Entry],
    documents: Mapping[str, ByRun],
    notes: dict[str, list[str]],
) -> dict[tuple[str, str], list[Entry]]:
    """The slices of one attribute, by run and measure."""
    made: dict[tuple[str, str], list[Entry]] = {}
    asked, least = wanted.interval, wanted.least
    if attribute.kind == "doc":
        for total in totals:
            of_run = documents[attribute.name].get(total.run, {})
            found = made[total.run, total.measure] = []
            for (measure, value), entry in of_run.items():
                if measure == total.measure:
                    part = Slice(attribute.name, value, "doc", wanted.mode)
                    rows = replace(entry.rows, weight=_weight_of(wanted, entry.rows))
                    found.append(sliced(total, rows, part, asked, least))
        return made
    check_ids(attribute, {query for total in totals for query in total.rows.queries}, "queries", notes)
    splits: dict[int, list[Split]] = {}
    for total in totals:
        queries = total.rows.queries
        if id(queries) not in splits:
            splits[id(queries)] = split(attribute, queries, wanted.overlap)
        made[total.run, total.measure] = query_slices(total, attribute, splits[id(queries)], asked, least)
    if wanted.overlap == "both" and attribute.total_several:
        _note(notes, attribute, f"{attribute.total_several:,} in two slices, counted in both")
    return made


def _weight_of(wanted: Wanted, rows: QueryTable) -> Floats | None:
    if wanted.weights is None:
        return None
    return column_of(wanted.weights, rows.queries, rows.judged_queries)[0]


def _document_slices(
    wanted: Wanted, session: Session, measures: Sequence[Measure], notes: dict[str, list[str]]
) -> dict[str, ByRun]:
    """The entries of the slices of documents, by attribute and run: everything is scored again for them."""
    attributes = [attribute for attribute in wanted.attributes if attribute.kind == "doc"]
    if not attributes:
        return {}
    from .document_slices import kept_in_place, masks_of, no_slices, restricted

    judgments = session.judgments
    documents = {document for grades in judgments.mapping.values() for document in grades}
    for attribute in attributes:
        check_ids(attribute, documents, "judged documents", notes)
    masks = [masks_of(attribute, judgments, wanted.overlap) for attribute in attributes]
    notes.setdefault("warnings", []).extend(filter(None, (no_slices(measure, wanted.mode) for measure in measures)))
    fit = [measure for measure in measures if no_slices(measure, wanted.mode) is None]
    made: dict[str, ByRun] = {attribute.name: {} for attribute in attributes}
    if not fit:
        return made
    if wanted.mode == "keep":
        for name, found in zip(session.runs, kept_in_place(session, fit, masks), strict=True):
            for attribute, entries in zip(attributes, found, strict=True):
                made[attribute.name][name] = entries
        for attribute in attributes:
            _note(notes, attribute, "scored again: every run was ranked once more for its slices")
        return made
    for attribute, mask in zip(attributes, masks, strict=True):
        for name, entries in zip(session.runs, restricted(session, fit, attribute, list(mask)), strict=True):
            made[attribute.name][name] = entries
        _note(
            notes,
            attribute,
            f"scored again: each run anew for each of {counted_noun(len(mask), 'slice')}, its list restricted to them",
        )
    return made


def check_ids(attribute: Attribute, known: set[str], what: str, notes: dict[str, list[str]]) -> None:
    """Say how many ids of the attribute are not here; InputError where none is."""
    here = [one for one in attribute.values if one in known]
    if not here:
        ours, theirs = sorted(known)[:200], list(attribute.values)[:200]
        raise InputError(
            f"{attribute.where}: {attribute.name!r} has a value for none of the {what}: they are {shown(ours)}; it has "
            f"{shown(theirs)}",
            code="no_common_id",
            hint=likely_cause(ours, theirs) or "check that it belongs to this collection",
        )
    elsewhere = len(attribute.values) - len(here)
    if elsewhere:
        ids = f"{elsewhere:,} id{'s that are' if elsewhere > 1 else ' that is'}"
        _note(notes, attribute, f"{ids} not among the {what} left alone")
    values = {text for one in here for text in attribute.values[one]}
    unseen = [text for texts in attribute.values.values() for text in texts if text not in values]
    if unseen:
        _note(notes, attribute, f"no slice for {shown(list(dict.fromkeys(unseen)))}, which none of them has")


def _note(notes: dict[str, list[str]], attribute: Attribute, sentence: str) -> None:
    found = notes.setdefault(f"by {attribute.name}", [])
    if sentence not in found:
        found.append(sentence)


def _inputs(wanted: Wanted, notes: Mapping[str, list[str]]) -> list[Input]:
    """How attributes, weights and clusters were read."""
    made = [
        Input(
            f"slices by {attribute.name}",
            attribute.where,
            attribute.format,
            attribute.layout,
            tuple(notes.get(f"by {attribute.name}", ())),
        )
        for attribute in wanted.attributes
    ]
    weights = wanted.weights
    if weights is not None:
        told = tuple(dict.fromkeys(notes.get("weights", ())))
        made.append(Input("weights", weights.where, weights.format, weights.layout or weights.name, told))
    clusters = wanted.interval.clusters if wanted.interval is not None else None
    if clusters is not None:
        made.append(Input("clusters", clusters.where, clusters.format, clusters.layout or clusters.name))
    return made
