"""ranx."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="ranx",
        tool="ranx ndcg, Qrels and Run, make_comparable=True",
        versions="0.3.x, seen at 0.3.21",
        checked="run",
        source="AmenRa/ranx: ranx/metrics/ndcg.py, ranx/data_structures",
        conventions={
            "gain": "linear",
            "min_grade": 1,
            "grade_type": "int",
            "ties": "given",
            "empty": "zero",
            "cutoff_zero": "whole",
        },
        notes=(
            "Only grades from 1 on count.",
            "Fractional grades are cut to whole numbers.",
            "A judged query that the run lacks counts 0.",
            "A cutoff of 0 is the whole list.",
        ),
        undefined="Equal scores keep the input order up to about 15 documents; beyond, the sort is not stable.",
    ),
    Dialect(
        name="ranx_default",
        tool="ranx ndcg, Qrels and Run",
        versions="0.3.x, seen at 0.3.21",
        checked="run",
        source="AmenRa/ranx: ranx/meta/evaluate.py",
        conventions={
            "gain": "linear",
            "min_grade": 1,
            "grade_type": "int",
            "ties": "given",
            "empty": "zero",
            "missing": "error",
            "empty_list": "zero",
            "unjudged_query": "error",
            "cutoff_zero": "whole",
        },
        notes=("As with make_comparable, but query sets that differ end in an AssertionError.",),
        undefined="Equal scores keep the input order in short lists only.",
    ),
    Dialect(
        name="ranx_dicts",
        tool="ranx ndcg on plain dicts",
        versions="0.3.x, seen at 0.3.21",
        checked="run",
        source="AmenRa/ranx: ranx/meta/evaluate.py",
        conventions={
            "gain": "linear",
            "min_grade": 1,
            "ties": "given_reversed",
            "empty": "zero",
            "missing": "error",
            "empty_list": "zero",
            "unjudged_query": "error",
            "cutoff_zero": "whole",
        },
        notes=(
            "Equal scores stand in reverse input order.",
            "Queries are matched by position, not by name: another order scores something else, silently.",
        ),
        undefined="The reverse order holds in short lists only.",
    ),
    Dialect(
        name="ranx_burges",
        tool="ranx ndcg_burges, make_comparable=True",
        versions="0.3.x, seen at 0.3.21",
        checked="run",
        source="AmenRa/ranx: ranx/metrics/ndcg.py",
        conventions={
            "min_grade": 1,
            "grade_type": "int",
            "ties": "given",
            "empty": "zero",
            "cutoff_zero": "whole",
        },
        notes=("As ranx, with gain 2^grade - 1.",),
        undefined="Equal scores keep the input order in short lists only.",
    ),
)
