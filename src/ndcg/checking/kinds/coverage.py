"""How much of the ranking is there and judged: judged@k by rank, short lists, candidate lists of unequal depth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Weight
from ..words import percent, queries, some

WHERE = {None: "lists", 1: "first rank"}
"""The ranks that count, for cutoffs that are no number of several ranks."""

UNEQUAL = 2
"""How many times as deep the deepest list must be as the shortest."""


def _unjudged_documents(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.scorer is None:
            continue
        looked = run.scorer.looked
        ranks, judged = int(looked.ranks.sum()), int(looked.judged.sum())
        if judged == ranks:
            continue
        holes = looked.ranks - looked.judged
        worst = [at for at in np.argsort(-holes, kind="stable")[:SHOWN].tolist() if holes[at]]
        examples = tuple(
            Example(run.scorer.queries[at], what=f"{holes[at]} of {looked.ranks[at]} unjudged") for at in worst
        )
        words = {
            "holes": f"{ranks - judged:,} of {some(ranks, 'document')}",
            "share": percent(ranks - judged, ranks),
            "where": WHERE.get(data.measure.k, f"first {data.measure.k} ranks"),
        }
        only = data.judged is not None and data.judged.only_positive
        reason = "every judgment is positive: without unjudged documents only relevant ones would be left"
        yield Found(ranks - judged, ranks, run.name, words, examples, unknown=reason if only else None)


def _short(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.scorer is None or data.measure.k is None:
            continue
        ranks = run.scorer.looked.ranks
        short = np.flatnonzero((ranks > 0) & (ranks < data.measure.k))
        if len(short):
            fewest = short[np.argsort(ranks[short], kind="stable")][:SHOWN].tolist()
            examples = tuple(Example(run.scorer.queries[at], what=some(int(ranks[at]), "document")) for at in fewest)
            words = {"queries": queries(len(short), len(ranks)), "k": data.measure.k}
            yield Found(len(short), len(ranks), run.name, words, examples)


def _unequal(data: Data) -> Iterator[Found]:
    for run in data.runs:
        depths = run.facts.depths
        if depths.queries < 2 or depths.most < UNEQUAL * depths.least:
            continue
        rows = run.facts.ask(f"select query, n from {{q}} order by n, first limit {SHOWN}")
        words = {"least": f"{depths.least:,}", "median": f"{depths.median:,.0f}", "most": some(depths.most, "document")}
        enough = data.measure.k is not None and depths.least >= data.measure.k
        yield Found(
            int(run.facts.ask(f"select count(*) from {{q}} where n < {depths.most}")[0][0]),
            depths.queries,
            run.name,
            words,
            tuple(Example(query, what=some(n, "document")) for query, n in rows),
            none=f"all lists reach rank {data.measure.k}" if enough else None,
            unknown=None if enough else "what longer lists would have held is not in the run",
        )


KINDS = (
    Kind(
        "unjudged_documents",
        Weight.DOUBT,
        "no judgment for {holes} in the {where} ({share})",
        "An unjudged document counts as not relevant, whatever it is: systems unlike those that were judged lose most.",
        "--unjudged zero or skip; judge them",
        _unjudged_documents,
        ({"unjudged": "skip"},),
    ),
    Kind(
        "short_lists",
        Weight.DOUBT,
        "for {queries} the run returns something, but fewer than {k} documents",
        "The empty ranks gain nothing; some tools score such queries 0, whatever they hold.",
        "return at least as many documents as the cutoff, or score at a smaller one (-m)",
        _short,
        unknown="what the empty ranks would have held is not in the run",
    ),
    Kind(
        "unequal_depth",
        Weight.NOTE,
        "lists are of unequal depth: {least} to {most}, the median {median}",
        "Lists that were cut at different depths, or filtered after retrieval, are not equally complete.",
        "a cutoff that every list reaches (-m)",
        _unequal,
    ),
)
