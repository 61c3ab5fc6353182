"""Dialects as data: they parse, print, override, and their page is up to date."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ndcg
from ndcg import nDCG, parse
from ndcg.dialect_page import page
from ndcg.errors import UsageError
from ndcg.measures import dialects as room
from ndcg.measures.convention import split_parameter
from ndcg.measures.conventions import CONVENTIONS
from ndcg.measures.dialects import all_dialects

ROOT = Path(__file__).parents[2]
DIALECTS = list(all_dialects().values())


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_round_trip(dialect):
    measure = parse(f"{dialect.measure}(dialect={dialect.name})@10")
    assert measure.dialect == dialect.name
    assert str(measure) == f"{dialect.measure}(dialect='{dialect.name}')@10"
    assert parse(str(measure)) == measure
    resolved = {name: CONVENTIONS[name].resolve(value) for name, value in dialect.conventions.items()}
    # What the family does not take has no say.
    assert all(
        measure.conventions[name] == value for name, value in resolved.items() if name in measure.family.conventions
    )
    for alias in dialect.aliases:
        assert parse(f"{dialect.measure}(dialect={alias})@10") == measure
    assert dialect.tool and dialect.versions and dialect.source and dialect.notes


def test_a_dialect_equals_its_conventions():
    spelled = nDCG(
        k=10,
        gain="linear",
        ties="docid_desc",
        empty="zero",
        missing="exclude",
        empty_missing="missing",
        score_type="float32",
        grade_type="int",
        duplicates="error",
    )
    assert spelled == parse("nDCG(dialect='trec_eval')@10")
    assert hash(spelled) == hash(parse("nDCG(dialect='trec_eval')@10"))


def test_further_options_override():
    measure = parse("nDCG(dialect=trec_eval, missing=zero)@5")
    assert str(measure) == "nDCG(dialect='trec_eval_9', missing='zero')@5"
    assert measure.conventions["missing"] == "zero" and measure.conventions["gain"] == "linear"
    assert (
        str(measure.with_conventions({"gain": "exp2"})) == "nDCG(dialect='trec_eval_9', gain='exp2', missing='zero')@5"
    )


def test_a_tool_with_its_own_cutoff_brings_it():
    assert parse("nDCG(dialect=xgboost)").k == 32
    assert parse("nDCG(dialect=xgboost)@5").k == 5
    assert parse("nDCG(dialect=trec_eval)").k is None


def test_an_unknown_dialect_suggests_the_nearest():
    with pytest.raises(UsageError, match="trec_eval"):
        parse("nDCG(dialect=trec_evla)@10")


def test_no_habit_is_a_default():
    for convention in CONVENTIONS.values():
        assert str(convention.default) not in convention.habits
        assert convention.habits <= set(convention.choices)


def test_every_habit_belongs_to_a_dialect_or_a_measure():
    used = {
        (name, split_parameter(value)[0] if isinstance(value, str) else value)
        for dialect in DIALECTS
        for name, value in dialect.conventions.items()
        if not isinstance(value, dict)
    }
    # `half_up` for the server of Quepid, `grade` for ir_measures' gains: options of those dialects.
    habits = {(name, habit) for name, convention in CONVENTIONS.items() for habit in convention.habits}
    assert habits - used == {("off_table", "grade")}


@pytest.mark.parametrize("path", sorted(Path(room.__file__).parent.glob("*.py")), ids=lambda path: path.name)
def test_a_dialect_holds_no_arithmetic(path):
    if path.name in ("__init__.py", "contract.py"):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.BinOp | ast.FunctionDef | ast.Lambda), ast.dump(node)


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8") == page(), (
        "docs/dialects.md is stale: ndcg dialects --list --format md -o docs/dialects.md"
    )


def test_plain_measures_do_not_show_habits():
    assert str(nDCG(k=10)) == "nDCG@10"
    assert set(CONVENTIONS) <= set(nDCG(k=10).declaration())
    assert ndcg.parse("nDCG@10") == nDCG(k=10)
