"""A fault in the kernel or in the reference does not go unnoticed: every mutant of either fails the comparison.

A mutant is put into the running module by exchanging the code of its functions, so every importer sees it.
"""

from __future__ import annotations

import importlib
import random
import types
from functools import cache

import pytest
from comparing import as_dicts, by_reference, compare, measure
from mutation.mutants import mutants
from strategies import CHOICES, FRACTIONS, GRADES, HABITS, IDS, SCORES, with_habits

import ndcg

MODULES = [
    "ndcg.kernel.gains",
    "ndcg.kernel.sums",
    "ndcg.kernel.order",
    "ndcg.kernel.habits",
    "ndcg.kernel.ideal",
    "ndcg.kernel.reference",
    "ndcg.measures.ndcg",
    "ndcg.engines.groups",
]

EQUIVALENT: dict[str, dict[str, str]] = {}
"""Mutants that change nothing, by module, each with its reason."""


@cache
def cases():
    rng = random.Random(20)
    made = []
    for number in range(520):
        queries = rng.sample(["q1", "q2", "q3"], rng.randint(1, 3))
        judged = {
            q: {d: rng.choice([*GRADES, *FRACTIONS]) for d in rng.sample([*IDS, q], rng.randint(0, 8))} for q in queries
        }
        run = {q: [(d, rng.choice(SCORES)) for d in rng.sample([*IDS, q], rng.randint(0, 10))] for q in queries}
        chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
        if isinstance(chosen["gain"], dict):
            chosen["gain"] = {**chosen["gain"], 0.5: 0.2, 1.9: 0.4, 2.25: 3.0}
        if chosen["negative"] == "keep":
            chosen["gain"] = "linear"
        if number % 2:
            foreign = {name: rng.choice(HABITS[name]) for name in rng.sample(sorted(HABITS), rng.randint(2, 7))}
            if rng.random() < 0.4:
                foreign["negative"] = rng.choice(HABITS["negative"])
            chosen = with_habits(chosen, foreign)
        name = rng.choice(["nDCG", "nDCG", "nDCG", "DCG", "IDCG", "CG"])
        made.append((judged, run, name, rng.choice([None, 1, 2, 3, 5, 8]), chosen))
    return made


ERRORS = [
    ({"q": {"a": 2000}}, {"gain": "exp2"}),
    ({"q": {"a": 1e308, "b": 1e308, "c": 1e308}}, {"gain": "linear", "discount": "none"}),
    ({"q": {"a": -1}}, {"negative": "error"}),
    ({"q": {"a": 3}}, {"gain": {1: 1}}),
]


def agree():
    """Raises AssertionError, or anything else, where kernel and reference differ."""
    for judged, run, name, k, chosen in cases():
        expected = by_reference(judged, run, name, k, chosen)
        compare(expected, ndcg.evaluate(judged, as_dicts(run), measure(name, k, chosen), worst=0).per_query, context="")
    for judged, chosen in ERRORS:
        run = {"q": [(doc, 1.0) for doc in judged["q"]]}
        for attempt in (
            lambda judged=judged, run=run, chosen=chosen: by_reference(judged, run, "nDCG", None, chosen),
            lambda judged=judged, run=run, chosen=chosen: ndcg.evaluate(judged, as_dicts(run), ndcg.nDCG(**chosen)),
        ):
            try:
                attempt()
            except ValueError:
                continue
            raise AssertionError(f"{judged} under {chosen} was not refused")


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
    agree()
    module = importlib.import_module(name)
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    listed = EQUIVALENT.get(name, {})
    alive, count = [], 0
    for description, mutated in mutants(source):
        count += 1
        if survives(module, mutated):
            alive.append(description)
    assert count > 3
    assert sorted(set(alive) - set(listed)) == [], f"{len(alive)} of {count} mutants went unnoticed"
    assert sorted(set(listed) - set(alive)) == [], "listed as changing nothing, but noticed"
