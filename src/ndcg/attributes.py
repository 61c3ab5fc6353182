"""What is said of queries and documents beside their grades: attributes to slice by, and numbers such as weights.

Taken from `FILE:COLUMN`, a mapping `{id: value}` or `{name: {id: value}}`, a pandas Series, or a table with an id
column. Values become text; no value (an empty field, None, NaN) stays no value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from .counted import counted_noun
from .engines.ids import text_id
from .errors import DataTypeError, Fault, InputError, UsageError, clip
from .readers.column_tables import WORDS, Columns, file_and_columns, header_of, read_columns, refuse_bytes
from .readers.inputs import table_kind

SHOWN = 10
MANY = 50
"""More different values than this, for most ids another one, are no attribute but a text or an id."""

NAMELESS = "group"
"""The name of an attribute that comes without one."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """The values of ids under one attribute.

    `kind` is 'query' or 'doc'. `values` has one value per id; ids with several have all of them, in the order met, and
    a fault each in `several`. Ids without a value are not in `values`.
    """

    name: str
    kind: str
    values: Mapping[str, tuple[str, ...]]
    where: str
    format: str = "mapping"
    layout: str = ""
    several: tuple[Fault, ...] = ()
    total_several: int = 0


class Listing(NamedTuple):
    """A column as (line, id, value) rows, before values are looked at."""

    name: str
    kind: str
    where: str
    format: str
    layout: str
    rows: Iterable[tuple[int | None, object, object]]


def listings(
    source: object, kind: str | None, given: Mapping[str, str], what: str, nameless: str = NAMELESS
) -> list[Listing]:
    """The columns that `source` holds, one for each attribute. `kind` 'query' or 'doc', or None to be told by a table.

    `given` names id columns by role; `what` is the argument, for messages.
    """
    if isinstance(source, str):
        if what == "weights=" and (weights := _of_headers(source)) is not None:
            return [weights]
        path, names = _path_and_columns(source, what)
        return _of_table(read_columns(path, names, role=kind, given=given, what=what))
    if table_kind(source) is not None:
        return _of_table(read_columns(source, None, role=kind, given=given, what=what))
    if _is_series(source):
        return [_of_series(source, kind, nameless, what)]
    if isinstance(source, Mapping):
        if not source:
            raise InputError(f"{what} is an empty mapping", code="empty", hint="give {query: value}")
        if any(isinstance(value, Mapping) or _is_series(value) for value in source.values()):
            return [_named(name, value, kind, what) for name, value in source.items()]
        rows = [(None, key, value) for key, value in source.items()]
        return [Listing(nameless, kind or "query", what, "mapping", "", rows)]
    hint = "give FILE:COLUMN, {query: value}, a pandas Series with queries as its index, or a table with a query column"
    if type(source).__module__.split(".")[0] == "polars":
        raise DataTypeError(f"{what}: a polars Series has no query ids", code="input_type", hint=hint)
    raise DataTypeError(f"{what} cannot be a {type(source).__name__}", code="input_type", hint=hint)


def _of_headers(path: str) -> Listing | None:
    """The weights in the headers of a feature file (`# qid:1: boiler valve*5`), where the path names one."""
    if not Path(path).is_file():
        return None
    from .readers.svmlight import header_weights

    weights = header_weights(path)
    rows = [(None, query, weight) for query, weight in (weights or {}).items()]
    return Listing("weight", "query", path, "svmlight", "headers", rows) if rows else None


def _path_and_columns(text: str, what: str) -> tuple[str, list[str] | None]:
    try:
        path, columns = file_and_columns(text, what)
    except UsageError:
        if Path(text).is_file():
            listed = ", ".join(map(repr, header_of(text)))
            raise UsageError(
                f"{what} {text!r} names no column", code="usage", hint=f"write {text}:COLUMN; there are {listed}"
            ) from None
        raise
    whole = text.rpartition(":")[2]
    return path, [whole] if len(columns) > 1 and Path(path).is_file() and whole in header_of(path) else columns


def _named(name: object, value: object, kind: str | None, what: str) -> Listing:
    if not isinstance(name, str):
        raise DataTypeError(f"{what}: the attribute name {name!r} is not text", code="input_type")
    if isinstance(value, Mapping):
        return Listing(name, kind or "query", what, "mapping", "", [(None, key, one) for key, one in value.items()])
    if _is_series(value):
        return _of_series(value, kind, name, what)._replace(name=name)
    raise DataTypeError(
        f"{what}: attribute {name!r} is a {type(value).__name__}, not {{query: value}}",
        code="input_type",
        hint="several attributes are {name: {query: value}}",
    )


def _is_series(source: object) -> bool:
    return any(base.__module__.split(".")[0] == "pandas" and base.__name__ == "Series" for base in type(source).__mro__)


def _of_series(series: Any, kind: str | None, nameless: str, what: str) -> Listing:
    if getattr(series.index, "nlevels", 1) > 1:
        raise DataTypeError(f"{what}: the Series has {series.index.nlevels} index levels, not one", code="input_type")
    name = nameless if series.name is None else str(series.name)
    rows = zip((None for _ in range(len(series))), series.index.tolist(), series.tolist(), strict=True)
    return Listing(name, kind or "query", what, "pandas Series", "index = ids", list(rows))


def _of_table(columns: Columns) -> list[Listing]:
    rows = list(columns.rows)
    if not rows:
        raise InputError(f"{columns.where} has no rows", code="empty")
    return [
        Listing(
            name,
            columns.role,
            columns.where,
            columns.format,
            f"{columns.layout}, {name}",
            [(line, identifier, values[at]) for line, identifier, values in rows],
        )
        for at, name in enumerate(columns.names)
    ]


def ids_of(listing: Listing) -> Iterator[tuple[int | None, str, object]]:
    """(line, id as text, value); InputError or DataTypeError for ids that are none."""
    word = WORDS[listing.kind]
    for line, raw, value in listing.rows:
        identifier = raw if type(raw) is str else text_id(raw, word, where=listing.where)
        if not identifier and line is not None:
            problem = f"the {word} id is empty"
            raise InputError(problem, code="id", faults=[Fault(problem, listing.where, line)])
        yield line, identifier, value


def attribute_of(listing: Listing) -> Attribute:
    """The attribute of a column: text values by id."""
    values: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int | None] = {}
    faults: list[Fault] = []
    several: set[str] = set()
    for line, identifier, value in ids_of(listing):
        for text in texts_of(value, listing.name, listing.where, identifier):
            known = values.get(identifier, ())
            if text in known:
                continue
            values[identifier] = (*known, text)
            if not known:
                lines[identifier] = line
            elif identifier not in several:
                several.add(identifier)
                if len(faults) < SHOWN:
                    faults.append(_several(listing, identifier, values[identifier], lines[identifier], line))
    if not values:
        raise InputError(
            f"{listing.where}: not one {WORDS[listing.kind]} has a value of {listing.name!r}", code="no_values"
        )
    different = {text for texts in values.values() for text in texts}
    if len(different) > MANY and len(different) * 2 > len(values):
        raise UsageError(
            f"{listing.where}: {listing.name!r} has {len(different):,} different values for {len(values):,} "
            f"{'queries' if listing.kind == 'query' else 'documents'}, too many to be slices",
            code="many_slices",
            hint="slice by an attribute with few values, such as a language or a kind",
        )
    return Attribute(
        listing.name, listing.kind, values, listing.where, listing.format, listing.layout, tuple(faults), len(several)
    )


def _several(listing: Listing, identifier: str, texts: Sequence[str], first: int | None, line: int | None) -> Fault:
    there = f" (line {first})" if first is not None and first != line else ""
    problem = f"two values of {listing.name!r}: {texts[0]!r}{there} and {texts[1]!r}"
    ids = {"query": identifier} if listing.kind == "query" else {"document": identifier}
    return Fault(problem, listing.where, line, **ids)


def texts_of(value: object, name: str, where: str, identifier: str) -> tuple[str, ...]:
    """A value as text: nothing for no value, several for a list.

    >>> texts_of("de", "language", "by=", "q1"), texts_of(2.0, "year", "by=", "q1"), texts_of(None, "x", "by=", "q1")
    (('de',), ('2',), ())
    """
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, list | tuple | set | frozenset):
        parts = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return tuple(dict.fromkeys(text for part in parts for text in texts_of(part, name, where, identifier)))
    if hasattr(value, "item") and type(value).__module__ == "numpy":
        value = value.item()
    if is_nothing(value):
        return ()
    refuse_bytes(value, f"value of {name!r}", where, identifier)
    if isinstance(value, bool):
        return ("true" if value else "false",)
    if isinstance(value, float):
        return (str(int(value)) if value.is_integer() else repr(value),)
    return (str(value),)


def is_nothing(value: object) -> bool:
    """Whether a value is none at all: None, NaN, NaT, pandas' NA or an empty text."""
    if value is None or (isinstance(value, str) and not value):
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType")


