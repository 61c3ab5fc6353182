"""Ids that are not where they should be: in the candidate pool, or in the corpus."""

from __future__ import annotations

from collections.abc import Iterator

from ..data import Data, RunData
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..words import percent, some


def _dangling(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None:
        return
    variants: tuple[Variant, ...] = ()
    if data.corpus is not None:
        missing = f"anti join {data.corpus} c on c.doc = t.doc"
        place, variants = "the corpus", (Variant("without them", keep=f"doc in (select doc from {data.corpus})"),)
    elif data.pool is not None:
        missing = f"anti join {data.pool.table} c on c.query = t.query and c.doc = t.doc"
        place = "the candidate pool of their query"
    else:
        return
    count, relevant = judged.ask(f"select count(*), count(*) filter (number > 0) from {{t}} t {missing}")[0]
    if not count:
        return
    rows = judged.ask(f"select query, t.doc, number from {{t}} t {missing} order by t.rowid limit {SHOWN}")
    words = {
        "documents": f"{count:,} of {some(judged.loaded.rows, 'judgment')}",
        "share": percent(count, judged.loaded.rows),
        "relevant": some(relevant, "of them is relevant", "of them are relevant"),
        "place": place,
    }
    examples = tuple(Example(query, doc, f"grade {grade:g}") for query, doc, grade in rows)
    if data.corpus is not None or not data.runs:
        yield Found(count, judged.loaded.rows, None, words, examples, variants=variants)
        return
    for run in data.runs:
        inside = (_inside(run, data),)
        yield Found(count, judged.loaded.rows, run.name, words, examples, variants=inside)


def _inside(run: RunData, data: Data, label: str = "ideal=candidates") -> Variant:
    """The run inside the pool, against the ideal of the pool."""
    assert data.pool is not None
    rows = (
        f"select query, doc, number, rank from {run.facts.loaded.table} semi join {data.pool.table} using (query, doc)"
    )
    if label == "ideal=candidates":
        return Variant(label, rows=rows, settings={"ideal": "candidates"}, pool=True)
    return Variant(label, rows=rows)


def _outside(data: Data) -> Iterator[Found]:
    if data.pool is None or data.judged is None:
        return
    for run in data.runs:
        outside = (
            "select query, doc, t.rowid as place from {t} t "
            "semi join (select distinct query from {j}) using (query) "
            f"anti join {data.pool.table} using (query, doc)"
        )
        count = run.facts.ask(f"select count(*) from ({outside})")[0][0]
        if count:
            rows = run.facts.ask(f"select query, doc from ({outside}) order by place limit {SHOWN}")
            words = {"rows": f"{count:,} of {some(run.facts.loaded.rows, 'row')}"}
            examples = tuple(Example(query, doc) for query, doc in rows)
            variants = (_inside(run, data, "without them"),)
            yield Found(count, run.facts.loaded.rows, run.name, words, examples, variants=variants)


def _unknown(data: Data) -> Iterator[Found]:
    if data.corpus is None:
        return
    for run in data.runs:
        outside = f"select query, t.doc, t.rowid as place from {{t}} t anti join {data.corpus} c on c.doc = t.doc"
        count = run.facts.ask(f"select count(*) from ({outside})")[0][0]
        if count:
            rows = run.facts.ask(f"select query, doc from ({outside}) order by place limit {SHOWN}")
            words = {"rows": f"{count:,} of {some(run.facts.loaded.rows, 'row')}"}
            keep = f"select query, doc, number, rank from {run.facts.loaded.table} semi join {data.corpus} using (doc)"
            variants = (Variant("without them", rows=keep),)
            examples = tuple(Example(query, doc) for query, doc in rows)
            yield Found(count, run.facts.loaded.rows, run.name, words, examples, variants=variants)


KINDS = (
    Kind(
        "dangling_judgments",
        Weight.DOUBT,
        "{documents} name documents that are not in {place} ({share}; {relevant})",
        "Nobody can return what does not exist, but the ideal ranking still holds it: the score cannot reach 1.",
        "--candidates with --ideal candidates; remap the ids, or judge again",
        _dangling,
    ),
    Kind(
        "outside_pool",
        Weight.REFUSED,
        "{rows} of the run return a document outside the candidate pool of its query",
        "The pool says what the ranker was allowed to order: something else was ranked.",
        "add the documents to the pool, or leave --candidates out",
        _outside,
    ),
    Kind(
        "unknown_documents",
        Weight.DOUBT,
        "{rows} of the run return a document that is not in the corpus",
        "The run was made on another version of the corpus than the list of ids.",
        "make the run again, or give the ids of its corpus",
        _unknown,
    ),
)
