"""Whether run and judgments speak of the same queries and documents, and the likely cause where they do not."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .engines.contract import Engine, RunFacts
from .engines.judgments import Judgments
from .errors import InputError
from .readers.passages import passages
from .results import Entry

if TYPE_CHECKING:
    from .engines.collapse import CollapsedEngine

EXAMPLES = 3
ALIKE = "write the ids alike on both sides"
MANY = 20_000
"""So many ids of one side are looked at for those that mean an id of the other."""
SHARED = 20
"""So many queries that are on both sides are looked at for documents that mean the same."""


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
        if not facts.others and all(entry.declaration.get("empty_run") == "missing" for entry in entries):
            return [f"{run} holds no row: it misses every query (empty_run='missing')"]
        raise no_common_query(run, judgments_name, engine, judgments, facts)
    collapsed = _collapsed(engine)
    if collapsed is None:
        return _nothing_in_common(run, engine, judgments, entries)
    chunks = collapsed.judged_chunks(judgments.examples(MANY)[1])
    if chunks is not None:
        return [f"{run}: {chunks}"]
    unmatched = collapsed.unmatched()
    said = [] if unmatched is None else [f"{run}: {unmatched}"]
    return said + _nothing_in_common(run, engine, judgments, entries)


def _collapsed(engine: Engine) -> CollapsedEngine | None:
    """The engine as one that collapses chunks, None where it does not."""
    if not hasattr(engine, "collapse"):
        return None  # and its module need not be imported
    from .engines.collapse import CollapsedEngine

    return engine if isinstance(engine, CollapsedEngine) else None


def _nothing_in_common(run: str, engine: Engine, judgments: Judgments, entries: Sequence[Entry]) -> list[str]:
    """A sentence with the likely cause where no judged document is returned anywhere."""
    table = entries[0].rows
    if table.returned[: table.judged_queries].any() and not any(entry.rows.judged_ranks.any() for entry in entries):
        if engine_has_judged(entries):
            return []
        judged, returned = _documents(engine, judgments, entries[0])
        chunks = passages(returned, judged)
        cause = chunks.sentence if chunks is not None else likely_cause(judged, returned)
        collapsed = _collapsed(engine)
        if cause is None and collapsed is not None and collapsed.unmatched() is None:
            words = collapsed.collapse.words
            cause = f"the run's chunks became documents {words}: the judged ids must be those of documents"
        return [
            f"{run}: queries in common, but not one judged document among those returned: judgments have "
            f"{shown(judged)}; the run has {shown(returned)}" + (f"; {cause}" if cause else "")
        ]
    return []


def _documents(engine: Engine, judgments: Judgments, entry: Entry) -> tuple[list[str], list[str]]:
    """Judged and returned documents, those of queries on both sides first: there the same document should be met."""
    returned = entry.rows.returned[: entry.rows.judged_queries]
    shared = [judgments.queries[at] for at in np.flatnonzero(returned)[:SHARED]]
    grades, lists = judgments.grades_of(*shared), engine.lists(shared)
    ours = [document for query in shared for document in grades[query]]
    theirs = [row.document for query in shared for row in lists[query]]
    return (
        list(dict.fromkeys([*ours, *judgments.examples(MANY)[1]])),
        list(dict.fromkeys([*theirs[:MANY], *engine.examples(200)[1]])),
    )


def engine_has_judged(entries: Sequence[Entry]) -> bool:
    """Whether a judged document was met anywhere in the ranking, below the cutoff included."""
    return any(bool(np.any(entry.rows.dcg)) for entry in entries if entry.rows.dcg is not None)


def no_common_query(run: str, judgments_name: str, engine: Engine, judgments: Judgments, facts: RunFacts) -> InputError:
    """The error that shows ids from both sides and names the likely cause."""
    judged_queries, judged_docs = judgments.queries, judgments.examples(200)[1]
    run_queries, run_docs = list(facts.others[:MANY]), engine.examples(200)[1]
    cause = likely_cause(judged_queries, run_queries)
    if cause is None and swapped(judged_queries, judged_docs, run_queries, run_docs):
        cause = SWAPPED.sentence
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


class Cause(NamedTuple):
    """One way in which ids that mean the same can differ.

    Its name, a sentence, what makes the ids equal again (`normal`), and what somebody can do about it (`remedy`).
    """

    name: str
    sentence: str
    normal: Callable[[str], str]
    remedy: str = ALIKE


def _without_guard(text: str) -> str:
    """The text without the blank that Quepid's export puts before what a spreadsheet would take for a formula."""
    return text[1:] if text[:1] == " " and text[1:2] in ("=", "+", "-", "@") else text


def _with_single_blanks(text: str) -> str:
    """The text with one blank for every run of blanks, line ends and no-break spaces inside; the outer ones stay."""
    bare = text.strip()
    return text.replace(bare, " ".join(bare.split())) if bare else text


def _without_point(text: str) -> str:
    return re.sub(r"^(\d+)\.0$", r"\1", text)


def _without_zeros(text: str) -> str:
    return re.sub(r"^(\D*)0+(?=\d)", r"\1", text)


