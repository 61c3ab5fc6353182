"""The page that a check returns: what was loaded and what is odd. Frozen, and plain data underneath."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..counted import counted_noun
from .findings import Finding

if TYPE_CHECKING:
    from .data import Data, RunData
    from .opening import Opened


class JudgmentPage(NamedTuple):
    """Judgments as loaded. `grades` are (grade, rows), lowest first; `relevant` counts positive rows."""

    name: str
    format: str
    layout: str
    notes: tuple[str, ...]
    files: int
    queries: int
    rows: int
    pairs: int
    grades: tuple[tuple[float, int], ...]
    bad: int
    judges: int
    first: str | None
    last: str | None
    unread_dates: int


class RunPage(NamedTuple):
    """A run as loaded: queries, rows, rows per query, its value as it stands, and judged@k by rank.

    `judged_by_rank` are (judged documents, documents) at each rank over the judged queries.
    """

    run: str
    name: str
    format: str
    layout: str
    notes: tuple[str, ...]
    files: int
    queries: int
    judged_queries: int
    rows: int
    least: int
    median: float
    most: int
    bad: int
    value: float | None
    counted: int
    matched: int
    judged_by_rank: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `check` returns. `problem` says why nothing can be scored, None where something can.

    `merge` is the rule that the values were computed under (`max` where grades conflict and none was declared).
    """

    measure: str
    judgments: JudgmentPage
    runs: tuple[RunPage, ...]
    findings: tuple[Finding, ...]
    problem: str | None
    merge: str | None
    declared_merge: str | None
    version: str

    def __repr__(self) -> str:
        runs = f" with {', '.join(run.run for run in self.runs[:3])}" if self.runs else ""
        more = f" and {len(self.runs) - 3} more" if len(self.runs) > 3 else ""
        return f"<CheckReport of {self.judgments.name}{runs}{more}: {counted_noun(len(self.findings), 'finding')}>"

    def __str__(self) -> str:
        from ..reports.check import check_text

        return check_text(self)

    def as_dict(self) -> dict[str, Any]:
        """Plain data: everything on the page."""
        judgments = self.judgments._asdict()
        judgments["grades"] = {f"{grade:g}": rows for grade, rows in self.judgments.grades}
        return {
            "measure": self.measure,
            "judgments": judgments,
            "runs": [run._asdict() for run in self.runs],
            "findings": [finding.as_dict() for finding in self.findings],
            "can_be_scored": self.problem is None,
            "problem": self.problem,
            "merge": self.merge,
            "version": self.version,
        }

    def to_json(self) -> str:
        """One JSON document."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False)


def judgment_page(data: Data, opened: Opened) -> JudgmentPage:
    """The judgments of a page."""
    judged = data.judged
    described = opened.source.described if opened.source is not None else None
    first = last = None
    judges = 0
    if data.extra is not None and judged is not None:
        judges, low, high = judged.ask(f"select count(distinct judge), min(moment), max(moment) from {data.extra}")[0]
        first, last = (f"{moment:%Y-%m-%d}" if moment is not None else None for moment in (low, high))
    return JudgmentPage(
        name=described.name if described else opened.where,
        format=described.format if described else "",
        layout=described.layout if described else "",
        notes=described.notes if described else (),
        files=_files(opened),
        queries=len(judged.queries) if judged else 0,
        rows=judged.loaded.rows if judged else 0,
        pairs=judged.pairs if judged else 0,
        grades=tuple(judged.grades.items()) if judged else (),
        bad=sum(problem.total for problem in opened.problems),
        judges=judges,
        first=first,
        last=last,
        unread_dates=data.unread_dates,
    )


def _files(opened: Opened) -> int:
    return len(getattr(opened.source, "parts", ())) if opened.source is not None else 0


def run_page(data: Data, opened: Opened, run: RunData | None) -> RunPage:
    """One run of a page."""
    described = opened.source.described if opened.source is not None else None
    bad = sum(problem.total for problem in opened.problems)
    head = (
        opened.subject or "run",
        described.name if described else opened.where,
        described.format if described else "",
        described.layout if described else "",
        described.notes if described else (),
        _files(opened),
    )
    if run is None:
        return RunPage(*head, 0, 0, 0, 0, 0.0, 0, bad, None, 0, 0, ())
    depths = run.facts.depths
    scorer = run.scorer
    return RunPage(
        *head,
        depths.queries,
        len(run.facts.common),
        run.facts.loaded.rows,
        depths.least,
        depths.median,
        depths.most,
        bad,
        scorer.value if scorer else None,
        int(scorer.base.counted.sum()) if scorer else 0,
        run.facts.matched_pairs,
        tuple(scorer.judged_by_rank(data.k)) if scorer else (),
    )
