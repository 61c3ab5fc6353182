"""JSON Lines: one object per row, or one object per query that holds its documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import Fault, InputError
from . import score_keys
from .answers import Answers, has_error
from .columns import ALIKE, constant_words, declared_grade, only_rank, refuse_several_runs, run_column
from .context import Context, Piece
from .es_search import hits_of
from .json_values import Repeated, id_problem, loads, number, reached, roles
from .json_walk import below
from .labels import found_hint, written
from .lines import numbered
from .source import Role
from .spill import Row, Spill

HOLDERS = ("results", "docs", "documents", "hits", "ranking", "judgments", "qrels", "candidates")
"""Keys under which a query's object holds its documents."""

_SHOWN = 10
_RUNS_SHOWN = 4
_READ = {
    Role.JUDGMENTS: ("query", "doc", "grade", "score", "judge"),
    Role.RUN: ("query", "doc", "score", "rank"),
    Role.POOL: ("query", "doc"),
}
_NUMBERS: dict[Role, tuple[str, ...]] = {Role.JUDGMENTS: ("grade",), Role.RUN: ("score", "rank"), Role.POOL: ()}


def read(path: str, context: Context) -> Piece:
    """Read one file. `"failed": true`, an `error` and `"results": null` mark a query whose search failed."""
    return read_records(_objects(path), path, context, "jsonl")


def _objects(path: str) -> Iterator[tuple[int, Any]]:
    for line_number, line in numbered(path):
        if not line.strip():
            continue
        try:
            yield line_number, loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            yield line_number, _Broken(f"not valid UTF-8 at byte {error.start} of the line")
        except json.JSONDecodeError as error:
            yield line_number, _Broken(f"not valid JSON: {error.msg} (column {error.colno})")
        except Repeated as error:
            yield line_number, _Broken(str(error))
        except ValueError as error:
            yield line_number, _Broken(str(error).partition(";")[0])
        except RecursionError:
            yield line_number, _Broken("nested too deeply")


class _Broken(str):
    """What is wrong with a line that is no JSON."""

    __slots__ = ()


