"""Rows that a format's reader finds one by one: checked, kept on disk, with every fault named and counted.

A reader of a format that only Python takes apart feeds a `Gathering` and asks it for the `Piece`.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import SHOWN, Fault, InputError, clip
from .context import Context, Piece
from .json_values import id_problem, number
from .labels import found_hint, is_label, written
from .source import Role
from .spill import Spill

_LABELS = 100
"""How many distinct labels are remembered for the error's way on."""


class Gathering:
    """The rows of one file, its faults, and what it says of queries: failed ones, ones without any judgment.

    `judges` says that every row names its judge. `ranked`: a run's rows have ranks and no scores.
    """

    def __init__(self, context: Context, where: str, format: str, *, judges: bool = False) -> None:
        self.context, self.where, self.format, self.judges = context, where, format, judges
        self.role = context.role
        self.word = "grade" if context.role is Role.JUDGMENTS else "score"
        self.faults: list[Fault] = []
        self.total = 0
        self.unrated = 0
        self.notes: list[str] = []
        self.hint: str | None = None
        self.unused: dict[str, None] = {}
        self._spill = Spill()
        self._scored = self._placed = 0
        self._named: dict[str, bool] = {}
        self._failed: dict[str, None] = {}
        self._labels: dict[str, None] = {}
        self._plain = 0

    def fault(
        self,
        problem: str,
        *,
        line: int | None = None,
        place: str = "",
        query: object = None,
        doc: object = None,
        text: str | None = None,
    ) -> None:
        """One bad row: the first ten are kept, all are counted. `place` is its path in a JSON document."""
        self.total += 1
        if len(self.faults) < SHOWN:
            said = f"{place}: {problem}" if place else problem
            query, doc = (None if value is None else str(value) for value in (query, doc))
            self.faults.append(Fault(said, self.where, line, query, doc, text))

    def query(self, query: object, *, line: int | None = None, place: str = "", text: str | None = None) -> str | None:
        """The query's id as text, known from now on even if no row follows; None, and a fault, if it is no id."""
        problem = id_problem(query, "query")
        if problem:
            self.fault(problem, line=line, place=place, text=text)
            return None
        self._named.setdefault(str(query), False)
        return str(query)

    def failed(self, query: str) -> None:
        """The search of this query failed."""
        self._failed[query] = None

    def row(
        self,
        query: str,
        doc: object,
        value: object = None,
        rank: object = None,
        *,
        line: int = 0,
        place: str = "",
        judge: str = "",
        text: str | None = None,
    ) -> None:
        """One document of a query that `query` accepted. `value` is the grade or score, None where there is none.

        A grade of None is a document that nobody rated: it is counted and left out.
        """
        problem = id_problem(doc, "document")
        number_text = rank_text = ""
        if problem is None and self.role is Role.JUDGMENTS:
            if value is None:
                self.unrated += 1
                return
            number_text, problem = self._grade(value)
        elif problem is None and self.role is Role.RUN:
            if value is None and rank is None:
                problem = "no score and no rank"
            if value is not None and problem is None:
                made, problem = number(value, "score", finite=False)
                number_text = repr(made)
            if rank is not None and problem is None:
                made, problem = number(rank, "rank", finite=True)
                rank_text = repr(made)
        if problem:
            self.fault(problem, line=line or None, place=place, query=query, doc=doc, text=text)
            return
        self._scored += number_text != ""
        self._placed += rank_text != ""
        self._named[query] = True
        if self.total == 0:
            self._spill.add((query, str(doc), number_text, rank_text, line), judge, place)

    def _grade(self, value: object) -> tuple[str, str | None]:
        labels = self.context.labels
        if labels is not None:
            self._plain += labels.is_plain(value)
            return repr(labels.grade(value)), labels.problem(value)
        made, problem = number(value, "grade", finite=True)
        if problem and isinstance(value, str | bool) and is_label(written(value)) and len(self._labels) < _LABELS:
            self._labels[written(value)] = None
        return repr(made), problem

    def piece(self, layout: str, tag: str = "") -> Piece:
        """The Piece over all rows. InputError for bad rows, a file without any, and scores on some rows only."""
        if self.total:
            raise InputError(
                f"{self.where}: {self.total} bad row{'s' if self.total > 1 else ''}",
                code="bad_rows",
                faults=self.faults,
                total=self.total,
                hint=found_hint(self._labels, numbers=self._scored, others=self.total)
                or self.hint
                or f"it was read as {self.format}",
            )
        count = self._spill.count
        if not count and not (self.role is Role.RUN and (self._failed or self._named)):
            raise InputError(f"{self.where} {self._nothing()}", code="empty", hint=f"it was read as {self.format}")
        if self.role is Role.RUN and self._scored not in (0, count):
            missing = count - self._scored
            raise InputError(f"{self.where}: {missing} of {count} rows have no score", code="missing_column")
        scored = self.role is not Role.POOL and self._scored > 0
        placed = self.role is Role.RUN and self._placed == count and count > 0
        judges = self.judges and self.role is Role.JUDGMENTS
        part = self._spill.part(self.where, self.word, number=scored, rank=placed, judges=judges)
        bare: tuple[str, ...] = ()
        if self.role is not Role.POOL:
            bare = tuple(query for query, held in self._named.items() if not held and query not in self._failed)
        part = replace(part, plain=lambda: self._plain, failed=tuple(self._failed), bare=bare)
        notes = [*self.notes, *self._counts(bare if self.role is Role.JUDGMENTS else ())]
        ranked = self.role is Role.RUN and not scored
        return Piece(
            self.format, part, layout, tuple(notes), ranked, tag=tag, unused=tuple(self.unused), rowless=not count
        )

    def _nothing(self) -> str:
        if self.role is Role.JUDGMENTS and (self._named or self.unrated):
            return "holds no judged document: all are unrated"
        return "has no rows"

    def _counts(self, bare: tuple[str, ...]) -> list[str]:
        notes = []
        if self.unrated:
            notes.append(f"{self.unrated} unrated document{'s' if self.unrated > 1 else ''} left out")
        if bare:
            names = ", ".join(repr(clip(query, 40)) for query in bare[:SHOWN])
            more = f" and {len(bare) - SHOWN} more" if len(bare) > SHOWN else ""
            many = f"{len(bare)} queries without" if len(bare) > 1 else "1 query without"
            notes.append(f"{many} any judged document: {names}{more}")
        if self._failed:
            failed = len(self._failed)
            notes.append(f"{failed} failed quer{'ies' if failed > 1 else 'y'} recorded")
        return notes
