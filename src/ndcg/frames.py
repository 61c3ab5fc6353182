"""Per-query rows as pandas, polars and Arrow tables: null where there is no value, ids as text.

Each library is imported in its own function, so that any of them works alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .aggregate import STATUSES
from .errors import missing_extra

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .results import Result

TEXT = ("run", "measure", "query", "status")
REAL = ("value", "dcg", "ideal_dcg", "judged_at_k")
WHOLE = ("judged", "relevant", "returned", "tied_at_cutoff")


class Columns:
    """The columns of a result: lists of text, and arrays of numbers with a mask of those that are absent."""

    def __init__(self, result: Result) -> None:
        from .results import QueryRow

        self.names = tuple(QueryRow._fields)
        self.text: dict[str, list[str]] = {name: [] for name in TEXT}
        numbers: dict[str, list[Any]] = {name: [] for name in (*REAL, *WHOLE)}
        absent: dict[str, list[Any]] = {name: [] for name in REAL}
        for entry in result.entries:
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
            name: np.concatenate(parts) if parts else np.zeros(0, np.float64 if name in REAL else np.int64)
            for name, parts in numbers.items()
        }
        self.absent = {
            name: np.concatenate(parts) if parts else np.zeros(0, np.bool_) for name, parts in absent.items()
        }


def to_pandas(result: Result) -> pandas.DataFrame:
    """A pandas DataFrame with nullable columns (`string`, `Float64`, `Int64`)."""
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "pandas", "to_pandas()") from None
    columns = Columns(result)
    # Text is kept by Python itself: other storage cannot hold every id.
    text = pd.StringDtype("python")
    data: dict[str, Any] = {}
    for name in columns.names:
        if name in TEXT:
            data[name] = pd.array(columns.text[name], dtype=text)
        elif name in REAL:
            data[name] = pd.arrays.FloatingArray(columns.numbers[name], columns.absent[name])
        else:
            values = columns.numbers[name]
            data[name] = pd.arrays.IntegerArray(values, np.zeros(len(values), np.bool_))
    return pd.DataFrame(data)


def to_polars(result: Result) -> polars.DataFrame:
    """A polars DataFrame."""
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("polars", "polars", "to_polars()") from None
    columns = Columns(result)
    series = []
    for name in columns.names:
        if name in TEXT:
            series.append(pl.Series(name, columns.text[name], dtype=pl.String))
            continue
        made = pl.Series(name, columns.numbers[name])
        absent = np.flatnonzero(columns.absent[name]) if name in REAL else ()
        series.append(made.scatter(absent, None) if len(absent) else made)
    return pl.DataFrame(series)


def to_arrow(result: Result) -> pyarrow.Table:
    """An Arrow table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise missing_extra("pyarrow", "arrow", "to_arrow()") from None
    columns = Columns(result)
    return pa.table(
        {
            name: pa.array(columns.text[name], type=pa.string())
            if name in TEXT
            else pa.array(columns.numbers[name], mask=columns.absent.get(name))
            for name in columns.names
        }
    )
