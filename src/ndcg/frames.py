"""Per-query rows and summaries as pandas, polars and Arrow tables: null where there is no value, ids as text.

Each library is imported in its own function, so that any of them works alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .aggregate import STATUSES
from .errors import InputError, choose, missing_extra

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .results import Result

TEXT = ("run", "measure", "query", "status")
REAL = ("value", "dcg", "ideal_dcg", "judged_at_k")
WHOLE = ("judged", "relevant", "returned", "tied_at_cutoff")
TABLES = ("per_query", "summary")
"""What a result is as a table: a row per run, measure and query, or per run, measure and slice."""


class Columns:
    """The columns of a result: lists of text, and arrays of numbers with a mask of those that are absent."""

    def __init__(self, result: Result) -> None:
        from .results import QueryRow
        from .summary_table import attribute_columns

        totals = result.totals
        weighted = any(entry.rows.weight is not None for entry in totals)
        fields = (*QueryRow._fields, *(("weight",) if weighted else ()))
        attributes = attribute_columns(result, set(fields))
        self.names = (*fields, *attributes)
        self.kinds = {
            **dict.fromkeys((*TEXT, *attributes), "text"),
            **dict.fromkeys((*REAL, "weight"), "real"),
            **dict.fromkeys(WHOLE, "whole"),
        }
        self.text: dict[str, list[Any]] = {**{name: [] for name in TEXT}, **attributes}
        numbers: dict[str, list[Any]] = {name: [] for name in (*REAL, "weight", *WHOLE)}
        absent: dict[str, list[Any]] = {name: [] for name in (*REAL, "weight")}
        for entry in totals:
            table = entry.rows
            size = len(table)
            self.text["run"] += [entry.run] * size
            self.text["measure"] += [entry.measure] * size
            self.text["query"] += table.queries
            self.text["status"] += [STATUSES[code] for code in table.status.tolist()]
            with_share = (table.ranks > 0) & (table.status != STATUSES.index("unjudged"))
            share = np.divide(table.judged_ranks, table.ranks, out=np.zeros(size), where=with_share)
            for name, values, there in (
                ("value", table.value, table.counted),
                ("dcg", table.dcg, table.computed),
                ("ideal_dcg", table.ideal, table.with_ideal),
                ("judged_at_k", share, with_share),
                ("weight", table.weight, np.ones(size, np.bool_)),
            ):
                numbers[name].append(np.zeros(size) if values is None else np.where(there, values, 0.0))
                absent[name].append(np.ones(size, np.bool_) if values is None else ~there)
            for name, counts in (
                ("judged", table.judged),
                ("relevant", table.relevant),
                ("returned", table.returned),
                ("tied_at_cutoff", table.tied),
            ):
                numbers[name].append(counts.astype(np.int64))
        self.numbers = {
            name: np.concatenate(parts) if parts else np.zeros(0, np.int64 if name in WHOLE else np.float64)
            for name, parts in numbers.items()
        }
        self.absent = {
            name: np.concatenate(parts) if parts else np.zeros(0, np.bool_) for name, parts in absent.items()
        }


def _table(name: str) -> str:
    if name not in TABLES:
        raise choose("table", name, TABLES)
    return name


def to_pandas(result: Result, table: str = "per_query") -> pandas.DataFrame:
    """A pandas DataFrame with nullable columns (`string`, `Float64`, `Int64`, `boolean`)."""
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "pandas", "to_pandas()") from None
    # Text is kept by Python itself: other storage cannot hold every id.
    text = pd.StringDtype("python")
    data: dict[str, Any] = {}
    if _table(table) == "summary":
        types = {"text": text, "real": "Float64", "whole": "Int64", "flag": "boolean"}
        for name, kind, cells in _summary(result):
            data[name] = pd.array(cells, dtype=types[kind])
        return pd.DataFrame(data)
    columns = Columns(result)
    for name in columns.names:
        if columns.kinds[name] == "text":
            data[name] = pd.array(columns.text[name], dtype=text)
        elif columns.kinds[name] == "real":
            data[name] = pd.arrays.FloatingArray(columns.numbers[name], columns.absent[name])
        else:
            values = columns.numbers[name]
            data[name] = pd.arrays.IntegerArray(values, np.zeros(len(values), np.bool_))
    return pd.DataFrame(data)


def to_polars(result: Result, table: str = "per_query") -> polars.DataFrame:
    """A polars DataFrame."""
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("polars", "polars", "to_polars()") from None
    series = []
    if _table(table) == "summary":
        types = {"text": pl.String, "real": pl.Float64, "whole": pl.Int64, "flag": pl.Boolean}
        return pl.DataFrame([pl.Series(name, cells, dtype=types[kind]) for name, kind, cells in _summary(result)])
    columns = Columns(result)
    for name in columns.names:
        if columns.kinds[name] == "text":
            with _utf8(name, columns.text[name]):
                series.append(pl.Series(name, columns.text[name], dtype=pl.String))
            continue
        made = pl.Series(name, columns.numbers[name])
        absent = np.flatnonzero(columns.absent[name]) if columns.kinds[name] == "real" else ()
        series.append(made.scatter(absent, None) if len(absent) else made)
    return pl.DataFrame(series)


def to_arrow(result: Result, table: str = "per_query") -> pyarrow.Table:
    """An Arrow table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise missing_extra("pyarrow", "arrow", "to_arrow()") from None
    if _table(table) == "summary":
        types = {"text": pa.string(), "real": pa.float64(), "whole": pa.int64(), "flag": pa.bool_()}
        return pa.table({name: pa.array(cells, type=types[kind]) for name, kind, cells in _summary(result)})
    columns = Columns(result)
    data: dict[str, Any] = {}
    for name in columns.names:
        if columns.kinds[name] == "text":
            with _utf8(name, columns.text[name]):
                data[name] = pa.array(columns.text[name], type=pa.string())
        else:
            data[name] = pa.array(columns.numbers[name], mask=columns.absent.get(name))
    return pa.table(data)


@contextmanager
def _utf8(column: str, texts: Iterable[object]) -> Iterator[None]:
    """Python's text may hold halves of surrogate pairs, which no library with UTF-8 columns can."""
    try:
        yield
    except UnicodeEncodeError:
        odd = next(text for text in texts if any(0xD800 <= ord(char) <= 0xDFFF for char in str(text)))
        raise InputError(
            f"{column} {odd!r} cannot be written as UTF-8", code="not_utf8", hint="to_pandas() and to_json() hold it"
        ) from None


def _summary(result: Result) -> list[tuple[str, str, list[Any]]]:
    """(name, kind, cells) of each column of the summaries."""
    from .summary_table import summary_table

    table = summary_table(result)
    return [(name, kind, [row[at] for row in table.rows]) for at, (name, kind) in enumerate(table.kinds.items())]
