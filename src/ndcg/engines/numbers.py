"""Numbers in memory: any real type is taken, text, bytes, bool and None are refused by name."""

from __future__ import annotations

from typing import Any, SupportsFloat, TypeGuard

from ..errors import DataTypeError, Fault, InputError, shown

LABELS = ", or say which grade each label is with labels={'good': 2, ...}"


def is_real(value: object) -> TypeGuard[SupportsFloat]:
    """Whether a value is of a type that counts as one number: no bool (NumPy's neither), text or bytes."""
    return (
        not isinstance(value, bool | str | bytes)
        and type(value).__name__ not in ("bool", "bool_")
        and hasattr(value, "__float__")
    )


def _labels(value: object, what: str) -> str:
    """The way on where a grade is a label; true and false have a table of their own."""
    if what != "grade" or not isinstance(value, str | bool):
        return ""
    return f"{LABELS} or labels='true_false'" if isinstance(value, bool) else LABELS


def real(value: Any, what: str, *, where: str, query: str, document: str) -> float:
    """The value as a float; raises DataTypeError for a wrong type, InputError for what is no float of finite size."""
    if not is_real(value):
        problem = f"{what} {value!r} is a {type(value).__name__}, not a number"
        raise DataTypeError(
            problem,
            code=f"{what}_type",
            faults=[Fault(problem, where, None, query, document)],
            hint="turn it into a number" + _labels(value, what),
        )
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        problem = f"{what} {shown(value)} is not a number in the range of a float"
        raise InputError(problem, code=what, faults=[Fault(problem, where, None, query, document)]) from None
