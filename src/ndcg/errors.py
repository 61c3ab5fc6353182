"""Errors as data: what is wrong, where it stands, what was expected and how to go on. Rendered once, here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHOWN = 10
"""How many faults of one input are shown; the rest are counted."""


COPIES: dict[str, str] = {}
"""Path of a temporary copy -> what it is a copy of (standard input, a pipe): messages speak of that."""

_ONE = re.compile(r"1 bad (line|row)")


def of_originals(text: str) -> str:
    """The text with the names of originals in place of those of their temporary copies."""
    for path, name in COPIES.items():
        text = text.replace(path, name)
    return text


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong at one place of an input.

    `where` is a file (or 'run', 'judgments' for data in memory), `line` counts from 1, `text` is the offending text.
    """

    problem: str
    where: str | None = None
    line: int | None = None
    query: str | None = None
    document: str | None = None
    text: str | None = None

    def __str__(self) -> str:
        place = [part for part in (self.where, f"line {self.line}" if self.line else None) if part]
        ids = [
            f"{word} {identifier!r}"
            for word, identifier in (("query", self.query), ("document", self.document))
            if identifier is not None
        ]
        head = of_originals(", ".join(place + ids))
        shown = f" [{clip(self.text)}]" if self.text is not None else ""
        return f"{head}: {self.problem}{shown}" if head else f"{self.problem}{shown}"


class NdcgError(Exception):
    """Root of every error the package raises on purpose.

    `code` is a stable word for programs; `faults` the places; `total` how many there are; `hint` the way on.
    """

    def __init__(
        self,
        problem: str,
        *,
        code: str = "error",
        faults: Iterable[Fault] = (),
        total: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.code = code
        self.faults = tuple(faults)
        self.total = len(self.faults) if total is None else total
        self.hint = hint
        super().__init__(problem)

    def __str__(self) -> str:
        if len(self.faults) == 1 and self.total == 1:
            text = f"{self.faults[0]}"
            # The file stands before the fault already, and that there is one bad row shows.
            more = self.problem.removeprefix(f"{self.faults[0].where}: ")
            if more and more not in text and not _ONE.fullmatch(more):
                text = f"{text}: {more}"
        else:
            lines = [self.problem]
            lines += [f"  {fault}" for fault in self.faults[:SHOWN]]
            if self.total > len(self.faults[:SHOWN]):
                lines.append(f"  ... {self.total} in all")
            text = "\n".join(lines) if len(lines) > 1 else self.problem
        if self.hint:
            text = f"{text}{' ' if text.endswith('.') else '; '}{self.hint}"
        return of_originals(text)


class InputError(NdcgError, ValueError):
    """Data that no convention can repair: a malformed line, a NaN score, two grades for one document."""


class UsageError(NdcgError, ValueError):
    """A wrong option, measure or combination of arguments."""


class DataTypeError(NdcgError, TypeError):
    """Data of a type that is never taken: a bool, bytes or None id, a text score."""


class ArgumentError(NdcgError, TypeError):
    """An argument that a function does not know."""


class MissingExtraError(NdcgError, ImportError):
    """An optional library that is not installed; the message holds the install command."""


def clip(text: str, width: int = 120) -> str:
    """The text, shortened to `width` characters, with control characters made visible."""
    shown = text if len(text) <= width else text[: width - 3] + "..."
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in shown)


def shown(value: object, width: int = 40) -> str:
    """A value as it stands in a message, shortened; Python refuses to write whole numbers of thousands of digits."""
    try:
        return clip(repr(value), width)
    except ValueError:
        return f"a {type(value).__name__} too long to be written"


def choose(kind: str, value: object, choices: Sequence[str]) -> UsageError:
    """The error for a value that is not one of `choices`: lists them and suggests the nearest."""
    from difflib import get_close_matches

    folded = {choice.casefold(): choice for choice in reversed(choices)}
    near = get_close_matches(str(value).casefold(), list(folded), n=1, cutoff=0.5)
    hint = f"did you mean {folded[near[0]]!r}?" if near else None
    return UsageError(
        f"{kind} {value!r} is not known; choose from {', '.join(choices)}", code="unknown_choice", hint=hint
    )


def whole_number(name: str, value: object, least: int) -> int:
    """The value of an option, such as `worst=`; UsageError unless it is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is a whole number of at least {least}, found {value!r}", code=name.removesuffix("="))
    return value


def unreadable(error: OSError, path: object = None) -> InputError:
    """The one sentence for a file that cannot be read: that it is not there, or what else is the matter.

    >>> str(unreadable(FileNotFoundError(2, "No such file or directory"), "bm25.run"))
    'no such file: bm25.run'
    """
    name = clip(str(path if path is not None else error.filename), 200)
    if isinstance(error, FileNotFoundError):
        return InputError(f"no such file: {name}", code="missing_file")
    return InputError(f"cannot read {name}: {error.strerror or error}", code="missing_file")


def missing_extra(library: str, extra: str, purpose: str) -> MissingExtraError:
    """The one sentence for an optional library that is not there."""
    return MissingExtraError(
        f'{purpose} needs {library}; install it with: pip install "ndcg[{extra}]"', code="missing_extra"
    )
