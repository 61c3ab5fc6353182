"""trec_eval's names for measures, as data: what each means here, what it takes, and how it is printed.

`parse("map_cut_10")` reads them; the drop-in modules print by them. A name may carry its parameter after `_` or `.`,
as trec_eval prints and takes it. Three things matter unless trec_eval's dialect is named as well; every output says so
beside the value (`Measure.read_as`):

* conventions (ties, empty and missing queries, single precision) are this package's own;
* `ndcg` and `ndcg_cut_10` have trec_eval's linear gain; `nDCG` this package's own, and so has `ndcg@10`, which is
  this package's notation in lower case;
* levels of recall are counted as trec_eval up to 9.0.8 does, with `needed="nearest"` as 10 does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..errors import UsageError
from .convention import number_text

Takes = Literal["nothing", "ranks", "levels", "values", "pairs"]
Prints = Literal["number", "whole", "text"]

RANKS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
TENTHS = ("0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00")
FIFTHS = ("0.20", "0.40", "0.60", "0.80", "1.00", "1.20", "1.40", "1.60", "1.80", "2.00")

OURS_IN_NOTATION = ("ndcg", "dcg")
"""Names of trec_eval's that, with `@` or options, are this package's measures of the same letters."""

NEAREST = ("needed", "nearest")


@dataclass(frozen=True, slots=True)
class TrecMeasure:
    """One measure of trec_eval.

    `family` is its name here, None for what is no number per query (`runid`, `relstring`). `takes` says what stands
    after its name: nothing, ranks or levels (one value is printed for each of them), values (parameters of one value)
    or pairs (`1=3,2=9`). `defaults` are what it takes unless told. `per_query` and `summary` say where it is printed,
    `prints` how. `since` is the first version that has it; `newer` are options from version 10 on.
    """

    name: str
    family: str | None
    takes: Takes = "nothing"
    defaults: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    prints: Prints = "number"
    per_query: bool = True
    summary: bool = True
    since: int = 9
    newer: Mapping[str, object] = field(default_factory=dict)


MEASURES: Mapping[str, TrecMeasure] = {
    measure.name: measure
    for measure in (
        TrecMeasure("runid", None, prints="text", per_query=False),
        TrecMeasure("num_q", "NumQ", prints="whole", per_query=False),
        TrecMeasure("num_ret", "NumRet", prints="whole"),
        TrecMeasure("num_rel", "NumRel", prints="whole"),
        TrecMeasure("num_rel_ret", "NumRet", options={"rel": 1}, prints="whole"),
        TrecMeasure("map", "AP"),
        TrecMeasure("gm_map", "GMAP", per_query=False),
        TrecMeasure("Rprec", "Rprec"),
        TrecMeasure("bpref", "Bpref"),
        TrecMeasure("recip_rank", "RR"),
        TrecMeasure("iprec_at_recall", "IPrec", "levels", TENTHS, newer=dict([NEAREST])),
        TrecMeasure("P", "P", "ranks", RANKS),
        TrecMeasure("relstring", None, "values", ("10",), prints="text", summary=False),
        TrecMeasure("recall", "R", "ranks", RANKS),
        TrecMeasure("infAP", "infAP"),
        TrecMeasure("gm_bpref", "GMBpref", per_query=False),
        TrecMeasure("Rprec_mult", "RprecMult", "levels", FIFTHS),
        TrecMeasure("utility", "Utility", "values"),
        TrecMeasure("11pt_avg", "IAP", "values", newer=dict([NEAREST])),
        TrecMeasure("binG", "binG"),
        TrecMeasure("G", "G", "pairs"),
        TrecMeasure("ndcg", "nDCG", "pairs", options={"gain": "linear"}),
        TrecMeasure("ndcg_rel", "nDCGRel", "pairs"),
        TrecMeasure("Rndcg", "RnDCG", "pairs"),
        TrecMeasure("ndcg_cut", "nDCG", "ranks", RANKS, options={"gain": "linear"}),
        TrecMeasure("map_cut", "AP", "ranks", RANKS),
        TrecMeasure("relative_P", "RelP", "ranks", RANKS),
        TrecMeasure("success", "Success", "ranks", ("1", "5", "10")),
        TrecMeasure("set_P", "SetP"),
        TrecMeasure("set_relative_P", "SetP", options={"relative": "true"}),
        TrecMeasure("set_recall", "SetR"),
        TrecMeasure("set_map", "SetAP"),
        TrecMeasure("set_F", "SetF", "values"),
        TrecMeasure("num_nonrel_judged_ret", "NumNonRelRet", prints="whole"),
        TrecMeasure("rbp", "RBP", "pairs", options={"p": 0.9, "rel": None, "max_grade": "query"}, since=10),
        TrecMeasure("rbp_resid", "RBPResidual", options={"p": 0.9, "judged_from": 0, "tail": "dropped"}, since=10),
        TrecMeasure("unj", "Unjudged", "ranks", ("5", "10", "20"), options={"judged_from": 0}, since=10),
        TrecMeasure("dcg", "DCG", "pairs", options={"gain": "linear"}, since=10),
        TrecMeasure("ideal_dcg", "IDCG", "pairs", options={"gain": "linear"}, since=10),
    )
}
"""In the order in which trec_eval prints them; `dcg` and `ideal_dcg` are asked for by name only."""

NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": (
        "runid",
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "map",
        "gm_map",
        "Rprec",
        "bpref",
        "recip_rank",
        "iprec_at_recall",
        "P",
    ),
    "set": (
        "runid",
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "utility",
        "set_P",
        "set_relative_P",
        "set_recall",
        "set_map",
        "set_F",
    ),
    "all_trec": tuple(name for name in MEASURES if name not in ("dcg", "ideal_dcg")),
}
"""What a nickname stands for, in the order of printing; leave out what is newer than the version (`of_nickname`)."""

ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "all_prefs": (
        "runid",
        "num_q",
        "prefs_num_prefs_poss",
        "prefs_num_prefs_ful",
        "prefs_num_prefs_ful_ret",
        "prefs_simp",
        "prefs_pair",
        "prefs_avgjg",
        "prefs_avgjg_Rnonrel",
        "prefs_simp_ret",
        "prefs_pair_ret",
        "prefs_avgjg_ret",
        "prefs_avgjg_Rnonrel_ret",
        "prefs_simp_imp",
        "prefs_pair_imp",
        "prefs_avgjg_imp",
    ),
    "prefs": (
        "runid",
        "num_q",
        "prefs_num_prefs_poss",
        "prefs_num_prefs_ful",
        "prefs_num_prefs_ful_ret",
        "prefs_simp",
        "prefs_pair",
        "prefs_avgjg",
    ),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""Nicknames whose measures read preferences or judgment groups instead of judgments; there are none of these here."""

