"""A fault in the kernel or in the reference does not go unnoticed: every mutant of either fails the comparison.

A mutant is put into the running module by exchanging the code of its functions, so every importer sees it.
"""

from __future__ import annotations

import importlib
import math
import os
import random
import types
from functools import cache
from pathlib import Path

import pytest

import ndcg
from comparing import as_dicts, by_reference, compare, measure
from mutation.mutants import mutants
from ndcg.kernel import reference
from strategies import CHOICES, FRACTIONS, GRADES, HABITS, IDS, SCORES, with_habits

MODULES = [
    "ndcg.kernel.gains",
    "ndcg.kernel.sums",
    "ndcg.kernel.order",
    "ndcg.kernel.habits",
    "ndcg.kernel.ideal",
    "ndcg.kernel.reference",
    "ndcg.kernel.reference_gains",
    "ndcg.kernel.reference_ranking",
    "ndcg.kernel.reference_sums",
    "ndcg.measures.ndcg",
    "ndcg.engines.groups",
]

SORTED = "it marks the first row, which begins a query and a group whatever the mark says"
NO_ROW = "a document without gain may stand anywhere: it adds 0"
EQUIVALENT: dict[str, dict[str, str]] = {
    "ndcg.kernel.gains": {
        "truth value turned: False": "the default of `whole`, which every caller names",
        "Lt to LtE: grade < 0": "grade 0 is never removed: only -1 and below are asked about",
        "Gt to GtE: gain > 0": "an infinite gain is never 0",
        "truth value turned: True": "the package's own `strict` of a zip over columns of one length",
        "number plus one: 0": "the size of an empty table, and the bound of a grade that is removed anyway",
        "minus to plus: -1": "a removed document has no rank, so what it would gain is never used",
    },
    "ndcg.kernel.sums": {
        "truth value turned: False": "whether a shared table may be written: nobody writes it",
        "GtE to Gt: rank >= base": "at rank == base the logarithm is 1, like the discount before it",
        "number plus one: 400": "digits beyond those that any float has",
        "number plus one: 32": "how many tables are remembered",
        "number plus one: 6": "the size of the smallest table",
        "number plus one: 1": "the size of a table, and its row 0, which is no rank",
        "number plus one: 1.0": "row 0 of a table, which is no rank",
    },
    "ndcg.kernel.order": {
        "Sub to Add: np.cumsum(np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])][:len(query)]) - 1": (
            "group numbers shifted by two: counted and read back alike"
        ),
        "Gt to GtE: gain > 0": NO_ROW,
        "Lt to LtE: gain < 0": NO_ROW,
        "Sub to Add: k + 1 - start[firsts]": "more ranks below the cutoff, which the sum leaves out",
        "Gt to GtE: count > 1": "the sum of one gain over 1 is the gain",
        "number plus one: 0": "where a group begins to be empty, or a gain that no table holds",
        "number plus one: 1": "more ranks below the cutoff, or group numbers shifted alike",
        "truth value turned: True": SORTED,
    },
    "ndcg.kernel.habits": {
        "number plus one: 2": "how far apart the slots of two queries are",
        "truth value turned: True": SORTED,
        "number plus one: 0": "a bound below every value it meets",
    },
    "ndcg.kernel.ideal": {"Gt to GtE: gain > 0": NO_ROW},
    "ndcg.kernel.reference_gains": {
        "number plus one: 0.0": "a gain below every positive one",
        "number plus one: 0": "an infinite gain is above 1 too",
        "Gt to GtE: worth > 0": "an infinite gain is never 0",
        "Gt to GtE: gain > 0.0": NO_ROW,
        "Gt to GtE: grade > 0.0": "a document of grade 0 has a gain, or adds 0 behind all others",
        "Eq to NotEq: grade_type == 'int'": "cutting -1.0 to a whole number leaves it",
        "GtE to Gt: len(column) >= k": "one group more, which is cut away",
    },
    "ndcg.kernel.reference_sums": {
        "Lt to LtE: rank < base": "at rank == base the logarithm is 1, like the discount before it",
    },
    "ndcg.measures.ndcg": {
        "In to NotIn: 'gain' in measure.family.conventions": "tables of missed documents, not scores: their own tests",
        "NotIn to In: name not in ('no_ideal', 'no_ideal_by')": "read once, when the module is loaded",
        "truth value turned: True": "the package's own `strict` of a zip over columns of one length",
    },
}
"""Mutants that change nothing that is compared, by module, each with its reason."""