CAUSES: tuple[Cause, ...] = (
    Cause(
        "guard",
        "one side has the blank that Quepid's export puts before =, +, - and @",
        _without_guard,
        "take the blank off where the file was made, or give Quepid's own export, whose reader does",
    ),
    Cause("blanks", "blanks around the ids differ", str.strip, "take the blanks off the ids"),
    Cause(
        "inner",
        "blanks or line ends inside the ids differ",
        _with_single_blanks,
        "write the ids with the same blanks on both sides",
    ),
    Cause("case", "upper and lower case differ", str.casefold, "write the ids in the same case on both sides"),
    Cause(
        "point",
        "one side was read as floating point: its ids end in '.0'",
        _without_point,
        "write the ids without '.0': read them as text where that file was made (pandas: dtype=str)",
    ),
    Cause(
        "zeros",
        "leading zeros were stripped on one side",
        _without_zeros,
        "write the ids with their zeros: read them as text where that file was made (pandas: dtype=str)",
    ),
    Cause(
        "form",
        "their Unicode normal forms differ (NFC and NFD)",
        lambda text: unicodedata.normalize("NFC", text),
        "write the ids of both sides in one normal form, such as NFC",
    ),
)
"""Why ids that mean the same are not equal, the most telling first."""


def everything(text: str) -> str:
    """An id with all that may differ undone.

    >>> everything(" D007.0 "), everything("d7.0"), everything("007")
    ('d7.0', 'd7.0', '7')
    """
    return _without_zeros(_without_point(unicodedata.normalize("NFC", " ".join(text.split()).casefold())))


SEVERAL = Cause(
    "several",
    "more than one of blanks, case, leading zeros, '.0' and Unicode form differs",
    everything,
)
"""Ids that only become equal when all of it is undone."""


def cause_of(one: str, other: str) -> Cause | None:
    """Why two different ids might mean the same, or None.

    >>> cause_of("Nike", "nike").name, cause_of("7", "7.0").name, cause_of("a", "b")
    ('case', 'point', None)
    """
    if one == other or everything(one) != everything(other):
        return None
    return next((cause for cause in CAUSES if cause.normal(one) == cause.normal(other)), SEVERAL)


class Likely(NamedTuple):
    """Why two sets of ids might not match, and what somebody can do about it."""

    sentence: str
    remedy: str


SWAPPED = Likely(
    "query and document look swapped in one of them",
    "--columns query=NAME,doc=NAME for the input that has them the other way round",
)
"""The cause where the queries of one side are the documents of the other."""


def likely(ours: Sequence[str], theirs: Sequence[str]) -> Likely | None:
    """Why two sets of ids that mean the same might not match, and the way on; None where nothing is seen."""
    if not ours or not theirs:
        return None
    for cause in (*CAUSES, SEVERAL):
        if {cause.normal(one) for one in ours} & {cause.normal(other) for other in theirs}:
            return Likely(cause.sentence, cause.remedy)
    prefix = common_prefix(ours, theirs)
    if prefix:
        return Likely(
            f"the prefix {prefix!r} stands on one side only", f"write the ids with {prefix!r} on both sides or on none"
        )
    if looks_like_text(ours) != looks_like_text(theirs):
        side = "judgments" if looks_like_text(ours) else "run"
        return Likely(
            f"the {side} may be keyed by text, the other by id: name the column that both share with columns=, or give "
            f"the {side} ids with ndcg convert --query-ids",
            "--columns, to name the column with the key that both share; or --query-ids FILE with the id and the "
            f"wording of each query{'' if side == 'judgments' else ', in ndcg convert'}",
        )
    return None


def likely_cause(ours: Sequence[str], theirs: Sequence[str]) -> str | None:
    """Why two sets of ids that mean the same might not match, or None.

    >>> likely_cause(["007", "008"], ["7", "8"])
    'leading zeros were stripped on one side'
    """
    found = likely(ours, theirs)
    return None if found is None else found.sentence


def looks_like_text(ids: Sequence[str]) -> bool:
    """Whether most ids are words with blanks between them, as the texts of queries are."""
    return 2 * sum(1 for identifier in ids if " " in identifier.strip()) > len(ids)


class Suspect(NamedTuple):
    """An id of the judgments and one of the run that look like the same, and why."""

    judged: str
    given: str
    cause: Cause


def suspects(judged: Iterable[str], given: Iterable[str]) -> list[Suspect]:
    """Ids of the judgments that only nearly match ids of the run, in the order of the judgments.

    Ids that are on both sides are left alone. Time O(ids).
    """
    ours, theirs = dict.fromkeys(judged), dict.fromkeys(given)
    loose: dict[str, list[str]] = {}
    for identifier in theirs:
        if identifier not in ours:
            loose.setdefault(everything(identifier), []).append(identifier)
    found = []
    for identifier in ours:
        if identifier in theirs:
            continue
        for other in loose.get(everything(identifier), ()):
            cause = cause_of(identifier, other)
            if cause is not None:
                found.append(Suspect(identifier, other, cause))
    return found


def common_prefix(ours: Sequence[str], theirs: Sequence[str]) -> str | None:
    """A prefix that turns ids of one side into ids of the other: for half of them, or for some where all bear it.

    A number is never cut: `12` is not `2` with a prefix.

    >>> common_prefix(["D1", "D2"], ["doc-D2", "doc-D7", "doc-D9"]), common_prefix(["1", "2"], ["11", "12"])
    ('doc-', None)
    """
    for short, long in ((ours, theirs), (theirs, ours)):
        wanted = {identifier for identifier in short if identifier}
        ids = dict.fromkeys(long)
        found = Counter(
            identifier[:end]
            for identifier in ids
            for end in range(1, min(len(identifier), 40))
            if identifier[end:] in wanted and not identifier[end - 1 : end + 1].isdigit()
        )
        for prefix, matching in found.most_common(1):
            if matching * 2 >= min(len(ids), len(wanted)) or all(identifier.startswith(prefix) for identifier in ids):
                return prefix
    return None
