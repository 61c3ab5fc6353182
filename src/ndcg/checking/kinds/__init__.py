"""All kinds of findings: one declaration each, one small file per family."""

from __future__ import annotations

from ..findings import Kind
from . import age, coverage, grades, joins, judgments, pool, problems, queries, ranking, resemblance, scales

ALL: dict[str, Kind] = {
    kind.code: kind
    for family in (
        problems,
        judgments,
        queries,
        joins,
        pool,
        ranking,
        coverage,
        grades,
        scales,
        resemblance,
        age,
    )
    for kind in family.KINDS
}
"""Every kind by its code."""