def attributes_of(given: object, kind: str | None, columns: Mapping[str, str], what: str) -> list[Attribute]:
    """All attributes of `by=`: one source or a list of them; text may cross attributes with `*`.

    `a.csv:x*y` crosses two columns of one file, `a.csv:x*b.csv:y` those of two, and `x*y` attributes that stand
    beside it under these names.
    """
    sources = list(given) if isinstance(given, list | tuple) else [given]
    if not sources:
        raise UsageError(f"{what} is an empty list", code="empty", hint="leave it out")
    made: list[Attribute] = []
    crossings: list[tuple[int, str]] = []
    for source in sources:
        if isinstance(source, str) and "*" in source:
            crossings.append((len(made), source))
        else:
            made += [attribute_of(listing) for listing in listings(source, kind, columns, what)]
    known = {attribute.name: attribute for attribute in made}
    for shift, (at, text) in enumerate(crossings):
        made.insert(at + shift, _crossing(text, known, kind, columns, what))
    _refuse_same_names(made, what)
    return made


def _crossing(
    text: str, known: Mapping[str, Attribute], kind: str | None, columns: Mapping[str, str], what: str
) -> Attribute:
    path, colon, rest = text.rpartition(":")
    parts: list[Attribute] = []
    if colon and Path(path).is_file() and rest in header_of(path):
        return attribute_of(listings(text, kind, columns, what)[0])
    if colon and Path(path).is_file():
        parts = [attribute_of(listings(f"{path}:{name}", kind, columns, what)[0]) for name in rest.split("*")]
    else:
        for part in text.split("*"):
            if ":" in part:
                parts += [attribute_of(listing) for listing in listings(part, kind, columns, what)]
            elif part in known:
                parts.append(known[part])
            else:
                hint = f"there are {', '.join(known)}" if known else "write FILE:COLUMN for each attribute"
                raise UsageError(f"{what} {text!r}: no attribute {part!r}", code="no_attribute", hint=hint)
    return cross(*parts, what=what)


