"""Queries that are only on one side, that nothing is relevant for, or whose search failed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...joining import MANY, SWAPPED, likely, shown, swapped
from ..data import Data, RunData
from ..findings import Found, Kind, Weight
from ..words import of_queries, queries, some


def _empty(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None:
        return
    bare = set(judged.bare)
    empty = [query for query in judged.empty if query not in bare]
    if empty:
        words = {"queries": queries(len(empty), len(judged.queries) - len(bare))}
        few = frozenset(empty) if bare else None
        yield Found(len(empty), len(judged.queries) - len(bare), None, words, of_queries(empty), few)


def _bare(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or not judged.bare:
        return
    count, total = len(judged.bare), len(judged.queries)
    words = {"queries": f"{count:,} of {some(total, 'query', 'queries')}", "have": "has" if count == 1 else "have"}
    few = frozenset(judged.bare) if len(judged.empty) > count else None
    yield Found(count, total, None, words, of_queries(judged.bare), few)


def _scorable(data: Data) -> Iterator[RunData]:
    return (run for run in data.runs if run.scorer is not None)


def _missing(data: Data) -> Iterator[Found]:
    for run in _scorable(data):
        assert run.scorer is not None and data.judged is not None
        empty, failed = set(data.judged.empty), set(run.facts.loaded.failed)
        nothing = np.flatnonzero(run.scorer.returned == 0).tolist()
        names = [name for at in nothing if (name := run.scorer.queries[at]) not in empty and name not in failed]
        if names:
            yield Found(
                len(names),
                len(data.judged.queries),
                run.name,
                {"queries": queries(len(names), len(data.judged.queries))},
                of_queries(names),
            )


def _unjudged(data: Data) -> Iterator[Found]:
    for run in data.runs:
        names = [query for query in run.facts.queries if query not in run.facts.common]
        if names and run.scorer is not None:
            total = run.facts.depths.queries
            words = {"queries": f"{len(names):,} of {some(total, 'query', 'queries')} of the run"}
            yield Found(len(names), total, run.name, words, of_queries(names))


def _failed(data: Data) -> Iterator[Found]:
    for run in data.runs:
        failed = run.facts.loaded.failed
        if failed:
            yield Found(len(failed), None, run.name, {"queries": queries(len(failed))}, of_queries(failed))


def _no_common(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None:
        return
    for run in data.runs:
        theirs = run.facts.queries
        if run.facts.common or not theirs:
            continue
        ours = judged.queries
        cause = likely(ours, theirs[:MANY])
        if cause is None:
            docs = [row[0] for row in judged.ask("select doc from {t} limit 200")]
            run_docs = [row[0] for row in run.facts.ask("select doc from {t} limit 200")]
            if swapped(ours, docs, theirs[:MANY], run_docs):
                cause = SWAPPED
        words = {"ours": shown(ours), "theirs": shown(theirs), "cause": f"; {cause.sentence}" if cause else ""}
        yield Found(len(theirs), len(theirs), run.name, words, option=cause.remedy if cause else None)


KINDS = (
    Kind(
        "no_common_query",
        Weight.REFUSED,
        "run and judgments have no query in common: judgments have {ours}; the run has {theirs}{cause}",
        "Nothing can be scored where no query is on both sides.",
        "give judgments and run of the same queries, or name the column with the key that both share: --columns",
        _no_common,
        unknown="there is no score",
    ),
    Kind(
        "queries_without_positives",
        Weight.DOUBT,
        "no document has a positive grade for {queries}",
        "Nothing can be found for such a query: its nDCG is undefined, and what it counts is a convention.",
        "--empty exclude, zero or one",
        _empty,
        ({"empty": "zero"}, {"empty": "one"}),
    ),
    Kind(
        "queries_without_judgments",
        Weight.DOUBT,
        "{queries} in the judgments {have} no rating at all",
        "Such a query waits for its judges: it stands as empty, though nobody said that nothing is relevant.",
        "judge them or take them out of the judgments; until then --empty exclude",
        _bare,
        ({"empty": "zero"}, {"empty": "one"}),
    ),
    Kind(
        "missing_queries",
        Weight.DOUBT,
        "the run returns nothing for {queries}",
        "Whether a query without results counts 0 or is left out moves the mean of every other one.",
        "--missing zero or exclude",
        _missing,
        ({"missing": "exclude"},),
    ),
    Kind(
        "unjudged_queries",
        Weight.NOTE,
        "no judgment at all for {queries}",
        "They are listed and never scored; tools that count them 0 lower the mean.",
        "--unjudged-query error, to stop at them",
        _unjudged,
        none="they are never scored",
    ),
    Kind(
        "failed_queries",
        Weight.DOUBT,
        "the search failed for {queries}, as the run itself records",
        "A failed search is not an empty result: it is left out unless a policy says otherwise.",
        "--failed exclude or zero",
        _failed,
        ({"failed": "zero"},),
    ),
)