@cache
def cases():
    rng = random.Random(20)
    made = []
    for number in range(2400):
        queries = rng.sample(["q1", "q2", "q3"], rng.randint(1, 3))
        judged = {
            q: {d: rng.choice([*GRADES, *FRACTIONS]) for d in rng.sample([*IDS, q], rng.randint(0, 8))} for q in queries
        }
        run = {q: [(d, rng.choice(SCORES)) for d in rng.sample([*IDS, q], rng.randint(0, 10))] for q in queries}
        chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
        if isinstance(chosen["gain"], dict):
            chosen["gain"] = {**chosen["gain"], 0: rng.choice([0, 0.125]), 0.5: 0.2, 1.9: 0.4, 2.25: 3.0}
        if chosen["negative"] == "keep":
            chosen["gain"] = "linear"
        if number % 3:
            foreign = {name: rng.choice(HABITS[name]) for name in rng.sample(sorted(HABITS), rng.randint(2, 7))}
            if rng.random() < 0.4:
                foreign["negative"] = rng.choice(HABITS["negative"])
            chosen = with_habits(chosen, foreign)
        name = rng.choice(["nDCG", "nDCG", "nDCG", "DCG", "IDCG", "CG"])
        if number % 5 == 0:
            run["stray"] = run[queries[0]]
            run["gone"] = None
            run[queries[-1]] = rng.choice([None, []])
            judged["absent"] = {"a": 1, "b": 0}
        pool = None
        if number % 7 == 0:
            chosen["ideal"] = rng.choice(["candidates", chosen["ideal"]])
            pool = {q: {d for d, _ in run.get(q) or ()} | set(rng.sample(IDS, 3)) for q in judged}
        made.append((judged, run, name, rng.choice([None, 1, 2, 3, 5, 8]), chosen, pool))
    return made


@cache
def lists():
    """Ranked lists in which documents come again."""
    rng = random.Random(3)
    return [
        (
            {"q": {d: rng.choice(GRADES) for d in rng.sample(IDS, 5)}},
            {"q": [rng.choice(IDS[:6]) for _ in range(rng.randint(1, 9))]},
            rng.choice([None, 1, 2, 4]),
            {"ideal": rng.choice(["judged", "returned"]), "unjudged": rng.choice(["zero", "skip"])},
        )
        for _ in range(40)
    ]


HABITUAL = [
    ({"a": 64, "b": 1}, "ba", None, {"gain": "exp2_int64"}),
    ({"a": 62, "b": 63, "c": 64, "d": 0.5}, "abcd", None, {"gain": "exp2_int64"}),
    ({"a": 62, "b": 63, "c": 64, "d": 1}, "dcba", None, {"gain": "exp2_int64", "ideal_order": "grade"}),
    ({"a": 30, "b": 1, "c": 0}, "cba", None, {"gain": "exp2_to_30"}),
    ({"a": 127, "b": 3}, "ba", None, {"gain_type": "float32"}),
    ({"a": 1100, "b": 3}, "ba", None, {"overflow": "zero"}),
    (
        {"a": 1, "b": 0, "c": -1},
        "axbyc",
        None,
        {"gain": "judged", "negative": "signed", "ideal_order": "grade", "ideal": "returned"},
    ),
    ({"a": 2, "b": 1}, "axab", 3, {"duplicates": "joined"}),
    ({"a": 2, "b": 1}, "axab", 2, {"duplicates": "joined"}),
    ({"a": 2, "b": 1}, "axabb", 3, {"duplicates": "merged"}),
    ({"a": 2, "b": 1}, "axab", 3, {"duplicates": "count"}),
    ({"a": 2, "n": -1, "b": 1}, "naanb", None, {"duplicates": "merged", "negative": "remove"}),
    ({"a": 2, "b": 1}, "ab", 0, {"cutoff_zero": "nothing"}),
    ({"a": 2, "b": 1}, "ba", 0, {"cutoff_zero": "whole"}),
]
"""(grades, ranked list, cutoff, habits) that the random cases meet too seldom."""

