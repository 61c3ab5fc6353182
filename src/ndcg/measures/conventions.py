"""Every convention a score depends on: its values, its default, and one sentence each.

This file is the one home of conventions. The parser, the command line help, the table of the README, the declaration
printed with each result and the tests are derived from `CONVENTIONS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..errors import UsageError, choose

GainTable = tuple[tuple[float, float], ...]
Value = str | int | float | None | GainTable

Stage = Literal["ranking", "gain", "ideal", "query"]


@dataclass(frozen=True, slots=True)
class Convention:
    """One declared choice.

    `choices` maps each value to one sentence, the default first. `aliases` are other tools' names for a value.
    `parametric` values take a number in parentheses, `places` among them a number of decimals. `habits` are values
    that only reproduce another tool: never a default. `stage` says which step of the work it touches: the ranking
    of one query, the gain of a document, the ideal, or what happens to a query.
    """

    name: str
    stage: Stage
    sentence: str
    choices: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    parametric: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    habits: frozenset[str] = frozenset()
    number: bool = False
    table: bool = False

    @property
    def default(self) -> Value:
        """The value that holds where nothing is said."""
        first = next(iter(self.choices))
        if first == "absent":
            return None
        return int(first) if first.isdigit() else first

    def resolve(self, value: object) -> Value:
        """The canonical form of a value, or an error that lists the choices and suggests the nearest."""
        if self.name == "edition":
            return _edition(value)
        if self.number:
            return None if value is None or value in ("none", "None") else _finite(self.name, value)
        if self.table and isinstance(value, Mapping | tuple):
            return gain_table(value)
        if isinstance(value, str):
            if value in self.choices and value not in self.parametric | self.places:
                return value
            if value in self.aliases:
                return self.aliases[value]
            call = _CALL.fullmatch(value)
            if call and call["name"] in self.parametric:
                return _parameter(self.name, call["name"], call["argument"])
            if call and call["name"] in self.places:
                return _places(self.name, call["name"], call["argument"])
        shown = [
            f"{choice}(b)" if choice in self.parametric else f"{choice}(2)" if choice in self.places else choice
            for choice in self.choices
        ]
        if self.table:
            shown.append("a table {grade: gain}")
        raise choose(self.name, value, [*shown, *self.aliases])


_CALL = re.compile(r"(?P<name>[a-z_]+)\((?P<argument>[^()]*)\)")


def _finite(name: str, value: object) -> float:
    """A finite number; bools and text that is not a number are refused."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise UsageError(f"{name}={value!r} is not a number", code="not_a_number") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{name}={value!r} is not a finite number", code="not_a_number")
    return float(value)


def _edition(value: object) -> int:
    number = int(value) if isinstance(value, str) and value.isdigit() else value
    if number != 1 or isinstance(number, bool):
        raise choose("edition", value, ["1"])
    return 1


def _parameter(convention: str, name: str, argument: str) -> str:
    """`jarvelin(2)` in canonical form; the base must be a finite number above 1."""
    base = _finite(f"{convention}={name}", argument.strip())
    if base <= 1:
        raise UsageError(
            f"{convention}={name}({argument.strip()}) needs a base above 1",
            code="not_a_number",
            hint=f"{name}(2)",
        )
    return f"{name}({number_text(base)})"


def _places(convention: str, name: str, argument: str) -> str:
    """`floor(2)` in canonical form; the number of decimals is a whole number from 0 to 15."""
    places = _finite(f"{convention}={name}", argument.strip())
    if places != int(places) or not 0 <= places <= 15:
        raise UsageError(
            f"{convention}={name}({argument.strip()}) needs a number of decimals from 0 to 15",
            code="not_a_number",
            hint=f"{name}(2)",
        )
    return f"{name}({int(places)})"


def number_text(value: float) -> str:
    """A number as people write it: whole numbers without a decimal point, others in shortest exact form."""
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)


