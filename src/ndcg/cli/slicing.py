"""Options for slices, traffic weights and intervals."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError, choose
from ..slice_choices import LEAST, METHODS, MODES, OVERLAPS
from .parser import whole


def add_slicing(parser: argparse.ArgumentParser) -> None:
    """The options, in a group each for slices, weights and intervals."""
    slices = parser.add_argument_group("slices", "the same aggregate over a part of the queries or documents")
    slices.add_argument(
        "--by",
        metavar="FILE:COLUMN",
        action="append",
        help="slice by an attribute of queries, or of documents where the file has a document column; may be "
        "repeated; FILE:A*B crosses two columns, A*B two attributes that were given",
    )
    slices.add_argument(
        "--by-documents", metavar="FILE:COLUMN", action="append", help="slice by an attribute of documents"
    )
    slices.add_argument(
        "--slice-mode",
        metavar="MODE",
        help="documents outside a slice of documents: keep their ranks (default), or restrict the list to the slice",
    )
    slices.add_argument(
        "--slice-overlap",
        metavar="RULE",
        help="a query with two values of one attribute: refuse (default), or count it in both",
    )
    slices.add_argument(
        "--slice-least",
        metavar="N",
        help=f"mark slices with fewer counted queries than this (default: {LEAST})",
    )
    weights = parser.add_argument_group("traffic weights")
    weights.add_argument(
        "--weights", metavar="FILE:COLUMN", help="how often each query is asked: a weighted mean beside the macro mean"
    )
    weights.add_argument("--default-weight", metavar="W", help="the weight of queries without one (default: an error)")
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument(
        "--interval",
        metavar="METHOD",
        nargs="?",
        const="t",
        help=f"an interval of every mean: {', '.join(METHODS)} (default: t; slices have one anyway)",
    )
    intervals.add_argument("--level", metavar="P", help="the level of the intervals (default: 0.95)")
    intervals.add_argument("--resamples", metavar="N", help="resamples of the bootstrap (default: 10000)")
    intervals.add_argument("--seed", metavar="N", help="seed of the bootstrap (default: 0)")
    intervals.add_argument(
        "--cluster",
        metavar="FILE:COLUMN",
        help="draw whole clusters of queries, such as sessions or templates (bca where no method is named)",
    )


def with_methods(argv: Sequence[str]) -> list[str]:
    """The arguments with `--interval` bound to its method, so that a file after it stays a file."""
    made: list[str] = []
    for at, argument in enumerate(argv):
        following = argv[at + 1] if at + 1 < len(argv) else None
        if argument == "--interval" and following not in METHODS:
            _refuse_misspelt(following)
            made.append("--interval=")
        else:
            made.append(argument)
    return made


def _refuse_misspelt(following: str | None) -> None:
    """UsageError for a word after --interval that is no file and no method, and has not the form of a path."""
    if following is None or following.startswith("-") or Path(following).exists():
        return
    if re.fullmatch(r"[A-Za-z][\w-]*", following):
        meant = "bca" if following.casefold().startswith(("boot", "resampl")) else None
        raise UsageError(
            f"--interval {following!r} is neither a method ({', '.join(METHODS)}) nor a file",
            code="unknown_choice",
            hint=choose("--interval", meant or following, METHODS).hint,
        )


def given_slicing(parsed: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `evaluate` for these options; only those that were given."""
    found: dict[str, Any] = {}
    for name in ("by", "by_documents", "weights"):
        if getattr(parsed, name) is not None:
            found[name] = getattr(parsed, name)
    for name, option, choices in (
        ("slice_mode", "--slice-mode", MODES),
        ("slice_overlap", "--slice-overlap", OVERLAPS),
    ):
        value = getattr(parsed, name)
        if value is not None:
            if value not in choices:
                raise choose(option, value, choices)
            found[name] = value
    if parsed.slice_least is not None:
        found["slice_least"] = whole("--slice-least", parsed.slice_least, 1)
    if parsed.default_weight is not None:
        found["default_weight"] = _number("--default-weight", parsed.default_weight)
    asked: dict[str, Any] = {}
    if parsed.interval:
        if parsed.interval not in METHODS:
            raise choose("--interval", parsed.interval, METHODS)
        asked["method"] = parsed.interval
    if parsed.level is not None:
        asked["level"] = _number("--level", parsed.level)
    for name, least in (("resamples", 1), ("seed", 0)):
        if getattr(parsed, name) is not None:
            asked[name] = whole(f"--{name}", getattr(parsed, name), least)
    if parsed.cluster is not None:
        asked["cluster"] = parsed.cluster
    if asked or parsed.interval is not None:
        found["interval"] = asked or True
    return found


def files_of(parsed: argparse.Namespace) -> list[str]:
    """The files that these options read."""
    texts = [*(parsed.by or ()), *(parsed.by_documents or ()), parsed.weights, parsed.cluster]
    return [text.rpartition(":")[0] for text in texts if text and ":" in text]


def _number(option: str, text: str) -> float:
    from ..readers.numbers import is_number

    if not is_number(text):
        raise UsageError(f"{option} {text!r} is not a number", code="usage")
    return float(text)
