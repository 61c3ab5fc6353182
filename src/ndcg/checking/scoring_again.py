"""What a finding does to the score, measured: the same run scored under other settings, or on other data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..aggregate import aggregated
from ..engines.contract import Looked, Ranking
from ..engines.judgments import Judgments, Pool
from ..errors import InputError, UsageError
from ..kernel.batch import Bools, Floats, Ints
from ..measures.measure import Measure
from ..rescoring import Outcome, Rescorer
from ..session import Session
from .findings import Alternative, Effect, Found, Kind, Settings, Variant
from .rows import table_source
from .run_facts import RunFacts

TIE_RULES = ("worst", "average", "best")
"""Rules that are tried in every check: they share one ranking with the default one."""


@dataclass
class Scorer:
    """One run under one measure: the value as it stands, and under whatever else is asked."""

    run: RunFacts
    measure: Measure
    pool: Pool | None = None
    _rescorers: list[Rescorer] = field(default_factory=list)

    def _rescorer(self, judgments: Judgments, rows: str | None = None, ranked: bool | None = None) -> Rescorer:
        source = table_source(self.run.loaded, self.run.source, rows, ranked)
        session = Session(self.run.workspace, judgments, self.run.judged.source, {self.run.name: source})
        made = Rescorer(session)
        self._rescorers.append(made)
        return made

    @cached_property
    def _plain(self) -> Rescorer:
        return self._rescorer(self.run.judged.judgments())

    @cached_property
    def _judged_rows(self) -> Rescorer:
        """The judged documents of the run alone: all that a condensed list holds.

        A query that returns none keeps its first row: it has a list, and is not missing.
        """
        queries = f"select first from {self.run.per_query} anti join {self.run.matched} using (query)"
        return self._rescorer(
            self.run.judged.judgments(),
            f"select query, doc, score as number, null::double as rank from {self.run.matched} union all "
            f"select query, doc, number, null from {self.run.loaded.table} t where t.rowid in ({queries})",
        )

    def _score(self, measures: Sequence[Measure]) -> list[Outcome]:
        """The outcomes of measures; condensed lists are ranked from their judged documents alone."""
        few = [one for one in measures if self._needs_judged_rows_only(one)]
        condensed = dict(zip(few, self._judged_rows.score(few), strict=True)) if few else {}
        rest = [one for one in measures if one not in condensed]
        others = dict(zip(rest, self._plain.score(rest), strict=True))
        return [condensed.get(one) or others[one] for one in measures]

    def _needs_judged_rows_only(self, measure: Measure) -> bool:
        """Whether a measure comes out the same from the judged documents alone."""
        conventions = measure.conventions
        return (
            (conventions["unjudged"], conventions["duplicates"]) == ("skip", "best")
            and conventions["ties"] in ("docid", "docid_desc", *TIE_RULES)
            and not self.run.loaded.ranked
            and self.run.judged.pairs == self.run.judged.loaded.rows
        )

    @cached_property
    def base(self) -> Outcome:
        """The run under the measure as it stands; under its tie rules in the same pass, which takes no longer."""
        ties = [self._other({"ties": rule}) for rule in TIE_RULES] if not self.run.loaded.ranked else []
        return self._plain.score([self.measure, *(other for other in ties if other is not None)])[0]

    @property
    def problem(self) -> str | None:
        """Why the measure cannot be computed at all, or None."""
        return self.base.problem.removeprefix("stops: ") if self.base.problem is not None else None

    @property
    def value(self) -> float | None:
        """The value as it stands, None where run and judgments share no query."""
        return self.base.value if self.run.common else None

    @cached_property
    def _ranking(self) -> Ranking:
        # Scoring first: the ranking is what it was scored on.
        _ = self.base
        return self._plain.rankings[0][1]

    @property
    def looked(self) -> Looked:
        """What stood in the first k ranks, per judged query in the order of the judgments."""
        return self._ranking.looked[self.measure.k]

    @property
    def returned(self) -> Ints:
        """Rows per judged query."""
        return self._ranking.returned

    def judged_by_rank(self, depth: int) -> list[tuple[int, int]]:
        """(judged documents, documents) at each of the first `depth` ranks, over judged queries."""
        ranked = self._ranking.ranked
        inside = ranked.rank[ranked.rank <= depth]
        judged = np.bincount(inside, minlength=depth + 1)[1 : depth + 1]
        return [(int(n), int(np.count_nonzero(self.looked.ranks >= at))) for at, n in enumerate(judged.tolist(), 1)]

    @property
    def queries(self) -> list[str]:
        """The queries in the order of an outcome's values."""
        _ = self.base
        return self._plain.queries

    def prepare(self, settings: Sequence[Settings]) -> None:
        """Score under all these settings in one pass; asked again, each costs nothing."""
        self._score([other for one in settings if (other := self._other(one)) is not None])

    def _other(self, settings: Settings) -> Measure | None:
        """The measure under other settings, None where it does not know them or they contradict its own."""
        if any(name not in self.measure.family.conventions for name in settings):
            return None
        try:
            return self.measure.with_conventions(dict(settings))
        except UsageError:
            return None

    def effect(self, kind: Kind, found: Found) -> Effect:
        """What a finding does to the value."""
        unknown, none = found.unknown or kind.unknown, found.none or kind.none
        if none is not None and not found.variants:
            return Effect(self.value, none=none)
        if unknown is not None and not found.variants:
            return Effect(self.value, unknown=unknown)
        if not found.variants and not self.run.common:
            return Effect(unknown="there is no score")
        alternatives: list[Alternative] = []
        known = [(one, other) for one in kind.settings if (other := self._other(one)) is not None]
        outcomes = self._score([other for _, other in known])
        for (one, _), outcome in zip(known, outcomes, strict=True):
            if outcome.problem is None:
                alternatives.append(Alternative(setting_text(one), self._value(outcome, found.queries)))
        for variant in found.variants:
            value = self.of_variant(variant)
            if value is not None:
                alternatives.append(value)
        if not alternatives:
            return Effect(self.value, unknown=self.problem or f"no other setting touches {self.measure}")
        base = self.value if found.stands else None
        return Effect(base, tuple(alternatives), apart=kind.apart or not found.stands)

    def _value(self, outcome: Outcome, queries: frozenset[str] | None) -> float | None:
        """The mean of an outcome; restricted to some queries, the other ones keep the value that they have."""
        if queries is None or outcome.value is None or self.base.value is None:
            return outcome.value if queries is None else None
        chosen = np.array([query in queries for query in self.queries])
        values = np.where(chosen, outcome.values, self.base.values)
        return self._together(values, np.where(chosen, outcome.counted, self.base.counted))

    def _together(self, values: Floats, counted: Bools) -> float | None:
        """What the values that count become together: their mean, or what the measure has instead."""
        return aggregated(values[counted], self.measure.family.aggregate)

    def of_variant(self, variant: Variant) -> Alternative | None:
        """The value on other data; None where those cannot be scored."""
        if variant.only is not None:
            return self._of_few(variant, variant.only)
        judgments = self.run.judged.judgments(variant.merge, variant.keep)
        measure = self._other(variant.settings or {}) or self.measure
        if not judgments.queries:
            return None
        if variant.pool:
            judgments = Judgments(judgments.queries, judgments.workspace, _table=judgments.table, pool=self.pool)
        try:
            outcome = self._rescorer(judgments, variant.rows, variant.ranked).score([measure])[0]
        except InputError:
            return None
        return None if outcome.problem is not None else Alternative(variant.label, outcome.value)

    def _of_few(self, variant: Variant, queries: frozenset[str]) -> Alternative | None:
        """The value where only some queries are ranked anew, from their rows alone."""
        measure = self._other(variant.settings or {})
        if measure is None:
            return None
        chosen = self.run.table_of(queries)
        source = variant.rows or f"select query, doc, number, rank from {self.run.loaded.table}"
        rows = f"select * from ({source}) semi join {chosen} using (query)"
        outcome = self._rescorer(self.run.judged.judgments(), rows, variant.ranked).score([measure])[0]
        if outcome.problem is not None or self.base.problem is not None:
            return None
        judged = len(self.run.judged.judgments().queries)
        values, counted = self.base.values.copy(), self.base.counted.copy()
        for at, query in enumerate(self.queries[:judged]):
            if query in queries:
                values[at], counted[at] = outcome.values[at], outcome.counted[at]
        return Alternative(variant.label, self._together(values, counted))

    def close(self) -> None:
        """Forget the rankings."""
        for rescorer in self._rescorers:
            rescorer.close()


def measured(kind: Kind, found: Found) -> bool:
    """Whether a finding's effect is measured at all."""
    said = found.unknown or kind.unknown or found.none or kind.none
    return said is None or bool(found.variants)


def setting_text(settings: Settings) -> str:
    """Settings as they are typed: `ties=worst`."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())