def gain_table(value: object) -> GainTable:
    """A gain table in canonical form: (grade, gain) pairs by ascending grade, all finite, no grade twice."""
    pairs: Iterable[tuple[object, object]]
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        pairs = value
    else:
        raise UsageError(f"gain table {value!r} is not of the form {{grade: gain}}", code="gain_table")
    table = sorted((_finite("gain table: grade", grade), _finite("gain table: gain", gain)) for grade, gain in pairs)
    if not table:
        raise UsageError("an empty gain table gives no document a gain", code="gain_table", hint="{1: 1, 2: 3}")
    if len({grade for grade, _ in table}) < len(table):
        raise UsageError(f"gain table {value!r} names one grade twice", code="gain_table")
    return tuple(table)


CONVENTIONS: Mapping[str, Convention] = {
    convention.name: convention
    for convention in (
        Convention(
            "gain",
            "gain",
            "what a judged grade is worth",
            {
                "exp2": "2^grade - 1: one grade more doubles the worth of a document (Burges et al. 2005)",
                "linear": "the grade itself (Järvelin & Kekäläinen 2002)",
                "binary": "1 for a grade above 0 (with min_grade: for a grade from there on), else 0",
                "judged": "1 for every judged document, whatever its grade: a set of ids that ignores grades",
            },
            aliases={"burges": "exp2", "jarvelin": "linear"},
            habits=frozenset({"judged"}),
            table=True,
        ),
        Convention(
            "discount",
            "gain",
            "what a rank keeps of its gain, ranks counted from 1",
            {
                "log2": "1 / log2(rank + 1)",
                "jarvelin": "1 for ranks below b, else 1 / log_b(rank) (the 2002 paper)",
                "reciprocal": "1 / rank",
                "none": "1: every rank keeps its whole gain",
            },
            parametric=frozenset({"jarvelin"}),
        ),
        Convention(
            "ideal",
            "ideal",
            "where the ideal ranking takes its documents from",
            {
                "judged": "every judged document of the query",
                "candidates": "the judged documents of the candidate pool",
                "returned": "only what the run returned: hides missed documents and inflates the score",
                "hits": "a document of gain 1 at every rank up to the cut, however many there are (RecTools)",
                "given": "the judged documents in the order of the judgments, never sorted: may exceed 1 (Spark)",
            },
            habits=frozenset({"hits", "given"}),
        ),
        Convention(
            "ideal_cut",
            "ideal",
            "where the ideal ranking ends",
            {
                "k": "at the cutoff",
                "none": "nowhere: every document of the pool is in it, whatever the cutoff (Quepid's ndcg@10)",
                "returned": "at the cutoff or the number of documents returned, if that is less: "
                "one perfect hit of many scores 1 (Elasticsearch)",
            },
            habits=frozenset({"none", "returned"}),
        ),
        Convention(
            "ties",
            "ranking",
            "the order of documents with equal scores",
            {
                "docid": "document id ascending, by UTF-8 bytes",
                "docid_desc": "document id descending, by UTF-8 bytes (trec_eval)",
                "given": "the order of the input, stable",
                "average": "the expected value over all orders of each tied group, exact (McSherry & Najork 2008)",
                "best": "the most flattering order",
                "worst": "the least flattering order",
                "given_reversed": "the reverse of the input order (sorting ascending and turning round)",
                "shared": "tied documents share their mean rank, cut to a whole number (Evidently)",
            },
            habits=frozenset({"given_reversed", "shared"}),
        ),
        Convention(
            "unjudged",
            "ranking",
            "what a document without a judgment is worth",
            {
                "zero": "grade 0, and it keeps its rank",
                "skip": "removed before ranking: the condensed list (Sakai 2007)",
                "error": "an unjudged document among the scored ranks is an error",
            },
            aliases={"judged_only": "skip"},
        ),
        Convention(
            "negative",
            "gain",
            "what a negative grade is worth",
            {
                "clamp": "gain 0, counted",
                "error": "a negative grade is an error",
                "keep": "the loss is real; linear gain only, and the ideal stops where gains stop being positive",
                "signed": "what the gain says, under any gain; the ideal holds the largest gains, losses included",
                "remove": "removed from the list before ranks are given",
                "padding": "grade -1 is removed from the list, other negative grades are signed (allRank)",
            },
            habits=frozenset({"signed", "remove", "padding"}),
        ),
        Convention(
            "empty",
            "query",
            "a judged query without any relevant document",
            {
                "exclude": "not counted, listed",
                "zero": "counts 0",
                "one": "counts 1",
                "error": "is an error",
                "compute": "DCG / ideal DCG as it comes, losses included; `no_ideal` where the ideal is 0",
            },
            habits=frozenset({"compute"}),
        ),
        Convention(
            "no_ideal",
            "query",
            "a query whose chosen ideal is 0 although it has judged gain (or with empty='compute')",
            {
                "zero": "counts 0",
                "one": "counts 1",
                "exclude": "not counted, listed",
                "error": "is an error",
            },
            habits=frozenset({"one", "exclude"}),
        ),
        Convention(
            "no_ideal_by",
            "query",
            "what makes a chosen ideal count as 0",
            {
                "ideal": "its DCG is 0",
                "sum": "the grades of its documents add up to 0, losses included (torchmetrics)",
            },
            habits=frozenset({"sum"}),
        ),
        Convention(
            "missing",
            "query",
            "a judged query for which the run returned nothing",
            {
                "zero": "counts 0, listed",
                "exclude": "not counted, listed (trec_eval 9 without -c)",
                "error": "is an error",
            },
        ),
        Convention(
            "empty_missing",
            "query",
            "a query that is both empty and missing",
            {
                "empty": "is treated as empty",
                "missing": "is treated as missing",
            },
            habits=frozenset({"missing"}),
        ),
        Convention(
            "empty_list",
            "query",
            "a query that the run names with an empty list",
            {
                "missing": "is treated as missing",
                "zero": "counts 0, whatever is done with missing ones (pytrec_eval)",
            },
            habits=frozenset({"zero"}),
        ),
        Convention(
            "failed",
            "query",
            "a query whose search failed, as the run records",
            {
                "exclude": "not counted, listed apart from missing",
                "zero": "counts 0",
                "error": "is an error",
            },
        ),
        Convention(
            "unjudged_query",
            "query",
            "a query of the run that has no judgment at all",
            {
                "ignore": "listed, never scored",
                "error": "is an error",
                "zero": "counts 0 (Spark, trectools)",
                "one": "counts 1 (LightGBM, XGBoost, CatBoost: a group without a positive label)",
            },
            habits=frozenset({"zero", "one"}),
        ),
        Convention(
            "short_list",
            "query",
            "a query with fewer documents than the cutoff",
            {
                "scored": "is scored like any other",
                "zero": "counts 0 (LETOR's script)",
            },
            habits=frozenset({"zero"}),
        ),
        Convention(
            "duplicates",
            "ranking",
            "a document returned twice for one query",
            {
                "best": "the best-ranked occurrence counts, the rest go before ranks are given; counted",
                "error": "is an error",
            },
        ),
        Convention(
            "self",
            "ranking",
            "a document whose id equals the query id",
            {
                "keep": "stays",
                "drop": "removed before ranking (BEIR's ignore_identical_ids)",
            },
        ),
        Convention(
            "score_type",
            "ranking",
            "the precision in which scores are compared",
            {
                "float64": "as read",
                "float32": "rounded to single precision before ties are found (trec_eval up to 9.0.8)",
            },
        ),
        Convention(
            "min_grade",
            "gain",
            "grades below this number gain nothing, in the ranking and in the ideal",
            {"absent": "every grade gains what `gain` says"},
            number=True,
        ),
        Convention(
            "off_table",
            "gain",
            "a grade that the gain table does not name",
            {
                "error": "is an error",
                "zero": "gains nothing (LETOR's script)",
                "grade": "gains itself (ir_measures' gains)",
            },
            habits=frozenset({"zero", "grade"}),
        ),
        Convention(
            "grade_type",
            "gain",
            "how grades are read before anything else",
            {
                "float64": "as read",
                "int": "cut to a whole number towards 0: 1.9 counts as 1 (trec_eval)",
            },
            habits=frozenset({"int"}),
        ),
        Convention(
            "unjudged_grade",
            "gain",
            "the grade of an unjudged document in the ranking; it never enters the ideal",
            {"absent": "none: it gains nothing"},
            number=True,
        ),
        Convention(
            "terms",
            "gain",
            "whether the discounted gains are rounded one by one",
            {
                "exact": "they are not",
                "floor": "each is cut down to so many decimals, in the ranking and in the ideal (RRE)",
            },
            places=frozenset({"floor"}),
            habits=frozenset({"floor"}),
        ),
        Convention(
            "rounding",
            "query",
            "whether the value of each query is rounded before the mean",
            {
                "none": "it is not",
                "nearest": "to so many decimals, as printf does (gdeval)",
                "half_up": "to so many decimals, halves upwards (OpenSearch, Quepid's server)",
                "floor": "cut down to so many decimals (RRE)",
            },
            places=frozenset({"nearest", "half_up", "floor"}),
            habits=frozenset({"nearest", "half_up", "floor"}),
        ),
        Convention(
            "edition",
            "query",
            "the edition of the definitions: a fix that changes numbers makes a new one",
            {"1": "the first edition"},
        ),
    )
}


