"""What decides the order of a run: ties, constant scores, ranks beside scores, repeats, own documents, precision."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import numpy as np

from ...readers.declared import FIXED, TAKEN
from ...readers.source import Described, Role
from ..data import Data, RunData
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..rows import declared_columns
from ..words import of_queries, percent, queries, some


def _tied(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.scorer is None or data.measure.k is None:
            continue
        sizes = run.scorer.looked.tied
        tied = np.flatnonzero(sizes)
        if not len(tied):
            continue
        largest = tied[np.argsort(-sizes[tied], kind="stable")][:SHOWN].tolist()
        examples = tuple(Example(run.scorer.queries[at], what=f"{sizes[at]} tied at the cutoff") for at in largest)
        words = {"queries": queries(len(tied), len(sizes)), "k": data.measure.k, "share": _tied_share(run)}
        yield Found(len(tied), len(sizes), run.name, words, examples)


def _tied_share(run: RunData) -> str:
    """The share of rows whose score equals that of the row before."""
    return percent(run.facts.order.ties, run.facts.loaded.rows)


def _tied_rows(data: Data) -> Iterator[Found]:
    for run in data.runs:
        ties = run.facts.order.ties
        cut = run.scorer is not None and data.measure.k is not None and run.scorer.looked.tied.any()
        if ties and not cut:
            words = {"rows": some(ties, "row has", "rows have"), "share": _tied_share(run)}
            yield Found(ties, run.facts.loaded.rows, run.name, words)


def _constant(data: Data) -> Iterator[Found]:
    for run in data.runs:
        constant = run.facts.constant
        if constant:
            examples = tuple(Example(query, what=f"{n} documents with one score") for query, n in constant[:SHOWN])
            words = {"queries": queries(len(constant), len(run.facts.common))}
            chosen = frozenset(query for query, _ in constant)
            yield Found(len(constant), len(run.facts.common), run.name, words, examples, chosen)


def _disagree(data: Data) -> Iterator[Found]:
    for run in data.runs:
        wrong = run.facts.disagreements
        if wrong:
            count = sum(n for _, n, _ in wrong)
            examples = tuple(Example(q, d, f"{some(n, 'place')} out of order") for q, n, d in wrong[:SHOWN])
            rows = f"select query, doc, null::double as number, rank from {run.facts.loaded.table}"
            words = {
                "neighbours": some(count, "pair of neighbours", "pairs of neighbours"),
                "queries": queries(len(wrong), run.facts.depths.queries, "ranked"),
            }
            few = frozenset(query for query, _, _ in wrong)
            variant = Variant("ordered by rank", rows=f"{rows} where rank is not null", ranked=True, only=few)
            option = _by_rank(run.facts.source.described)
            yield Found(count, None, run.name, words, examples, variants=(variant,), option=option)


def _by_rank(described: Described) -> str:
    """How to have a run of this format ordered by its ranks."""
    named = declared_columns(described.layout, Role.RUN).get("rank")
    if described.format in FIXED:
        named = "rank"
    elif described.format in ("json", "jsonl", "yaml"):
        return "--columns run.rank=KEY, the key of the ranks, to rank by rank"
    if named is None or described.format in TAKEN:
        return "ndcg convert it to CSV, then --columns run.rank=rank, to rank by rank"
    return f"--columns {shlex.quote(f'run.rank={named}')}, to rank by rank"


def _repeated(data: Data) -> Iterator[Found]:
    for run in data.runs:
        repeated = run.facts.repeated
        if repeated:
            extra = sum(n - 1 for _, _, n in repeated)
            examples = tuple(Example(q, d, f"returned {n} times") for q, d, n in repeated[:SHOWN])
            words = {
                "rows": some(extra, "row repeats", "rows repeat"),
                "queries": queries(len({query for query, _, _ in repeated}), run.facts.depths.queries, "ranked"),
            }
            few = frozenset(query for query, _, _ in repeated)
            variants = (_kept(run.facts.loaded.table, few),)
            yield Found(extra, run.facts.loaded.rows, run.name, words, examples, variants=variants)


def _kept(table: str, only: frozenset[str]) -> Variant:
    """The run with its repeats kept, each as a document of its own that nobody judged."""
    again = "row_number() over (partition by query, doc order by number desc, rank, rowid)"
    rows = (
        f"select query, case when n = 1 then doc else doc || chr(10) || n end as doc, number, rank from "
        f"(select *, {again} as n from {table})"
    )
    return Variant("where repeats keep their ranks", rows=rows, only=only)


def _own(data: Data) -> Iterator[Found]:
    for run in data.runs:
        if run.facts.own:
            count, total = len(run.facts.own), run.facts.depths.queries
            words = {"queries": queries(count, total, "ranked")}
            variant = Variant("self=drop", settings={"self": "drop"}, only=frozenset(run.facts.own))
            yield Found(count, total, run.name, words, of_queries(run.facts.own), variants=(variant,))


def _single(data: Data) -> Iterator[Found]:
    for run in data.runs:
        order = run.facts.order
        if order.single:
            words = {"rows": some(order.single, "score differs", "scores differ")}
            variant = Variant("score_type=float32", settings={"score_type": "float32"}, only=order.single_queries)
            yield Found(order.single, run.facts.loaded.rows, run.name, words, variants=(variant,))


KINDS = (
    Kind(
        "tied_at_cutoff",
        Weight.DOUBT,
        "in {queries} rank {k} cuts a group of documents with equal scores ({share} of all rows are tied)",
        "Which of them are inside the cutoff is decided by the tie rule, not by the system.",
        "--ties average: the mean over all orders",
        _tied,
        ({"ties": "worst"}, {"ties": "average"}, {"ties": "best"}),
    ),
    Kind(
        "tied_scores",
        Weight.NOTE,
        "{rows} the same score as the row before ({share}), though no cutoff cuts a group of them",
        "Equal scores leave the order of their documents to the tie rule.",
        "--ties average: the mean over all orders",
        _tied_rows,
        ({"ties": "worst"}, {"ties": "average"}, {"ties": "best"}),
    ),
    Kind(
        "constant_scores",
        Weight.DOUBT,
        "in {queries} all documents have one score",
        "Such a list is in no order at all: perhaps a filter, a failed model, or scores lost on the way.",
        "--ties average; --ties given, if the order of the rows is meant",
        _constant,
        ({"ties": "worst"}, {"ties": "average"}, {"ties": "best"}, {"ties": "given"}),
    ),
    Kind(
        "rank_score_disagree",
        Weight.DOUBT,
        "rank and score disagree at {neighbours}, in {queries}",
        "The score decides and the rank is ignored, as trec_eval does; the file may mean the rank.",
        "--columns run.rank=NAME, to rank by rank",
        _disagree,
    ),
    Kind(
        "repeated_documents",
        Weight.DOUBT,
        "{rows} a document that its query has already, in {queries}",
        "The best-ranked occurrence counts; counted twice a document lifts nDCG above 1. Chunks of one document "
        "look like this.",
        "--duplicates best or error",
        _repeated,
    ),
    Kind(
        "own_documents",
        Weight.DOUBT,
        "a document with the id of the query is returned for {queries}",
        "If queries are documents of the collection, each finds itself; if ids merely coincide, nothing is wrong.",
        "--self drop or keep",
        _own,
    ),
    Kind(
        "single_precision",
        Weight.NOTE,
        "{rows} from the next one only beyond single precision",
        "trec_eval up to 9.0.8 and what is built on it find ties there.",
        "--score-type float64 or float32",
        _single,
    ),
)
