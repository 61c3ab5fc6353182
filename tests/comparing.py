"""The reference and the engines on the same data, row by row, bit by bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import ndcg
from ndcg.kernel import reference
from ndcg.results import QueryRow

Lists = Mapping[str, Sequence[tuple[str, float]] | None]


def by_reference(
    judged: Mapping[str, Mapping[str, float]], run: Lists, name: str, k: int | None, conventions: Mapping[str, object]
) -> dict[str, reference.Row]:
    given = dict(conventions)
    discount = given.get("discount")
    if isinstance(discount, str) and discount.startswith("jarvelin"):
        given["discount"] = ("jarvelin", float(discount[9:-1]))
    if isinstance(given.get("terms"), str):
        given["terms"] = None if given["terms"] == "exact" else int(given["terms"][6:-1])
    if isinstance(given.get("rounding"), str):
        rule, _, places = given["rounding"].rstrip(")").partition("(")
        given["rounding"] = (rule, int(places)) if places else None
    return reference.evaluate(judged, run, measure=name, k=k, **given)  # type: ignore[arg-type]


def measure(name: str, k: int | None, conventions: Mapping[str, object]) -> ndcg.Measure:
    given = dict(conventions)
    if name == "CG":
        given["discount"] = "none"
    family = getattr(ndcg, name)
    return family(k=k, **{name: value for name, value in given.items() if name in family.conventions})


def as_dicts(run: Lists) -> dict[str, dict[str, float] | None]:
    return {query: None if rows is None else dict(rows) for query, rows in run.items()}


def as_relation(connection: object, run: Lists) -> object:
    """A DuckDB relation with the rows of the run, in input order, queries interleaved as they come."""
    rows = [(query, doc, score) for query, listed in run.items() if listed for doc, score in listed]
    columns = {
        "query": np.array([row[0] for row in rows], dtype=object),
        "doc": np.array([row[1] for row in rows], dtype=object),
        "score": np.array([row[2] for row in rows], dtype=float),
    }
    connection.register("rows", columns)
    connection.execute("create or replace table run as select query::varchar query, doc::varchar doc, score from rows")
    connection.unregister("rows")
    return connection.table("run")


def compare(expected: Mapping[str, reference.Row], rows: Sequence[QueryRow], *, context: object) -> None:
    found = {row.query: row for row in rows}
    assert set(expected) == set(found), context
    for query, row in expected.items():
        seen = found[query]
        for ours, theirs in (
            (seen.status, row.status),
            (seen.value, row.value),
            (seen.dcg, row.dcg),
            (seen.ideal_dcg, row.ideal_dcg),
            (seen.judged, row.judged),
            (seen.relevant, row.relevant),
            (seen.returned, row.returned if row.status != "unjudged" else seen.returned),
            (seen.judged_at_k, row.judged_at_k),
            (seen.tied_at_cutoff, row.tied_at_cutoff),
        ):
            assert ours == theirs, (query, seen, row, context)