SHORTHANDS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "NumRelRet": ("NumRet", {"rel": 1}),
    "SetRelP": ("SetP", {"relative": "true"}),
}
"""ir_measures' names for a measure with an option: (family, options)."""

_NAME = re.compile(r"(?P<base>[A-Za-z0-9_]+?)[._](?P<parameters>[0-9.][0-9.,]*|[^_().=]+=[^()]*|[-0-9.,]+)")


def of_nickname(nickname: str, version: int = 10) -> tuple[TrecMeasure, ...]:
    """The measures that a nickname stands for in a major version of trec_eval."""
    return tuple(MEASURES[name] for name in NICKNAMES[nickname] if MEASURES[name].since <= version)


def split(text: str) -> tuple[TrecMeasure, tuple[str, ...]] | None:
    """A name with its parameters, as trec_eval takes (`P.5,10`) or prints it (`P_5`); None for another name.

    >>> split("iprec_at_recall_0.10")[1]
    ('0.10',)
    """
    if text in MEASURES:
        return MEASURES[text], ()
    match = _NAME.fullmatch(text)
    if match is None or match["base"] not in MEASURES:
        return None
    return MEASURES[match["base"]], tuple(match["parameters"].split(","))


def expand(
    measure: TrecMeasure, parameters: tuple[str, ...] = (), version: int = 10
) -> list[tuple[str, str, object, dict[str, object]]]:
    """(printed name, family, cutoff or level, options) of each value that a measure prints, in trec_eval's order.

    Cutoffs are sorted and printed as trec_eval does. Raises UsageError for what trec_eval refuses: a cutoff below 1, a
    repeated cutoff, parameters of a measure that takes none, or a measure without a number.
    """
    if measure.family is None:
        raise UsageError(f"{measure.name} is text, not a number", code="not_a_number")
    options = dict(measure.options)
    if version >= 10:
        options.update(measure.newer)
    given = parameters or measure.defaults
    if measure.takes == "nothing":
        if parameters:
            raise UsageError(f"{measure.name} takes no parameter, found {','.join(parameters)}", code="parameter")
        return [(measure.name, measure.family, None, options)]
    if measure.takes == "ranks":
        ranks = sorted(_rank(measure.name, parameter) for parameter in given)
        _refuse_repeats(measure.name, ranks)
        return [(f"{measure.name}_{rank}", measure.family, rank, options) for rank in ranks]
    if measure.takes == "levels":
        levels = sorted(_number(measure.name, parameter) for parameter in given)
        _refuse_repeats(measure.name, levels)
        return [(f"{measure.name}_{level:3.2f}", measure.family, level, options) for level in levels]
    name = f"{measure.name}_{','.join(parameters)}" if parameters else measure.name
    options.update(_values(measure, parameters) if measure.takes == "values" else _pairs(measure, parameters))
    return [(name, measure.family, None, options)]