ERRORS = [
    ({"q": {"a": 128}}, None, {"gain_type": "float32"}),
    ({"q": {"a": -1}}, None, {"gain": "exp2_int64", "negative": "signed"}),
    ({"q": {"a": -1}}, None, {"gain": "exp2_to_30", "negative": "signed"}),
    ({"q": {"a": 31}}, None, {"gain": "exp2_to_30"}),
    ({"q": {"a": 0.5}}, None, {"gain": "exp2_to_30"}),
    (
        {"q": {"a": -1e300, "b": 1}},
        None,
        {"gain": "linear", "discount": "none", "negative": "signed", "overflow": "zero", "gain_type": "float32"},
    ),
    ({"q": {"a": 2000}}, None, {"gain": "exp2"}),
    ({"q": {"a": 1e308, "b": 1e308, "c": 1e308}}, None, {"gain": "linear", "discount": "none"}),
    ({"q": {"a": -1}}, None, {"negative": "error"}),
    ({"q": {"a": 3}}, None, {"gain": {1: 1}}),
    ({"q": {"a": 1}}, {"q": ["a", "a"]}, {"duplicates": "error"}),
    ({"q": {"a": 1}}, {"q": ["a", "b"]}, {"unjudged": "error"}),
    ({"q": {"a": 0}}, None, {"empty": "error"}),
    ({"q": {"a": 1}}, {"q": []}, {"missing": "error"}),
    ({"q": {"a": 1}}, {"q": None}, {"failed": "error"}),
    ({"q": {"a": 1}}, {"q": ["a"], "r": ["a"]}, {"unjudged_query": "error"}),
    ({"q": {"a": 1}}, None, {"ideal": "candidates", "candidates": {"q": ["b"]}}),
    ({"q": {"a": 1}}, None, {"ideal": "candidates"}),
    ({"q": {"a": 1}}, None, {"discount": "jarvelin(1)"}),
    ({"q": {"a": 1}}, None, {"discount": "jarvelin(inf)"}),
    ({"q": {"a": 1}}, None, {"k": 0}),
    ({"q": {"a": 1}}, None, {"k": True}),
    ({"q": {"a": 1}}, None, {"k": 1.5}),
    ({"q": {"a": float("nan")}}, None, {}),
    ({"q": {"a": float("inf")}}, None, {}),
]
"""(judgments, run, conventions) that both must refuse."""


ACCEPTED = [
    {"negative": "error"},
    {"duplicates": "error"},
    {"unjudged": "error"},
    {"empty": "error", "missing": "error", "failed": "error", "unjudged_query": "error"},
    {"ideal": "candidates", "candidates": {"q": ["a", "b", "c"]}},
    {"discount": "jarvelin(1.5)"},
    {"k": 1},
]
"""Conventions under which a plain case has a value: an `error` policy without its occasion."""


def agree():
    """Raises AssertionError, or anything else, where kernel and reference differ."""
    for judged, run, name, k, chosen, pool in cases():
        expected = by_reference(judged, run, name, k, {**chosen, "candidates": pool})
        found = ndcg.evaluate(judged, as_dicts(run), measure(name, k, chosen), worst=0, candidates=pool)
        compare(expected, found.per_query, context=(judged, run, name, k, chosen, pool))
        assert reference.mean(expected) == reference.mean(expected.values()) == found.value
    for judged, run, k, chosen in lists():
        expected = by_reference(judged, placed(run), "nDCG", k, chosen)
        compare(expected, ndcg.evaluate(judged, run, measure("nDCG", k, chosen)).per_query, context=(judged, run))
    for grades, docs, k, chosen in HABITUAL:
        judged, run = {"q": grades}, {"q": list(docs)}
        for name in ("nDCG", "DCG", "IDCG"):
            expected = by_reference(judged, placed(run), name, k, chosen)
            compare(expected, ndcg.evaluate(judged, run, measure(name, k, chosen)).per_query, context=(docs, chosen))
    tied = {"q": {"a": 2.0, "x": 1.0}, "r": {"d": 3.0, "n": 2.0, "b": 2.0, "c": 2.0}}
    grades, chosen = {"q": {"a": 1}, "r": {"d": 1, "n": -1, "b": 3, "c": 2}}, {"negative": "remove", "ties": "average"}
    expected = by_reference(grades, as_rows(tied), "nDCG", 2, chosen)
    compare(expected, ndcg.evaluate(grades, tied, "nDCG@2", **chosen).per_query, context=chosen)
    unretrieved = {"q": {"a": -math.inf, "b": 1.0, "c": -math.inf}}
    chosen = {"minus_infinity": "unretrieved", "ideal": "returned"}
    expected = by_reference({"q": {"a": 1, "b": 2}}, as_rows(unretrieved), "nDCG", 3, chosen)
    compare(expected, ndcg.evaluate({"q": {"a": 1, "b": 2}}, unretrieved, "nDCG@3", **chosen).per_query, context=chosen)
    for chosen in ACCEPTED:
        judged, run = {"q": {"a": 1, "b": 0, "c": 2}}, {"q": ["a", "b", "c"]}
        expected = by_plain_definition(judged, placed(run), chosen)
        compare(expected, by_package(judged, run, chosen).per_query, context=chosen)
    nothing = ndcg.evaluate(
        {"q": {"a": 1}, "r": {"a": 1}, "s": {"a": 0}}, {"q": ["b"], "r": ["a"], "s": ["a"]}, ideal="returned"
    )
    assert nothing.entries[0].rows.without_gain.tolist() == [True, False, False]
    again = reference.evaluate({"q": {"b": 1}}, {"q": [("a", 1.0), ("b", 1.0), ("a", 1.0)]}, ties="given")
    assert again["q"].value == 1 / 1.584962500721156
    for judged, run, chosen in ERRORS:
        run = {"q": list(judged["q"])} if run is None else run
        refused(judged, placed(run), chosen, way=by_plain_definition)
        refused(judged, run, chosen, way=by_package)