DEFAULTS: Mapping[str, Value] = {name: convention.default for name, convention in CONVENTIONS.items()}
"""The value of each convention where nothing is said."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """One resolved value for every convention. Frozen and hashable."""

    values: tuple[tuple[str, Value], ...]

    @classmethod
    def of(cls, given: Mapping[str, object], defaults: Mapping[str, Value] | None = None) -> Conventions:
        """Resolve `given` over `defaults` over the package's own defaults.

        Raises UsageError for an unknown name or value, and where two values contradict each other.
        """
        for name in given:
            if name not in CONVENTIONS:
                raise choose("convention", name, list(CONVENTIONS))
        values = {**DEFAULTS, **(defaults or {})}
        for name, value in given.items():
            values[name] = CONVENTIONS[name].resolve(value)
        if values["negative"] == "keep" and values["gain"] != "linear":
            raise UsageError(
                "negative='keep' needs gain='linear': a negative grade has no meaning under another gain",
                code="contradiction",
                hint="use gain='linear' or negative='clamp'",
            )
        if values["ties"] == "shared" and values["unjudged_grade"] is not None:
            raise UsageError(
                "ties='shared' gives only judged documents their shared rank; it cannot be had with unjudged_grade",
                code="contradiction",
                hint="leave one of them out",
            )
        return cls(tuple(values.items()))

    def __getitem__(self, name: str) -> Value:
        for known, value in self.values:
            if known == name:
                return value
        raise KeyError(name)

    def text(self, name: str) -> str:
        """The value of a convention that is always a word."""
        value = self[name]
        assert isinstance(value, str)
        return value

    def replace(self, **given: object) -> Conventions:
        """The same conventions with some values changed."""
        return Conventions.of({**dict(self.values), **given})

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON: gain tables become {grade text: gain}."""
        return {
            name: {number_text(grade): gain for grade, gain in value} if isinstance(value, tuple) else value
            for name, value in self.values
        }


def split_parameter(value: str) -> tuple[str, float | None]:
    """`jarvelin(2)` as ('jarvelin', 2.0); `log2` as ('log2', None)."""
    call = _CALL.fullmatch(value)
    return (call["name"], float(call["argument"])) if call else (value, None)
