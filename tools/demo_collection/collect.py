"""Collect the documents from the running interpreter: modules, classes, functions and methods."""

import importlib
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from .docstrings import cleaned, flat, summary_of
from .modules_read import modules_read, skipped_classes

CLASSES, METHODS = 1, 2
SKIPPED_TEXT = "A generic version of"


@dataclass(frozen=True)
class Document:
    """One document: a documented name of the standard library."""

    id: str
    kind: str
    module: str
    title: str
    text: str


def collected() -> list[Document]:
    """Every document, in the order of its id, each object under one name only."""
    warnings.simplefilter("ignore")
    skipped = skipped_classes()
    documents: list[Document] = []
    seen: dict[int, object] = {}
    for name, depth in modules_read().items():
        documents += in_module(name, importlib.import_module(name), depth, skipped, seen)
    return without_repeats(documents)


def in_module(
    name: str, module: ModuleType, depth: int, skipped: frozenset[str], seen: dict[int, object]
) -> Iterator[Document]:
    """The documents of one module."""
    yield from document_of(name, "module", name, module.__doc__)
    for member in public_names(module):
        value = getattr(module, member, None)
        if not belongs(value, name, module) or is_alias(value, member, module) or id(value) in seen:
            continue
        seen[id(value)] = value
        title = member if name == "builtins" else f"{name}.{member}"
        if inspect.isclass(value):
            if depth >= CLASSES and title not in skipped:
                yield from in_class(title, name, value, depth)
        elif callable(value):
            yield from document_of(title, "function", name, value.__doc__)


def in_class(title: str, module: str, value: type, depth: int) -> Iterator[Document]:
    """A class, and the public methods that it documents itself."""
    own = vars(value).get("__doc__")
    kind = "exception" if issubclass(value, BaseException) else "class"
    yield from document_of(title, kind, module, own if isinstance(own, str) else None)
    if depth < METHODS:
        return
    for name, member in sorted(own_members(value).items()):
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not name.startswith("_") and callable(inner) and not inspect.isclass(inner):
            yield from document_of(f"{title}.{name}", "method", module, inner.__doc__)


def own_members(value: type) -> dict[str, object]:
    """The members of the class and of the base written in C that it stands for."""
    members: dict[str, object] = {}
    for base in reversed(value.__mro__):
        if base is value or base.__module__.startswith("_"):
            members |= vars(base)
    return members


def document_of(title: str, kind: str, module: str, docstring: str | None) -> Iterator[Document]:
    """The document, if its docstring says enough."""
    text = cleaned(docstring)
    if text is not None and not text.startswith(SKIPPED_TEXT):
        yield Document(title, kind, module, f"{title}: {summary_of(text)}", flat(text))


def public_names(module: ModuleType) -> list[str]:
    """The names that the module offers."""
    declared = getattr(module, "__all__", None)
    names = vars(module) if declared is None else declared
    return sorted({name for name in names if not name.startswith("_")})


def is_alias(value: object, name: str, module: ModuleType) -> bool:
    """Whether the module offers the same value under its own name too."""
    own = getattr(value, "__name__", name)
    if not isinstance(own, str) or own == name:
        return False
    return own in public_names(module) and getattr(module, own, None) is value


def belongs(value: object, name: str, module: ModuleType) -> bool:
    """Whether the value is defined by the module, or by a private or inner module of the same package."""
    if inspect.ismodule(value):
        return False
    home = getattr(value, "__module__", None)
    if name == "builtins":
        return True
    if getattr(module, "__all__", None) is not None or home is None:
        return not isinstance(value, int | str | float | tuple | list | dict | set)
    package = name.split(".")[0]
    return isinstance(home, str) and home.split(".")[0].lstrip("_") in {package, "posix", "posixpath"}


def without_repeats(documents: list[Document]) -> list[Document]:
    """The documents by id, less those that repeat a text of their module under a longer name."""
    kept: dict[str, Document] = {}
    texts: set[tuple[str, str]] = set()
    for document in sorted(documents, key=lambda each: (each.id.count("."), each.id)):
        key = (document.module, document.text)
        if key not in texts and document.id not in kept:
            texts.add(key)
            kept[document.id] = document
    return [kept[name] for name in sorted(kept)]
