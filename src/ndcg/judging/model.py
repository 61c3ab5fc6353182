"""What is said about unjudged documents: frozen, JSON-able, rendered elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from ..version import __version__


@dataclass(frozen=True, slots=True)
class QueryBounds:
    """One query of one run, or of the difference of two.

    `value` is None where the query does not count now. `lower` and `upper` are the smallest and the largest value that
    any completion of the judgments gives it, None where none does; `exact` says that both are reached, else they are
    proven outer bounds. `unjudged` counts the uncertain documents in the scored ranks. `enters` marks a query that is
    empty now and counts as soon as one of them is relevant, `leaves` one that a policy gives a value while it is empty
    and that a relevant document makes missing, so that it no longer counts.
    """

    query: str
    status: str
    value: float | None
    lower: float | None
    upper: float | None
    unjudged: int
    exact: bool
    enters: bool
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class RunBounds:
    """The mean of one run and what unjudged documents could make of it.

    `value` is the mean over the `counted` queries, unjudged documents being worth nothing; `lower` and `upper` are the
    smallest and the largest mean of any completion, with the queries that enter in it. `condensed` is the mean under
    `unjudged='skip'`, where k counts the ranks that are left. `judged_at_k` is the mean share of judged documents in
    the first k ranks; `unjudged` counts the unjudged documents in the scored ranks.
    """

    run: str
    value: float | None
    lower: float | None
    upper: float | None
    condensed: float | None
    judged_at_k: float | None
    unjudged: int
    counted: int
    entering: int
    exact: bool
    queries: tuple[QueryBounds, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PairBounds:
    """Two runs: the mean of their per-query differences (first less second) and what could become of it.

    `verdict` is 'holds' (the better run stays better whatever the unjudged documents are), 'open' (a completion turns
    the verdict, or makes the two equal), 'unproven' (the outer bounds do not tell) or 'equal' (no difference, and none
    possible). `holding` counts the queries whose own verdict holds.
    """

    first: str
    second: str
    difference: float | None
    lower: float | None
    upper: float | None
    verdict: str
    counted: int
    entering: int
    exact: bool
    holding: int
    queries: tuple[QueryBounds, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class UnjudgedBounds:
    """What unjudged documents could make of the scores of some runs, and of the verdicts between them.

    `grades` are those that a judge may give, `scope` says which unjudged documents may turn out relevant.
    """

    measure: str
    declaration: Mapping[str, object]
    grades: tuple[float, ...]
    scope: str
    runs: tuple[RunBounds, ...]
    pairs: tuple[PairBounds, ...]
    warnings: tuple[str, ...] = ()
    version: str = __version__

    def run(self, name: str) -> RunBounds:
        """The bounds of a run by its name."""
        from ..errors import choose

        for found in self.runs:
            if found.run == name:
                return found
        raise choose("run", name, [found.run for found in self.runs])

    def __repr__(self) -> str:
        told = [
            f"{each.run} without a value"
            if each.lower is None or each.upper is None
            else f"{each.run} between {each.lower:.4f} and {each.upper:.4f}"
            for each in self.runs[:3]
        ]
        more = f"; and {len(self.runs) - 3} more" if len(self.runs) > 3 else ""
        return f"<UnjudgedBounds of {self.measure}: {'; '.join(told)}{more}>"

    def __str__(self) -> str:
        from ..reports.judging import bounds_text

        return bounds_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """One JSON document with full precision."""
        return as_json(self.as_dict())


@dataclass(frozen=True, slots=True)
class NextRow:
    """One (query, document) pair to judge.

    `effect` is the largest change, up or down, that a grade for this document alone can make to what the list is
    ordered by, everything else unjudged counting nothing; `change` is that change with its sign, `grade` the grade
    that makes it and `on` what it changes: the mean of a run, or of a difference `first - second`. `ranks` are the
    ranks of the document by run, of the runs that return it so high. In a pool without judgments there are only ranks.
    `empty`: nothing is relevant for the query so far and it does not count, so a grade would bring it into the mean.
    """

    query: str
    document: str
    ranks: Mapping[str, int]
    effect: float | None = None
    change: float | None = None
    grade: float | None = None
    on: str | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class JudgeNext:
    """What to judge next, the most telling pairs first; those of empty queries after all others.

    `aim` is 'verdict', 'value' or 'pool' (no judgments yet). `found` counts the unjudged pairs in the first `depth`
    ranks of the runs and `idle` those of them that no grade lets change anything. `bounds` are what all unjudged
    documents could change, `within` what the rows of the list could. `seed` is that of the order of equal rows.
    `empty_pairs` that could change something are of the `empty_queries`, which do not count so far.
    """

    aim: str
    depth: int
    budget: int | None
    found: int
    idle: int
    rows: tuple[NextRow, ...] = field(repr=False)
    bounds: UnjudgedBounds | None = field(default=None, repr=False)
    within: UnjudgedBounds | None = field(default=None, repr=False)
    seed: int = 0
    warnings: tuple[str, ...] = ()
    empty_pairs: int = 0
    empty_queries: tuple[str, ...] = ()
    version: str = __version__

    def __repr__(self) -> str:
        return f"<JudgeNext: {len(self.rows)} of {self.found} pairs, by {self.aim}>"

    def __str__(self) -> str:
        from ..reports.judging_next import next_text

        return next_text(self)

    def _repr_html_(self) -> str:
        from ..reports.layout import preformatted

        return preformatted(str(self))

    def as_dict(self) -> dict[str, object]:
        """Plain data; the bounds without their queries."""
        plain = asdict(self)
        for part in ("bounds", "within"):
            if plain[part] is not None:
                for row in (*plain[part]["runs"], *plain[part]["pairs"]):
                    del row["queries"]
        if plain["within"] is not None:
            # What holds for both is said once.
            plain["within"] = {name: plain["within"][name] for name in ("runs", "pairs")}
        return plain

    def to_json(self) -> str:
        """One JSON document with full precision."""
        return as_json(self.as_dict())


def as_json(value: object) -> str:
    """Plain data as one JSON document."""
    from ..saved import dumped

    plain: object = json.loads(json.dumps(value))
    return dumped(plain, indent=2)
