"""An argument parser whose errors are UsageErrors in one sentence, with the nearest option."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from ..errors import UsageError


class Once(argparse._StoreAction):
    """A value that is given once: what was declared first is never dropped without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store the value, or raise where the option has one already."""
        assert isinstance(parser, Parser)
        if option_string is not None:
            if self.dest in parser.given:
                raise UsageError(
                    f"{parser.prog}: {option_string} is given twice: {parser.given[self.dest]!r} and {values!r}",
                    code="usage",
                    hint="leave one out",
                )
            parser.given[self.dest] = values
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Options and positional arguments may stand in any order; options are never abbreviated, nor given twice."""

    def __init__(self, prog: str, description: str, examples: Sequence[str], usage: str) -> None:
        epilog = "examples:\n" + "\n".join(f"  {example}" for example in examples)
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=96),
        )
        self.given: dict[str, object] = {}
        self.register("action", None, Once)
        self.add_argument("--debug", action="store_true", help="show the traceback of an error")

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage and leaving."""
        raise UsageError(f"{self.prog}: {message}", code="usage", hint=f"see {self.prog} --help")

    def arguments(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse; an option that is not known is an error that suggests the nearest."""
        self.given.clear()
        parsed, left = self.parse_known_intermixed_args(list(argv))
        if left:
            raise self.unknown(left[0])
        return parsed

    def unknown(self, argument: str) -> UsageError:
        """The error for an argument that this command does not take."""
        if not argument.startswith("-") or argument == "-":
            return UsageError(
                f"{self.prog}: one argument too many: {argument!r}",
                code="usage",
                hint=f"see {self.prog} --help",
            )
        option = argument.split("=", 1)[0]
        from difflib import get_close_matches

        near = get_close_matches(option, list(self._option_string_actions), n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}?" if near else f"see {self.prog} --help"
        return UsageError(f"{self.prog}: unknown option {option}", code="unknown_option", hint=hint)


def number(text: str) -> float:
    """A finite decimal number, for argparse."""
    from ..readers.numbers import is_number

    if not is_number(text) or not abs(float(text)) < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return float(text)


def whole(option: str, text: str, least: int) -> int:
    """The whole number that an option was given, at least `least`."""
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise UsageError(f"{option} {text!r} is not a whole number of at least {least}", code="usage")
    return int(text)
