"""`Reading`: how the inputs of a call are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .errors import DataTypeError, choose
from .readers.declared import Declared

INPUTS = ("qrels", "run", "candidates", "by", "weights", "cluster")
COLUMN_ROLES = ("query", "doc", "grade", "score", "rank", "judge")


@dataclass(frozen=True)
class Reading:
    """How inputs are to be read: formats, columns and comment lines, for judgments and runs apart.

    `labels` turns the labels of judgments into grades. `features` is the feature file whose rows predictions belong
    to, `groups` the group file of a feature file. `collapse` says how the documents of a run of chunks are found.
    `query_ids` turns the wording of judged queries into their ids. `tables` says that tables of attributes, weights or
    clusters are read by the same column names.
    """

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, object] | None = None
    comments: bool | None = None
    labels: object = None
    features: object = None
    groups: object = None
    collapse: object = None
    query_ids: object = None
    tables: bool = False

    def __post_init__(self) -> None:
        """Refuse column names for roles and inputs that do not exist."""
        if self.columns is None:
            return
        if not isinstance(self.columns, Mapping):
            raise DataTypeError(
                f"columns= maps roles to column names, found {self.columns!r}",
                code="columns",
                hint="columns={'query': 'qid', 'doc': 'url'}",
            )
        nested = any(isinstance(value, Mapping) for value in self.columns.values())
        for name in self.columns:
            if nested and name not in INPUTS:
                raise choose("columns= for the input", name, INPUTS)
            if not nested and name not in COLUMN_ROLES:
                raise choose("column role", name, COLUMN_ROLES)

    def columns_for(self, role: str) -> Mapping[str, str] | None:
        """The column names for one input: `columns` itself, or its part for that input."""
        if self.columns is None:
            return None
        if any(isinstance(value, Mapping) for value in self.columns.values()):
            part = self.columns.get(role)
            if isinstance(part, Declared):
                return part
            return {str(key): str(value) for key, value in part.items()} if isinstance(part, Mapping) else None
        roles = {"qrels": ("query", "doc", "grade", "judge"), "run": ("query", "doc", "score", "rank")}.get(
            role, ("query", "doc")
        )
        named = {key: str(value) for key, value in self.columns.items() if key in roles}
        return Declared(named, ("query", "doc")) if named else None
