"""YAML kept by hand: targets with a query and its relevant documents, rows, or a mapping of queries.

Any of these, as one document, a list, or one document per query (`---`):

- `q: boiler valve` / `relevant: [P-77, P-12]` (each listed document is relevant: grade 1), or `relevant: {P-77: 3}`,
  or a list of `{id: P-77, grade: 3}`;
- rows `{query: ..., doc: ..., grade: 3}`, in a list or under names of their own;
- `boiler valve: {P-77: 3}`, for a run also `boiler valve: [P-77, P-12]`.

Ids are the text that stands there: `no`, `1e5`, `007` and `null` are ids. Needs PyYAML (extra `yaml`).
"""

from __future__ import annotations

from . import score_keys
from .answers import Answers
from .columns import only_rank, preference, role_of
from .context import Context, Piece
from .gathering import Gathering
from .source import Role
from .yaml_nodes import Node, documents

HOLDERS = {
    Role.JUDGMENTS: ("relevant", "judgments", "judgements", "ratings", "qrels", "targets"),
    Role.RUN: ("results", "docs", "documents", "hits", "ranking"),
    Role.POOL: ("candidates", "docs", "documents", "results", "relevant", "judgments", "ratings"),
}
"""Keys under which a query holds its documents."""

_QUERY, _DOC = ("q",), ("id", "uri", "url")
"""Further spellings of query and document, inside a target only."""


def read(path: str, context: Context) -> Piece:
    """Read one file."""
    rows = Gathering(context, path, "yaml")
    reading = _Reading(rows, context)
    for node in documents(path):
        reading.document(node)
    found = ", ".join(reading.shapes)
    if "relevant documents without a grade count 1" in reading.said:
        rows.notes.append("relevant documents without a grade count 1")
    return rows.piece(found or "no rows")


