"""YAML text as a tree of nodes whose scalars stay the text that was written: `no`, `1e5` and `007` are ids.

Built from the parser's events, so nothing is constructed. Aliases are refused: they can make a small file endless.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import Fault, InputError, missing_extra
from .json_values import text

DEEPEST = 50


@dataclass(slots=True)
class Node:
    """A scalar (`value` is its text, `plain` without quotation marks), a list or a mapping, with its first line."""

    line: int
    value: str | None = None
    plain: bool = False
    items: list[Node] = field(default_factory=list)
    pairs: list[tuple[Node, Node]] | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it is a scalar."""
        return self.value is not None

    @property
    def is_mapping(self) -> bool:
        """Whether it is a mapping."""
        return self.pairs is not None

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return self.value is None and self.pairs is None

    @property
    def is_empty(self) -> bool:
        """Whether nothing, `~` or `null` was written."""
        return self.plain and self.value in ("", "~", "null", "Null", "NULL")

    @property
    def kind(self) -> str:
        """What it is, in words."""
        if self.is_scalar:
            return "nothing" if self.is_empty else "text"
        return "a mapping" if self.is_mapping else "a list"


def documents(path: str) -> list[Node]:
    """The documents of a YAML file. InputError names the line of what is no YAML, of an alias or a repeated key."""
    try:
        import yaml
    except ImportError:
        raise missing_extra("PyYAML", "yaml", "reading YAML") from None
    try:
        source = text(path)
    except UnicodeDecodeError as error:
        raise _broken(path, f"not valid UTF-8 at byte {error.start}", None) from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found: list[Node] = []
    stack: list[_Open] = []
    try:
        for event in yaml.parse(source, Loader=loader):
            line = event.start_mark.line + 1 if event.start_mark is not None else 1
            if isinstance(event, yaml.AliasEvent):
                raise _broken(path, f"the alias *{event.anchor} is not read: write its value out", line)
            if isinstance(event, yaml.ScalarEvent):
                _put(path, stack, found, Node(line, event.value, event.style in (None, "")))
            elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
                if len(stack) >= DEEPEST:
                    raise _broken(path, "nested too deeply", line)
                pairs: list[tuple[Node, Node]] | None = [] if isinstance(event, yaml.MappingStartEvent) else None
                stack.append(_Open(Node(line, pairs=pairs)))
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                _put(path, stack, found, stack.pop().node)
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed")
        raise _broken(path, f"not valid YAML: {said}", mark.line + 1 if mark is not None else None) from None
    return [node for node in found if not node.is_empty]


class _Open:
    """A list or mapping that is being read; `key` waits for its value, `keys` are those that were there."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.key: Node | None = None
        self.keys: set[str] = set()


def _put(path: str, stack: list[_Open], found: list[Node], node: Node) -> None:
    if not stack:
        found.append(node)
        return
    top = stack[-1]
    if top.node.pairs is None:
        top.node.items.append(node)
    elif top.key is None:
        if node.value is None:
            raise _broken(path, f"a key is {node.kind}, not text", node.line)
        if node.value in top.keys:
            raise _broken(path, f"the key stands twice in one mapping: {node.value!r}", node.line)
        top.keys.add(node.value)
        top.key = node
    else:
        top.node.pairs.append((top.key, node))
        top.key = None


def _broken(path: str, problem: str, line: int | None) -> InputError:
    return InputError(problem, code="damaged", faults=[Fault(problem, path, line)])
