"""Which column of a table is what: the field's usual spellings, or the names the caller gives."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..errors import InputError, choose
from . import numbers
from .source import Role

SPELLINGS: dict[str, tuple[str, ...]] = {
    "query": ("query_id", "qid", "q_id", "topic_id", "query", "topic"),
    "doc": ("doc_id", "docno", "docid", "document_id", "corpus_id", "product_id", "_id", "doc", "document"),
    "grade": ("grade", "relevance", "rel", "label", "rating"),
    "score": ("score", "sim"),
    "rank": ("rank", "position"),
    "judge": ("judge", "judge_id", "assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id"),
}
"""Role -> spellings, hyphen, underscore, blank and case being equal; an id column goes before one without 'id'."""

OTHERWISE: dict[str, tuple[str, ...]] = {
    "query": ("user_id", "user"),
    "doc": ("item_id", "item", "movie_id", "track_id", "song_id", "book_id"),
    "grade": ("esci_label",),
    "score": ("prediction",),
}
"""Spellings that mean a role only where none of SPELLINGS is there: recommenders rank items for users."""


RUNS = frozenset(("run", "runid", "runname", "runtag", "system", "systemid", "systemname"))
"""Names of columns, folded, that say which run a row belongs to."""

ALIKE = "give each the grade 1 with columns={'qrels': {'grade': 1}}"
"""The way on where judgments are only pairs of query and document."""


class Chosen(NamedTuple):
    """The columns in use. `number` is the grade of judgments or the score of a run; None where there is none.

    `constant` is the grade that the caller declares for every row.
    """

    query: str
    doc: str
    number: str | None
    rank: str | None
    judge: str | None = None
    constant: float | None = None

    @property
    def words(self) -> str:
        """The choice for people: 'query=qid, doc=docno, ...'."""
        pairs = {"query": self.query, "doc": self.doc, "number": self.number, "rank": self.rank, "judge": self.judge}
        named = ", ".join(f"{word}={column}" for word, column in pairs.items() if column is not None)
        return named if self.constant is None else f"{named}, {constant_words(self.constant)}"


def declared_grade(given: Mapping[str, str], names: Iterable[str] = ()) -> float | None:
    """The grade of every row where `columns={'grade': 1}` gives a number that is no column's name; else None.

    >>> declared_grade({"grade": "1"}), declared_grade({"grade": "1"}, ["1"]), declared_grade({"grade": "stars"})
    (1.0, None, None)
    """
    text = given.get("grade", "")
    if not numbers.is_number(text) or text in names or not math.isfinite(float(text)):
        return None
    return float(text)


def constant_words(grade: float) -> str:
    """A grade declared for every row, for people."""
    return f"grade={grade:g} for every row"


@lru_cache(maxsize=4096)
def _folded(name: str) -> str:
    # '_id' is a document, a bare 'id' may be anything.
    return "_id" if name.strip().lower() == "_id" else re.sub(r"[-_\s]", "", name).lower()


_FIRST = {_folded(spelling): role for role, spellings in SPELLINGS.items() for spelling in spellings}
_KNOWN = {_folded(spelling): role for role, spellings in OTHERWISE.items() for spelling in spellings} | _FIRST


def role_of(name: str) -> str | None:
    """The role that a column name spells, or None."""
    return _KNOWN.get(_folded(name))


def series(names: Sequence[str]) -> str | None:
    """The pattern of names that differ in a number, as columns of judges do; None where no two do.

    >>> series(["name", "agent_1_rating", "agent_2_rating", "final_rating"]), series(["grade", "note"])
    ('agent_*', None)
    """
    starts = [found[1] for name in names if (found := re.match(r"(\D+)[0-9]", name))]
    best = max(dict.fromkeys(starts), key=starts.count, default="")
    return f"{best}*" if starts.count(best) > 1 else None


def names_columns(fields: Sequence[str], given: Mapping[str, str]) -> bool:
    """Whether the fields of a line name columns: two known names are enough, so that a missing one is asked for.

    A single name that the caller gives is enough too.

    >>> names_columns(["query", "doc", "wert"], {}), names_columns(["q1", "d1", "2"], {})
    (True, False)
    """
    if len(fields) < 2:
        return False
    known = {field for field in fields if role_of(field) is not None}
    return len(known) >= 2 or any(column in fields for column in given.values())


def is_first_choice(name: str) -> bool:
    """Whether a column name spells its role in one of SPELLINGS, not only in OTHERWISE."""
    return _folded(name) in _FIRST


def preference(name: str) -> tuple[bool, bool]:
    """What to sort names of one role by: usual spellings go first, and an id before one without 'id'."""
    return not is_first_choice(name), not _is_id(name)


def _is_id(name: str) -> bool:
    return _folded(name).endswith(("id", "docno"))


def choose_columns(names: Sequence[str], role: Role, given: Mapping[str, str], where: str) -> Chosen:
    """Pick the columns for `role` from `names`; `given` overrides by role name. InputError names what is missing."""
    for key in given:
        if key not in SPELLINGS:
            raise choose("column role", key, tuple(SPELLINGS))
    constant = declared_grade(given, names) if role is Role.JUDGMENTS else None
    if constant is not None:
        given = {key: name for key, name in given.items() if key != "grade"}
    asked = [key for key in SPELLINGS if key != "judge" or role is Role.JUDGMENTS]
    found = {key: _find(key, names, given, where) for key in asked}
    listed = f"the columns are {', '.join(map(repr, names))}" if names else "there are no columns"
    for key, word in (("query", "query"), ("doc", "document")):
        if found[key] is None:
            raise InputError(
                f"{where}: no {word} column; {listed}",
                code="missing_column",
                hint=f"name it with columns={{'{key}': ...}} (usual: {', '.join(SPELLINGS[key])})",
            )
    query, doc = str(found["query"]), str(found["doc"])
    if role is Role.POOL:
        return Chosen(query, doc, None, None)
    if constant is not None:
        return Chosen(query, doc, None, None, found["judge"], constant)
    if role is Role.JUDGMENTS:
        grade = found["grade"] or found["score"]
        if grade is None:
            judges = series([name for name in names if name not in (query, doc)])
            raise InputError(
                f"{where}: no grade column; {listed}",
                code="missing_column",
                hint=f"name it with columns={{'grade': ...}} (usual: {', '.join(SPELLINGS['grade'])})"
                + (f", or a column per judge with columns={{'grade': {judges!r}}}" if judges else "")
                + f", or, if every row is a document that was liked, {ALIKE}",
            )
        return Chosen(query, doc, grade, None, found["judge"])
    if found["score"] is None and found["rank"] is None:
        raise InputError(
            f"{where}: no score or rank column; {listed}",
            code="missing_column",
            hint="name it with columns={'score': ...} or columns={'rank': ...}",
        )
    return Chosen(query, doc, None if only_rank(given) else found["score"], found["rank"])


def only_rank(given: Mapping[str, str]) -> bool:
    """Whether the caller names a column of ranks and none of scores: then ranks order, whatever else is there."""
    return "rank" in given and "score" not in given


def choose_score(names: Sequence[str], given: Mapping[str, str], where: str) -> str:
    """The column of scores of a table that has nothing else; InputError where there is none."""
    found = _find("score", names, given, where)
    if found is None:
        raise InputError(
            f"{where}: no score column; the columns are {', '.join(map(repr, names))}",
            code="missing_column",
            hint="name it with columns={'score': ...}",
        )
    return found


def run_column(names: Iterable[str], chosen: Collection[object]) -> str | None:
    """The column of a run's table that says which run a row belongs to, or None.

    >>> run_column(["System", "qid", "docno", "score"], Chosen("qid", "docno", "score", None))
    'System'
    """
    return next((name for name in names if _folded(name) in RUNS and name not in chosen), None)


def refuse_several_runs(where: str, column: str, values: Sequence[object]) -> None:
    """Raise InputError where the rows of a table belong to several runs: they are no single ranking.

    `values` are the first distinct ones of the column.
    """
    if len(values) > 1:
        shown = ", ".join(map(repr, values[:3])) + (", ..." if len(values) > 3 else "")
        raise InputError(
            f"{where}: column {column!r} names several runs: {shown}",
            code="several_runs",
            hint="give each run a file or a table of its own, {name: rows}; or rename the column if it names no runs",
        )


def refuse_repeated(names: Sequence[str], where: str) -> None:
    """Raise InputError where two columns have the same name and that name means something here."""
    for name in names:
        if list(names).count(name) > 1 and role_of(name) is not None:
            raise InputError(
                f"{where}: column {name!r} is there more than once",
                code="ambiguous_column",
                hint="rename or drop all but one of them",
            )


def _find(key: str, names: Sequence[str], given: Mapping[str, str], where: str) -> str | None:
    if key in given:
        wanted = given[key]
        if list(names).count(wanted) == 1:
            return wanted
        listed = ", ".join(map(repr, names))
        if wanted in names:
            raise InputError(f"{where}: column {wanted!r} is there more than once", code="ambiguous_column")
        raise InputError(f"{where}: no column {wanted!r} for {key}; the columns are {listed}", code="missing_column")
    taken = {column for role, column in given.items() if role != key}
    fits = [name for name in names if role_of(name) == key and name not in taken]
    fits = [name for name in fits if is_first_choice(name)] or fits
    if len(fits) < 2:
        return fits[0] if fits else None
    ids = [name for name in fits if _is_id(name)]
    if len(ids) == 1:
        return ids[0]
    refuse_repeated(ids or fits, where)
    raise InputError(
        f"{where}: {' and '.join(map(repr, ids or fits))} could each be the {key} column",
        code="ambiguous_column",
        hint=f"say which with columns={{'{key}': ...}}",
    )
