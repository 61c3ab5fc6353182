"""`power`: how many queries do these runs need to be told apart, and how reliable is the set there is?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..asked_measures import DEFAULT_MEASURE
from ..counted import counted_noun
from ..errors import UsageError
from ..evaluation import evaluate
from ..results import Entry, Result
from .numbers import Floats
from .plans import Plan, plan_queries

IDLE = (
    "by",
    "by_documents",
    "slice_mode",
    "slice_overlap",
    "slice_least",
    "weights",
    "default_weight",
    "interval",
    "worst",
)
"""Options of `evaluate` that a plan does not look at."""


@dataclass(frozen=True, slots=True)
class PowerReport:
    """What `power` returns: a plan for each measure, and the result that the values come from."""

    plans: tuple[Plan, ...]
    result: Result
    warnings: tuple[str, ...] = ()

    def plan(self, measure: object = None) -> Plan:
        """The plan of a measure, which may be left out where there is only one."""
        found = [plan for plan in self.plans if measure is None or plan.measure == str(measure)]
        if len(found) != 1:
            raise UsageError(
                f"{counted_noun(len(found), 'plan matches', 'plans match')} measure={str(measure)!r}",
                code="no_such_plan",
                hint=f"there are {', '.join(plan.measure for plan in self.plans)}",
            )
        return found[0]

    def __repr__(self) -> str:
        return f"<PowerReport: {', '.join(plan.measure for plan in self.plans)}>"

    def __str__(self) -> str:
        from ..reports.power import power_text

        return power_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "plans": [plan.as_dict() for plan in self.plans],
            "warnings": list(self.warnings),
            "version": self.result.version,
        }

    def to_json(self) -> str:
        """One JSON document with full precision."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)


def power(
    qrels: object,
    run: object = None,
    measures: object = DEFAULT_MEASURE,
    *,
    differences: Sequence[float] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    level: float = 0.95,
    target: float = 0.95,
    **options: Any,
) -> PowerReport:
    """How many queries? From the values of one or several runs on a test set.

    For every pair of runs: the standard deviation of per-query differences, the least true difference that a paired t
    test of the queries there are detects with `power` (probability of p below `alpha`), and the queries needed for each
    of `differences` (0.01, 0.02, 0.05 and 0.1 if left out). For three and more runs the same by analysis of variance,
    and for two and more the reliability (Erho2, Phi) with the queries that reach `target`. `level` is that of all
    limits. Only queries with a value in every run are used, and the others are counted.

    The first three arguments and all other options are those of `evaluate`; a `Result` may stand in place of the
    judgments. Needs SciPy.

    >>> import ndcg
    >>> judged = {f"q{n}": {"A": 1, "B": n % 3} for n in range(12)}
    >>> runs = {"one": {q: ["A", "B"] for q in judged}, "two": {q: ["B", "A"] for q in judged}}
    >>> plan = ndcg.power(judged, runs, "nDCG@10").plan()
    >>> plan.queries, plan.pairs[0].changed
    (12, 8)
    """
    if isinstance(qrels, Result):
        if run is not None or options:
            raise UsageError("a Result is scored already: it takes no run and no options of evaluate", code="usage")
        result = qrels
    else:
        idle = next((name for name in options if name in IDLE), None)
        if idle is not None:
            raise UsageError(
                f"{idle}= has no effect on a plan: power looks at the values of all queries alike",
                code="no_effect",
                hint="leave it out, or plan for a part of the queries by giving their judgments alone",
            )
        result = evaluate(qrels, run, measures, worst=0, **options)
    by_measure: dict[str, list[Entry]] = {}
    for entry in result.entries:
        if entry.slice is None:
            by_measure.setdefault(entry.measure, []).append(entry)
    plans = []
    for measure, entries in by_measure.items():
        matrix, left_out = values_in_common(entries)
        plans.append(
            plan_queries(
                matrix,
                runs=[entry.run for entry in entries],
                measure=measure,
                left_out=left_out,
                differences=differences,
                power=power,
                alpha=alpha,
                level=level,
                target=target,
            )
        )
    warnings = dict.fromkeys(result.warnings)
    for entry in result.entries:
        warnings |= dict.fromkeys(f"{entry.run}: {warning}" for warning in entry.warnings)
    return PowerReport(tuple(plans), result, tuple(warnings))


def values_in_common(entries: Sequence[Entry]) -> tuple[Floats, int]:
    """Values of queries x runs for the queries counted in every run, and how many are counted in some only."""
    counted: list[Mapping[str, float]] = []
    for entry in entries:
        rows = entry.rows
        if rows.aggregate != "mean":
            raise UsageError(
                f"{entry.measure} is no mean over queries ({rows.aggregate}), so it has no variance to plan with",
                code="no_mean",
                hint="take a measure whose value is a mean, such as nDCG@10",
            )
        places = np.flatnonzero(rows.counted).tolist()
        counted.append({rows.queries[at]: float(rows.value[at]) for at in places})
    common = [query for query in counted[0] if all(query in other for other in counted[1:])]
    some = set().union(*counted)
    matrix = np.array([[values[query] for values in counted] for query in common]).reshape(len(common), len(entries))
    return matrix, len(some) - len(common)
