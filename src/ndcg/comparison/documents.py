"""What a comparison says of documents: overlap of the first ranks, candidate pools, one query side by side.

Only runs that are scored in the same call have documents at hand; saved results have the fingerprints of their pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ..aggregate import STATUSES
from ..compared import Pools, Side
from ..errors import UsageError, clip
from ..pools import (
    Factors,
    PoolFacts,
    PoolOverlap,
    decompose,
    factors,
    pool_facts,
    pool_overlap,
    splits,
    with_pool,
)
from ..scoring import request_of
from ..top_lists import top_lists
from .gather import returned_pool
from .overlap import Overlap, SideBySide, overlap, side_by_side
from .pairing import Paired, pair
from .sides import Clusters, side

if TYPE_CHECKING:
    from ..compared import Settings
    from ..engines.judgments import Judgments
    from ..kernel.batch import Bools
    from ..measures.measure import Measure
    from ..ranking import Place
    from ..results import Entry
    from .gather import Gathered

DETAILED = 12
"""Up to so many systems, documents are looked at beside the scores: it means reading every run again."""

DEPTH = 10
"""Ranks that are compared where a measure has no cutoff."""

SEEN = 100
"""How deep the lists of one query are read, so that a document from below the shown ranks is not called new."""


@dataclass
class Documents:
    """The documents of the systems of one call, read when they are asked for."""

    gathered: Gathered
    settings: Settings
    depth: int | None = None
    _lists: dict[object, dict[str, list[str]]] = field(default_factory=dict)
    _returned: dict[str, Judgments] = field(default_factory=dict)
    _overlaps: dict[tuple[str, str, str], PoolOverlap] = field(default_factory=dict)

    @property
    def detailed(self) -> bool:
        """Whether documents are looked at at all."""
        return len(self.gathered.names) <= DETAILED

    def depth_of(self, measure: Measure) -> int:
        """The ranks that are compared: as declared, or the measure's cutoff, or ten."""
        return self.depth or measure.k or DEPTH

    def both_live(self, base: str, new: str) -> bool:
        """Whether both runs were scored now."""
        return self.gathered.live(base) and self.gathered.live(new)

    def overlap(self, base: str, new: str, measure: str, paired: Paired) -> Overlap | None:
        """How alike the first ranks are; None for saved results, and where there are too many systems."""
        if not self.detailed or not self.both_live(base, new):
            return None
        chosen = self._measure(measure)
        same = paired.base_counted & paired.new_counted & (paired.base == paired.new)
        return overlap(
            self._first(base, chosen),
            self._first(new, chosen),
            depth=self.depth_of(chosen),
            p=self.settings.persistence,
            same_value=frozenset(paired.ids(same)),
        )

    def _measure(self, text: str) -> Measure:
        return next(measure for measure in self.gathered.measures if str(measure) == text)

    def _first(self, run: str, measure: Measure) -> dict[str, list[str]]:
        """The documents of the first ranks by query; measures that rank alike share them."""
        depth = self.depth_of(measure)
        key = run, request_of(measure)._replace(cutoffs=(depth,))
        if key not in self._lists:
            places = self._places(run, measure, depth)
            self._lists[key] = {query: [place.document for place in listed] for query, listed in places.items()}
        return self._lists[key]

    def _places(
        self, run: str, measure: Measure, depth: int, queries: Sequence[str] | None = None
    ) -> dict[str, list[Place]]:
        session, judgments = self.gathered.session, self.gathered.judgments[run]
        assert session is not None
        engine = replace(session, judgments=judgments).engine(run)
        return top_lists(engine, judgments, measure, depth, queries)

    def pools(
        self, base: str, new: str, measure: str, paired: Paired, chosen: Bools, clusters: Clusters
    ) -> Pools | None:
        """Whether both ranked the same candidates, and what pools and rankings contribute.

        Of saved results only the fingerprints of their pools are known: they tell the kind of the comparison.
        """
        if not self.both_live(base, new):
            return self._by_fingerprint(base, new)
        declared = self.gathered.declared
        if declared == "none":
            if not self.detailed:
                return Pools("unknown", declared, None, None, None, None, None)
            ours, theirs = self._with_returned(base), self._with_returned(new)
            what = self._measure(measure)
            assert ours.pool is not None and theirs.pool is not None
            facts = [pool_facts(run, judgments, what, None, chosen) for run, judgments in ((base, ours), (new, theirs))]
            between = self._overlap(base, new, ours, theirs, what)
            return Pools("unknown", declared, between, facts[0], facts[1], None, None)
        return self._declared(base, new, measure, paired, chosen, clusters)

    def _by_fingerprint(self, base: str, new: str) -> Pools:
        """The kind of a comparison of systems of which one was saved."""
        ours = theirs = None
        # Without a pool in any of them nothing needs to be hashed.
        if any(read.role == "candidate pool" for read in self.gathered.result.inputs):
            identities = self.gathered.identities
            ours, theirs = (identities[run].fingerprints().get("candidates") for run in (base, new))
        if ours is None or theirs is None:
            return Pools("unknown", "none", None, None, None, None, None)
        return Pools("reranking" if ours == theirs else "end-to-end", "given", None, None, None, None, None)

    def _overlap(self, base: str, new: str, ours: Judgments, theirs: Judgments, measure: Measure) -> PoolOverlap:
        key = base, new, str(measure)
        if key not in self._overlaps:
            assert ours.pool is not None and theirs.pool is not None
            self._overlaps[key] = pool_overlap(ours.pool, theirs.pool, ours, measure)
        return self._overlaps[key]

    def same_pool(self, base: str, new: str, measure: str) -> PoolOverlap:
        """How the declared pools of two runs differ."""
        judgments = self.gathered.judgments
        return self._overlap(base, new, judgments[base], judgments[new], self._measure(measure))

    def _with_returned(self, run: str) -> Judgments:
        """The judgments beside the documents that a run returned."""
        if run not in self._returned:
            session = self.gathered.session
            assert session is not None
            pool = returned_pool(session, run)
            self._returned[run] = with_pool(self.gathered.judgments[run], pool)
        return self._returned[run]

    def _declared(self, base: str, new: str, measure: str, paired: Paired, chosen: Bools, clusters: Clusters) -> Pools:
        what = self._measure(measure)
        judgments = self.gathered.judgments
        between = self.same_pool(base, new, measure)
        kind = "reranking" if between.same else "end-to-end"
        found: list[Factors | None] = [None, None]
        split = beside = None
        if splits(what):
            rows = [(self.gathered.entry(run, measure), self.gathered.variants[run, measure]) for run in (base, new)]
            found = [factors(own.rows, variant.rows) for own, variant in rows]
            places = np.flatnonzero(chosen).tolist()
            assert found[0] is not None and found[1] is not None
            if kind == "end-to-end":
                split = decompose(paired.queries, paired.differences(chosen), found[0], found[1], places)
            else:
                beside = self._candidates(rows[0][1], rows[1][1], chosen, clusters)
        facts: list[PoolFacts] = [
            pool_facts(run, judgments[run], what, factor, chosen)
            for run, factor in zip((base, new), found, strict=True)
        ]
        return Pools(kind, self.gathered.declared, between, facts[0], facts[1], split, beside)

    def _candidates(self, base: Entry, new: Entry, chosen: Bools, clusters: Clusters) -> Side:
        paired = pair(base.rows, new.rows)
        return side("candidates", paired, chosen, self.settings, clusters)

    def side_by_side(self, base: str, new: str, query: str, measure: str) -> SideBySide:
        """The first ranks of one query in both systems, with grades and movement."""
        gathered = self.gathered
        for run in (base, new):
            if not gathered.live(run):
                raise UsageError(
                    f"query= shows documents, and the saved result {run!r} holds none",
                    code="no_rankings",
                    hint="give the run itself",
                )
        judgments = gathered.judgments[base]
        if query not in judgments.codes:
            near = get_close_matches(query, judgments.queries, n=3, cutoff=0.4) or judgments.queries[:3]
            raise UsageError(
                f"the judgments do not know the query {clip(query)!r}",
                code="unknown_query",
                hint=f"near it are {', '.join(repr(clip(other)) for other in near)}",
            )
        what = self._measure(measure)
        depth = self.depth_of(what)
        lists = [self._places(run, what, max(depth, SEEN), [query])[query] for run in (base, new)]
        rows = [_row(gathered.entry(run, measure), query) for run in (base, new)]
        return side_by_side(
            lists[0],
            lists[1],
            _contributions(lists, judgments.grades_of(query)[query], what),
            depth=depth,
            p=self.settings.persistence,
            query=query,
            measure=measure,
            base=base,
            new=new,
            base_value=rows[0][0],
            new_value=rows[1][0],
            base_status=rows[0][1],
            new_status=rows[1][1],
        )


def _row(entry: Entry, query: str) -> tuple[float | None, str]:
    """(value, status) of a query in an entry."""
    rows = entry.rows
    at = list(rows.queries).index(query)
    return float(rows.value[at]) if rows.counted[at] else None, STATUSES[int(rows.status[at])]


def _contributions(
    lists: Sequence[Sequence[Place]], grades: dict[str, float], measure: Measure
) -> tuple[list[float], list[float]] | None:
    """What each rank adds to the discounted sum, 0 below the cutoff; None for measures that are no such sum."""
    from ..kernel.sums import divisor
    from ..measures.habits import has_habits
    from ..measures.ndcg import discount, gains_by_document
    from ..moves import placed_gains
    from ..single import grouped

    if not {"gain", "discount"} <= set(measure.family.conventions) or has_habits(measure):
        return None
    worth = gains_by_document(grades, measure)
    name, base = discount(measure)
    found = []
    for places in lists:
        placed = placed_gains(grouped(places, measure), worth, measure.conventions.text("ties"))
        gained = [gain for group in placed for gain in group]
        found.append(
            [
                gain / divisor(rank, name, base) if measure.k is None or rank <= measure.k else 0.0
                for rank, gain in enumerate(gained, 1)
            ]
        )
    return found[0], found[1]
