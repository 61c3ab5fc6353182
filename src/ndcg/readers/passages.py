"""Passage ids: which document a chunk belongs to, and whether a run returns chunks where documents were judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import DataTypeError, UsageError

_COLUMN = re.compile(r"\w[\w -]*")
_SUFFIX = re.compile(r"(.+?)([#:._/-]|::|%%|__)((?:passage|chunk|part|p|c|seg)?[_-]?[0-9]+(?:[_-][0-9]+)*)$")
_KEPT = 10_000


class Collapse(NamedTuple):
    """How a document is found from a chunk: a column of the run names it, or a pattern is applied to the chunk's id."""

    column: str | None = None
    pattern: re.Pattern[str] | None = None

    @property
    def words(self) -> str:
        """The rule for people."""
        return f"by the column {self.column!r}" if self.pattern is None else f"by the pattern {self.pattern.pattern!r}"

    def document(self, chunk: str) -> str:
        """The document of a chunk: the pattern's group, or what is left when its match goes; else the id itself.

        >>> as_collapse(r"#[0-9]+$").document("manual-7#12")
        'manual-7'
        """
        found = self.pattern.search(chunk) if self.pattern is not None else None
        if found is None:
            return chunk
        if self.pattern is not None and self.pattern.groups:
            return chunk if found[1] is None else found[1]
        return chunk[: found.start()] + chunk[found.end() :]


def as_collapse(given: object) -> Collapse | None:
    """The rule from what the caller gives: the name of a column (letters, digits, blanks, `-`, `_`), or a pattern.

    A compiled pattern is always a pattern. Raises UsageError for a broken one or one with several groups.
    """
    if given is None or isinstance(given, Collapse):
        return given
    if isinstance(given, str) and _COLUMN.fullmatch(given):
        return Collapse(column=given)
    if not isinstance(given, str | re.Pattern):
        raise DataTypeError(f"collapse= is a pattern or the name of a column, found {given!r}", code="collapse")
    try:
        pattern = re.compile(given)
    except re.error as error:
        raise UsageError(f"collapse={given!r} is no pattern: {error}", code="collapse", hint=HINT) from None
    if not isinstance(pattern.pattern, str):
        raise DataTypeError("collapse= is a pattern over bytes; ids are text", code="collapse")
    if not pattern.pattern:
        raise UsageError("collapse= is an empty pattern", code="collapse", hint=HINT)
    if pattern.groups > 1:
        raise UsageError(
            f"collapse={pattern.pattern!r} has {pattern.groups} groups; one holds the document's id",
            code="collapse",
            hint="(?:...) groups without keeping",
        )
    return Collapse(pattern=pattern)


HINT = r"'#[0-9]+$' drops an ending, '^(.*)#' keeps what stands before"


class Passages(NamedTuple):
    """Ids that look like chunks of documents: the sign before the chunk's number, a pattern that collapses them.

    `chunks` of `looked` ids look so; `judged` of the documents that they belong to are judged, while `direct` of the
    ids are judged as they stand. `examples` are a few (chunk, document) pairs.
    """

    sign: str
    pattern: str
    chunks: int
    looked: int
    judged: int
    direct: int
    examples: tuple[tuple[str, str], ...]

    @property
    def sentence(self) -> str:
        """What was noticed and the way on, in one sentence."""
        chunk, document = self.examples[0]
        return (
            f"{self.chunks} of the first {self.looked} returned ids look like chunks of documents "
            f"({chunk!r} of {document!r}) and {self.judged} of their documents are judged: "
            f"collapse='{self.pattern}' scores documents"
        )


def passages(returned: Iterable[str], judged: Iterable[str]) -> Passages | None:
    """Whether returned ids look like passages (`doc#3`) of judged documents; None where they do not.

    The judgments decide: ids with a number at their end are common, so chunks are only suspected where the shortened
    ids are judged more often than the ids as they stand. Pure; time O(ids).

    >>> passages(["a#1", "a#2", "b#1"], ["a", "b"]).pattern
    '#[0-9]+$'
    >>> passages(["doc-1", "doc-2"], ["doc-1", "doc-2"]) is None
    True
    >>> passages(["7.0", "8.0"], ["7", "8"]) is None
    True
    """
    ids = list(dict.fromkeys(returned))[:_KEPT]
    known = set(judged)
    split = [(chunk, found[1], found[2], found[3]) for chunk in ids if (found := _SUFFIX.fullmatch(chunk))]
    if all(sign == "." and tail == "0" and document.isdecimal() for _, document, sign, tail in split):
        return None  # numbers that were read as floating point: '7.0' is no chunk of '7'
    by_sign = Counter(sign for _, document, sign, _ in split if document in known)
    if not by_sign:
        return None
    sign = by_sign.most_common(1)[0][0]
    chosen = [(chunk, document, tail) for chunk, document, mark, tail in split if mark == sign]
    documents = {document for _, document, _ in chosen}
    hit = documents & known
    direct = sum(chunk in known for chunk in ids)
    if len(hit) <= direct:
        return None
    tails = {re.sub(r"[0-9]+", "[0-9]+", tail) for _, document, tail in chosen if document in known}
    tail = tails.pop() if len(tails) == 1 else f"[^{sign[-1]}]+"
    examples = tuple((chunk, document) for chunk, document, _ in chosen if document in known)[:3]
    return Passages(sign, f"{sign.replace('.', '[.]')}{tail}$", len(chosen), len(ids), len(hit), direct, examples)
