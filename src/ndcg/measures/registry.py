"""All families of measures by name, and the way from text to a measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..errors import UsageError, choose
from . import (
    average_precision,
    counts,
    gain,
    ndcg,
    precision,
    preference,
    rank_biased,
    recall,
    reciprocal_rank,
    sets,
    trec_names,
)
from .measure import Family, Measure, make
from .notation import take_apart

FAMILIES: Mapping[str, Family] = {
    family.name: family
    for home in (
        ndcg,
        precision,
        recall,
        average_precision,
        reciprocal_rank,
        preference,
        rank_biased,
        gain,
        sets,
        counts,
    )
    for family in home.FAMILIES
}

_BY_NAME = {name: family for family in FAMILIES.values() for name in (family.name, *family.aliases)}


def family_named(name: str) -> Family:
    """The family with this name or alias, or of this name of trec_eval's; raises UsageError with the nearest name."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    found = trec_names.split(name)
    if found is None or found[0].family is None:
        raise choose("measure", name, list(FAMILIES))
    return _BY_NAME[found[0].family]


def parse(text: str) -> Measure:
    """The measure that a string such as `nDCG(gain='linear')@10` names, or a name of trec_eval's such as `map_cut_10`.

    Raises UsageError for text that is not a measure, and for unknown names and values, with the nearest choice.

    >>> from ndcg import parse
    >>> parse("nDCG@10").k
    10
    """
    if not isinstance(text, str):
        raise UsageError(f"a measure is text such as 'nDCG@10', found {text!r}", code="measure_syntax")
    whole = trec_names.resolve(text.strip())
    if whole is not None:
        return _asked(text.strip(), make(family_named(whole[0]), whole[1], whole[2]))
    parsed = take_apart(text)
    ours = parsed.name in _BY_NAME or parsed.name in trec_names.OURS_IN_NOTATION
    named = None if ours else trec_names.resolve(parsed.name)
    if named is None:
        return make(family_named(parsed.name), parsed.cutoff, parsed.options)
    if named[1] is not None and parsed.cutoff is not None:
        raise UsageError(f"measure {text!r} has two cutoffs", code="measure_syntax", hint=f"leave out @{parsed.cutoff}")
    cutoff = parsed.cutoff if named[1] is None else named[1]
    return _asked(parsed.name, make(family_named(named[0]), cutoff, {**named[2], **parsed.options}))


def _asked(name: str, measure: Measure) -> Measure:
    """The measure, with the name of trec_eval's that stood for it; ir_measures' shorthands are none."""
    return measure if name in trec_names.SHORTHANDS else replace(measure, asked=name)


def as_measures(measures: object) -> tuple[Measure, ...]:
    """Measures from one string or measure, or several of them; a measure named twice is kept once."""
    if isinstance(measures, str | bytes | Measure | Family):
        measures = [measures]
    if not isinstance(measures, Iterable):
        raise UsageError(f"measures must be text or measures, found {measures!r}", code="measure_syntax")
    found: list[Measure] = []
    for measure in measures:
        if isinstance(measure, Family):
            measure = measure()
        elif not isinstance(measure, Measure):
            measure = parse(measure)
        if measure not in found:
            found.append(measure)
    if not found:
        raise UsageError("no measure was given", code="measure_syntax", hint="for example nDCG@10")
    return tuple(found)
