"""SVMlight text with query ids (LETOR, RankLib, XGBoost, LightGBM, hello-ltr): a grade, a query, features, a comment.

`2 qid:10 1:0.3 2:0.7 #docid = GX000-01 inc = 1`. The document is named in the comment or nowhere. Headers such as
`# qid:1: boiler valve*5` give the wording and the weight of a query.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ..counted import counted_noun
from ..errors import SHOWN, Fault, InputError, UsageError
from . import numbers
from .context import Context, Piece
from .groups import WEIGHTS, beside, read_groups
from .labels import Labels, found_hint
from .lines import LONGEST, numbered
from .source import Role
from .spill import Spill
from .trec_lines import BLANKS

_FEATURE = r"[ \t]+[^ \t#:]+:[^ \t#]*"
_LINE = re.compile(rf"[ \t]*([^ \t#]+)(?:[ \t]+qid:([^ \t#]+))?((?:{_FEATURE})*)[ \t]*(?:#(.*))?")
_NAMED = re.compile(r"[ \t]*doc_?id[ \t]*[=:][ \t]*([^ \t]+)", re.IGNORECASE)
_WORD = re.compile(r"[^ \t]+")
_HEADER = re.compile(r"#[ \t]*qid:([^ \t]+?):[ \t]*(.*)")
_WITH_QUERY = re.compile(rb"[ \t]*[^ \t#:]+[ \t]+qid:[^ \t#]+")
_WITHOUT = re.compile(rb"[ \t]*([^ \t#:]+)(?:[ \t]+[0-9]+:[^ \t#:]+)+[ \t]*(?:#|$)")


class Row(NamedTuple):
    """One row of a feature file: its line, query and document, and the text of its grade."""

    line: int
    query: str
    doc: str
    grade: str


def looks_like_features(line: bytes) -> bool:
    """Whether a line is a row of a feature file: `2 qid:1 ...`, or a number followed by numbered features."""
    if _WITH_QUERY.match(line):
        return True
    found = _WITHOUT.match(line)
    return found is not None and numbers.is_number(found[1].decode("utf-8", "replace"))


def is_header(line: bytes) -> bool:
    """Whether a line is a header that names a query: `# qid:1: boiler valve*5`."""
    return _HEADER.match(line.decode("utf-8", "replace")) is not None


class Features:
    """The rows of a feature file, in one pass; what is wrong with it and what it says of queries stands here after.

    `numbered`: no row names its document, so ids are `line-1`, `line-2`, ... within each query. `scattered`: queries
    that come back after others. `weights` and `texts` of queries come from headers.
    """

    def __init__(self, path: str, groups: str | None, labels: Labels | None = None) -> None:
        self.path, self.labels = path, labels
        self.faults: list[Fault] = []
        self.total = self.count = 0
        self.queries: dict[str, int] = {}
        self.scattered: dict[str, None] = {}
        self.weights: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        self.found: dict[str, None] = {}
        first = next((match for _, line, match in self._matches() if match is not None), None)
        if first is None:
            raise InputError(f"{path} holds no row", code="empty", hint="expected rows such as 2 qid:1 1:0.5")
        self.numbered = _doc(first[4]) is None
        self.with_ids = first[2] is not None
        self.groups = None
        if self.with_ids and groups is not None:
            raise UsageError(f"{path} names its queries (qid:), so groups={groups!r} has nothing to say", code="groups")
        if not self.with_ids:
            named = groups or beside(path)
            if named is None:
                raise InputError(
                    f"{path}: the rows name no query (qid:), and no group file lies beside it",
                    code="no_groups",
                    hint="name the group file, with sizes or one id per row, with groups= (--groups FILE)",
                )
            self.groups = read_groups(named, sum(1 for _ in self._matches()), path)

    @property
    def words(self) -> str:
        """How the file was read, for people."""
        ids = "documents numbered by line within each query" if self.numbered else "document ids from the comments"
        return f"{ids}; {self.groups.words}" if self.groups else ids

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth saying of the file."""
        back = len(self.scattered)
        said = [f"{counted_noun(back, 'query comes', 'queries come')} back after others"] if back else []
        if self.weights:
            said.append(f"headers give {counted_noun(len(self.weights), 'query weight')}")
        return tuple(said)

    @property
    def bare(self) -> tuple[str, ...]:
        """Queries that only a header names."""
        return tuple(query for query in self.texts if query not in self.queries)

    def _matches(self) -> Iterator[tuple[int, bytes, re.Match[str] | None]]:
        """Every row as (line number, line, its match); headers and other comments are left out."""
        for number, line in numbered(self.path):
            if not line.strip(b" \t") or line.lstrip(b" \t").startswith(b"#"):
                continue
            text = None if len(line) > LONGEST else line.decode("utf-8", "replace")
            yield number, line, None if text is None else _LINE.fullmatch(text)

    def fault(self, problem: str, line: int, text: bytes | None = None, query: str | None = None) -> None:
        """Note one thing that is wrong."""
        self.total += 1
        if len(self.faults) < SHOWN:
            shown = None if text is None else text.decode("utf-8", "backslashreplace")
            self.faults.append(Fault(problem, self.path, line, query, text=shown))

    def rows(self) -> Iterator[Row]:
        """Every sound row, in order; call it once."""
        self._headers()
        by_group = self.groups.queries() if self.groups else None
        last: str | None = None
        for number, line, match in self._matches():
            self.count += 1
            grouped = next(by_group, None) if by_group else None
            problem = self._problem(line, match)
            if problem or match is None:
                self.fault(problem or "the line is too long", number, line)
                continue
            query = grouped if grouped is not None else match[2]
            if query != last and query in self.queries:
                self.scattered[query] = None
            last = query
            place = self.queries[query] = self.queries.get(query, 0) + 1
            doc = f"line-{place}" if self.numbered else _doc(match[4]) or ""
            yield Row(number, query, doc, match[1])

    def _problem(self, line: bytes, match: re.Match[str] | None) -> str | None:
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return f"byte 0x{line[error.start]:02X} at offset {error.start} of the line is not valid UTF-8"
        if match is None:
            return "expected a grade, qid:QUERY and features such as 1:0.5"
        if (match[2] is not None) != self.with_ids:
            return "no qid:, which other rows have" if self.with_ids else "a qid:, which the first row does not have"
        if match[4] is not None and not match[3] and match.string[match.start(4) - 2 :][:1] not in BLANKS:
            return "a '#' inside the query id or the grade; a comment stands after a blank"
        if "qid:" in match[3]:
            return "qid: does not stand right after the grade"
        if (_doc(match[4]) is None) != self.numbered:
            if self.numbered:
                return "a document id in the comment, which the first row does not have"
            return "no document id in the comment, which other rows have"
        if self.labels is not None:
            return self.labels.problem(match[1])
        problem = numbers.problem(match[1], "grade", finite=True)
        if problem and len(self.found) < 2 * SHOWN:
            self.found[match[1]] = None
        return problem

    def _headers(self) -> None:
        for number, line in numbered(self.path):
            if not line.startswith(b"#"):
                continue
            match = _HEADER.match(line.decode("utf-8", "backslashreplace"))
            if match is None:
                continue
            if _undecodable(line):
                self.fault("the wording is not valid UTF-8", number, line)
                continue
            query, text = match[1], match[2].strip()
            words, star, weight = text.rpartition("*")
            if star and numbers.is_number(weight.strip()):
                value = float(weight)
                if not math.isfinite(value) or value < 0:
                    self.fault(f"the weight {weight.strip()} of the query is negative or infinite", number, line, query)
                elif self.weights.setdefault(query, value) != value:
                    self.fault(f"a second weight, {value:g} after {self.weights[query]:g}", number, line, query)
                text = words.strip()
            if self.texts.setdefault(query, text) != text:
                self.fault("a second header with another wording", number, line, query)

    def refuse(self) -> None:
        """Raise the one InputError for everything that is wrong, after all rows were read."""
        if self.total:
            raise InputError(
                f"{self.path}: {self.total} bad line{'s' if self.total > 1 else ''}",
                code="bad_lines",
                faults=self.faults,
                total=self.total,
                hint=found_hint(self.found, numbers=self.count - self.total, others=self.total)
                or "it was read as svmlight; correct the lines or name another format",
            )


