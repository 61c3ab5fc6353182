"""Options that the commands about unjudged documents share."""

from __future__ import annotations

import argparse
from typing import Any

from ..errors import UsageError
from ..readers.numbers import problem
from .parser import whole


def add_runs(parser: argparse.ArgumentParser) -> None:
    """QRELS, RUNs and the measure."""
    parser.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    parser.add_argument("run", metavar="RUN", nargs="*", help="a run: a file, a folder, a quoted glob, or -")
    parser.add_argument("--runs", metavar="FOLDER", help="many runs: each file of the folder is one")
    parser.add_argument("-m", "--measure", metavar="MEASURE", help="nDCG@k or nCG@k (default: nDCG@10)")


def add_uncertainty(parser: argparse.ArgumentParser) -> None:
    """What an unjudged document may turn out to be."""
    group = parser.add_argument_group("unjudged documents")
    group.add_argument(
        "--grades",
        metavar="G,G,...",
        help="the grades that a judge may give (default: those seen in the judgments)",
    )
    group.add_argument(
        "--scope",
        metavar="S",
        default="returned",
        help="which documents may turn out relevant: returned (all that the runs return, the default), scored "
        "(those in the scored ranks), any",
    )
    group.add_argument(
        "--baseline", metavar="NAME", help="compare every run with this one only (default: all pairs of runs)"
    )


def grades_of(text: str | None) -> list[float] | None:
    """`0,1,2,3` as numbers.

    >>> grades_of("0, 1,2.5")
    [0.0, 1.0, 2.5]
    """
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        wrong = problem(part, "grade", finite=True)
        if wrong is not None:
            raise UsageError(f"--grades {text!r}: {wrong}", code="grades", hint="--grades 0,1,2,3")
    return [float(part) for part in parts]


def optional_whole(option: str, text: str | None, least: int = 1) -> int | None:
    """The whole number that an option was given, at least `least`; None where it was not given."""
    return None if text is None else whole(option, text, least)


def paths_of(parsed: argparse.Namespace, command: str) -> list[str]:
    """The runs that were given; an error where there are none."""
    from .names import runs_in

    paths = [*parsed.run, *(runs_in(parsed.runs) if parsed.runs is not None else [])]
    if not paths:
        raise UsageError(f"{command}: no run was given", code="usage", hint=f"{command} QRELS RUN")
    return paths


def given_uncertainty(parsed: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `unjudged_bounds` and `judge_next` for these options."""
    return {"grades": grades_of(parsed.grades), "scope": parsed.scope, "baseline": parsed.baseline}
