"""One new system against the baseline under one measure: everything that is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..compared import Pair
from ..counted import counted_noun
from ..errors import DataTypeError, UsageError
from ..kernel.batch import Bools
from ..slices import direction
from .documents import Documents
from .drivers import drivers, gains_and_losses
from .margins import equivalence_test, non_inferiority_test
from .multiplicity import adjust
from .outcomes import Adjusted
from .pairing import Paired, matrix, pair, share_changes, unmatched
from .several import max_t
from .sides import Clusters, all_tests, by_id, effect, labels_for, side, summed, verdict
from .slices import against_total, slice_differences

if TYPE_CHECKING:
    from ..compared import Settings, Side
    from ..results import Entry
    from .beside import Beside
    from .gather import Gathered
    from .outcomes import Test

JUDGED_GAP = 0.02
"""From this difference of judged@k on, a comparison warns: unjudged documents count as not relevant."""


def headline_of(entry: Entry) -> str:
    """The set of queries that the declared `missing` asks for: 'common' under exclude, else 'union'."""
    return "common" if entry.declaration.get("missing") == "exclude" else "union"


def make_pair(
    base: Entry,
    new: Entry,
    measure: str,
    settings: Settings,
    documents: Documents,
    beside: Beside,
    movers: int,
) -> tuple[Pair, Paired]:
    """A pair with its numbers; the adjusted p-value and the verdict come when all pairs are there."""
    weights, clusters = beside.weights, beside.clusters
    paired = pair(base.rows, new.rows)
    headline = headline_of(base)
    chosen = {"common": paired.common, "union": paired.union}
    main = chosen[headline]
    differences = paired.differences(main)
    made = _tested(paired, main, settings, clusters)
    sides = {headline: side(headline, paired, main, settings, clusters, test=made[0] if made else None)}
    other = "common" if headline == "union" else "union"
    if np.array_equal(paired.common, paired.union):
        sides[other] = replace(sides[headline], over=other)
    else:
        first = replace(settings, tests=settings.tests[:1])
        tested = _tested(paired, chosen[other], first, clusters)
        sides[other] = side(other, paired, chosen[other], settings, clusters, test=tested[0] if tested else None)
    gains, losses = gains_and_losses(paired, main, weights, movers)
    labels = labels_for(paired.ids(main), clusters)
    margins = len(differences) and settings.margin is not None
    shares = base.summary.judged_at_k, new.summary.judged_at_k
    weighted = None if weights is None else side("weighted", paired, main, settings, clusters, weights)
    slices = slice_differences(
        paired, main, headline, (base.rows, new.rows), beside.sliced, settings, clusters, weights
    )
    done = Pair(
        measure=measure,
        base=base.run,
        new=new.run,
        shares=share_changes(base.rows, new.rows, weights),
        verdict=verdict(base.run, new.run, sides[headline], sides[other], None, settings, 1, 0.0),
        headline=headline,
        common=sides["common"],
        union=sides["union"],
        weighted=weighted,
        effect=effect(differences, settings),
        tests=made,
        adjusted=None,
        equivalence=equivalence_test(differences, margin=settings.margin, level=settings.level, clusters=labels)
        if margins and settings.margin is not None
        else None,
        non_inferiority=non_inferiority_test(differences, margin=settings.margin, level=settings.level, clusters=labels)
        if margins and settings.margin is not None
        else None,
        unmatched=unmatched(paired),
        judged_at_k=shares,
        drivers=drivers(paired, main, weights),
        gains=gains,
        losses=losses,
        overlap=documents.overlap(base.run, new.run, measure, paired),
        pools=documents.pools(base.run, new.run, measure, paired, main, clusters),
        notes=(
            *_notes(base, new, shares, settings, clusters is not None),
            *_turned(new.run, base.run, sides[headline].difference, weighted),
            *against_total(slices, sides[headline].difference, None if weighted is None else weighted.difference),
        ),
        slices=slices,
    )
    return done, paired


def _tested(paired: Paired, chosen: Bools, settings: Settings, clusters: Clusters) -> tuple[Test, ...]:
    differences = paired.differences(chosen)
    if not len(differences):
        return ()
    queries = paired.ids(chosen)
    order = by_id(queries)
    return all_tests(differences[order], settings, labels_for([queries[at] for at in order.tolist()], clusters))


def _notes(
    base: Entry,
    new: Entry,
    shares: tuple[float | None, float | None],
    settings: Settings,
    clustered: bool,
) -> tuple[str, ...]:
    """Sentences that stand beside the numbers of this pair."""
    found = []
    before, after = shares
    if before is not None and after is not None and abs(after - before) > JUDGED_GAP:
        less = new.run if after < before else base.run
        found.append(
            f"judged@k is {before:.4f} in {base.run} and {after:.4f} in {new.run}: {less} pays for unjudged documents, "
            "which may be relevant"
        )
    if base.rows.aggregate != "mean":
        found.append(
            f"the measure is aggregated by {base.rows.aggregate} over queries; differences here are means of "
            "per-query differences"
        )
    if clustered:
        plain = [name for name in settings.tests if name not in ("sign_flip", "t")]
        if plain:
            which = f"the test {plain[0]} takes" if len(plain) == 1 else f"the tests {', '.join(plain)} take"
            found.append(f"{which} queries for independent, whatever their clusters")
    return tuple(found)


def _turned(new: str, base: str, difference: float | None, weighted: Side | None) -> list[str]:
    """The sentence about two systems whose order the weights turn round."""
    plain, other = direction(difference), direction(None if weighted is None else weighted.difference)
    if plain * other >= 0:
        return []
    above, below = ("above", "below") if plain > 0 else ("below", "above")
    return [f"{new} is {above} {base} by the macro mean and {below} it by the weighted mean"]


def decided(
    pairs: Sequence[tuple[Pair, Paired]], gathered: Gathered, settings: Settings, clusters: Clusters = None
) -> tuple[tuple[Pair, ...], Adjusted | None]:
    """The pairs with adjusted p-values and verdicts. The family is every comparison of the call that has a p-value."""
    tested = [at for at, (made, _) in enumerate(pairs) if made.p_value is not None]
    adjusted: Adjusted | None = None
    fewer: dict[int, str] = {}
    if tested:
        raw = [pairs[at][0].tests[0].p_value for at in tested]
        if settings.adjust == "max_t":
            adjusted, queries = _max_t([pairs[at][0] for at in tested], raw, gathered, settings, clusters)
            told = f"the adjusted p-value is of the {counted_noun(queries, 'query', 'queries')} that all systems share"
            fewer = {at: told for at in tested if pairs[at][0].side.queries != queries}
        else:
            adjusted = adjust(raw, settings.adjust)
    by_place = dict(zip(tested, adjusted.adjusted if adjusted else (), strict=True))
    done = []
    for at, (made, paired) in enumerate(pairs):
        chosen = paired.union if made.headline == "union" else paired.common
        largest = float(np.abs(paired.differences(chosen)).max(initial=0.0))
        p_value = by_place.get(at)
        other = made.common if made.headline == "union" else made.union
        said = verdict(made.base, made.new, made.side, other, p_value, settings, len(tested), largest, made.overlap)
        notes = (*made.notes, fewer[at]) if at in fewer else made.notes
        done.append(replace(made, adjusted=p_value, verdict=said, notes=notes))
    return tuple(done), adjusted


def _max_t(
    pairs: Sequence[Pair], raw: Sequence[float], gathered: Gathered, settings: Settings, clusters: Clusters
) -> tuple[Adjusted, int]:
    """maxT over all comparisons of the call, on the queries that all systems share, and how many those are.

    Signs turn together, and under clusters those of whole clusters: it is made on the sums of their differences.
    """
    columns = []
    queries: tuple[str, ...] | None = None
    for made in pairs:
        names = list(gathered.names)
        tables = {name: gathered.entry(name, made.measure).rows for name in names}
        found = matrix(tables, made.headline)
        if queries is not None and found.queries != queries:
            raise _unequal()
        queries = found.queries
        columns.append(found.values[:, names.index(made.new)] - found.values[:, names.index(made.base)])
    if not queries:
        raise UsageError(
            f"adjust='max_t' needs queries that all {len(gathered.names)} systems share, and there are none",
            code="no_common_query",
            hint="use adjust='holm'",
        )
    labels = labels_for(queries, clusters)
    done = max_t(
        np.column_stack([summed(column, labels) for column in columns]), resamples=settings.flips, seed=settings.seed
    )
    return Adjusted("max_t", done.p_values, done.adjusted, "family-wise error"), len(queries)


def _unequal() -> DataTypeError:
    return DataTypeError(
        "adjust='max_t' needs all measures to count the same queries, and these do not",
        code="max_t",
        hint="compare one measure at a time, or use adjust='holm'",
    )
