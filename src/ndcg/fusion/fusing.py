"""`fuse`: several runs become one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..counted import counted_noun
from ..errors import Fault, InputError, whole_number
from ..reading import Reading
from ..version import __version__
from .lists import Lists, lists_of, sources_of
from .methods import METHODS, Fusion, List, fused, settled


@dataclass(frozen=True)
class Fused(Mapping[str, "dict[str, float] | None"]):
    """A fused run: `{query: {document: score}}`, best first, with how it was made.

    It is a mapping, so it goes wherever a run goes. A query whose search failed in every run is None; `partial` are
    the queries that some run failed or did not name, fused from the others.
    """

    runs: tuple[str, ...]
    fusion: Fusion
    depth: int | None
    partial: tuple[str, ...]
    rows: Mapping[str, dict[str, float] | None] = field(repr=False)
    version: str = __version__

    def __getitem__(self, query: str) -> dict[str, float] | None:
        return self.rows[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def as_dict(self) -> dict[str, object]:
        """Plain data: how it was made, and `rows`, which are the run."""
        plain = {"runs": list(self.runs), **self.fusion._asdict(), "depth": self.depth, "partial": list(self.partial)}
        if not METHODS[self.fusion.method].scores:
            del plain["normalisation"], plain["absent"]
        else:
            del plain["k"]
        rows = {query: rows and dict(rows) for query, rows in self.rows.items()}
        return {**plain, "rows": rows, "version": self.version}

    def to_json(self) -> str:
        """One JSON document with full precision."""
        from ..saved import dumped

        return dumped(self.as_dict(), indent=2)

    def __str__(self) -> str:
        deep = f", the first {self.depth} of each list" if self.depth is not None else ""
        return f"{' + '.join(self.runs)} by {self.fusion}{deep}: {counted_noun(len(self), 'query', 'queries')}"


def fuse(
    runs: object,
    method: str = "rrf",
    *,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    normalisation: str | None = None,
    absent: str | None = None,
    depth: int | None = None,
    columns: Mapping[str, object] | None = None,
    run_format: str | None = None,
    comments: bool | None = None,
) -> Fused:
    """Fuse two or more runs into one, query by query.

    `runs` is a dict of runs by name, each in any of the shapes that `evaluate` takes. `method` is `rrf` (reciprocal
    ranks, constant `k`, 60 if left out), `combsum`, `combmnz` or `weighted`; the last three add scores under a
    `normalisation`: minmax (default), zscore, sum, max, three_sigma, rank or none. `weights`, one number of at least 0
    for each run, are for `rrf` and `weighted`. `depth` takes only the first documents of each list. For a document
    that it does not hold a list adds 0 (`absent="zero"`) or its lowest number (`"lowest"`, the default under zscore,
    where 0 is the mean).

    Returns a `Fused`, a mapping `{query: {document: score}}` that `evaluate` takes as a run. Raises UsageError for a
    wrong name or number, InputError for scores that cannot be added. Time and memory O(rows).

    >>> import ndcg
    >>> made = ndcg.fuse({"bm25": {"q": {"a": 9.0, "b": 1.0}}, "dense": {"q": {"b": 0.9, "c": 0.8}}})
    >>> list(made["q"])
    ['b', 'a', 'c']
    """
    if depth is not None:
        whole_number("depth", depth, 1)
    sources = sources_of(runs, Reading(run_format=run_format, columns=columns, comments=comments))
    fusion = settled(method, len(sources), weights=weights, k=k, normalisation=normalisation, absent=absent)
    lists = lists_of(sources, needs_scores=fusion.needs_scores, depth=depth)
    return fused_runs(lists, fusion, depth)


def fused_runs(lists: Mapping[str, Lists], fusion: Fusion, depth: int | None = None) -> Fused:
    """All queries of all runs, in the order of their first appearance."""
    queries = dict.fromkeys(query for run in lists.values() for query in run)
    rows: dict[str, dict[str, float] | None] = {}
    partial = []
    for query in queries:
        there = [run.get(query) for run in lists.values()]
        known = [query in run for run in lists.values()]
        if all(found is None for found in there):
            rows[query] = None
            continue
        if not all(known) or any(found is None for found in there):
            partial.append(query)
        rows[query] = fused_query(query, [found or () for found in there], fusion)
    return Fused(tuple(lists), fusion, depth, tuple(partial), rows)


def fused_query(query: str, lists: Sequence[List], fusion: Fusion) -> dict[str, float]:
    """`fused`, with an InputError that names the query."""
    try:
        return fused(lists, fusion)
    except ValueError as error:
        scaled = fusion.normalisation is not None
        problem = f"{error} (normalisation {fusion.normalisation})" if scaled else str(error)
        raise InputError(
            problem,
            code="normalisation",
            faults=[Fault(problem, query=query)],
            hint="use another normalisation" if scaled else "use smaller weights",
        ) from None


def described() -> list[tuple[str, str, str]]:
    """(name, what a document is worth, source) of every method, for help and documents."""
    return [(name, method.sentence, method.source) for name, method in METHODS.items()]
