"""Options that say how inputs are read, shared by the commands that score."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..errors import UsageError, choose
from ..readers import FORMATS
from ..readers.declared import Declared
from ..readers.labels import PRESETS
from ..readers.numbers import is_number

ROLES = ("query", "doc", "grade", "score", "rank", "judge")
INPUTS = ("qrels", "run", "candidates")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options for candidates, formats, columns, comments, merging and memory."""
    group = parser.add_argument_group("inputs")
    group.add_argument(
        "--candidates", metavar="FILE", help="the candidate pool: the documents a ranker may order, per query"
    )
    group.add_argument("--qrels-format", metavar="F", help="format of the judgments, found by looking if left out")
    group.add_argument(
        "--run-format", metavar="F", help="format of the runs, such as trec_run, csv, jsonl, parquet, ranked"
    )
    group.add_argument(
        "--columns",
        metavar="ROLE=NAME,...",
        action="append",
        help="column names by role (query, doc, grade, score, rank, judge), for one input with a prefix: "
        "qrels.grade=label; a number, qrels.grade=1, is the grade of every row",
    )
    group.add_argument(
        "--labels",
        metavar="LABEL=GRADE,...",
        action="append",
        help=f"the grades of text labels: E=3,S=2,C=1,I=0, or a preset ({', '.join(PRESETS)})",
    )
    group.add_argument(
        "--features",
        metavar="FILE",
        help="each run holds predictions, one score for each row of this feature file (SVMlight / LETOR)",
    )
    group.add_argument(
        "--groups",
        metavar="FILE",
        help="group file of a feature file without qid: (found beside it as .query or .group if left out)",
    )
    group.add_argument(
        "--collapse",
        metavar="PATTERN|COLUMN",
        help="score documents from rankings of chunks, best chunk: '#[0-9]+$' drops an ending of the id, '^(.*)#' "
        "keeps what stands before, a plain name is the run's column of documents",
    )
    group.add_argument(
        "--comments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether lines of TREC text that start with # are comments",
    )
    group.add_argument(
        "--merge", metavar="RULE", help="combine several grades of one document: max, min, mean or median"
    )
    group.add_argument("--memory", metavar="SIZE", help="memory limit of the engine, such as 1GB")


def add_query_ids(parser: argparse.ArgumentParser) -> None:
    """The option for judgments that name queries by their wording."""
    parser.add_argument(
        "--query-ids",
        metavar="FILE",
        help="the judgments name queries by their wording: a table with the id (query_id) and the text of each",
    )


def given_reading(parsed: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `evaluate` and `explain` for these options."""
    for option, format in (("--qrels-format", parsed.qrels_format), ("--run-format", parsed.run_format)):
        if format is not None and format not in FORMATS:
            raise choose(option, format, list(FORMATS))
    return {
        "candidates": parsed.candidates,
        "columns": columns_of(parsed.columns),
        "qrels_format": parsed.qrels_format,
        "run_format": parsed.run_format,
        "comments": parsed.comments,
        "merge": parsed.merge,
        "memory": parsed.memory,
        **{name: value for name, value in _further(parsed).items() if value is not None},
    }


def _further(parsed: argparse.Namespace) -> dict[str, Any]:
    return {
        "labels": labels_of(parsed.labels),
        "features": parsed.features,
        "groups": parsed.groups,
        "collapse": parsed.collapse,
        "query_ids": getattr(parsed, "query_ids", None),
    }


def labels_of(given: Sequence[str] | None) -> dict[str, float] | str | None:
    """`E=3,S=2` as a table; a preset's name stays one.

    >>> labels_of(["E=3,S=2", "I=0"])
    {'E': 3.0, 'S': 2.0, 'I': 0.0}
    """
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        if given[0] not in PRESETS:
            raise choose("--labels", given[0], tuple(PRESETS))
        return given[0]
    table: dict[str, float] = {}
    for pair in (part for text in given for part in text.split(",")):
        label, sign, grade = pair.rpartition("=")
        if not sign or not label or not is_number(grade):
            raise UsageError(f"--labels {pair!r} is not of the form label=grade", code="labels", hint="E=3,S=2,I=0")
        if label in table:
            raise UsageError(f"--labels: the label {label!r} is there twice", code="labels")
        table[label] = float(grade)
    return table


def columns_of(given: Sequence[str] | None) -> dict[str, Any] | None:
    """`query=qid,doc=pid` as a dict; with prefixes (`run.doc=pid`) one dict per input.

    >>> columns_of(["query=qid,doc=pid"])
    {'query': 'qid', 'doc': 'pid'}
    """
    if not given:
        return None
    shared: dict[str, str] = {}
    own: dict[str, dict[str, str]] = {}
    for pair in (part for text in given for part in text.split(",")):
        role, sign, column = pair.partition("=")
        source, dot, rest = role.strip().partition(".")
        role = rest if dot else source
        if not sign or not column:
            raise UsageError(
                f"--columns {pair!r} is not of the form role=name", code="columns", hint="query=qid,doc=pid"
            )
        if role not in ROLES:
            raise choose("--columns: role", role, ROLES)
        if dot and source not in INPUTS:
            raise choose("--columns: input", source, INPUTS)
        (own.setdefault(source, {}) if dot else shared)[role] = column
    if not own:
        return shared
    usable = {"qrels": ("query", "doc", "grade", "judge"), "run": ("query", "doc", "score", "rank")}
    made = {}
    for source in INPUTS:
        for_all = {role: name for role, name in shared.items() if role in usable.get(source, ("query", "doc"))}
        of_its_own = own.get(source, {})
        made[source] = Declared({**for_all, **of_its_own}, {"query", "doc"} & (set(shared) - set(of_its_own)))
    return made
