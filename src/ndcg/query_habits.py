"""What other tools do to whole queries: losses computed, short lists, named but empty lists, rounded values.

Called after statuses and the usual policies; every habit stands behind its own condition.
"""

from __future__ import annotations

import numpy as np

from .aggregate import STATUSES
from .engines.contract import Ranking, RunFacts
from .errors import Fault, InputError
from .kernel.batch import Bools, Computed, Floats, Ints
from .kernel.habits import rounded
from .measures.convention import split_parameter
from .measures.measure import Measure
from .measures.resolved import Conventions

VALUES = {"zero": 0.0, "one": 1.0}


def apply_habits(
    measure: Measure,
    queries: list[str],
    facts: RunFacts,
    ranking: Ranking,
    computed: Computed,
    status: np.ndarray[tuple[int], np.dtype[np.int8]],
    value: Floats,
    counted: Bools,
) -> None:
    """Change `value` and `counted`, judged queries first, as the measure's habits say."""
    conventions = measure.conventions
    judged = len(ranking.returned)
    here, values, counts = status[:judged], value[:judged], counted[:judged]
    empty, missing = here == STATUSES.index("empty"), here == STATUSES.index("missing")
    scored = here == STATUSES.index("scored")
    if conventions["empty"] == "compute":
        counts[empty] = True
        scored = scored | empty
    if conventions["no_ideal"] != "zero" and computed.ideal is not None:
        idle = computed.idle if computed.idle is not None else computed.ideal == 0
        _settle(conventions.text("no_ideal"), idle & scored, queries, values, counts)
    if conventions["short_list"] == "zero" and measure.k is not None:
        values[scored & (_listed(ranking, conventions) < measure.k)] = 0.0
    if conventions["empty_missing"] == "missing":
        both = empty & (ranking.returned == 0)
        missing = missing | both
        policy = conventions["missing"]
        if measure.family.always_defined:
            # A count has its own value there, unless such queries do not count.
            counts[both] &= policy in VALUES
        else:
            counts[both] = policy in VALUES
            values[both] = 0.0
        scored = scored & ~both
    if conventions["empty_list"] == "zero":
        named = missing & facts.present
        if measure.family.always_defined:
            counts[named] = True if computed.defined is None else computed.defined[named]
        else:
            values[named], counts[named] = 0.0, True
    if conventions["unjudged_query"] in VALUES:
        others = status == STATUSES.index("unjudged")
        value[others], counted[others] = VALUES[conventions.text("unjudged_query")], True
    if conventions["rounding"] != "none":
        rule, places = split_parameter(conventions.text("rounding"))
        for at in np.flatnonzero(scored & counts).tolist():
            values[at] = rounded(float(values[at]), rule, int(places or 0))


def _settle(policy: str, affected: Bools, queries: list[str], values: Floats, counts: Bools) -> None:
    """Queries whose chosen ideal is 0."""
    if policy == "one":
        values[affected] = 1.0
    elif policy == "exclude":
        counts[affected] = False
    elif affected.any():
        problem = "the chosen ideal is 0"
        places = np.flatnonzero(affected).tolist()
        raise InputError(
            problem,
            code="no_ideal",
            faults=[Fault(problem, "judgments", query=queries[at]) for at in places[:10]],
            total=len(places),
            hint="no_ideal='error' was declared; 'zero', 'one' or 'exclude' would go on",
        )


def _listed(ranking: Ranking, conventions: Conventions) -> Ints:
    condensed = conventions["unjudged"] == "skip" or None not in ranking.looked
    return ranking.ranked.returned if condensed else ranking.looked[None].ranks