def _undecodable(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def header_weights(path: str) -> dict[str, float] | None:
    """The weights that the headers of a feature file give to queries; None where its first line is no header.

    Raises InputError for a weight that is negative or infinite and for two weights of one query.
    """
    first = next((line for _, line in numbered(path) if line.strip(b" \t")), b"")
    if not is_header(first):
        return None
    features = Features(path, None)
    for _ in features.rows():  # a weight is only taken from a file that is sound
        pass
    features.refuse()
    return features.weights


def _doc(comment: str | None) -> str | None:
    """The document id of a comment: `docid = X`, or its first word; None where there is none."""
    if comment is None:
        return None
    named = _NAMED.match(comment)
    if named:
        return named[1]
    words = _WORD.search(comment)
    return words[0] if words else None


def read(path: str, context: Context) -> Piece:
    """Read one file as judgments or as a candidate pool."""
    labels = context.labels if context.role is Role.JUDGMENTS else None
    features = Features(path, context.groups, labels)
    spill = Spill()
    plain = 0
    for row in features.rows():
        plain += labels is not None and labels.is_plain(row.grade)
        grade = repr(labels.grade(row.grade)) if labels else row.grade
        spill.add((row.query, row.doc, grade, "", row.line))
    features.refuse()
    part = spill.part(path, "grade", number=context.role is Role.JUDGMENTS, rank=False)
    bare = features.bare if context.role is Role.JUDGMENTS else ()
    part = replace(part, plain=lambda: plain, weights=features.weights, texts=features.texts, bare=bare)
    weights = beside(path, WEIGHTS)
    unused = () if weights is None else (f"the weights of rows in {weights}",)
    return Piece("svmlight", part, features.words, features.notes, unused=unused)
