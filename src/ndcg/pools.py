"""Candidate pools: whether two systems ranked the same documents, and what each pool and each ranking is worth.

nDCG of a system that ranks a pool is a product:

    nDCG = ceiling of the pool x ranking quality inside the pool
    ceiling = ideal DCG of the pool / ideal DCG of the judgments
    ranking quality = DCG / ideal DCG of the pool = nDCG with ideal='candidates'

The difference of two such products is split by the Shapley values of the two factors:

    retrieval part = (new ceiling - old ceiling) x mean of the two qualities
    ranking part   = (new quality - old quality) x mean of the two ceilings

Both parts add up exactly: the retrieval part is computed, and the ranking part is defined as what remains of the
difference, which is its Shapley value to the last rounding. `exact()` gives all three as rationals whose sum holds
without any rounding; the floats are their correctly rounded values. Means are made from the per-query parts by
correctly rounded sums, so the parts of a mean are the means of the parts. Where a pool holds no gain its ranking
quality is undefined and takes the other system's: the whole difference is then retrieval.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .engines.judgments import Judgments, Pool, load_pool
from .fingerprints import digest
from .kernel.batch import Bools, Floats
from .readers.source import Mapped, Source

if TYPE_CHECKING:
    from .engines.contract import Engine
    from .engines.workspace import Workspace
    from .measures.measure import Measure
    from .results import QueryTable

NAMED = 10
"""How many ids are kept; the rest are counted."""


def with_pool(judgments: Judgments, pool: Pool | None) -> Judgments:
    """The same judgments beside another candidate pool; ideals and pool membership are its own."""
    from dataclasses import replace

    if judgments._mapping is None:
        return replace(judgments, pool=pool, _table=judgments.table, _numbers=None)
    return replace(judgments, pool=pool, _numbers=None)


def pool_of_run(source: Source, workspace: Workspace) -> Pool:
    """The documents that a run returned, as its candidate pool; a query whose search failed has none."""
    if isinstance(source, Mapped):
        rows = {query: documents for query, documents in source.rows.items() if documents is not None}
        return load_pool(source._replace(rows=rows), workspace) if rows else Pool(workspace, _mapping={})
    return load_pool(source, workspace)


def pool_of_engine(engine: Engine, workspace: Workspace, queries: Sequence[str]) -> Pool:
    """The documents that an engine reads from a run, as its candidate pool: for rankings of chunks, the documents."""
    lists = engine.lists(queries)
    return Pool(workspace, _mapping={query: frozenset(row.document for row in rows) for query, rows in lists.items()})


def pool_fingerprint(pool: Mapping[str, Iterable[str]]) -> str:
    """The SHA-256 of a pool's documents, the same whether it was given or is what a run returned."""
    return digest({query: [(doc, None) for doc in set(docs)] for query, docs in pool.items()})