def as_rows(run):
    """Documents with scores as (document, score) rows."""
    return {query: list(docs.items()) for query, docs in run.items()}


def placed(run):
    """Ranked lists as (document, score) rows."""
    return {
        query: docs if docs is None else [(doc, -float(place)) for place, doc in enumerate(docs)]
        for query, docs in run.items()
    }


def by_plain_definition(judged, run, chosen):
    given = dict(chosen)
    return by_reference(judged, run, "nDCG", given.pop("k", None), given)


def by_package(judged, run, chosen):
    given = dict(chosen)
    pool = given.pop("candidates", None)
    return ndcg.evaluate(judged, run, ndcg.nDCG(**given), candidates=pool)


def refused(judged, run, chosen, *, way):
    try:
        way(judged, run, chosen)
    except ValueError:
        return
    raise AssertionError(f"{judged} with {run} under {chosen} was not refused")


def functions(namespace, module):
    """All functions that a module defines, methods included, by qualified name."""
    found = {}
    for value in namespace.values():
        value = getattr(value, "__wrapped__", value)
        if isinstance(value, types.FunctionType) and value.__module__ == module:
            found[value.__qualname__] = value
        elif isinstance(value, type) and value.__module__ == module:
            for part in vars(value).values():
                if isinstance(part, types.FunctionType):
                    found[part.__qualname__] = part
    return found


def clear_caches(module):
    for value in vars(module).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def survives(module, source):
    """Whether the comparison passes although the module is mutated."""
    mutated = types.ModuleType(module.__name__)
    mutated.__package__ = module.__package__
    try:
        exec(compile(source, module.__file__, "exec"), vars(mutated))
    except Exception:
        return False
    originals = functions(vars(module), module.__name__)
    replaced = functions(vars(mutated), module.__name__)
    kept = {name: (f.__code__, f.__defaults__, f.__kwdefaults__) for name, f in originals.items()}
    try:
        for name, function in originals.items():
            function.__code__ = replaced[name].__code__
            function.__defaults__, function.__kwdefaults__ = replaced[name].__defaults__, replaced[name].__kwdefaults__
        clear_caches(module)
        agree()
    except Exception:
        return False
    finally:
        for name, (code, defaults, keyword_defaults) in kept.items():
            function = originals[name]
            function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, keyword_defaults
        clear_caches(module)
    return True


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore")
def test_every_mutant_is_noticed(name):
    """Mutants listed as changing nothing are believed; with NDCG_ALL_MUTANTS set they are tried too, for minutes."""
    agree()
    module = importlib.import_module(name)
    source = Path(module.__file__).read_text(encoding="utf-8")
    listed = EQUIVALENT.get(name, {})
    every = "NDCG_ALL_MUTANTS" in os.environ
    alive, tried, met = [], 0, set()
    for description, mutated in mutants(source):
        met.add(description)
        if description in listed and not every:
            continue
        tried += 1
        if survives(module, mutated):
            alive.append(description)
    assert tried > 3
    assert sorted(set(alive) - set(listed)) == [], f"{len(alive)} of {tried} mutants went unnoticed"
    unknown = set(listed) - (set(alive) if every else met)
    assert sorted(unknown) == [], (
        "listed as changing nothing, but noticed" if every else "listed, but there is no such mutant"
    )