class _Reading:
    def __init__(self, rows: Gathering, context: Context) -> None:
        self.rows, self.given = rows, context.columns
        self.holders = HOLDERS[context.role]
        self.shapes: dict[str, None] = {}
        self.said: set[str] = set()
        self.answers = Answers()
        self.numeric: dict[str, None] = {}

    def document(self, node: Node) -> None:
        if node.is_list:
            for item in node.items:
                if item.is_mapping:
                    self._entry(item)
                else:
                    self.rows.fault(f"expected a mapping, found {item.kind}", line=item.line)
        elif not node.is_mapping:
            self.rows.fault(f"expected a mapping or a list of mappings, found {node.kind}", line=node.line)
        elif self._is_entry(node):
            self._entry(node)
        else:
            self._mapping(node)

    def _mapping(self, node: Node) -> None:
        """Rows under names of their own, or queries with their documents."""
        pairs = node.pairs or []
        if pairs and all(value.is_mapping and self._is_entry(value) for _, value in pairs):
            self.rows.unused["names of rows"] = None
            for _, value in pairs:
                self._entry(value)
            return
        self.shapes["documents per query"] = None
        for key, value in pairs:
            query = self.rows.query(key.value, line=key.line)
            if query is None:
                continue
            if self._is_second(query, key.line, "failed" if value.is_empty else "results"):
                continue
            if value.is_mapping or (value.is_list and self.rows.role is not Role.JUDGMENTS):
                self._documents(query, value)
            elif value.is_list:
                self.rows.fault("judgments need grades, this is a list", line=value.line, query=query)
            elif value.is_empty and self.rows.role is Role.RUN:
                self.rows.failed(query)
            else:
                self.rows.fault(f"expected {{document: number}}, found {value.kind}", line=value.line, query=query)

    def _keys(self, node: Node, *, target: bool) -> dict[str, Node]:
        """Role -> value of an entry's keys; 'held' is the value that holds documents."""
        pairs = {key.value or "": value for key, value in node.pairs or []}
        found = {role: pairs[name] for role, name in self.given.items() if name in pairs}
        for name in sorted(pairs, key=preference):
            role = role_of(name)
            if target and role is None:
                role = "query" if name in _QUERY else "doc" if name in _DOC else None
            if role is not None and role not in self.given:
                found.setdefault(role, pairs[name])
        held = next((pairs[name] for name in self.holders if name in pairs and not pairs[name].is_scalar), None)
        return found if held is None else {**found, "held": held}

    def _is_entry(self, node: Node) -> bool:
        """Whether a mapping is a target or a row: it has a query of plain text, and documents or a document."""
        keys = self._keys(node, target=True)
        return "query" in keys and keys["query"].is_scalar and ("held" in keys or "doc" in keys)

    def _entry(self, node: Node) -> None:
        rows, keys = self.rows, self._keys(node, target=True)
        names = [key.value or "" for key, _ in node.pairs or []]
        if "query" not in keys or not keys["query"].is_scalar:
            rows.fault(f"no query key; the keys are {', '.join(map(repr, names))}", line=node.line)
            return
        query = rows.query(keys["query"].value, line=keys["query"].line)
        if query is None:
            return
        used = {id(value) for value in keys.values()}
        rows.unused.update(
            dict.fromkeys(
                f"key {key.value!r}"
                for key, value in node.pairs or []
                if id(value) not in used and not _is_failure((key, value))
            )
        )
        failed = rows.role is Role.RUN and "held" in keys and any(map(_is_failure, node.pairs or []))
        if self._is_second(query, node.line, "failed" if failed else "results" if "held" in keys else "row"):
            return
        if failed:
            rows.failed(query)
        elif "held" in keys:
            self.shapes["targets"] = None
            self._documents(query, keys["held"], bare=1)
        else:
            self.shapes["rows"] = None
            self._row(query, node, keys, None)

    def _is_second(self, query: str, line: int, kind: str) -> bool:
        """Whether a run says something else of this query already, which is a fault."""
        problem = self.answers.conflict(query, line, kind) if self.rows.role is Role.RUN else None
        if problem is not None:
            self.rows.fault(problem, line=line, query=query)
        return problem is not None

    def _documents(self, query: str, held: Node, bare: int | None = None) -> None:
        """Documents of a query: `{document: number}`, or a list; `bare` is the grade of one without any."""
        rows = self.rows
        for place, item in enumerate(held.items, 1):
            if item.is_mapping:
                self._row(query, item, self._keys(item, target=True), bare, place)
            elif item.is_scalar:
                grade = bare if rows.role is Role.JUDGMENTS else None
                self._said(grade)
                self._ordered(place)
                rows.row(query, item.value, grade, place, line=item.line)
            else:
                rows.fault("expected a document, found a list", line=item.line, query=query)
        for key, value in held.pairs or []:
            if not value.is_scalar or (value.is_empty and rows.role is not Role.POOL):
                rows.fault(f"expected a number, found {value.kind}", line=value.line, query=query, doc=key.value)
            else:
                rows.row(query, key.value, value.value, line=key.line)

    def _row(self, query: str, node: Node, keys: dict[str, Node], bare: int | None, place: int = 0) -> None:
        rows = self.rows
        doc = keys.get("doc")
        if doc is None or not doc.is_scalar:
            names = ", ".join(repr(key.value) for key, _ in node.pairs or [])
            rows.fault(f"no document key; the keys are {names}", line=node.line, query=query)
            return
        by_place = place > 0 and self.given.get("rank") in self.holders
        wanted = {Role.JUDGMENTS: ("grade",), Role.RUN: ("score", "rank"), Role.POOL: ()}[rows.role]
        asked = [role for role in wanted if role in self.given and not (by_place and role == "rank")]
        absent = next((role for role in asked if role not in keys), None)
        if absent is not None:
            rows.fault(f"no key {self.given[absent]!r} for the {absent}", line=node.line, query=query, doc=doc.value)
            return
        roles = ("grade", "score") if rows.role is Role.JUDGMENTS else () if only_rank(self.given) else ("score",)
        value = next((keys[role] for role in roles if role in keys), None)
        rank = keys.get("rank") if rows.role is Role.RUN and not by_place else None
        if rows.role is Role.RUN and value is None and rank is None:
            if not by_place and self._may_be_scored(node, query, doc, place):
                return
            self._ordered(place)
        number: object = None
        if value is not None and not value.is_empty:
            number = value.value
        elif value is None and rows.role is Role.JUDGMENTS:
            if bare is None:
                rows.fault("no grade key", line=node.line, query=query, doc=doc.value)
                return
            number = bare
            self._said(bare)
        if any(held is not None and not held.is_scalar for held in (value, rank)):
            rows.fault("expected a number, found a list or mapping", line=node.line, query=query, doc=doc.value)
            return
        at = rank.value if rank is not None and not rank.is_empty else place or None
        rows.row(query, doc.value, number, at if number is None or rank is not None else None, line=doc.line)

    def _ordered(self, place: int) -> None:
        if place and self.rows.role is Role.RUN:
            self.shapes["ranked by the order of the list"] = None

    def _may_be_scored(self, node: Node, query: str, doc: Node, place: int) -> bool:
        """Whether an entry without a known score or rank has other numbers, which is a fault."""
        pairs = {
            key.value or "": value.value for key, value in node.pairs or [] if value is not doc and value.is_scalar
        }
        found = [key for key in score_keys.candidates(pairs, ()) if role_of(key) is None and key not in _QUERY]
        if found:
            self.numeric.update(dict.fromkeys(found))
            self.rows.hint = score_keys.hint(self.numeric, self.holders[0] if place else None)
            problem = f"no known score or rank, but {' and '.join(map(repr, found))} with numbers"
            self.rows.fault(problem, line=node.line, query=query, doc=doc.value)
        return bool(found)

    def _said(self, bare: int | None) -> None:
        if bare is not None:
            self.said.add("relevant documents without a grade count 1")


def _is_failure(pair: tuple[Node, Node]) -> bool:
    """Whether a key of an entry says that the search failed: `failed: true`, or an `error` that is not empty."""
    key, value = pair
    text = (value.value or "").lower() if value.is_scalar else "stated"
    return (key.value == "failed" and text in ("true", "yes")) or (
        key.value == "error" and not value.is_empty and text not in ("false", "no", "0")
    )
