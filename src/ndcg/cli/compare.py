"""`ndcg compare`: systems on the same queries."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, choose
from ..slice_choices import LEAST, OVERLAPS
from .conventions import add_conventions, given_conventions
from .evaluate import whole
from .exits import Exit
from .names import runs_in
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser, number
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

if TYPE_CHECKING:
    from ..compared import Comparison

EXAMPLES = (
    "ndcg compare judgments.qrels bm25.run dense.run",
    "ndcg compare judgments.qrels bm25.run dense.run fused.run --adjust bh --query q7",
    "ndcg compare judgments.qrels before.run after.run --margin 0.005 --weights traffic.csv:searches",
    "ndcg compare judgments.qrels first.run reranked.run --candidates pool.csv",
    "ndcg compare judgments.qrels --runs runs/ --all-pairs --format latex",
    "ndcg compare judgments.qrels bm25.run dense.run --by queries.csv:language",
    "ndcg compare before.json after.json:dense",
)

ALSO = {"latex": "a LaTeX table"}
"""Formats beside those of every command."""


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg compare",
        "Compare runs with a baseline query by query: what changed in the query sets, the difference with its\n"
        "interval, effect size, test, the queries behind it, and how alike the rankings are. BASELINE and RUN\n"
        "may be results that ndcg evaluate --format json --per-query wrote; where all are, QRELS is left out.\n"
        "Of a result with several runs RESULT.json:RUN is one. A run that is given twice is one system.",
        EXAMPLES,
        usage="ndcg compare QRELS BASELINE RUN [RUN ...] [-m MEASURE ...] [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", nargs="*", help="the baseline, then the runs to compare with it")
    made.add_argument("--runs", metavar="FOLDER", help="many runs: each file of the folder is one")
    made.add_argument("--baseline", metavar="NAME", help="the name of the baseline (default: the first run)")
    made.add_argument("--all-pairs", action="store_true", help="a leaderboard of all runs, with groups")
    made.add_argument("-m", "--measure", metavar="MEASURE", action="append", help="what to measure (default: nDCG@10)")
    made.add_argument("--split-tags", action="store_true", help="every tag of the TREC runs is a run of its own")
    made.add_argument("--force", action="store_true", help="compare what is not comparable; every output is stamped")
    _statistics(made)
    _pools(made)
    group = made.add_argument_group("output")
    group.add_argument("--query", metavar="QUERY", action="append", help="show the first ranks of a query side by side")
    group.add_argument("--depth", metavar="N", type=whole, help="ranks for overlap and side by side (default: k)")
    group.add_argument("--persistence", metavar="P", type=number, default=0.9, help="of rank-biased overlap (0.9)")
    group.add_argument("--movers", metavar="N", type=whole, default=20, help="keep the N biggest gains and losses (20)")
    group.add_argument("--per-query", action="store_true", help="csv: a row for every query instead")
    group.add_argument("--format", metavar="F", help=f"{', '.join([*FORMATS, *ALSO])} (default: table)")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to a file, whole or not at all; .json, .csv, .md and .tex name the format too",
    )
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    return made


def _statistics(made: argparse.ArgumentParser) -> None:
    group = made.add_argument_group("statistics")
    group.add_argument("--interval", metavar="METHOD", default="bca", help="bca, t or percentile (default: bca)")
    group.add_argument(
        "--level", metavar="L", type=number, default=0.95, help="of intervals and decisions (default: 0.95)"
    )
    group.add_argument("--resamples", metavar="N", type=whole, default=10_000, help="of the bootstrap (default: 10000)")
    group.add_argument(
        "--test",
        metavar="TEST",
        action="append",
        help="sign_flip, t, wilcoxon or sign; may be repeated, the first decides (default: sign_flip)",
    )
    group.add_argument("--flips", metavar="N", type=whole, default=100_000, help="draws of the sign-flip test (100000)")
    group.add_argument("--seed", metavar="N", type=whole, default=0, help="of everything drawn (default: 0)")
    group.add_argument(
        "--adjust",
        metavar="METHOD",
        help="holm, bonferroni, bh, max_t or none for several runs (default: holm); with --all-pairs "
        "randomised_tukey, tukey, holm, bonferroni or bh (default: randomised_tukey)",
    )
    group.add_argument("--tie-width", metavar="W", type=number, default=0.0, help="differences up to W are ties (0)")
    group.add_argument("--margin", metavar="M", type=number, help="tests of equivalence and non-inferiority within M")
    group.add_argument("--cluster", metavar="FILE:COLUMN", help="resample whole clusters of queries, such as sessions")
    group.add_argument("--clusters", dest="cluster", metavar="FILE:COLUMN", help=argparse.SUPPRESS)
    group.add_argument(
        "--weights", metavar="FILE:COLUMN", help="how often each query is asked: weighted means beside the macro means"
    )
    group.add_argument("--default-weight", metavar="W", type=number, help="the weight of queries that have none")
    slices = made.add_argument_group("slices", "the difference over each part of the queries")
    slices.add_argument(
        "--by",
        metavar="FILE:COLUMN",
        action="append",
        help="slice by an attribute of queries; may be repeated; FILE:A*B crosses two columns, A*B two attributes "
        "that were given",
    )
    slices.add_argument(
        "--slice-overlap",
        metavar="RULE",
        default=OVERLAPS[0],
        help="a query with two values of one attribute: refuse (default), or count it in both",
    )
    slices.add_argument(
        "--slice-least",
        metavar="N",
        type=whole,
        default=LEAST,
        help=f"mark slices with fewer queries than this (default: {LEAST})",
    )


def _pools(made: argparse.ArgumentParser) -> None:
    group = made.add_argument_group("candidate pools", "--candidates FILE (below) declares one pool for all runs")
    group.add_argument(
        "--pool", metavar="RUN=FILE", action="append", help="the candidate pool of one run; for each run"
    )
    group.add_argument("--run-is-pool", action="store_true", help="each run returned its whole candidate pool")
    group.add_argument("--pool-version", metavar="TEXT", help="label of the candidate pool, shown with the values")


def run(argv: Sequence[str]) -> int:
    """Parse, compare, render."""
    parsed = parser().arguments(argv)
    format = "latex" if _wants_latex(parsed) else format_of(parsed.format, parsed.output)
    if parsed.per_query and format != "csv":
        raise UsageError("--per-query is for --format csv", code="usage", hint="--format json holds every query too")
    if parsed.by and (parsed.per_query or format == "latex"):
        raise UsageError(
            f"{'--per-query' if parsed.per_query else '--format latex'} shows no slices, and --by asks for them",
            code="usage",
            hint="use --format table, md, csv or json for slices",
        )
    given = [parsed.qrels, *parsed.run, *(runs_in(parsed.runs) if parsed.runs is not None else [])]
    pools = [text.partition("=")[2] for text in parsed.pool or ()]
    columns = [parsed.cluster, parsed.weights, *(parsed.by or ())]
    tables = [text.rpartition(":")[0] for text in columns if text and ":" in text]
    from ..comparison.compare import compare
    from .saved_runs import distinct, source

    refuse_inputs(parsed.output, [parsed.candidates, *pools, *tables, *(source(path).path for path in given)])
    # The judgments are no system, even where a run has the same path.
    judgments = [] if _only_saved(given) else given[:1]
    runs_once, again = distinct(given[len(judgments) :])
    if again and len(runs_once) == 1:
        raise UsageError(
            f"{again[0]} was given twice, and a comparison needs two systems",
            code="one_run",
            hint="name another run",
        )
    paths = [*judgments, *runs_once]
    qrels, runs = _systems(paths)
    with Progress("comparing", shown=format != "json"):
        found = compare(
            qrels,
            runs,
            parsed.measure,
            baseline=parsed.baseline,
            pairs="all" if parsed.all_pairs else "baseline",
            interval=parsed.interval,
            level=parsed.level,
            resamples=parsed.resamples,
            tests=parsed.test or "sign_flip",
            flips=parsed.flips,
            adjust=parsed.adjust,
            seed=parsed.seed,
            tie_width=parsed.tie_width,
            margin=parsed.margin,
            cluster=parsed.cluster,
            weights=parsed.weights,
            default_weight=parsed.default_weight,
            by=parsed.by,
            slice_overlap=parsed.slice_overlap,
            slice_least=parsed.slice_least,
            run_is_pool=parsed.run_is_pool,
            pool_version=parsed.pool_version,
            query=parsed.query,
            depth=parsed.depth,
            persistence=parsed.persistence,
            movers=parsed.movers,
            force=parsed.force,
            split_tags=parsed.split_tags,
            **_reading(parsed),
            **given_conventions(parsed),
        )
        if again:
            told = f"given twice and compared once: {', '.join(again)}"
            found = replace(found, warnings=(*found.warnings, told))
        asked = parsed.measure or runs is None or _only_saved(paths)
        notes = () if asked else (f"no measure was asked for, so this is {found.measures[0]}",)
        text = rendered(found, format, parsed.per_query, notes)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK


def _wants_latex(parsed: argparse.Namespace) -> bool:
    if parsed.format is not None and parsed.format not in FORMATS and parsed.format not in ALSO:
        raise choose("--format", parsed.format, [*FORMATS, *ALSO])
    ending = parsed.output is not None and parsed.output.lower().endswith(".tex")
    return parsed.format == "latex" or (parsed.format is None and ending)


def _only_saved(paths: Sequence[str]) -> bool:
    from ..comparison.saved_systems import is_saved
    from .saved_runs import source

    return is_saved(source(paths[0]).path)


def _systems(paths: Sequence[str]) -> tuple[object, Any]:
    """(judgments, runs by name): saved results stand without judgments, one alone holds several runs."""
    from .saved_runs import source, systems

    if _only_saved(paths):
        if len(paths) > 1 or source(paths[0]).run is not None:
            return None, systems(paths)
        from ..saved import load

        return load(paths[0]), None
    if len(paths) < 2:
        raise UsageError("ndcg compare: no run was given", code="usage", hint="ndcg compare QRELS BASELINE RUN")
    return paths[0], systems(paths[1:])


def _reading(parsed: argparse.Namespace) -> dict[str, Any]:
    """How inputs are read; pools by run name where those were given."""
    found = given_reading(parsed)
    if not parsed.pool:
        return found
    if parsed.candidates is not None:
        raise UsageError("--candidates and --pool both declare the pool", code="usage", hint="leave one out")
    pools: dict[str, str] = {}
    for text in parsed.pool:
        name, sign, path = text.partition("=")
        if not sign or not name or not path:
            raise UsageError(f"--pool {text!r} is not of the form RUN=FILE", code="usage", hint="--pool bm25=pool.csv")
        if name in pools:
            raise UsageError(f"--pool names the run {name!r} twice", code="usage", hint="give one pool for each run")
        pools[name] = path
    return {**found, "candidates": pools}


def rendered(found: Comparison, format: str, per_query: bool = False, notes: Sequence[str] = ()) -> str:
    """The comparison in one of the formats."""
    if format == "json":
        return found.to_json()
    if format == "csv":
        from ..reports.compare_csv import comparison_csv, per_query_csv

        return per_query_csv(found) if per_query else comparison_csv(found)
    if format == "md":
        return found.to_markdown()
    if format == "latex":
        return found.to_latex()
    from ..reports.compare import comparison_text

    return comparison_text(found, notes)
