"""The Python version that a name came with, from the declared table."""

import csv

from .places import TOOLS

EARLIEST = "2.0"


def since_table() -> dict[str, str]:
    """Names of modules, classes and functions with the version each came with."""
    with (TOOLS / "since.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["since"] for row in csv.DictReader(file)}


def since_of(name: str, module: str, table: dict[str, str]) -> str:
    """The version of the nearest enclosing name in the table; else 2.0, meaning 2.0 or earlier."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        version = table.get(".".join(parts[:length]))
        if version is not None:
            return version
    return table.get(module, EARLIEST)


def age_of(version: str) -> str:
    """The bucket of a version: old before 3.0, middle up to 3.5, new from 3.6."""
    major, minor = (int(part) for part in version.split("."))
    if major < 3:
        return "old"
    return "middle" if minor < 6 else "new"
