"""Messages of the library in the words of the command line: keywords become the options of the command that ran.

The library speaks of its keywords (`merge='max'`, `columns={'doc': ...}`); whoever typed a command knows its options
(`--merge max`, `--columns doc=NAME`). The table is that of the command's own parser, so that no option is named that it
does not take. Measures (`nDCG(gain='linear')@10`) are written alike on both sides and stay.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from ..errors import Fault, NdcgError

ELSEWHERE = {
    "tests": "--test",
    "clusters": "--cluster",
    "differences": "--difference",
    "measure": "--measure",
    "measures": "--measure",
}
"""Keywords whose option has another name, where the command has that option."""

WHOLE = {"pairs='all'": "--all-pairs"}
"""Keywords with a value that are an option without one."""

VALUE = (
    r"'[^']*'|\"[^\"]*\"|\{'[a-z]+': \{[^{}]*\}\}|\{[^{}]*\}|\[[^\[\]]*\]|"
    r"\.\.\.|True|False|None|-?[0-9][0-9.]*|[A-Za-z0-9][\w.]*|"
)
KEYWORD = re.compile(rf"(?<![\w'\"`\-.?&=/])([a-z][a-z_]*)=({VALUE})((?: or '[^']*'|, '[^']*'(?=[^()]* or '))*)")
MEASURE = re.compile(r"[A-Za-z]\w*\((?:[^()]|\([^()]*\))*\)")


class Words:
    """The options and arguments of one command by the keywords of the library."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options

    def said(self, text: str) -> str:
        """The text with every keyword that the command takes as the option that it is."""
        if "=" not in text:
            return text
        for keyword, option in WHOLE.items():
            if option.split()[0] in self.options.values():
                text = text.replace(keyword, option)
        pieces, end = [], 0
        for measure in MEASURE.finditer(text):
            if "=" in measure.group():
                pieces += [self._plain(text[end : measure.start()]), measure.group()]
                end = measure.end()
        return _once("".join([*pieces, self._plain(text[end:])]))

    def _plain(self, text: str) -> str:
        return KEYWORD.sub(self._option, text)

    def _option(self, found: re.Match[str]) -> str:
        keyword, value, more = found.group(1), found.group(2), found.group(3)
        if keyword == "format" and "run_format" in self.options:
            return self._format(value, found.string[found.end() :]) + _unquoted(more)
        if keyword == "interval" and value.startswith("{"):
            given = _evaluated(value)
            if isinstance(given, dict):
                return " ".join(f"--{'interval' if key == 'method' else key} {each}" for key, each in given.items())
        option = self.options.get(ELSEWHERE.get(keyword, "").removeprefix("--")) or self.options.get(keyword)
        if option is None:
            return found.group()
        if not option.startswith("-"):
            return found.group() if value else option
        if value in ("True", "False"):
            return option if value == "True" else f"--no-{option.removeprefix('--')}"
        return f"{option} {_written(keyword, value)}".rstrip() + _unquoted(more)

    def _format(self, value: str, after: str) -> str:
        """The format of an input: that of the judgments or that of the runs."""
        if value in ("", "..."):
            return "--qrels-format or --run-format"
        judgments = re.match(r" (?:cannot hold|is not a format of|of) judgments", after) is not None
        return f"{'--qrels-format' if judgments else '--run-format'} {_written('format', value)}"


def _evaluated(value: str) -> object:
    """A literal as a value; a text that is none as it stands."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def _written(keyword: str, value: str) -> str:
    """A Python value as it is typed after an option."""
    given = _evaluated(value)
    if isinstance(given, Mapping):
        gap = "NAME" if keyword == "columns" else "..."
        given = dict(_flat(given))
        return ",".join(f"{key}={gap if each is ... else each}" for key, each in given.items())
    if isinstance(given, list | tuple):
        return ",".join(map(str, given))
    if given is ...:
        return "..."
    return shlex.quote(str(given)) if str(given) else ""


def _flat(given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The items of a table; those of a table of one input under its name: `run.doc`."""
    for key, each in given.items():
        if isinstance(each, Mapping):
            yield from ((f"{key}.{role}", name) for role, name in each.items())
        else:
            yield key, each


def _unquoted(more: str) -> str:
    """Further values, ` or 'skip'`, without their quotation marks."""
    return re.sub(r"'([^']*)'", lambda found: shlex.quote(found.group(1)), more)


SPELT = re.compile(r"(--[a-z][a-z-]*)((?: (?!or |and )[^\s();]+)?) \((--[a-z][a-z-]*)([^()]*)\)")


def _once(text: str) -> str:
    """Each option once: messages that name a keyword and, in brackets, its option keep the fuller of both."""

    def fuller(found: re.Match[str]) -> str:
        option, value, again, more = found.groups()
        if option != again:
            return found.group()
        if f"{again}{more} " in text[: found.start()]:
            return f"{option}{value}"
        return f"{option}{more or value}"

    text = SPELT.sub(fuller, text)
    # A keyword that is no option of this command under its own name, with the option in brackets.
    return re.sub(rf"(?<![\w'\"`\-.,])[a-z][a-z_]*=(?:{VALUE}) \((--[^()]*)\)", r"\1", text)


def words_of(parser: argparse.ArgumentParser) -> Words:
    """The words of a command from its parser."""
    options: dict[str, str] = {}
    for action in parser._actions:
        name = next((option for option in action.option_strings if option.startswith("--")), None)
        if name is None and not action.option_strings and isinstance(action.metavar, str):
            options.setdefault(action.dest, action.metavar)
        elif name is not None:
            options.setdefault(name.removeprefix("--").replace("-", "_"), name)
    return Words(options)


def in_words_of(command: str | None, error: NdcgError) -> NdcgError:
    """The error as the command says it; errors of the command line itself speak of options already."""
    parser = _parser(command)
    if parser is None:
        return error
    words = words_of(parser())
    faults = [
        Fault(words.said(each.problem), each.where, each.line, each.query, each.document, each.text)
        for each in error.faults
    ]
    hint = None if error.hint is None else words.said(error.hint)
    return NdcgError(words.said(error.problem), code=error.code, faults=faults, total=error.total, hint=hint)


def _parser(command: str | None) -> Callable[[], argparse.ArgumentParser] | None:
    """What makes the parser of a command; None for a command without one."""
    if command is None:
        return None
    try:
        found = getattr(import_module(f".{command.replace('-', '_')}", __package__), "parser", None)
    except ImportError:
        return None
    return found if callable(found) else None