class PoolOverlap(NamedTuple):
    """How two pools, or two runs' returned documents, differ over the judged queries.

    `both`, `base_only` and `new_only` count documents over all queries; `base_only_relevant` and `new_only_relevant`
    those of them with gain. `differing` counts the queries whose documents are not the same, `queries` are the first.
    """

    both: int
    base_only: int
    new_only: int
    base_only_relevant: int
    new_only_relevant: int
    differing: int
    queries: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether every judged query has the same documents on both sides."""
        return self.differing == 0


def pool_overlap(base: Pool, new: Pool, judgments: Judgments, measure: Measure) -> PoolOverlap:
    """What two pools have in common, and what only one of them holds."""
    if base is new:
        both = sum(_sizes(base, judgments).values())
        return PoolOverlap(both, 0, 0, 0, 0, 0, ())
    if base._mapping is not None and new._mapping is not None:
        return _in_memory(base, new, judgments, measure)
    return _in_tables(base, new, judgments, measure)


def _sizes(pool: Pool, judgments: Judgments) -> dict[str, int]:
    """Documents per judged query."""
    if pool._mapping is not None:
        return {query: len(pool._mapping.get(query, ())) for query in judgments.queries}
    rows = pool.workspace.connection.execute(
        f"select query, count(*) from {pool.table} semi join {judgments.table}_queries using (query) group by query"
    ).fetchall()
    return {**dict.fromkeys(judgments.queries, 0), **dict(rows)}


def depth_of(pool: Pool, judgments: Judgments) -> tuple[int, float]:
    """The largest number of candidates that a judged query has, and the mean number of them."""
    sizes = list(_sizes(pool, judgments).values())
    return max(sizes, default=0), sum(sizes) / len(sizes) if sizes else 0.0


def _in_memory(base: Pool, new: Pool, judgments: Judgments, measure: Measure) -> PoolOverlap:
    both = base_only = new_only = base_relevant = new_relevant = 0
    differing = []
    ours, theirs = base.mapping, new.mapping
    for query in judgments.queries:
        mine, other = ours.get(query, frozenset()), theirs.get(query, frozenset())
        if mine == other:
            both += len(mine)
            continue
        differing.append(query)
        wanted = relevant_documents(judgments.mapping[query], measure)
        left, right = mine - other, other - mine
        both += len(mine & other)
        base_only, new_only = base_only + len(left), new_only + len(right)
        base_relevant, new_relevant = base_relevant + len(left & wanted), new_relevant + len(right & wanted)
    return PoolOverlap(both, base_only, new_only, base_relevant, new_relevant, len(differing), tuple(differing[:NAMED]))


def _in_tables(base: Pool, new: Pool, judgments: Judgments, measure: Measure) -> PoolOverlap:
    connection = base.workspace.connection
    judged = judgments.table
    only: list[list[tuple[str, str, bool]]] = []
    sizes = []
    for one, other in ((base, new), (new, base)):
        # Only judged documents of the difference are fetched one by one; the others are counted.
        rows = connection.execute(
            f"select p.query, j.doc, count(*) from (select query, doc from {one.table} anti join {other.table} "
            f"using (query, doc)) p join {judged}_queries q on q.query = p.query "
            f"left join {judged} j on j.query = p.query and j.doc = p.doc group by all"
        ).fetchall()
        only.append([(query, doc, doc is not None) for query, doc, _ in rows])
        sizes.append(sum(count for _, _, count in rows))
    different = {query for rows in only for query, _, _ in rows}
    grades = judgments.grades_of(*different)
    relevant = {query: relevant_documents(given, measure) for query, given in grades.items()}
    counts = [sum(known and doc in relevant[query] for query, doc, known in rows) for rows in only]
    both = sum(_sizes(base, judgments).values()) - sizes[0]
    order = [query for query in judgments.queries if query in different]
    return PoolOverlap(both, sizes[0], sizes[1], counts[0], counts[1], len(order), tuple(order[:NAMED]))


def relevant_documents(grades: Mapping[str, float], measure: Measure) -> frozenset[str]:
    """The judged documents that count: with a positive gain, or with a grade of at least the measure's `rel`."""
    from .measures.ndcg import gains_by_document

    if "gain" in measure.family.conventions:
        return frozenset(doc for doc, gain in gains_by_document(grades, measure).items() if gain > 0)
    known = [name for name, _ in measure.options]
    level = measure["rel"] if "rel" in known else 1.0
    least = float(level) if isinstance(level, int | float) else 1.0
    return frozenset(doc for doc, grade in grades.items() if grade >= least)


def candidate_recall(judgments: Judgments, measure: Measure) -> tuple[Floats, Bools]:
    """Per judged query the share of its relevant documents that the pool holds, and whether it has relevant ones.

    Relevant is what has a positive gain under the measure (a grade of at least `rel` for measures without gains).
    """
    numbers = judgments.numbers
    assert numbers.in_pool is not None
    relevant = _relevant_rows(numbers.grade, measure)
    every = np.bincount(numbers.query[relevant], minlength=numbers.queries)
    inside = np.bincount(numbers.query[relevant & numbers.in_pool], minlength=numbers.queries)
    there: Bools = every > 0
    return np.divide(inside, every, out=np.zeros(numbers.queries), where=there), there


def _relevant_rows(grades: Floats, measure: Measure) -> Bools:
    from .measures.ndcg import gains

    if "gain" in measure.family.conventions:
        return np.asarray(gains(grades, measure) > 0)
    known = [name for name, _ in measure.options]
    level = measure["rel"] if "rel" in known else 1.0
    return np.asarray(grades >= (float(level) if isinstance(level, int | float) else 1.0))


class PoolFacts(NamedTuple):
    """One system's candidates over the judged queries.

    `depth` is the largest number of candidates of a query and `mean_depth` their mean number. `recall` is the mean
    share of relevant documents among them, over `queries` queries that have relevant documents. `ceiling` is the mean
    ceiling, the best nDCG that any order of the pool reaches; `quality` the mean ranking quality inside the pool, over
    the queries for which it is defined; both None where the measure is no ratio to the ideal of the judgments.
    """

    run: str
    depth: int
    mean_depth: float
    recall: float | None
    queries: int
    ceiling: float | None
    quality: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """Ceiling and ranking quality of one system per judged query; `defined` where the pool holds gain at all."""

    ceiling: Floats
    quality: Floats
    defined: Bools


