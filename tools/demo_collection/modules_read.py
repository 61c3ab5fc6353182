"""The two declared lists: the modules with the depth each is read to, and the classes left out."""

from .places import TOOLS

DEPTHS = ("functions", "classes", "methods")


def modules_read() -> dict[str, int]:
    """Each module with its depth: 0 functions, 1 classes too, 2 methods too."""
    pairs = [line.split() for line in lines("modules.txt")]
    return {name: DEPTHS.index(depth) for name, depth in pairs}


def skipped_classes() -> frozenset[str]:
    """The classes left out with their methods."""
    return frozenset(lines("skipped_classes.txt"))


def lines(name: str) -> list[str]:
    """The lines of a list, without its comments."""
    text = (TOOLS / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
