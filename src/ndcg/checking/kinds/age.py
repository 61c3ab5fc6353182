"""Judgments that are older than a date."""

from __future__ import annotations

from collections.abc import Iterator

from ..data import Data
from ..findings import SHOWN, Example, Found, Kind, Variant, Weight
from ..words import percent, some


def _old(data: Data) -> Iterator[Found]:
    judged = data.judged
    if judged is None or data.extra is None or not data.dates or data.older_than is None:
        return
    limit = f"timestamp '{data.older_than:%Y-%m-%d %H:%M:%S}'"
    table = data.extra
    old, of, oldest, queries = judged.ask(
        f"select count(*) filter (moment < {limit}), count(*), min(moment), "
        f"count(distinct query) filter (moment < {limit}) from {table}"
    )[0]
    if not old:
        return
    rows = judged.ask(
        f"select query, doc, moment from {table} where moment < {limit} order by moment, rowid limit {SHOWN}"
    )
    words = {
        "rows": f"{old:,} of {some(of, 'judgment')}",
        "share": percent(old, of),
        "date": f"{data.older_than:%Y-%m-%d}",
        "queries": some(queries, "query", "queries"),
        "oldest": f"{oldest:%Y-%m-%d}",
    }
    examples = tuple(Example(query, doc, f"judged {moment:%Y-%m-%d}") for query, doc, moment in rows)
    keep = (
        f"(query, doc, number) in (select (query, doc, number) from {table} where moment >= {limit} or moment is null)"
    )
    yield Found(old, of, None, words, examples, variants=(Variant("without them", keep=keep),))


KINDS = (
    Kind(
        "old_judgments",
        Weight.DOUBT,
        "{rows} are older than {date} ({share}), in {queries}; the oldest is of {oldest}",
        "Judgments age with the collection: what is new is unjudged, what is gone still counts in the ideal.",
        "judge again what matters",
        _old,
    ),
)
