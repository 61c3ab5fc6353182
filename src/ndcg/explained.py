"""What `explain` found about one query: `Explanation` and its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from .moves import Move
from .version import __version__

if TYPE_CHECKING:
    from .plots.single_query import ExplanationPlots


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A document at its rank. `grade` is None where it is unjudged; `contribution` is gain x discount.

    `tied` are the first and the last rank of its group of equal scores, None where nothing ties. Under
    `ties='average'` the gain of a tied document is the mean of its group.
    """

    rank: int
    document: str
    score: float | None
    grade: float | None
    gain: float
    discount: float
    contribution: float
    total: float
    tied: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class IdealRow:
    """A document at its rank in the ideal list."""

    rank: int
    document: str
    grade: float
    gain: float
    discount: float
    contribution: float
    total: float


@dataclass(frozen=True, slots=True)
class Missed:
    """A judged document with gain that is not in the scored ranks; `rank` is where it stands below them, if it does."""

    document: str
    grade: float
    gain: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a query scores what it scores.

    `value`, `dcg` and `ideal_dcg` are those of `evaluate`. `rows` are the scored ranks, `ideal` the ideal list,
    `missed` the judged documents with gain outside the scored ranks, `moves` the single moves that would raise the
    value most. `sentence` says in words what became of the query.
    """

    run: str
    query: str
    measure: str
    declaration: Mapping[str, object]
    status: str
    sentence: str
    value: float | None
    dcg: float | None = None
    ideal_dcg: float | None = None
    returned: int = 0
    judged_at_k: float | None = None
    tied_at_cutoff: int = 0
    rows: tuple[RankedRow, ...] = field(default=(), repr=False)
    ideal: tuple[IdealRow, ...] = field(default=(), repr=False)
    missed: tuple[Missed, ...] = field(default=(), repr=False)
    moves: tuple[Move, ...] = ()
    version: str = __version__

    @property
    def plot(self) -> ExplanationPlots:
        """Charts: `.gain_by_rank()`."""
        from .plots.single_query import ExplanationPlots

        return ExplanationPlots(self)

    def __repr__(self) -> str:
        told = "no value" if self.value is None else f"{self.value:.4f}"
        return f"<Explanation of query {self.query!r} in {self.run}, {self.measure}: {told}, {self.status}>"

    def __str__(self) -> str:
        from .reports.explanation import explanation_text

        return explanation_text(self)

    def _repr_html_(self) -> str:
        from .reports.explanation import explanation_html

        return explanation_html(self)

    def print(self) -> None:
        """Print the explanation as text."""
        print(self)

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """One JSON document with full precision."""
        from .saved import dumped

        plain: object = json.loads(json.dumps(self.as_dict()))
        return dumped(plain, indent=2)