class _Reading:
    """Rows of one file, with its faults, failed queries and whether there are scores and ranks."""

    def __init__(self, context: Context, where: str, *, array: bool) -> None:
        self.array = array
        self.role, self.given, self.where = context.role, dict(context.columns), where
        self.constant = declared_grade(context.columns) if context.role is Role.JUDGMENTS else None
        if self.constant is not None:
            del self.given["grade"]
        self.word = "grade" if context.role is Role.JUDGMENTS else "score"
        self.faults: list[Fault] = []
        self.total = 0
        self.labels = context.labels if context.role is Role.JUDGMENTS else None
        self.found: dict[str, None] = {}
        self.judge = ""
        self.judged = 0
        self.failed: dict[str, None] = {}
        self.scored = self.placed = self.bare = self.listed = self.plain = 0
        self.answers = Answers(array=array)
        self.ungraded = False
        self.holder = ""
        self.numeric: dict[str, None] = {}
        self.unranked: Fault | None = None
        self.without_doc: dict[str, None] = {}
        self.bare_queries: dict[str, None] = {}
        self.held_queries: set[str] = set()
        self.keys: set[str] = set()
        self.runs: dict[str, dict[str, None]] = {}
        self._run_keys: dict[tuple[str, ...], str | None] = {}
        self.used: set[str] = {*HOLDERS, "failed", *(["error"] if context.role is Role.RUN else [])}

    @property
    def empty(self) -> tuple[str, ...]:
        """Queries that the file names without a document."""
        return tuple(query for query in self.bare_queries if query not in self.held_queries)

    @property
    def way_on(self) -> str | None:
        """How to go on where lines are bad."""
        hint = found_hint(self.found, numbers=self.scored, others=self.total)
        if self.without_doc:
            part = "run" if self.role is Role.RUN else "qrels" if self.role is Role.JUDGMENTS else "candidates"
            name = "'id'" if "id" in self.without_doc else "..."
            hint = hint or f"say which key is the document with columns={{{part!r}: {{'doc': {name}}}}}"
        if self.role is Role.JUDGMENTS and self.ungraded:
            hint = hint or f"if every document was liked, {ALIKE}"
        return hint or score_keys.hint(self.numeric, None)

    def refuse_several_runs(self) -> None:
        """Raise InputError where rows say that they belong to different runs."""
        for key, names in self.runs.items():
            refuse_several_runs(self.where, key, list(names))

    def refuse_doubtful_order(self, rows: int) -> None:
        """Raise InputError where lists of objects could be ranked by a number that is not known as one."""
        if self.unranked is not None and not self.scored:
            raise InputError(
                self.unranked.problem,
                code="unknown_score",
                faults=[self.unranked],
                hint=score_keys.hint(self.numeric, self.holder),
            )
        if self.listed not in (0, rows) and not self.scored:
            raise InputError(
                f"{self.where}: {rows - self.listed} of {rows} rows have a rank, the others only their place in a list",
                code="missing_column",
            )

    @property
    def layout(self) -> str:
        """How the rows were found, for people."""
        if self.constant is not None:
            return f"one object per row or query, {constant_words(self.constant)}"
        if self.listed and not self.scored:
            return "one object per query, ranked by the order of the list"
        return "one object per row or query"

    @property
    def unused(self) -> tuple[str, ...]:
        """The keys that nothing reads."""
        return tuple(f"key {key!r}" for key in sorted(self.keys - self.used))

    def _know(self, record: dict[str, Any], keys: dict[str, str]) -> None:
        """Remember which keys are there, which of them are read, and the runs that rows say they belong to."""
        self.keys |= record.keys()
        if self.role is Role.RUN:
            shape = tuple(record)
            if shape not in self._run_keys:
                self._run_keys[shape] = run_column(shape, keys.values())
            key = self._run_keys[shape]
            if key is not None and len(self.runs.setdefault(key, {})) < _RUNS_SHOWN:
                self.runs[key][str(record[key])] = None
        self.used.update(key for role, key in keys.items() if role in _READ[self.role])

    def fault(self, problem: str, line: int, query: object = None, doc: object = None) -> None:
        self.total += 1
        if len(self.faults) < _SHOWN:
            self.faults.append(self._at(problem, line, query, doc))

    def place(self, line: int) -> str:
        """The path of an object in an array, '' for a line."""
        return below("$", line - 1) if self.array else ""

    def _at(self, problem: str, line: int, query: object, doc: object) -> Fault:
        ids = [None if value is None else str(value) for value in (query, doc)]
        place = self.place(line)
        return Fault(f"{place}: {problem}" if place else problem, self.where, None if place else line, *ids)

    def rows(self, records: Iterable[tuple[int, Any]]) -> Iterator[Row]:
        for line, record in records:
            if isinstance(record, _Broken):
                self.fault(record, line)
            elif not isinstance(record, dict):
                self.fault("expected an object", line)
            else:
                yield from self._record(line, record)

    def _record(self, line: int, record: dict[str, Any]) -> Iterator[Row]:
        record = reached(record, self.given.values())
        keys = roles(record, self.given)
        self._know(record, keys)
        if "query" not in keys:
            self.fault(f"no query key; the keys are {', '.join(map(repr, record))}", line)
            return
        query = record[keys["query"]]
        problem = id_problem(query, "query")
        if problem:
            self.fault(problem, line)
            return
        record = _unwrapped(record)
        holder = next((key for key in HOLDERS if isinstance(record.get(key), dict | list)), None)
        kind = self._kind(record, keys, holder)
        problem = None if self.role is not Role.RUN else self.answers.conflict(str(query), line, kind)
        if kind == "failed" and record.get("failed") is True and self.role is not Role.RUN:
            problem = "only a run has failed queries"
        if problem:
            self.fault(problem, line, query)
        elif kind == "failed":
            self.failed[str(query)] = None
        elif holder is not None:
            if not record[holder] and self.role is not Role.POOL:
                self.bare_queries[str(query)] = None
            self.holder = self.holder or holder
            yield from self._held(line, query, record[holder], holder)
        else:
            yield from self._row(line, query, record, keys, 0)

    def _kind(self, record: dict[str, Any], keys: dict[str, str], holder: str | None) -> str:
        """What an object is of its query: 'failed', its 'results', or a 'row'."""
        if record.get("failed") is True:
            return "failed"
        if self.role is Role.RUN and has_error(record, row=holder is None and "doc" in keys):
            self.answers.by_error[str(record[keys["query"]])] = None
            return "failed"
        nothing = any(key in record and record[key] is None for key in HOLDERS)
        if holder is None and "doc" not in keys and nothing:
            return "failed"
        return "row" if holder is None else "results"

    def _held(self, line: int, query: object, held: Any, holder: str) -> Iterator[Row]:
        if isinstance(held, dict):
            for doc, value in held.items():
                yield from self._values(line, query, doc, value, None, 0)
            return
        for place, item in enumerate(held, 1):
            if isinstance(item, dict):
                item = reached(item, self.given.values())
                keys = roles(item, self.given)
                if self.given.get("rank") == holder:
                    keys = {role: key for role, key in keys.items() if role != "rank"}
                self._know(item, keys)
                yield from self._row(line, query, item, keys, place)
            elif isinstance(item, list) and len(item) == 2:
                yield from self._values(line, query, item[0], item[1], None, 0)
            else:
                yield from self._values(line, query, item, None, None, place)

    def _row(self, line: int, query: object, row: dict[str, Any], keys: dict[str, str], place: int) -> Iterator[Row]:
        if "doc" not in keys:
            self.fault(f"no document key; the keys are {', '.join(map(repr, row))}", line, query)
            self.without_doc.update(dict.fromkeys(key for key in row if key != keys.get("query")))
            return
        by_place = place > 0 and self.given.get("rank") in HOLDERS
        asked = [role for role in _NUMBERS[self.role] if role in self.given and not (by_place and role == "rank")]
        absent = next((role for role in asked if role not in keys), None)
        if absent is not None:
            listed = ", ".join(map(repr, row))
            self.fault(f"no key {self.given[absent]!r} for the {absent}; the keys are {listed}", line, query)
            return
        if self.role is Role.RUN and only_rank(self.given):
            keys = {role: key for role, key in keys.items() if role != "score"}
        value_key = keys.get("grade", keys.get("score")) if self.role is Role.JUDGMENTS else keys.get("score")
        value = row[value_key] if value_key is not None else None
        if self.constant is not None:
            value_key, value = value_key or "", self.constant
        rank = row[keys["rank"]] if self.role is Role.RUN and "rank" in keys else None
        given = value_key is not None or (self.role is Role.RUN and "rank" in keys)
        doc = row[keys["doc"]]
        if self.role is Role.RUN and not given and not by_place:
            self._look_for_scores(row, keys, line, query, doc)
        judge = row[keys["judge"]] if self.role is Role.JUDGMENTS and "judge" in keys else None
        self.judge = "" if judge is None else written(judge)
        self.judged += judge is not None
        if given and value is None and rank is None and self.role is not Role.POOL:
            self.fault(f"the {self.word} is null", line, query, doc)
            return
        yield from self._values(line, query, doc, value, rank, 0 if given else place)

    def _look_for_scores(
        self, row: dict[str, Any], keys: dict[str, str], line: int, query: object, doc: object
    ) -> None:
        """Remember the numbers of a row that has no known score and no rank."""
        found = score_keys.candidates(row, keys.values())
        if found and self.unranked is None:
            problem = f"no known score or rank, but {' and '.join(map(repr, found))} with numbers"
            self.unranked = self._at(problem, line, query, doc)
        self.numeric.update(dict.fromkeys(found))

    def _values(self, line: int, query: object, doc: object, value: object, rank: object, place: int) -> Iterator[Row]:
        problem = id_problem(doc, "document")
        value = value if self.constant is None else self.constant
        texts = ["", ""]
        if problem is None and self.role is not Role.POOL:
            for at, (given, word) in enumerate(((value, self.word), (rank, "rank"))):
                if given is not None and problem is None:
                    made, problem = self._number(given, word)
                    texts[at] = repr(made)
            if problem is None and not any(texts):
                if self.role is Role.RUN and place:
                    texts[1] = str(place)
                    self.listed += 1
                else:
                    self.ungraded = True
                    problem = f"no {self.word}" + (" and no rank" if self.role is Role.RUN else "")
        if problem:
            self.fault(problem, line, query, doc)
            return
        self.scored += texts[0] != ""
        self.placed += texts[1] != ""
        self.bare += 1
        if self.role is not Role.POOL:
            self.held_queries.add(str(query))
        yield str(query), str(doc), texts[0], texts[1], line

    def _number(self, given: object, word: str) -> tuple[float | None, str | None]:
        if self.labels is not None and word == "grade" and self.constant is None:
            self.plain += self.labels.is_plain(given)
            return self.labels.grade(given), self.labels.problem(given)
        made, problem = number(given, word, finite=word != "score")
        if problem and word == "grade" and isinstance(given, str | bool) and len(self.found) < 20:
            self.found[written(given)] = None
        return made, problem


