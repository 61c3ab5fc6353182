"""All kinds of findings: one declaration each, one small file per family."""

from __future__ import annotations

from ..findings import Kind
from .age import KINDS as AGE
from .coverage import KINDS as COVERAGE
from .grades import KINDS as GRADES
from .joins import KINDS as JOINS
from .judgments import KINDS as JUDGMENTS
from .pool import KINDS as POOL
from .problems import KINDS as PROBLEMS
from .queries import KINDS as QUERIES
from .ranking import KINDS as RANKING
from .resemblance import KINDS as RESEMBLANCE
from .scales import KINDS as SCALES

ALL: dict[str, Kind] = {
    kind.code: kind
    for family in (PROBLEMS, JUDGMENTS, QUERIES, JOINS, POOL, RANKING, COVERAGE, GRADES, SCALES, RESEMBLANCE, AGE)
    for kind in family
}
"""Every kind by its code."""
