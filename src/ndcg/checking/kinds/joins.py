"""Ids that should have met and did not: nearly equal queries and documents, passages, ids of another corpus."""

from __future__ import annotations

from collections.abc import Iterator

from ...joining import ALIKE, CAUSES, SEVERAL
from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..words import percent, some

MOSTLY = 0.5
"""The share of relevant documents that no run returns from which their ids are in doubt."""

DEEP = 2
"""Rows of a run per relevant document from which it could have returned most of them."""


def _queries(data: Data) -> Iterator[Found]:
    for run in data.runs:
        joins = run.joins
        for cause in (*CAUSES, SEVERAL):
            found = [row for row in joins.queries if row[2].name == cause.name]
            if not found:
                continue
            words = {
                "queries": some(len(found), "query of the run looks", "queries of the run look"),
                "share": percent(len(found), run.facts.depths.queries),
                "cause": cause.sentence,
            }
            examples = tuple(Example(given, what=f"judged as {judged!r}") for judged, given, _ in found[:SHOWN])
            rows = joins.joined_rows(True, [])
            variant = Variant("with all suspected queries joined", rows=rows)
            yield Found(
                len(found),
                run.facts.depths.queries,
                run.name,
                words,
                examples,
                variants=(variant,),
                option=cause.remedy,
            )


def _documents(data: Data) -> Iterator[Found]:
    for run in data.runs:
        joins = run.joins
        for cause, found in joins.by_cause():
            words = {
                "rows": some(len(found), "row of the run returns", "rows of the run return"),
                "share": percent(len(found), run.facts.loaded.rows),
                "judged": percent(len(found), run.facts.matched_pairs + len(found)),
                "cause": cause.sentence,
            }
            examples = tuple(Example(q, given, f"judged as {judged!r}") for q, judged, given, _ in found[:SHOWN])
            variant = Variant("joined", rows=joins.joined_rows(bool(joins.queries), found))
            yield Found(
                len(found), run.facts.loaded.rows, run.name, words, examples, variants=(variant,), option=cause.remedy
            )


def _passages(data: Data) -> Iterator[Found]:
    for run in data.runs:
        passages = run.joins.passages
        if passages is None:
            continue
        rows = f"select query, {passages.document} as doc, number, rank from {run.facts.loaded.table}"
        chunk, document = passages.examples[0][1:]
        words = {
            "rows": some(passages.rows, "row of the run returns", "rows of the run return"),
            "example": f"{chunk!r} of {document!r}",
            "share": percent(passages.rows, run.facts.loaded.rows),
        }
        examples = tuple(Example(query, doc, f"judged as {judged!r}") for query, doc, judged in passages.examples)
        variant = Variant("with the best passage of each document", rows=rows)
        yield Found(
            passages.rows,
            run.facts.loaded.rows,
            run.name,
            words,
            examples,
            variants=(variant,),
            option=f"--collapse '{passages.pattern}'",
        )


def _absent(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or not data.runs:
        return
    rows = sum(run.facts.common_rows for run in data.runs)
    relevant = "select distinct query, doc from {t} where number > 0"
    total = judged.ask(f"select count(*) from ({relevant})")[0][0]
    returned = " union ".join(f"select query, doc from {run.facts.matched}" for run in data.runs)
    absent = judged.ask(f"select count(*) from ({relevant}) anti join ({returned}) using (query, doc)")[0][0]
    if not total or absent <= MOSTLY * total or rows < DEEP * total * len(data.runs):
        return
    looked = [run.scorer.looked for run in data.runs if run.scorer is not None]
    if sum(int(one.judged.sum()) for one in looked) >= MOSTLY * sum(int(one.ranks.sum()) for one in looked):
        return  # what stands at the top is known to the judges: the rest was not found
    examples = judged.ask(
        f"select query, doc from {{t}} anti join ({returned}) using (query, doc) where number > 0 "
        f"order by rowid limit {SHOWN}"
    )
    words = {
        "documents": f"{absent:,} of {some(total, 'relevant document')}",
        "share": percent(absent, total),
        "runs": "the run" if len(data.runs) == 1 else f"any of the {len(data.runs)} runs",
    }
    yield Found(absent, total, None, words, tuple(Example(q, d) for q, d in examples))


KINDS = (
    Kind(
        "suspected_query_joins",
        Weight.DOUBT,
        "{queries} like judged ones ({share}): {cause}",
        "A query that does not meet its judgments is unjudged on one side and missing, at 0, on the other.",
        ALIKE,
        _queries,
    ),
    Kind(
        "suspected_document_joins",
        Weight.DOUBT,
        "{rows} what looks like a judged document under another id ({share}; {judged} of the judged ones met): {cause}",
        "A document that does not meet its judgment counts as unjudged: a bad join looks like a bad ranker.",
        ALIKE,
        _documents,
    ),
    Kind(
        "passages",
        Weight.DOUBT,
        "{rows} passages of judged documents, such as {example} ({share})",
        "Judgments of documents say nothing of passages until the passages become documents.",
        "--collapse with a pattern or a column",
        _passages,
    ),
    Kind(
        "absent_documents",
        Weight.DOUBT,
        "{documents} are not returned by {runs} for their query ({share})",
        "Either the systems miss most of what is relevant, or the judgments name ids of another version of the corpus.",
        "--corpus FILE with the ids that exist",
        _absent,
        unknown="whether these documents exist under other ids is not in the data",
    ),
)
