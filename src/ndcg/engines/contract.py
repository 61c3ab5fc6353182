"""What every engine is asked and what it answers. Same questions, same answers, bit for bit.

A `Request` names the conventions that decide a ranking; all measures that share them are scored on one ranking. An
engine answers with the judged documents at their ranks and, per cutoff, with what it saw on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from ..kernel.batch import Bools, Ints, Ranked

Cutoff = int | None


class Request(NamedTuple):
    """One ranking to be made.

    `order` is docid, docid_desc or given: the order inside tied groups. `groups` asks for complete tied groups,
    `condense` for the ranking of judged documents only, `whole` for the whole list. `cutoffs` are the ranks at which
    it will be looked at. `marks` asks for what a few habits want to know of each row: it takes the whole list.
    """

    order: str
    duplicates: str
    self: str
    score_type: str
    condense: bool
    groups: bool
    whole: bool
    cutoffs: tuple[Cutoff, ...]
    marks: bool = False

    @property
    def depth(self) -> int:
        """The deepest finite cutoff."""
        return max((cutoff for cutoff in self.cutoffs if cutoff is not None), default=1)

    @property
    def repeats_stay(self) -> bool:
        """Whether every occurrence of a document keeps its rank."""
        return self.duplicates in ("count", "merged", "joined")


class Looked(NamedTuple):
    """What stood in the first k ranks of a ranking (before condensing).

    `judged` and `ranks` per query: judged documents among the first min(k, returned) ranks, and that minimum. `tied`
    per query: the size of the tied group that the cutoff cuts, 0 if it cuts none. `repeats` and `disagreements`
    are counts over all queries, `own` the number of queries that return a document with their own id. Where repeats
    stay, they are documents of the ranking like all others.
    """

    judged: Ints
    ranks: Ints
    tied: Ints
    repeats: int
    own: int
    disagreements: int


class Ranking(NamedTuple):
    """The answer to one request: the judged documents at their ranks, and what was seen at each cutoff.

    `returned` rows per query, repeats included, own documents left out where `self` drops them; never condensed.
    """

    ranked: Ranked
    returned: Ints
    looked: Mapping[Cutoff, Looked]


class RunFacts(NamedTuple):
    """What holds for a run whatever the measure.

    `present` are the judged queries that the run names (with rows or with an empty list), `failed` those whose search
    failed; `others` are the queries of the run without judgments, `others_returned` their rows, and `others_failed`
    those of them whose search failed.
    """

    present: Bools
    failed: Bools
    others: Sequence[str]
    others_returned: Sequence[int]
    others_failed: frozenset[str] = frozenset()


class Listed(NamedTuple):
    """One document of one query's ranking as the run gives it: id, score (None if there is none) and given rank."""

    document: str
    score: float | None
    rank: float | None = None


class Engine(Protocol):
    """Answers requests about one run."""

    def rank(self, requests: Sequence[Request]) -> tuple[RunFacts, list[Ranking]]:
        """All rankings in one pass over the run."""
        ...

    def lists(self, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """The complete rows of a few queries, in input order."""
        ...

    def leading(self, request: Request, queries: Sequence[str]) -> dict[str, list[Listed]]:
        """Rows of a few queries that hold at least the first ranks of a request that was just answered.

        To be asked between `rank` and `close`; no second pass over the run where the kept rows suffice.
        """
        ...

    def close(self) -> None:
        """Forget what was kept from the last pass."""
        ...

    def examples(self, limit: int) -> tuple[list[str], list[str]]:
        """Some query ids and some document ids of the run, for messages."""
        ...