NO_VALUE = "(no value)"
"""What stands for no value where another attribute has one."""


def cross(*attributes: Attribute, what: str = "by=") -> Attribute:
    """Attributes together: every combination of their values is a value, `de*rare`.

    A value that holds `*` itself, or is written like no value, bears backslashes, so that no two combinations are one.

    >>> one = Attribute("language", "query", {"q1": ("de",), "q2": ("en",)}, "by=")
    >>> other = Attribute("tier", "query", {"q1": ("rare",)}, "by=")
    >>> cross(one, other).values
    {'q1': ('de*rare',), 'q2': ('en*(no value)',)}
    """
    first = attributes[0]
    for other in attributes[1:]:
        if first.kind != other.kind:
            raise UsageError(
                f"{what} crosses {first.name!r}, which tells of {'queries' if first.kind == 'query' else 'documents'}, "
                f"with {other.name!r}, which does not",
                code="crossed_kinds",
                hint="cross attributes of queries with each other, and attributes of documents",
            )
    ids = dict.fromkeys(identifier for attribute in attributes for identifier in attribute.values)
    values = {
        identifier: tuple(
            "*".join(parts) for parts in product(*(_parts(attribute, identifier) for attribute in attributes))
        )
        for identifier in ids
    }
    return Attribute(
        "*".join(attribute.name for attribute in attributes),
        first.kind,
        values,
        " and ".join(dict.fromkeys(attribute.where for attribute in attributes)),
        " and ".join(dict.fromkeys(attribute.format for attribute in attributes)),
        "; ".join(dict.fromkeys(attribute.layout for attribute in attributes if attribute.layout)),
        tuple(fault for attribute in attributes for fault in attribute.several)[:SHOWN],
        sum(attribute.total_several for attribute in attributes),
    )


