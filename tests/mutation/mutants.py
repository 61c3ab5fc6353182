"""Small faults put into a source text on purpose: each mutant changes one thing."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

SWAPS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
Change = Callable[[Any], None]


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """(what was changed, the whole mutated source), one change each; annotations and messages stay."""
    tree = ast.parse(source)
    skipped = {id(part) for node in ast.walk(tree) for part in _untouched(node)}
    for position, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for description, change in _changes(node):
            mutated = copy.deepcopy(tree)
            change(next(part for number, part in enumerate(ast.walk(mutated)) if number == position))
            yield f"{description}: {ast.unparse(node)}", ast.unparse(ast.fix_missing_locations(mutated))


def _untouched(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations, f-strings of messages, and asserts."""
    for name in ("annotation", "returns"):
        value = getattr(node, name, None)
        if value is not None:
            yield from ast.walk(value)
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise):
        yield from ast.walk(node)


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    operator = type(getattr(node, "op", None))
    if operator in SWAPS and isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        yield (
            f"{operator.__name__} to {SWAPS[operator].__name__}",
            lambda found: setattr(found, "op", SWAPS[operator]()),
        )
    if isinstance(node, ast.Compare):
        for at, comparison in enumerate(map(type, node.ops)):
            if comparison in SWAPS:
                yield f"{comparison.__name__} to {SWAPS[comparison].__name__}", _compare(at, SWAPS[comparison])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "minus to plus", lambda found: setattr(found, "op", ast.UAdd())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        yield "invert to plus", lambda found: setattr(found, "op", ast.UAdd())
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "number plus one", lambda found: setattr(found, "value", found.value + 1)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "truth value turned", lambda found: setattr(found, "value", not found.value)


def _compare(at: int, to: type) -> Change:
    return lambda found: found.ops.__setitem__(at, to())
