"""Whether run and judgments speak of the same queries and documents, and the likely cause where they do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from .engines.contract import Engine, RunFacts
from .engines.judgments import Judgments
from .errors import InputError
from .results import Entry

EXAMPLES = 3


def check_joined(
    run: str,
    judgments_name: str,
    engine: Engine,
    judgments: Judgments,
    facts: RunFacts,
    entries: Sequence[Entry],
) -> list[str]:
    """Sentences about a doubtful join; raises InputError where run and judgments share no query."""
    if not facts.present.any():
        raise no_common_query(run, judgments_name, engine, judgments, facts)
    table = entries[0].rows
    if table.returned[: table.judged_queries].any() and not any(entry.rows.judged_ranks.any() for entry in entries):
        if engine_has_judged(entries):
            return []
        _, judged = judgments.examples(200)
        _, returned = engine.examples(200)
        cause = likely_cause(judged, returned)
        return [
            f"{run}: queries in common, but not one judged document among those returned: judgments have "
            f"{shown(judged)}; the run has {shown(returned)}" + (f"; {cause}" if cause else "")
        ]
    return []


def engine_has_judged(entries: Sequence[Entry]) -> bool:
    """Whether a judged document was met anywhere in the ranking, below the cutoff included."""
    return any(bool(np.any(entry.rows.dcg)) for entry in entries if entry.rows.dcg is not None)


def no_common_query(run: str, judgments_name: str, engine: Engine, judgments: Judgments, facts: RunFacts) -> InputError:
    """The error that shows ids from both sides and names the likely cause."""
    judged_queries, judged_docs = judgments.examples(200)
    run_queries, run_docs = list(facts.others[:200]), engine.examples(200)[1]
    cause = likely_cause(judged_queries, run_queries)
    if cause is None and swapped(judged_queries, judged_docs, run_queries, run_docs):
        cause = "query and document look swapped in one of them"
    return InputError(
        f"run {run} and judgments {judgments_name} have no query in common: judgments have "
        f"{shown(judged_queries)}; the run has {shown(run_queries)}",
        code="no_common_query",
        hint=cause or "check that both belong to the same query set, in the order judgments, run",
    )


def shown(ids: Sequence[str]) -> str:
    """A few ids for a message."""
    return ", ".join(repr(identifier) for identifier in ids[:EXAMPLES]) or "none"


def swapped(queries: Sequence[str], docs: Sequence[str], run_queries: Sequence[str], run_docs: Sequence[str]) -> bool:
    """Whether the queries of one side are the documents of the other."""
    return bool(set(queries) & set(run_docs) or set(docs) & set(run_queries))


CAUSES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("blanks around the ids differ", str.strip),
    ("upper and lower case differ", str.casefold),
    ("one side was read as floating point: its ids end in '.0'", lambda text: re.sub(r"\.0$", "", text)),
    ("leading zeros were stripped on one side", lambda text: re.sub(r"^(\D*)0+(?=\d)", r"\1", text)),
)


def likely_cause(ours: Sequence[str], theirs: Sequence[str]) -> str | None:
    """Why two sets of ids that mean the same might not match, or None.

    >>> likely_cause(["007", "008"], ["7", "8"])
    'leading zeros were stripped on one side'
    """
    if not ours or not theirs:
        return None
    for sentence, normal in CAUSES:
        if {normal(one) for one in ours} & {normal(other) for other in theirs}:
            return sentence
    prefix = common_prefix(ours, theirs)
    if prefix:
        return f"the prefix {prefix!r} stands on one side only"
    return None


def common_prefix(ours: Sequence[str], theirs: Sequence[str]) -> str | None:
    """A prefix that turns ids of one side into ids of the other."""
    for short, long in ((ours, theirs), (theirs, ours)):
        wanted = {identifier for identifier in short if identifier}
        for identifier in long:
            for end in range(1, min(len(identifier), 40)):
                if identifier[end:] in wanted:
                    prefix = identifier[:end]
                    matching = sum(1 for other in long if other.startswith(prefix) and other[end:] in wanted)
                    if matching * 2 >= min(len(long), len(wanted)):
                        return prefix
    return None