def _parts(attribute: Attribute, identifier: str) -> tuple[str, ...]:
    """The values of an id as parts of crossed values."""
    values = attribute.values.get(identifier)
    return (NO_VALUE,) if not values else tuple(map(_part, values))


def _part(value: str) -> str:
    """A value in which a `*` cannot be taken for the one between two values, nor the value for none.

    >>> _part("rare"), _part("a*b"), _part("(no value)")
    ('rare', 'a\\\\*b', '\\\\(no value)')
    """
    escaped = value.replace("\\", "\\\\").replace("*", "\\*")
    return f"\\{escaped}" if value == NO_VALUE else escaped


def _refuse_same_names(attributes: Sequence[Attribute], what: str) -> None:
    seen: set[str] = set()
    for attribute in attributes:
        if attribute.name in seen:
            raise UsageError(
                f"{what}: two attributes are called {clip(attribute.name)!r}",
                code="attribute_names",
                hint="rename a column, or give {name: {query: value}}",
            )
        seen.add(attribute.name)


@dataclass(frozen=True, slots=True)
class Labels:
    """One text for each query, such as its session: the clusters of a bootstrap."""

    name: str
    values: Mapping[str, str]
    where: str
    format: str = "mapping"
    layout: str = ""
    notes: tuple[str, ...] = field(default=())


def labels_of(given: object, columns: Mapping[str, str], what: str) -> Labels:
    """One label per query; InputError where a query has two."""
    found = listings(given, "query", columns, what, nameless="cluster")
    if len(found) != 1:
        raise UsageError(
            f"{what} holds {counted_noun(len(found), 'column')}: {', '.join(listing.name for listing in found)}",
            code="several_columns",
            hint="give one",
        )
    values: dict[str, str] = {}
    for line, query, value in ids_of(found[0]):
        for text in texts_of(value, found[0].name, found[0].where, query):
            if values.setdefault(query, text) != text:
                problem = f"the query is in two clusters of {found[0].name!r}: {values[query]!r} and {text!r}"
                raise InputError(
                    problem, code="two_clusters", faults=[Fault(problem, found[0].where, line, query=query)]
                )
    return Labels(found[0].name, values, found[0].where, found[0].format, found[0].layout)


def clusters_of(labels: Labels, queries: Sequence[str]) -> list[str]:
    """The cluster of each query; InputError for counted queries without one."""
    known = labels.values
    lacking = [query for query in queries if query not in known]
    if lacking:
        raise InputError(
            f"{labels.where}: {counted_noun(len(lacking), 'counted query is', 'counted queries are')} in no cluster "
            f"of {labels.name!r}",
            code="no_cluster",
            faults=[Fault("no cluster", labels.where, query=query) for query in lacking[:10]],
            total=len(lacking),
            hint="give every query a cluster, and one that stands alone a cluster of its own",
        )
    return [known[query] for query in queries]
