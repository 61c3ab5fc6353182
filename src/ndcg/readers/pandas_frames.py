"""pandas DataFrames: text columns are checked whole, never by a sample."""

from __future__ import annotations

from typing import Any

from ..errors import DataTypeError, Fault, InputError
from . import temporary
from .columns import Chosen, choose_columns, refuse_several_runs, run_column
from .context import Context, Piece
from .labels import found_hint, written
from .numbers import is_number
from .source import Role
from .tabular import piece


def read(frame: Any, context: Context, where: str) -> Piece:
    """The frame as a table to scan; only its columns in use are touched, the frame itself is left alone."""
    import pandas

    if not len(frame):
        raise InputError(f"{where} has no rows", code="empty")
    names = [str(name) for name in frame.columns]
    chosen = _chosen(frame, names, context, where)
    runs = run_column(names, chosen) if context.role is Role.RUN else None
    if runs is not None:
        refuse_several_runs(where, runs, list(dict.fromkeys(map(str, frame.iloc[:, names.index(runs)].tolist())))[:4])
    columns: dict[str, Any] = {}
    types: dict[str, str] = {}
    for name, word in ((chosen.query, "query"), (chosen.doc, "document")):
        columns[name], types[name] = _ids(frame.iloc[:, names.index(name)], word, where)
    graded = context.role is Role.JUDGMENTS
    for given, word in ((chosen.number, "grade" if graded else "score"), (chosen.rank, "rank")):
        if given is None:
            continue
        series = frame.iloc[:, names.index(given)]
        if graded and context.labels is not None:
            columns[given], types[given] = _labels(series), "VARCHAR"
        else:
            columns[given], types[given] = _numbers(series, word, where), "DOUBLE"
    if chosen.judge is not None:
        judges = frame.iloc[:, names.index(chosen.judge)].tolist()
        columns[chosen.judge], types[chosen.judge] = _text([_named(judge) for judge in judges]), "VARCHAR"
    label = temporary.label("pandas")
    table = pandas.DataFrame(columns)
    return piece(label, types, context, format="pandas", where=where, tables={label: table})


def _chosen(frame: Any, names: list[str], context: Context, where: str) -> Chosen:
    """The columns in use; where one is missing and the index has names, the way on is to make columns of it."""
    try:
        return choose_columns(names, context.role, context.columns, where)
    except InputError as error:
        index = [repr(name) for name in frame.index.names if name is not None]
        if error.code != "missing_column" or not index:
            raise
        hint = f"the index holds {' and '.join(index)}: frame.reset_index() makes columns of it"
        raise InputError(error.problem, code=error.code, hint=hint) from None


def _ids(series: Any, word: str, where: str) -> tuple[Any, str]:
    """The ids as a column that DuckDB takes without a sample: all text, or all integers."""
    import numpy
    import pandas

    if isinstance(series.dtype, pandas.CategoricalDtype):
        series = series.astype(series.cat.categories.dtype)
    if series.dtype.kind in "iu" and isinstance(series.dtype, numpy.dtype):
        return series.to_numpy(), "BIGINT" if series.dtype.kind == "i" else "UBIGINT"
    values = series.tolist()
    kinds = set(map(type, values))
    if kinds <= {str}:
        return _text(values), "VARCHAR"
    if all(issubclass(kind, int | numpy.integer | str) and kind is not bool for kind in kinds):
        return _text([str(value) if isinstance(value, str) else str(int(value)) for value in values]), "VARCHAR"
    at, bad = next(
        (at, value)
        for at, value in enumerate(values)
        if isinstance(value, bool) or not isinstance(value, int | numpy.integer | str)
    )
    fault = Fault(f"row {at + 1}: the {word} id {bad!r} is of type {type(bad).__name__}", where)
    raise DataTypeError(
        fault.problem,
        code="id_type",
        faults=[fault],
        hint="ids are text (integers are taken as their decimal text)",
    )


def _labels(series: Any) -> Any:
    """Labels as text; what is missing stays missing."""
    import pandas

    values = [None if pandas.isna(value) else written(value) for value in series.tolist()]
    return _text(values)


def _named(judge: object) -> str:
    import pandas

    return "" if pandas.isna(judge) else written(judge)


def _text(values: list[Any]) -> Any:
    import numpy

    made = numpy.empty(len(values), dtype=object)
    made[:] = values
    return made


def _numbers(series: Any, word: str, where: str) -> Any:
    """The numbers as float64; text, bool and other objects are a DataTypeError, missing values stay NaN."""
    import numpy

    kind = series.dtype.kind if isinstance(series.dtype, numpy.dtype) else getattr(series.dtype, "kind", "O")
    if kind in "iuf":
        return series.to_numpy(dtype=numpy.float64, na_value=numpy.nan)
    if kind == "O":
        values = series.tolist()
        bad = next(
            (
                (at, value)
                for at, value in enumerate(values)
                if isinstance(value, bool | numpy.bool_ | str | bytes)
                or (value is not None and not isinstance(value, int | float | numpy.number) and not _decimal(value))
            ),
            None,
        )
        if bad is None:
            return numpy.array([numpy.nan if value is None else float(value) for value in values])
        fault = Fault(f"row {bad[0] + 1}: {word} {bad[1]!r} is of type {type(bad[1]).__name__}", where)
        hint = _hint(values, word) or "turn it into numbers"
        raise DataTypeError(fault.problem, code="number_type", faults=[fault], hint=hint)
    raise DataTypeError(
        f"{where}: the {word} column is of type {series.dtype}, not numbers",
        code="number_type",
        hint=_hint(series.tolist(), word),
    )


def _hint(values: list[Any], word: str) -> str | None:
    """The way on where the values of a grade column are labels."""
    if word != "grade":
        return None
    texts = [text for value in values if not is_number(text := written(value))]
    return found_hint(texts, numbers=len(values) - len(texts))


def _decimal(value: object) -> bool:
    from decimal import Decimal

    return isinstance(value, Decimal)
