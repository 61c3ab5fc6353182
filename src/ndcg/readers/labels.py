"""Labels, grades: a label is what a judge wrote (`Exact`), a grade is the number that a declared table gives it.

What a grade is worth (its gain) is a convention of the measure. The three are never mixed, and no label is guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..errors import DataTypeError, UsageError, choose, clip
from . import numbers
from .sql import literal

PRESETS: dict[str, dict[str, float]] = {
    "esci": {"E": 3, "S": 2, "C": 1, "I": 0, "Exact": 3, "Substitute": 2, "Complement": 1, "Irrelevant": 0},
    "wands": {"Exact": 2, "Partial": 1, "Irrelevant": 0},
    "ntcir": {"L0": 0, "L1": 1, "L2": 2, "L3": 3, "L4": 4, "L5": 5},
    "yes_no": {"yes": 1, "no": 0},
    "true_false": {"true": 1, "false": 0},
}
"""Tables by name. `esci`: Amazon's shopping queries (exact, substitute, complement, irrelevant). `wands`: Wayfair's
product search. `ntcir`: relevance levels of NTCIR tasks."""

SHOWN = 10
_NO_LABEL = {"nan", "none", "null", "na", "inf", "infinity"}


class Labels(NamedTuple):
    """A declared table from labels to grades; `name` is that of its preset, '' where the caller gave the table.

    With `beside_numbers` a finite number that the table lacks is the grade that it says: some judges wrote labels,
    others grades. A table that maps numbers itself (as labels of a scale) is never read that way unless asked.
    """

    table: Mapping[str, float]
    name: str = ""
    beside_numbers: bool = False

    @property
    def words(self) -> str:
        """The table for people: 'labels E=3, S=2, C=1, I=0 (esci)'."""
        pairs = ", ".join(f"{label}={grade:g}" for label, grade in self.table.items())
        return f"labels {pairs}{f' ({self.name})' if self.name else ''}"

    def grade(self, value: object) -> float | None:
        """The grade of a label, None where the table has none; a number is looked up by its value ('4' is '4.0')."""
        text = written(value)
        if text in self.table:
            return self.table[text]
        if not numbers.is_number(text):
            return None
        number = float(text)
        for label, grade in self.table.items():
            if numbers.is_number(label) and float(label) == number:
                return grade
        return number if self.beside_numbers and math.isfinite(number) else None

    def is_plain(self, value: object) -> bool:
        """Whether a value is a number beside the labels: the grade that it says."""
        text = written(value)
        return self.beside_numbers and text not in self.table and re.fullmatch(numbers.DECIMAL, text) is not None

    def problem(self, value: object) -> str | None:
        """What is wrong with a label, or None."""
        if self.grade(value) is not None:
            return None
        also = " and no number" if self.beside_numbers else ""
        text = written(value)
        near = self._near(text)
        said = f": it is {near}" if near else ""
        return f"the label {clip(text, 40)!r} is not in the table ({', '.join(self.table)}){also}{said}"

    def _near(self, text: str) -> str | None:
        """The label of the table that the text is but for outer blanks and case, and what sets them apart."""
        bare = text.strip()
        for same in (str, str.casefold):
            label = next((label for label in self.table if same(label.strip()) == same(bare)), None)
            if label is not None and bare:
                apart = [] if label.strip() == bare else ["in another case"]
                if label == label.strip() and text != bare:
                    before, after = text[:1].isspace(), text[-1:].isspace()
                    where = "around" if before and after else "before" if before else "after"
                    apart.append(f"with a blank {where} it")
                return f"{label!r} {' and '.join(apart) or 'with other blanks around it'}"
        return None

    def sql(self, column: str) -> str:
        """The SQL expression of a text column as its grades: DOUBLE, NULL for a label that the table lacks."""
        cases = []
        for label, grade in self.table.items():
            cases.append(f"WHEN {column} = {literal(label)} THEN {grade!r}::DOUBLE")
        for label, grade in self.table.items():
            if numbers.is_number(label):
                asked = f"regexp_full_match({column}, '{numbers.NUMBER}') AND {numbers.sql_number(column)}"
                cases.append(f"WHEN {asked} = {float(label)!r} THEN {grade!r}::DOUBLE")
        if self.beside_numbers:
            number = numbers.sql_number(column)
            asked = f"regexp_full_match({column}, '{numbers.DECIMAL}') AND isfinite({number})"
            cases.append(f"WHEN {asked} THEN {number}")
        return f"(CASE {' '.join(cases)} ELSE NULL END)"

    def sql_is_plain(self, column: str) -> str:
        """The SQL condition that a text column is a number beside the labels; none of them may be a number."""
        return f"regexp_full_match({column}, '{numbers.DECIMAL}')"


def written(value: object) -> str:
    """A label as text: numbers in decimal, true and false as JSON writes them."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_labels(given: object) -> Labels | None:
    """The table that the caller declares: a preset's name, `{label: grade}`, or None.

    Raises UsageError for an unknown preset or an empty table, DataTypeError for grades that are no finite numbers.

    >>> as_labels({"good": 2, "bad": 0}).grade("good")
    2.0
    """
    if given is None or isinstance(given, Labels):
        return given
    if isinstance(given, str):
        if given not in PRESETS:
            raise choose("labels=", given, tuple(PRESETS))
        return Labels({label: float(grade) for label, grade in PRESETS[given].items()}, given, beside_numbers=True)
    if not isinstance(given, Mapping):
        raise DataTypeError(
            f"labels= is a table {{label: grade}} or the name of one ({', '.join(PRESETS)}), found {given!r}",
            code="labels",
        )
    if not given:
        raise UsageError("labels= is an empty table", code="labels", hint="labels={'yes': 1, 'no': 0}")
    table: dict[str, float] = {}
    for label, grade in given.items():
        if not isinstance(label, str | int | float):
            raise DataTypeError(f"labels=: the label {label!r} is neither text nor a number", code="labels")
        if isinstance(grade, bool) or not isinstance(grade, int | float) or not math.isfinite(grade):
            raise DataTypeError(f"labels=: the grade of {label!r} is {grade!r}, not a finite number", code="labels")
        if written(label) in table:
            raise UsageError(f"labels=: the label {written(label)!r} is there twice", code="labels")
        table[written(label)] = float(grade)
    return Labels(table, beside_numbers=not any(map(numbers.is_number, table)))