def _unwrapped(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose hits are those of a search response, `hits.hits` or `response.hits.hits`, as its hits.

    A null score is none: the response was sorted. A response that is an error is a failed query.
    """
    response = record.get("response")
    if isinstance(response, dict) and hits_of(response) is None and isinstance(response.get("error"), dict):
        return {**record, "failed": True}
    hits = hits_of(response if isinstance(response, dict) else record)
    if hits is None or not all(isinstance(hit, dict) for hit in hits):
        return record if hits is None else {**record, "hits": hits}
    sound = ({key: value for key, value in hit.items() if key != "_score" or value is not None} for hit in hits)
    return {**record, "hits": list(sound)}


def read_records(records: Iterable[tuple[int, Any]], path: str, context: Context, format: str) -> Piece:
    """Rows from (number from 1, object) pairs: of lines, or of the objects of an array where the format is 'json'.

    All rows have a score, or all a rank; bad rows are one InputError.
    """
    reading = _Reading(context, path, array=format == "json")
    # Whether there are scores shows only at the end: the rows are written once, the Part made after.
    spill = Spill()
    for row in reading.rows(records):
        place = reading.place(row[4])
        spill.add((*row[:4], 0) if place else row, reading.judge, place)
    spill.close()
    count = spill.count
    if reading.total:
        raise InputError(
            f"{path}: {reading.total} bad {'row' if reading.array else 'line'}{'s' if reading.total > 1 else ''}",
            code="bad_rows",
            faults=reading.faults,
            total=reading.total,
            hint=reading.way_on,
        )
    if not count and not reading.failed:
        raise InputError(f"{path} has no rows", code="empty")
    if context.role is Role.RUN and reading.scored not in (0, count):
        raise InputError(f"{path}: {count - reading.scored} of {count} rows have no score", code="missing_column")
    reading.refuse_several_runs()
    reading.refuse_doubtful_order(count)
    number_there = context.role is not Role.POOL and reading.scored > 0
    rank_there = context.role is Role.RUN and reading.placed == count and count > 0
    judged = reading.judged > 0
    made = spill.part(path, reading.word, number=number_there, rank=rank_there, judges=judged)
    made = replace(made, plain=lambda: reading.plain, failed=tuple(reading.failed), bare=reading.empty)
    failed = len(reading.failed)
    notes = (reading.answers.note(failed),) if failed else ()
    ranked = context.role is Role.RUN and not number_there
    return Piece(format, made, reading.layout, notes, ranked, unused=reading.unused, rowless=not count)
