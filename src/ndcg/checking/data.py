"""Everything that a check looks at: loaded judgments and runs, what was asked, and the problems of loading."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..engines.judgments import Pool
from ..engines.workspace import Workspace
from ..measures.measure import Measure
from .join_facts import JoinFacts
from .judgment_facts import JudgmentFacts
from .opening import Problem
from .run_facts import RunFacts
from .scoring_again import Scorer


@dataclass
class RunData:
    """A run with its facts and suspected joins. `again` scores it on other data, even where nothing is in common."""

    facts: RunFacts
    joins: JoinFacts
    again: Scorer

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.facts.name

    @property
    def scorer(self) -> Scorer | None:
        """What scores the run, None where it has no query in common with the judgments."""
        return self.again if self.facts.common else None


@dataclass
class Data:
    """What the kinds of findings look at.

    `judged` is None where no judgment could be loaded. `corpus` is a table (doc) of the ids that exist, `pool` the
    candidate pool. `extra` is a table of the judgments' rows with their judge and date, where the input has them.
    """

    workspace: Workspace
    measure: Measure
    judged: JudgmentFacts | None
    runs: list[RunData]
    problems: list[Problem]
    pool: Pool | None = None
    corpus: str | None = None
    extra: str | None = None
    judges: bool = False
    dates: bool = False
    older_than: datetime | None = None
    unread_dates: int = 0

    @property
    def k(self) -> int:
        """The cutoff, 10 for a measure without one: how many ranks are shown."""
        return self.measure.k or 10
