"""The conventions of other tools: one small file per tool, loaded when a dialect is first asked for.

A file holds data and no arithmetic: a tuple `DIALECTS` of `Dialect` values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ...errors import choose
from .contract import Dialect

__all__ = ["Dialect", "all_dialects", "dialect_named"]


@cache
def all_dialects() -> Mapping[str, Dialect]:
    """Every dialect by its name, in the order of the names."""
    found: dict[str, Dialect] = {}
    for module in iter_modules(__path__):
        if module.name == "contract":
            continue
        for dialect in import_module(f"{__name__}.{module.name}").DIALECTS:
            if dialect.name in found:
                raise ValueError(f"two dialects are called {dialect.name}")
            found[dialect.name] = dialect
    return dict(sorted(found.items()))


@cache
def _by_any_name() -> Mapping[str, Dialect]:
    dialects = all_dialects()
    return {name: one for one in dialects.values() for name in (one.name, *one.aliases)}


def dialect_named(name: object) -> Dialect:
    """The dialect with this name or alias; raises UsageError with the nearest name."""
    if not isinstance(name, str) or name not in _by_any_name():
        raise choose("dialect", name, list(_by_any_name()))
    return _by_any_name()[name]