def splits(measure: Measure) -> bool:
    """Whether a measure is DCG divided by the ideal of the judgments, so that the product holds."""
    from .measures.habits import has_habits

    return (
        measure.name in ("nDCG", "nCG")
        and measure.conventions["ideal"] == "judged"
        and not has_habits(measure)
        and measure.conventions["negative"] != "keep"
    )


def factors(judged: QueryTable, candidates: QueryTable) -> Factors:
    """The two factors from the rows of a measure with `ideal='judged'` and with `ideal='candidates'`."""
    count = judged.judged_queries
    assert judged.ideal is not None and candidates.ideal is not None and candidates.dcg is not None
    whole, inside = judged.ideal[:count], candidates.ideal[:count]
    ceiling = np.divide(inside, whole, out=np.zeros(count), where=whole != 0)
    gained = np.where(candidates.computed[:count], candidates.dcg[:count], 0.0)
    quality = np.divide(gained, inside, out=np.zeros(count), where=inside != 0)
    return Factors(ceiling, quality, inside != 0)


class Split(NamedTuple):
    """One query's difference, split. Qualities are None where the pool holds no gain."""

    query: str
    difference: float
    retrieval: float
    ranking: float
    base_ceiling: float
    base_quality: float | None
    new_ceiling: float
    new_quality: float | None

    def exact(self) -> tuple[Fraction, Fraction, Fraction]:
        """(difference, retrieval, ranking) as rationals; the last two add up to the first without any rounding."""
        difference, retrieval = Fraction(self.difference), Fraction(self.retrieval)
        return difference, retrieval, difference - retrieval


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The mean difference split into what the pools and what the rankings inside them contribute.

    `retrieval` and `ranking` add up to `difference`, in `exact()` to the last bit. `undefined` counts the queries for
    which one of the qualities is undefined, so that the difference is all retrieval. `per_query` holds every query.
    """

    queries: int
    difference: float
    retrieval: float
    ranking: float
    undefined: int
    per_query: tuple[Split, ...] = field(repr=False)

    def exact(self) -> tuple[Fraction, Fraction, Fraction]:
        """(difference, retrieval, ranking) as rationals, the means of those of the queries; they add up exactly."""
        difference = sum((Fraction(split.difference) for split in self.per_query), Fraction()) / self.queries
        retrieval = sum((Fraction(split.retrieval) for split in self.per_query), Fraction()) / self.queries
        return difference, retrieval, difference - retrieval


def decompose(
    queries: Sequence[str], differences: Floats, base: Factors, new: Factors, places: Sequence[int]
) -> Decomposition | None:
    """Split the differences of the queries at `places` of the judgments; None for no queries.

    `differences` are new less base, one per place. See the module's text for the formula and why it is exact.
    """
    if not len(places):
        return None
    at = np.asarray(places, dtype=np.int64)
    base_quality = np.where(base.defined[at], base.quality[at], new.quality[at])
    new_quality = np.where(new.defined[at], new.quality[at], base.quality[at])
    retrieval = (new.ceiling[at] - base.ceiling[at]) * ((base_quality + new_quality) / 2)
    # Where the two systems do not differ in their pool, or have no quality to differ in, nothing is left to rounding.
    retrieval = np.where(base.defined[at] & new.defined[at], retrieval, differences)
    ranking = differences - retrieval
    count = len(at)
    return Decomposition(
        queries=count,
        difference=math.fsum(differences.tolist()) / count,
        retrieval=math.fsum(retrieval.tolist()) / count,
        ranking=math.fsum([*differences.tolist(), *(-retrieval).tolist()]) / count,
        undefined=int(np.count_nonzero(~(base.defined[at] & new.defined[at]))),
        per_query=tuple(
            Split(
                queries[place],
                float(differences[row]),
                float(retrieval[row]),
                float(ranking[row]),
                float(base.ceiling[place]),
                float(base.quality[place]) if base.defined[place] else None,
                float(new.ceiling[place]),
                float(new.quality[place]) if new.defined[place] else None,
            )
            for row, place in enumerate(at.tolist())
        ),
    )


def pool_facts(run: str, judgments: Judgments, measure: Measure, found: Factors | None, counted: Bools) -> PoolFacts:
    """What one system's candidates are worth, over the judged queries; factors over the counted ones."""
    assert judgments.pool is not None
    depth, mean_depth = depth_of(judgments.pool, judgments)
    recall, there = candidate_recall(judgments, measure)
    values = recall[there].tolist()
    ceiling = quality = None
    if found is not None:
        ceiling = _mean(found.ceiling[counted])
        quality = _mean(found.quality[counted & found.defined])
    return PoolFacts(
        run, depth, mean_depth, math.fsum(values) / len(values) if values else None, len(values), ceiling, quality
    )


def _mean(values: Floats) -> float | None:
    return math.fsum(values.tolist()) / len(values) if len(values) else None
