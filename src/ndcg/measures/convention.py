"""What one convention is, and how a value that somebody wrote becomes its canonical form."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Real
from typing import Literal

from ..errors import UsageError, choose, shown

GainTable = tuple[tuple[float, float], ...]
Value = str | int | float | None | GainTable

Stage = Literal["ranking", "gain", "ideal", "query"]


@dataclass(frozen=True, slots=True)
class Convention:
    """One declared choice.

    `choices` maps each value to one sentence, the default first. `aliases` are other tools' names for a value.
    `parametric` values take a number in parentheses, `places` among them a number of decimals. `habits` are values
    that only reproduce another tool: never a default. `stage` says which step of the work it touches: the ranking
    of one query, the gain of a document, the ideal, or what happens to a query.
    """

    name: str
    stage: Stage
    sentence: str
    choices: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    parametric: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    habits: frozenset[str] = frozenset()
    number: bool = False
    table: bool = False

    @property
    def default(self) -> Value:
        """The value that holds where nothing is said."""
        first = next(iter(self.choices))
        if first == "absent":
            return None
        return int(first) if first.isdigit() else first

    def resolve(self, value: object) -> Value:
        """The canonical form of a value, or an error that lists the choices and suggests the nearest."""
        if self.name == "edition":
            return _edition(value)
        if self.number:
            return None if value is None or value in ("none", "None") else finite_number(self.name, value)
        if self.table and isinstance(value, Mapping | tuple):
            return gain_table(value)
        if isinstance(value, str):
            if value in self.choices and value not in self.parametric | self.places:
                return value
            if value in self.aliases:
                return self.aliases[value]
            call = _CALL.fullmatch(value)
            if call and call["name"] in self.parametric:
                return _parameter(self.name, call["name"], call["argument"])
            if call and call["name"] in self.places:
                return _places(self.name, call["name"], call["argument"])
        raise self._unknown(value)

    def _unknown(self, value: object) -> UsageError:
        """The error for a value that is none: the main values first, then their other names and habits of tools."""
        written = {
            choice: f"{choice}(b)" if choice in self.parametric else f"{choice}(2)" if choice in self.places else choice
            for choice in self.choices
        }
        main = [shown for choice, shown in written.items() if choice not in self.habits]
        main += ["a table {grade: gain}"] if self.table else []
        others = [
            f"{what}: {', '.join(names)}"
            for what, names in (
                ("other names", list(self.aliases)),
                ("habits of other tools", [shown for choice, shown in written.items() if choice in self.habits]),
            )
            if names
        ]
        found = choose(self.name, value, [*written.values(), *self.aliases])
        return UsageError(
            f"{self.name} {value!r} is not known; choose from {', '.join(main)}"
            + (f" ({'; '.join(others)})" if others else ""),
            code=found.code,
            hint=found.hint,
        )


_CALL = re.compile(r"(?P<name>[a-z_]+)\((?P<argument>[^()]*)\)")


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf(?:inity)?|nan", re.ASCII | re.IGNORECASE)


def finite_number(name: str, value: object) -> float:
    """A finite number, of any real type or as text in decimal or exponent form; anything else is a UsageError."""
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value.strip()):
            raise UsageError(f"{name}={shown(value)} is not a number", code="not_a_number")
        value = float(value)
    number = math.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise UsageError(f"{name}={shown(value)} is not a finite number", code="not_a_number")
    return number


def _edition(value: object) -> int:
    number = 1 if value == "1" else value
    if number != 1 or isinstance(number, bool):
        raise choose("edition", value, ["1"])
    return 1


def _parameter(convention: str, name: str, argument: str) -> str:
    """`jarvelin(2)` in canonical form; the base must be a finite number above 1."""
    base = finite_number(f"{convention}={name}", argument.strip())
    if base <= 1:
        raise UsageError(
            f"{convention}={name}({argument.strip()}) needs a base above 1",
            code="not_a_number",
            hint=f"{name}(2)",
        )
    return f"{name}({number_text(base)})"


def _places(convention: str, name: str, argument: str) -> str:
    """`floor(2)` in canonical form; the number of decimals is a whole number from 0 to 15."""
    places = finite_number(f"{convention}={name}", argument.strip())
    if places != int(places) or not 0 <= places <= 15:
        raise UsageError(
            f"{convention}={name}({argument.strip()}) needs a number of decimals from 0 to 15",
            code="not_a_number",
            hint=f"{name}(2)",
        )
    return f"{name}({int(places)})"


def number_text(value: float) -> str:
    """A number as people write it: whole numbers without a decimal point, others in shortest exact form."""
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)


def gain_table(value: object) -> GainTable:
    """A gain table in canonical form: (grade, gain) pairs by ascending grade, all finite, no grade twice."""
    pairs: Iterable[tuple[object, object]]
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        pairs = value
    else:
        raise UsageError(f"gain table {value!r} is not of the form {{grade: gain}}", code="gain_table")
    table = sorted(
        (finite_number("gain table: grade", grade), finite_number("gain table: gain", gain)) for grade, gain in pairs
    )
    if not table:
        raise UsageError("an empty gain table gives no document a gain", code="gain_table", hint="{1: 1, 2: 3}")
    if len({grade for grade, _ in table}) < len(table):
        raise UsageError(f"gain table {value!r} names one grade twice", code="gain_table")
    return tuple(table)


def split_parameter(value: str) -> tuple[str, float | None]:
    """`jarvelin(2)` as ('jarvelin', 2.0); `log2` as ('log2', None)."""
    call = _CALL.fullmatch(value)
    return (call["name"], float(call["argument"])) if call else (value, None)
