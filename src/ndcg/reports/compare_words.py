"""What a comparison says, in words that all its renderers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .explanation import middle
from .layout import listing, shown_id
from .words import counted_noun, decimals, signed

if TYPE_CHECKING:
    from ..compared import Comparison, Pair, Pools, Side
    from ..comparison.drivers import Change
    from ..comparison.leaderboard import Leaderboard
    from ..comparison.outcomes import Interval, MarginTest, Test
    from ..comparison.overlap import Placed, SideBySide
    from ..comparison.pairing import ShareChange, Unmatched
    from ..pools import PoolFacts
    from ..results import Input

METHODS = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap", "t": "Student's t"}
"""Intervals in words."""

SHOWN = 10
"""How many queries, gains and losses are shown."""


def short_names(names: Sequence[str], size: int) -> dict[str, str]:
    """Names of at most `size` characters where they can be told apart so: whole, cut in the middle, or without what
    those that would look alike begin and end with.

    >>> short_names(["base", "system-1-of-the-long-names", "system-2-of-the-long-names"], 12)
    {'base': 'base', 'system-1-of-the-long-names': '..1..', 'system-2-of-the-long-names': '..2..'}
    """
    shown = {name: shown_id(name, 200) for name in names}
    cut = {name: middle(text, size) for name, text in shown.items()}
    for alike in {text: [name for name in names if cut[name] == text] for text in cut.values()}.values():
        if len(alike) > 1:
            texts = [shown[name] for name in alike]
            head, tail = _alike(texts), _alike([text[::-1] for text in texts])
            tail = min(tail, min(map(len, texts)) - head)
            cut.update((name, f"..{text[head : len(text) - tail]}..") for name, text in zip(alike, texts, strict=True))
    fits = max(map(len, cut.values())) <= max(size, 12) and len(set(cut.values())) == len(names)
    return cut if fits else shown


def _alike(texts: Sequence[str]) -> int:
    """How many characters all texts begin with in common."""
    at = 0
    while all(at < len(text) and text[at] == texts[0][at] for text in texts):
        at += 1
    return at


def p_text(p_value: float | None) -> str:
    """A p-value as people read it."""
    if p_value is None:
        return "none"
    if p_value == 0:
        return "0"
    return f"{p_value:.4f}" if p_value >= 0.00005 else f"{p_value:.1e}"


def ends(found: Interval | None) -> str:
    """The ends of an interval, `none` where there is none."""
    if found is None or found.low is None or found.high is None:
        return "none"
    return f"{signed(found.low)} to {signed(found.high)}"


def interval_method(comparison: Comparison) -> str:
    """How intervals were made."""
    settings = comparison.settings
    text = f"{settings.level * 100:g} % intervals: {METHODS[settings.interval]}"
    if settings.interval != "t":
        what = "clusters of queries" if settings.clustered else "queries"
        return f"{text}, {settings.resamples:,} resamples of {what}, seed {settings.seed}"
    return f"{text} over clusters of queries" if settings.clustered else text


def coverage_sentence(comparison: Comparison) -> str | None:
    """How often such intervals hold the truth over so few queries; None where it hardly matters or is warned of."""
    from ..comparison.coverage import coverage_of

    found = coverage_of(comparison.pairs, comparison.leaderboards, comparison.settings)
    return None if found in comparison.warnings else found


def side_cells(side: Side, headline: bool) -> list[str]:
    """One row of the table of differences."""
    outcome = side.outcome
    return [
        f"{SIDES[side.over]}{' *' if headline else ''}",
        f"{side.queries:,}",
        decimals(side.base),
        decimals(side.new),
        signed(side.difference),
        ends(side.interval),
        p_text(side.test.p_value) if side.test is not None else "-",
        f"{outcome.wins:,} / {outcome.ties:,} / {outcome.losses:,}",
    ]


SIDES = {
    "common": "common queries",
    "union": "union",
    "weighted": "weighted",
    "candidates": "ideal=candidates",
}
"""The sets of queries in words."""

SIDE_HEADER = ("", "queries", "base", "new", "difference", "interval", "p", "win/tie/loss")


def sides_of(pair: Pair) -> list[tuple[Side, bool]]:
    """The sides of a pair, the headline first and marked."""
    other = pair.common if pair.headline == "union" else pair.union
    found = [(pair.side, True), (other, False)]
    if pair.weighted is not None:
        found.append((pair.weighted, False))
    if pair.pools is not None and pair.pools.candidates is not None:
        found.append((pair.pools.candidates, False))
    return found


def headline_note(pair: Pair) -> str:
    """Why the headline is the set of queries that it is."""
    policy = "exclude" if pair.headline == "common" else "zero"
    return f"* the verdict follows missing {policy}; the union counts what one system is missing as 0"


def tie_note(comparison: Comparison) -> str:
    """How wins, ties and losses were told apart."""
    width = comparison.settings.tie_width
    return f"a tie is a difference of at most {width:g}" if width else "a tie is a difference of exactly 0"


def share_sentence(change: ShareChange, base: str, new: str) -> str:
    """A change of the traffic before any score."""
    weighted = " by weight" if change.weighted else ""
    text = (
        f"{change.status}: {counted_noun(change.base, 'query', 'queries')} in {shown_id(base)} "
        f"({change.base_share * 100:.2f} %{weighted}), {change.new:,} in {shown_id(new)} "
        f"({change.new_share * 100:.2f} %{weighted})"
    )
    if change.entering:
        text += f"; only in {shown_id(new)}: {listing(change.entered, change.entering - len(change.entered))}"
    if change.leaving:
        text += f"; only in {shown_id(base)}: {listing(change.left, change.leaving - len(change.left))}"
    return text


def unmatched_sentence(unmatched: Unmatched, pair: Pair) -> str:
    """Queries outside the common ones."""
    counted = "counted in the union" if unmatched.in_union else "in neither"
    where = f"{unmatched.base_status} in {shown_id(pair.base)} and {unmatched.new_status} in {shown_id(pair.new)}"
    if unmatched.base_status == unmatched.new_status:
        where = f"{unmatched.base_status} in both"
    named = listing(unmatched.queries, unmatched.total - len(unmatched.queries))
    return f"{unmatched.total:,} {where} ({counted}): {named}"


def effect_sentence(pair: Pair) -> str | None:
    """The effect size."""
    effect = pair.effect
    if effect is None:
        return None
    parts = ["no spread: all differences are equal" if effect.dz is None else f"dz {effect.dz:.3f}"]
    if effect.hedges is not None:
        parts.append(f"Hedges' g {effect.hedges:.3f}")
    parts.append(f"probability of superiority {effect.probability_of_superiority:.3f}")
    return ", ".join(parts)


def sentence_of_test(test: Test) -> str:
    """One test: its p-value and how it was found."""
    how = test.method
    if test.resamples is not None:
        how += f", seed {test.seed}, p within about {2 * (test.monte_carlo_error or 0.0):.1g}"
    return f"{test.name}: p = {p_text(test.p_value)} ({how}{f'; {test.reason}' if test.reason else ''})"


def margin_sentence(test: MarginTest) -> str:
    """A test against the declared margin."""
    why = f"; {test.reason}" if test.reason else ""
    return f"{test.name} with margin {test.margin:g}: {test.verdict} (p = {p_text(test.p_value)}{why})"


def drivers_sentence(pair: Pair) -> str:
    """How few queries make most of the difference."""
    drivers = pair.drivers
    what = "difference" if pair.weighted is None else "weighted difference"
    if drivers.needed is None:
        return f"the {what}s add up to 0: no query drives it"
    named = [change.query for change in drivers.first[:SHOWN]]
    return (
        f"{drivers.needed:,} of {counted_noun(drivers.queries, 'query', 'queries')} "
        f"{'makes' if drivers.needed == 1 else 'make'} "
        f"{drivers.share * 100:g} % of the {what}: {listing(named, drivers.needed - len(named))}; "
        f"{drivers.against:,} {'moves' if drivers.against == 1 else 'move'} against it"
    )


def change_cells(change: Change, weighted: bool) -> list[str]:
    """A gain or a loss."""
    cells = [shown_id(change.query), decimals(change.base), decimals(change.new), signed(change.difference)]
    if weighted:
        cells += [f"{change.weight:g}", signed(change.weighted)]
    words = [
        f"{status} in {which}"
        for status, which in ((change.base_status, "base"), (change.new_status, "new"))
        if status != "scored"
    ]
    return [*cells, ", ".join(words)]


def change_header(weighted: bool) -> list[str]:
    """The header over gains and losses."""
    return ["query", "base", "new", "difference", *(["weight", "weighted"] if weighted else []), ""]


def overlap_sentence(pair: Pair) -> str | None:
    """How alike the rankings are, whatever they score."""
    found = pair.overlap
    if found is None or found.at_k is None or found.rbo is None:
        return None
    text = (
        f"overlap@{found.depth} {found.at_k:.4f}, rank-biased overlap {found.rbo:.4f} (p {found.p:g}), over "
        f"{counted_noun(found.queries, 'query', 'queries')}: {found.identical:,} identical, "
        f"{found.same_documents:,} same documents in another order, {found.changed:,} with other documents"
    )
    if found.silent:
        text += f"; {found.silent:,} changed without a change of the value"
    return text


def pool_sentences(pools: Pools) -> list[str]:
    """Whether the candidates are the same, and what they are worth."""
    found = [pools.label + (" (declared: each run is its pool)" if pools.declared == "run" else "")]
    between = pools.overlap
    if between is not None and pools.base is not None and pools.new is not None and not between.same:
        what = "documents returned" if pools.kind == "unknown" else "candidates"
        found.append(
            f"{what}: {between.both:,} in both, {between.base_only:,} only in {shown_id(pools.base.run)} "
            f"({between.base_only_relevant:,} relevant), {between.new_only:,} only in {shown_id(pools.new.run)} "
            f"({between.new_only_relevant:,} relevant); "
            f"{counted_noun(between.differing, 'query differs', 'queries differ')}"
        )
    elif between is not None and pools.kind == "unknown":
        found.append(f"documents returned: the same {between.both:,} in both")
    facts = [fact for fact in (pools.base, pools.new) if fact is not None]
    if pools.kind == "reranking":
        # One pool has one recall and one ceiling, and each system a ranking quality of its own.
        quality = ", ".join(f"{shown_id(fact.run)} {decimals(fact.quality)}" for fact in facts)
        found += [_facts(facts[0], None, quality=quality)] if facts else []
    else:
        what = "recall of what it returned" if pools.kind == "unknown" else "candidate recall"
        found += [_facts(fact, shown_id(fact.run), what) for fact in facts]
    if pools.split is not None:
        split = pools.split
        text = (
            f"difference {signed(split.difference)} = retrieval {signed(split.retrieval)} + ranking "
            f"{signed(split.ranking)} (Shapley over ceiling of the pool x ranking quality inside it)"
        )
        if split.undefined:
            text += (
                f"; {counted_noun(split.undefined, 'query', 'queries')} with a pool without gain: all of it retrieval"
            )
        found.append(text)
    return found


def _facts(facts: PoolFacts, who: str | None, what: str = "candidate recall", quality: str | None = None) -> str:
    text = f"{what} {decimals(facts.recall)} at depth {facts.depth:,} (mean {facts.mean_depth:.1f})"
    if facts.ceiling is not None:
        text += f", ceiling {decimals(facts.ceiling)}, ranking quality {quality or decimals(facts.quality)}"
    return f"{who}: {text}" if who else text


def board_note(board: Leaderboard) -> str:
    """How the groups of a leaderboard were found."""
    text = (
        f"systems that share a letter are not told apart at {1 - board.level:.2g} by {board.method} over "
        f"{counted_noun(board.family, 'pair')}, {counted_noun(board.queries, 'query', 'queries')} ({SIDES[board.over]})"
    )
    tests = board.tests
    if tests.resamples is not None:
        text += f", {tests.resamples:,} draws, seed {tests.seed}"
    elif tests.exact:
        text += ", all arrangements counted"
    if board.critical_difference is not None:
        text += f"; differences above {board.critical_difference:.4f} are told apart"
    return text


def movement(placed: Placed | None, side: str) -> str:
    """Where a document has moved: `^2` up, `v3` down, `=` same, `new`, `lost`."""
    if placed is None:
        return ""
    if placed.movement in ("new", "lost"):
        return placed.movement
    if placed.movement == "same" or placed.moved is None:
        return "="
    # Seen from the baseline, a document that stands higher in the new system has gone up as well.
    return f"{'^' if placed.moved > 0 else 'v'}{abs(placed.moved)}"


def beside_sentence(beside: SideBySide) -> str:
    """What the two lists of one query have in common."""
    if beside.first_difference is None:
        return f"the first {beside.depth} ranks are identical" if beside.rows else "neither system returned anything"
    overlap = "none" if beside.overlap is None else f"{beside.overlap:.4f}"
    return (
        f"they first differ at rank {beside.first_difference}; overlap@{beside.depth} {overlap}, rank-biased overlap "
        f"{'none' if beside.rbo is None else f'{beside.rbo:.4f}'}"
    )


def beside_signs(beside: SideBySide) -> str:
    """What the signs and columns of two lists beside each other mean."""
    text = "> first difference; ^2 two ranks up, v2 down, = same rank; new, lost; grade - unjudged"
    if any(row.gap is not None for row in beside.rows):
        text += "; gap: discounted gain of this rank, new less base"
    return text


def stamped(comparison: Comparison) -> list[str]:
    """The sentences that a forced comparison bears first."""
    if comparison.stamp is None:
        return []
    return [comparison.stamp, *(str(mismatch) for mismatch in comparison.not_comparable)]


def first_changes(changes: Sequence[Change], comparison: Comparison) -> Sequence[Change]:
    """The gains or losses that are shown: fewer of each where there are several comparisons."""
    return changes[: SHOWN if len(comparison.pairs) == 1 else SHOWN // 2]


def warnings_of(comparison: Comparison) -> list[str]:
    """The warnings of the whole call, then those of each system."""
    own = [f"{system.run}: {warning}" for system in comparison.systems for warning in system.warnings]
    return list(dict.fromkeys([*comparison.warnings, *own]))


def read_how(read: Input) -> str:
    """The format of an input, and what was noted about it."""
    return "; ".join((read.format, *read.notes))
