"""One probe under one dialect, with the input as the tool saw it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb

from comparing import as_relation
from dialects.variants import VARIANTS, Variant
from ndcg.errors import NdcgError
from ndcg.measures.dialects import dialect_named
from ndcg.measures.measure import Measure, make
from ndcg.measures.registry import family_named
from ndcg.scoring import score_run
from ndcg.session import open_session

Rows = dict[str, list[tuple[str, float]]]
SINGLE = 1e-6
"""Tools that add in single precision show seven digits."""


@dataclass(frozen=True)
class Seen:
    """Values per query (None: not counted) and their mean; `problem` where we refuse the input."""

    values: Mapping[str, float | None]
    mean: float | None
    problem: str | None = None


@cache
def probes() -> list[dict[str, object]]:
    return json.loads((Path(__file__).parent / "probes.json").read_text("utf-8"))


def measure_of(variant: Variant, k: int | None) -> Measure:
    given = {"dialect": variant.dialect, **variant.options}
    if variant.whole:
        # The dialects of tools with a whole-list form have no cutoff of their own.
        k = None
    return make(family_named(variant.measure), k, given)


def judged_rows(probe: Mapping[str, object], variant: Variant) -> dict[str, dict[str, float]]:
    qrels: dict[str, dict[str, float]] = probe["qrels"]  # type: ignore[assignment]
    return {query: grades for query, grades in qrels.items() if grades or variant.named}


def run_rows(probe: Mapping[str, object], name: str) -> Rows:
    """The rows of the run; where the harness appended the missed judged documents, with them, tied at the bottom."""
    rows: Rows = {
        query: [(doc, float(score)) for doc, score in listed]
        for query, listed in probe["run"].items()  # type: ignore[attr-defined]
    }
    if name.endswith("[returned + missed judged docs]"):
        qrels: dict[str, dict[str, float]] = probe["qrels"]  # type: ignore[assignment]
        for query, listed in rows.items():
            there = {doc for doc, _ in listed}
            bottom = min((score for _, score in listed), default=0.0) - 1.0
            rows[query] = listed + [(doc, bottom) for doc in qrels.get(query, {}) if doc not in there]
    return rows


def see(judged: Mapping[str, Mapping[str, float]], rows: Rows, measure: Measure, *, in_order: bool = False) -> Seen:
    """Score without the check that run and judgments share a query: many tools answer there too."""
    run: object = {query: dict(listed) for query, listed in rows.items()}
    if in_order:
        run = {query: [doc for doc, _ in listed] for query, listed in rows.items()}
    elif any(len({doc for doc, _ in listed}) < len(listed) for listed in rows.values()):
        run = as_relation(connection(), rows)
    try:
        session = open_session(judged, run, empty_runs=measure.conventions["empty_run"] == "missing")
        with session.workspace:
            engine = session.engine("run")
            entries, _ = score_run("run", engine, session.judgments, [measure])
            engine.close()
    except (NdcgError, OverflowError) as error:
        return Seen({}, None, str(error))
    found = {row.query: row.value for row in (entries[0].rows.row(at, "", "") for at in range(len(entries[0].rows)))}
    return Seen(found, entries[0].value)


@cache
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def numeric(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def close(ours: float | None, theirs: float, decimals: int | None, single: bool) -> bool:
    if ours is None:
        return False
    if decimals is not None:
        return abs(ours - theirs) <= 0.5 * 10.0**-decimals + 1e-9
    return abs(ours - theirs) <= (SINGLE if single else 1e-9) * max(1.0, abs(theirs))


@cache
def misses(name: str, at: int) -> tuple[int, list[str]]:
    """How many numbers the tool gave on a probe, and in words those that the dialect does not give."""
    variant, probe = VARIANTS[name], probes()[at]
    expected = probe["expected"][name]  # type: ignore[index]
    per_query: dict[str, object] = expected["per_query"] or {}
    numbers = {query: value for query, raw in per_query.items() if (value := numeric(raw)) is not None}
    nothing = [query for query, raw in per_query.items() if raw is None or (raw == "nan" and not variant.nan)]
    mean = numeric(expected["mean"])
    count = len(numbers) + (mean is not None) + sum(raw == "nan" for raw in per_query.values())
    if not count:
        return 0, []
    k = probe["k"]
    try:
        measure = measure_of(variant, k)  # type: ignore[arg-type]
    except NdcgError as error:
        return count, [f"refused: {error}"]
    judged, rows = judged_rows(probe, variant), run_rows(probe, name)
    if variant.ranked:
        rows = {query: sorted(listed, key=lambda row: (row[1] != row[1], -row[1])) for query, listed in rows.items()}
    single = dialect_named(variant.dialect).single
    seen = see(judged, rows, measure, in_order=variant.rows or variant.ranked)
    found = []
    values = dict(seen.values)
    if seen.problem is not None:
        # The tool may stop at one query only: each one by itself.
        for query in per_query:
            alone = see(
                {q: grades for q, grades in judged.items() if q == query} or judged,
                {q: listed for q, listed in rows.items() if q == query},
                measure,
                in_order=variant.rows or variant.ranked,
            )
            values[query] = alone.values.get(query)
    for query, value in numbers.items():
        ours = values.get(query)
        if ours is None:
            ours = variant.alone
        if not close(ours, value, variant.decimals, single):
            found.append(f"query {query}: {ours!r}, the tool {value!r}")
    if not expected.get("error") and not expected.get("error_per_query"):
        found += [f"query {q}: {values[q]!r}, the tool none" for q in nothing if values.get(q) is not None]
    ours = seen.mean if seen.mean is not None or seen.problem else variant.alone
    if mean is not None and not close(ours, mean, variant.mean_decimals, single):
        found.append(f"mean: {ours!r}, the tool {mean!r}" + (f" ({seen.problem})" if seen.problem else ""))
    return count, found
