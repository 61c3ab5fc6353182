"""The bundled collection scored, and the output explained line by line to somebody who sees it first."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from ..asked_measures import DEFAULT_MEASURE
from ..evaluation import evaluate
from ..explained import Explanation
from ..explanation import explain
from ..reports.layout import WIDTH
from ..reports.terminal import result_text
from ..reports.words import counted_noun, decimals, grade_text
from ..results import Result
from . import JUDGMENTS, query_texts, runs

SHOWN = "fts_title"
"""The run that is walked through: it has missing queries, ties and queries that score 0."""


def walk() -> str:
    """The whole text of the demonstration."""
    paths = runs()
    result = evaluate(str(JUDGMENTS), {name: str(path) for name, path in paths.items()}, DEFAULT_MEASURE, worst=3)
    single = _one(result, SHOWN)
    intro = (
        "The bundled collection: questions about Python's standard library, what its docstrings are worth for them, "
        "and what four search engines found. `ndcg demo --copy FOLDER` writes the files; then this is"
    )
    lines = textwrap.wrap(intro, WIDTH)
    lines += ["", f"  ndcg evaluate judgments.qrels runs/{SHOWN}.run --worst 3", ""]
    lines += [result_text(single), "", "How to read it", ""]
    for number, sentence in enumerate(_sentences(result, single), 1):
        lines += textwrap.wrap(
            f"{number:>2}. {sentence}", WIDTH, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False
        )
    return "\n".join(lines)


def _one(result: Result, run: str) -> Result:
    """The part of a result that is about one run; inputs without the folders they lie in."""
    inputs = tuple(
        read._replace(name=f"runs/{run}.run" if read.role == f"run {run}" else JUDGMENTS.name)
        for read in result.inputs
        if read.role in ("judgments", f"run {run}")
    )
    return replace(result, entries=(result.entry(run=run),), inputs=inputs)


def _sentences(result: Result, single: Result) -> list[str]:
    entry = single.entries[0]
    summary, queries = entry.summary, entry.summary.queries
    others = ", ".join(f"{other.run} {decimals(other.value)}" for other in result.entries if other.run != entry.run)
    found = [
        f"The number. {decimals(summary.value)} is the mean of {entry.measure} over {queries.counted} queries: 0 is "
        f"nothing of use in the first ten ranks, 1 the best order of what is known to be relevant. "
        f"The other runs: {others}.",
        "The declaration. `declared` names the conventions behind the number; another choice gives another number, "
        "and `ndcg measures nDCG` lists them all.",
        f"The denominators. {counted_noun(queries.missing, 'query', 'queries')} got no document and count 0; "
        f"{counted_noun(queries.empty, 'query', 'queries')} have nothing relevant to find and are left out; "
        f"{counted_noun(queries.unjudged, 'query', 'queries')} of the run without judgments. No query vanishes.",
        f"The zeros. {counted_noun(summary.zeros, 'query', 'queries')} score exactly 0: an average hides them.",
    ]
    if summary.judged_at_k is not None:
        found.append(
            f"The judgments. {summary.judged_at_k:.0%} of the documents in the first ten ranks are judged; the rest "
            "count as not relevant until somebody judges them, which may raise or lower the score."
        )
    found.append(
        f"The ties. In {counted_noun(summary.tied, 'query', 'queries')} rank 10 cuts a group of equal scores: there "
        "the tie rule decides what is seen (try --ties average)."
    )
    explained = _lowest(single)
    if explained is not None:
        found += _worst_sentences(explained)
    return found


def _lowest(single: Result) -> Explanation | None:
    """The explanation of the lowest query for which the run returned something and one move would help."""
    entry = single.entries[0]
    for row in entry.worst(10):
        if row.status == "scored":
            explained = explain(str(JUDGMENTS), str(runs()[entry.run]), row.query, entry.measure)
            if explained.moves:
                return explained
    return None


def _worst_sentences(explained: Explanation) -> list[str]:
    text = query_texts().get(explained.query, "")
    move = explained.moves[0]
    origin = f"at rank {move.origin}" if move.origin is not None else "not returned at all"
    return [
        f"The worst queries. {explained.query} ({text!r}) scores {decimals(explained.value)}: "
        f"{counted_noun(len(explained.missed), 'relevant document is', 'relevant documents are')} not in its first "
        "ten ranks.",
        f"What would raise it. {move.document} (grade {grade_text(move.grade)}) is {origin}; at rank {move.target} it "
        f"would lift the query to {decimals(move.value)}.",
        f"Rank by rank: ndcg explain judgments.qrels runs/{explained.run}.run {explained.query}",
    ]