def grades_shown(parameters: tuple[str, ...]) -> int:
    """How many grades `relstring` shows; raises UsageError for a parameter that is no number.

    >>> grades_shown(("20",))
    20
    """
    default = MEASURES["relstring"].defaults
    return int(_number("relstring", (parameters or default)[0]))


def own(text: str) -> dict[str, object]:
    """The options under which a measure asked for by a name of trec_eval's has trec_eval's own number.

    A grade that trec_eval's table of gains does not name gains itself.
    """
    found = split(text)
    if found is None:
        return {"dialect": "trec_eval"}
    dialect = {"dialect": "trec_eval_10" if found[0].since > 9 else "trec_eval"}
    table = _pairs(*found) if found[0].takes == "pairs" else {}
    return {**dialect, **table, "off_table": "grade"} if "gain" in table else {**dialect}


def resolve(text: str) -> tuple[str, object, dict[str, object]] | None:
    """(family, cutoff or level, options) of one trec_eval name or shorthand, None for any other name.

    >>> resolve("ndcg_cut_10")
    ('nDCG', 10, {'gain': 'linear'})
    """
    if text in SHORTHANDS:
        family, options = SHORTHANDS[text]
        return family, None, dict(options)
    found = split(text)
    if found is None or (found[0].name in _OURS and not found[1]):
        return None
    measure, parameters = found
    if measure.takes in ("ranks", "levels") and len(parameters) != 1:
        example = f"{measure.name}_{measure.defaults[0]}"
        raise UsageError(f"{text} names several measures; name one, such as {example}", code="cutoff")
    _, name, cutoff, taken = expand(measure, parameters, version=9)[0]
    return name, cutoff, taken


_OURS = ("P", "G", "infAP", "Rprec", "binG")
"""Names that are families or aliases here as well: alone, they mean ours."""


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{name}: {text!r} is not a number", code="parameter")
    return value


def _rank(name: str, text: str) -> int:
    """A rank as trec_eval reads it: what stands after the digits is dropped (`23.4` is 23)."""
    digits = re.match(r"[0-9]*", text)
    assert digits is not None
    if not digits[0] or int(digits[0]) < 1:
        raise UsageError(f"{name}: {text!r} is not a cutoff of at least 1", code="cutoff")
    return int(digits[0])


def _refuse_repeats(name: str, values: list[int] | list[float]) -> None:
    if len(set(values)) < len(values):
        raise UsageError(f"{name}: a cutoff is given twice", code="cutoff")


def _values(measure: TrecMeasure, parameters: tuple[str, ...]) -> dict[str, object]:
    """The parameters of one value, by this package's names."""
    if not parameters:
        return {}
    values = [_number(measure.name, parameter) for parameter in parameters]
    if measure.name == "set_F" and values[0] < 0:
        raise UsageError(f"set_F: {parameters[0]!r} is not a number of at least 0", code="parameter")
    if measure.name == "utility":
        if len(values) != 4:
            raise UsageError("utility takes four parameters, such as utility.1,-1,0,0", code="parameter")
        return dict(zip(("hit", "noise", "miss", "rest"), values, strict=True))
    if measure.name == "set_F":
        # trec_eval's x is the square of beta.
        return {"beta": math.sqrt(values[0])}
    return {"levels": ",".join(number_text(value) for value in values)}


def _pairs(measure: TrecMeasure, parameters: tuple[str, ...]) -> dict[str, object]:
    """`1=3,2=9` as a gain table, `p=0.8` as a persistence.

    A level that trec_eval's table does not name keeps its grade as its gain; a table here has to name every grade, so
    whoever has the judgments adds the rest (`{grade: grade}`, then these).
    """
    table: dict[float, float] = {}
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if measure.name == "rbp" and name == "p":
            return {"p": _number(measure.name, value)}
        table[_number(measure.name, name)] = _number(measure.name, value)
    return {"gain": table} if table else {}