def plain_words(count: int) -> str:
    """How many grades are numbers beside labels, for people."""
    return f"{count} grade{'s are plain numbers' if count > 1 else ' is a plain number'} beside the labels"


def plain_among(rows: Mapping[Any, Any], labels: Labels | None) -> int:
    """How many grades of `{query: {document: grade}}` are numbers beside labels."""
    if labels is None:
        return 0
    held = (inner for inner in rows.values() if isinstance(inner, Mapping))
    return sum(labels.is_plain(value) for inner in held for value in inner.values())


def beside_numbers(given: object) -> Labels | None:
    """The declared table for cells of which some hold labels and others grades: those that are numbers stay numbers.

    >>> beside_numbers({"yes": 1}).grade("2.5")
    2.5
    """
    table = as_labels(given)
    return None if table is None else table._replace(beside_numbers=True)


def is_label(text: str) -> bool:
    """Whether a text in the place of a grade looks like a label: it starts with a letter and stands for no number."""
    return bool(re.match(r"[^\W\d_]", text)) and text.lower() not in _NO_LABEL


class Found(list[str]):
    """Texts in the place of grades that are no numbers; `among_numbers`: more of their column are numbers."""

    among_numbers = False


def labels_among(texts: Iterable[str], limit: int) -> Found:
    """The first distinct texts that are no numbers, and whether more texts are numbers.

    >>> labels_among(["Exact", "1", "Partial"], 5), labels_among(["1", "x", "0"], 5).among_numbers
    (['Exact', 'Partial'], True)
    """
    found: dict[str, None] = {}
    balance = 0
    for text in texts:
        if numbers.is_number(text):
            balance += 1
        else:
            balance -= 1
            if len(found) < limit:
                found[text] = None
    made = Found(found)
    made.among_numbers = balance > 0
    return made


def found_hint(found: Iterable[str], *, numbers: int = 0, others: int | None = None) -> str | None:
    """The way on where grades are text: the labels that were found and the option that maps them; None without any.

    `numbers` counts the grades that are numbers and `others` those that are not (at least those found): where most are
    numbers the others may be mistakes, and no labels.
    """
    among_numbers = isinstance(found, Found) and found.among_numbers
    found = list(found)
    among_numbers = among_numbers or numbers > (len(found) if others is None else others)
    labels = list(dict.fromkeys(text for text in found if is_label(text)))
    if not labels:
        return None
    shown = ", ".join(clip(label, 30) for label in labels[:SHOWN])
    more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
    fits = [name for name, table in PRESETS.items() if set(labels) <= set(table)]
    if among_numbers and not fits and any(len(label) < 2 for label in labels):
        return None  # a slip of the keyboard
    preset = " or ".join(f"labels={name!r}" for name in fits)
    example = "{" + ", ".join(f"{label!r}: ..." for label in labels[:3]) + "}"
    start = (
        f"correct the lines or, if they are labels ({shown}{more}),"
        if among_numbers
        else f"the grades are labels ({shown}{more}):"
    )
    return (
        f"{start} say which grade each one is with {preset + ' or ' if preset else ''}"
        f"labels={example} (--labels {fits[0] if fits else ','.join(f'{label}=...' for label in labels[:2])})"
        + ("; the numbers stay grades" if among_numbers else "")
    )
