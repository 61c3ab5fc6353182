"""`compare`: systems on the same queries, the paired difference with its interval first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..asked_measures import refuse_unknown
from ..compared import Comparison, Settings, System
from ..counted import counted_noun
from ..errors import InputError, UsageError
from ..reading import Reading
from ..results import Input
from ..slice_choices import LEAST, OVERLAPS
from ..version import __version__
from ..weights import column_of, traffic_of, weighted_mean
from .beside import Beside
from .comparable import Mismatch, different_ideals, mismatches, refusal
from .coverage import few_queries
from .documents import DETAILED, Documents
from .drivers import NAMED, weights_of
from .gather import Gathered, gather
from .leaderboard import Leaderboard, leaderboard
from .letter_groups import METHODS as LETTERED
from .options import settings_of
from .overlap import PERSISTENCE, SideBySide
from .pairing import ShareChange, share_changes
from .pairs import decided, headline_of, make_pair
from .slices import sliced_by

if TYPE_CHECKING:
    from ..weights import Weights
    from .sides import Clusters


def compare(
    qrels: object,
    runs: object = None,
    measures: object = None,
    *,
    baseline: str | None = None,
    pairs: str = "baseline",
    interval: str = "bca",
    level: float = 0.95,
    resamples: int = 10_000,
    tests: object = "sign_flip",
    flips: int = 100_000,
    adjust: str | None = None,
    seed: int = 0,
    tie_width: float = 0.0,
    margin: float | None = None,
    cluster: object = None,
    clusters: object = None,
    weights: object = None,
    default_weight: object = None,
    by: object = None,
    slice_overlap: str = OVERLAPS[0],
    slice_least: int = LEAST,
    candidates: object = None,
    run_is_pool: bool = False,
    pool_version: str | None = None,
    query: object = None,
    depth: int | None = None,
    persistence: float = PERSISTENCE,
    movers: int = NAMED,
    force: bool = False,
    columns: Mapping[str, object] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    comments: bool | None = None,
    labels: object = None,
    features: object = None,
    groups: object = None,
    collapse: object = None,
    query_ids: object = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
    **conventions: object,
) -> Comparison:
    """Compare systems query by query: difference with interval, effect size, test, and the queries behind it.

    `qrels` and each run are what `evaluate` takes; `runs` is `{name: run}`, the first the baseline (or `baseline=`).
    A run may also be a saved result, as an object or a path; saved results alone are compared with
    `compare(None, {...})`, the runs of one result with `compare(result)`. `pairs` is 'baseline' (every run against it)
    or 'all' (a leaderboard with groups that the data cannot tell apart).

    `interval` is 'bca' (10,000 resamples), 't' or 'percentile', over whole clusters of queries where `cluster` gives
    those; `tests` are any of 'sign_flip' (exact up to 30 differing queries, else `flips` draws), 't', 'wilcoxon',
    'sign'; the first decides. `adjust` is 'holm', 'bonferroni', 'bh', 'max_t' or 'none' against a baseline, and
    'randomised_tukey', 'tukey', or an adjustment of the first test for all pairs. Differences of at most `tie_width`
    are ties. `margin` (in units of the measure) adds tests of equivalence and non-inferiority.

    `weights`, `cluster` (`clusters` is the same) and `by` are `{query: value}` or `FILE:COLUMN`. With weights the
    weighted means stand beside the macro ones, which decide. `by` adds the difference in each slice of the queries,
    with the options that `evaluate` has for slices and t intervals; text may cross attributes with `*`. `candidates`
    is one pool for all runs or one by run name; `run_is_pool` declares that each run returned its whole pool. `query`
    (an id or several) adds its first ranks side by side. `depth` (default k) is for overlap and side by side,
    `persistence` for rank-biased overlap. Further keywords are conventions, for all measures.

    Returns a frozen `Comparison`. Raises UsageError where scores cannot be compared, naming each field that differs;
    `force=True` goes on, and stamps every output. Other errors are those of `evaluate`.

    >>> import ndcg
    >>> judged = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> base = {"q1": {"a": 1, "x": 2}, "q2": {"b": 1, "x": 2}, "q3": {"c": 1}}
    >>> new = {"q1": {"a": 2, "x": 1}, "q2": {"b": 2, "x": 1}, "q3": {"c": 1}}
    >>> found = ndcg.compare(judged, {"base": base, "new": new}, "nDCG@10")
    >>> round(found.difference, 4), found.pair().union.outcome.wins, found.p_value
    (0.246, 2, 0.5)
    """
    refuse_unknown(compare, conventions)
    if cluster is not None and clusters is not None:
        raise UsageError("cluster= and clusters= are two names of one option", code="cluster", hint="give one of them")
    cluster = clusters if cluster is None else cluster
    settings = settings_of(
        interval=interval,
        level=level,
        resamples=resamples,
        tests=tests,
        flips=flips,
        seed=seed,
        adjust=adjust,
        tie_width=tie_width,
        margin=margin,
        pairs=pairs,
        persistence=persistence,
        clustered=cluster is not None,
    )
    _check_counts(depth, movers, memory)
    reading = Reading(
        qrels_format,
        run_format,
        columns,
        comments,
        labels=labels,
        features=features,
        groups=groups,
        collapse=collapse,
        query_ids=query_ids,
        tables=any(table is not None for table in (by, weights, cluster, clusters)),
    )
    sliced = sliced_by(by, reading.columns_for("by") or {}, slice_overlap, slice_least, pairs)
    gathered = gather(
        qrels,
        runs,
        measures,
        conventions,
        baseline=baseline,
        candidates=candidates,
        run_is_pool=run_is_pool,
        pool_version=pool_version,
        reading=reading,
        merge=merge,
        memory=memory,
        split_tags=split_tags,
    )
    cluster_of = _clusters(cluster, reading)
    settings = replace(
        settings,
        clustered=cluster_of is not None,
        weighted=weights is not None,
        depth=depth or gathered.measures[0].k or 10,
    )
    try:
        beside = Beside(cluster_of, sliced, *_weights(weights, default_weight, gathered, reading))
        beside.check(gathered)
        return _compared(gathered, settings, beside, _queries(query), depth, movers, force)
    finally:
        if gathered.session is not None:
            gathered.session.workspace.close()


def _check_counts(depth: object, movers: object, memory: object) -> None:
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise UsageError(f"depth={depth!r} is not a whole number of at least 1", code="depth")
    if isinstance(movers, bool) or not isinstance(movers, int) or movers < 0:
        raise UsageError(f"movers={movers!r} is not a whole number of at least 0", code="movers")
    if memory is not None and not isinstance(memory, str):
        raise UsageError(f"memory= is text such as '1GB', found {memory!r}", code="memory")


def _queries(query: object) -> list[str]:
    """The queries to be shown side by side."""
    from ..engines.ids import text_id

    if query is None:
        return []
    given = list(query) if isinstance(query, list | tuple) else [query]
    return [text_id(one, "query", where="query=") for one in given]


def _clusters(given: object, reading: Reading) -> Clusters:
    if given is None:
        return None
    from ..attributes import labels_of

    return labels_of(given, reading.columns_for("cluster") or {}, "cluster=")


def _weights(
    given: object, default: object, gathered: Gathered, reading: Reading
) -> tuple[dict[str, float] | None, Input | None, Weights | None]:
    """The weight of every query that a system knows, how they were read, and as they were read; InputError for a judged
    query without."""
    if given is None:
        if default is not None:
            raise UsageError("default_weight= needs weights=", code="weights")
        return None, None, None
    from ..weights import weights_of as read_weights

    found: Weights = read_weights(given, default, reading.columns_for("weights") or {}, "weights=")
    made: dict[str, float] = {}
    judged: dict[str, None] = {}
    for name in gathered.names:
        rows = gathered.entry(name, str(gathered.measures[0])).rows
        new = [query for query in rows.queries[: rows.judged_queries] if query not in made]
        others = list(rows.queries[rows.judged_queries :])
        column, _, _ = column_of(found, [*new, *others], len(new))
        made.update(zip([*new, *others], column.tolist(), strict=True))
        judged |= dict.fromkeys(new)
    if not any(made[query] for query in judged):
        raise InputError(
            f"{found.where}: every judged query weighs 0", code="no_weight", hint="check the column of the weights"
        )
    notes = []
    defaults = sum(query not in found.values for query in judged)
    if defaults:
        told = f"{counted_noun(defaults, 'judged query', 'judged queries')} without a weight"
        notes.append(f"{told} took {found.default or 0:g}")
    unknown = sum(query not in found.values and query not in judged for query in made)
    if unknown:
        told = f"{counted_noun(unknown, 'unjudged query', 'unjudged queries')} without a weight"
        rest = "counted as no traffic" if found.default is None else f"took {found.default:g}"
        notes.append(f"{told} {rest}")
    read = Input("weights", found.where, found.format, found.layout or found.name, tuple(notes))
    return made, read, found


def _compared(
    gathered: Gathered,
    settings: Settings,
    beside: Beside,
    queries: Sequence[str],
    depth: int | None,
    movers: int,
    force: bool,
) -> Comparison:
    documents = Documents(gathered, settings, depth)
    measures = tuple(str(measure) for measure in gathered.measures)
    found = _not_comparable(gathered, documents, measures)
    if found and not force:
        raise refusal(found)
    baseline, *others = gathered.names
    made = []
    boards: list[Leaderboard] = []
    for measure in measures:
        base = gathered.entry(baseline, measure)
        if settings.pairs == "all":
            tables = {name: gathered.entry(name, measure).rows for name in gathered.names}
            boards.append(leaderboard(measure, tables, headline_of(base), settings, beside.weights))
            continue
        for name in others:
            new = gathered.entry(name, measure)
            made.append(make_pair(base, new, measure, settings, documents, beside, movers))
    done, adjusted = decided(made, gathered, settings, beside.clusters)
    lists: list[SideBySide] = [
        documents.side_by_side(baseline, name, query, measures[0]) for query in queries for name in others
    ]
    return Comparison(
        baseline=baseline,
        runs=gathered.names,
        measures=measures,
        systems=tuple(_system(gathered, name, measure, beside) for measure in measures for name in gathered.names),
        pairs=done,
        leaderboards=tuple(boards),
        side_by_side=tuple(lists),
        adjusted=adjusted,
        settings=settings,
        declarations={measure: gathered.entry(baseline, measure).declaration for measure in measures},
        shares=_shares(gathered, measures[0], beside.weights),
        not_comparable=found,
        warnings=_warnings(gathered, settings, documents, few_queries(done, boards, settings)),
        inputs=(*gathered.result.inputs, *beside.inputs(gathered)),
        version=__version__,
        result=gathered.result,
    )


def _not_comparable(gathered: Gathered, documents: Documents, measures: Sequence[str]) -> tuple[Mismatch, ...]:
    """Every field in which a system differs from the baseline so that the scores must not be compared."""
    baseline, *others = gathered.names
    first = gathered.identities[baseline]
    found: list[Mismatch] = []
    for name in others:
        found += mismatches(first, gathered.identities[name], measures)
        for measure in measures:
            ideal = gathered.entry(baseline, measure).declaration.get("ideal")
            if ideal == "candidates" and documents.both_live(baseline, name):
                between = documents.same_pool(baseline, name, measure)
                if not between.same:
                    found.append(different_ideals(measure, baseline, name, between.differing, between.queries))
    return tuple(dict.fromkeys(found))


def _shares(
    gathered: Gathered, measure: str, weights: Mapping[str, float] | None
) -> dict[str, tuple[ShareChange, ...]]:
    """What changed in the traffic of each system against the baseline; systems without a change are left out."""
    baseline, *others = gathered.names
    first = gathered.entry(baseline, measure).rows
    found = {name: share_changes(first, gathered.entry(name, measure).rows, weights) for name in others}
    return {name: changes for name, changes in found.items() if changes}


def _system(gathered: Gathered, name: str, measure: str, beside: Beside) -> System:
    entry = gathered.entry(name, measure)
    summary, rows = entry.summary, entry.rows
    weighted = entry.weighted_value
    traffic = None
    if beside.weights is not None and beside.given is not None:
        queries = [rows.queries[at] for at in np.flatnonzero(rows.counted).tolist()]
        weighted = weighted_mean(rows.value[rows.counted], weights_of(queries, beside.weights), rows.aggregate)
        column, _, unknown = column_of(beside.given, rows.queries, rows.judged_queries)
        traffic = traffic_of(replace(rows, weight=column), beside.given, unknown)
    return System(
        run=name,
        measure=measure,
        value=summary.value,
        weighted_value=weighted,
        **summary.queries.as_dict(),
        judged_at_k=summary.judged_at_k,
        warnings=entry.warnings,
        traffic=traffic,
    )


def _warnings(gathered: Gathered, settings: Settings, documents: Documents, few: Sequence[str]) -> tuple[str, ...]:
    """Sentences of the whole call."""
    found = [*gathered.result.warnings, *few]
    versions = {name: identity.version for name, identity in gathered.identities.items()}
    if len(set(versions.values())) > 1:
        told = ", ".join(f"{name} {version}" for name, version in versions.items())
        found.append(f"the systems were scored by different versions of ndcg: {told}")
    labels = {name: identity.pool_version for name, identity in gathered.identities.items()}
    if len(set(labels.values())) > 1:
        told = ", ".join(f"{name} {label or 'none'}" for name, label in labels.items())
        found.append(f"the candidate pools bear different version labels: {told}")
    if settings.pairs == "baseline" and len(gathered.names) > 2:
        found.append("intervals are for each comparison alone; only p-values are adjusted for their number")
    if settings.pairs == "all" and settings.adjust in LETTERED and settings.tests != ("sign_flip",):
        told = ", ".join(settings.tests)
        found.append(f"adjust={settings.adjust!r} tests all pairs by itself: {told} was asked for and not made")
    for measure in gathered.measures if settings.pairs == "all" else ():
        aggregate = gathered.entry(gathered.names[0], str(measure)).rows.aggregate
        if aggregate != "mean":
            found.append(
                f"{measure} is aggregated by {aggregate} over queries; the leaderboard holds means of per-query values"
            )
    if settings.pairs == "baseline" and not documents.detailed:
        found.append(f"rankings and returned documents are compared for up to {DETAILED} systems, and here are more")
    return tuple(dict.fromkeys(found))
