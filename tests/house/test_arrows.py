"""Imports run one way, and optional libraries stay in their own room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ndcg"

CALLS = ["reading", "asked_measures", "given_runs", "many_runs", "session", "evaluation"]
"""What a call is made of, each from those before it: nothing that it is made from knows of it."""

FORBIDDEN = {
    "errors": ["*"],
    "kernel": ["readers", "engines", "measures", "results", "reports", "cli", "scoring", "aggregate", *CALLS],
    "measures": ["readers", "engines", "results", "reports", "cli", "scoring", *CALLS],
    "readers": ["measures", "kernel", "engines", "results", "reports", "cli", "scoring", "aggregate", *CALLS],
    "engines": ["measures", "results", "reports", "cli", "scoring", *CALLS],
    "writers": ["measures", "kernel", "engines", "results", "reports", "cli", "scoring", "aggregate", *CALLS],
    "aggregate": ["readers", "engines", "measures", "reports", "cli", "scoring", *CALLS],
    "results": ["readers", "engines", "cli", "scoring", *CALLS],
    "scoring": ["readers", "reports", "cli", *CALLS],
    "reading": ["kernel", "engines", "measures", "results", "reports", "cli", "scoring", *CALLS],
    "asked_measures": ["readers", "engines", "results", "reports", "cli", "scoring", *CALLS],
    "given_runs": ["kernel", "engines", "measures", "results", "reports", "cli", "scoring", *CALLS[1:]],
    "many_runs": ["reports", "cli", "session", "evaluation"],
    "session": ["reports", "cli", "evaluation"],
    "evaluation": ["reports", "cli"],
    "judging": ["cli"],
    "plots": ["readers", "engines", "kernel", "measures", "cli", "scoring", "reports", *CALLS],
    "reports": ["readers", "engines", "kernel", "cli", "scoring"],
}
"""What a room must not import at run time (imports under TYPE_CHECKING are for the type checker only)."""

LIBRARIES = {
    "pandas": ("readers/pandas_frames.py", "frames.py"),
    "polars": ("readers/polars_frames.py", "frames.py"),
    "pyarrow": ("readers/arrow_tables.py", "readers/polars_frames.py", "frames.py"),
    "duckdb": ("readers/duck.py",),
    "_duckdb": ("readers/duck.py",),
    "scipy": ("comparison/",),
    "altair": ("plots/base.py",),
    "zstandard": ("readers/", "writers/"),
    "yaml": ("readers/yaml_nodes.py",),
}
"""Where a library may be imported."""


def files():
    return sorted(SOURCE.rglob("*.py"))


def name(path):
    return path.relative_to(SOURCE).as_posix()


def imports(path):
    """(module, whether it is of the package) imported at run time by a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for part in ast.walk(node)
    }
    package = ["ndcg", *path.relative_to(SOURCE).with_suffix("").parts[:-1]]
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield module
            if node.module is None:
                for alias in node.names:
                    yield f"{module}.{alias.name}"


@pytest.mark.parametrize("path", files(), ids=name)
def test_arrows_run_downwards(path):
    room = path.relative_to(SOURCE).with_suffix("").parts[0]
    for module in imports(path):
        if not module.startswith("ndcg."):
            continue
        target = module.split(".")[1]
        if target == room:
            continue
        forbidden = FORBIDDEN.get(room, [])
        assert "*" not in forbidden and target not in forbidden, f"{name(path)} must not import {module}"
        assert target not in ("cli", "compat") or room in ("cli", "compat", "__main__"), (
            f"{name(path)} imports {module}"
        )


def test_the_reference_imports_nothing_of_the_package():
    for path in SOURCE.glob("kernel/reference*.py"):
        outside = [m for m in imports(path) if m.startswith("ndcg") and not m.startswith("ndcg.kernel.reference")]
        assert outside == [] and "numpy" not in list(imports(path))


@pytest.mark.parametrize("path", files(), ids=name)
def test_libraries_stay_in_their_room(path):
    for module in imports(path):
        library = module.split(".")[0]
        if library in LIBRARIES:
            assert name(path).startswith(LIBRARIES[library]), f"{name(path)} must not import {library}"


def test_no_cycles():
    """No module imports itself through others when it is loaded."""
    graph = {}
    for path in files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        package = ["ndcg", *path.relative_to(SOURCE).with_suffix("").parts[:-1]]
        found = set()
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level:
                base = package[: len(package) - node.level + 1]
                module = ".".join([*base, *(node.module or "").split(".")]).strip(".")
                found.add(module)
                found |= {f"{module}.{alias.name}" for alias in node.names}
        own = ".".join(["ndcg", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
        graph[own] = found
    graph = {module: targets & set(graph) for module, targets in graph.items()}
    state = {}

    def visit(module, trail):
        if state.get(module) == "done":
            return
        assert module not in trail, " -> ".join([*trail[trail.index(module) :], module])
        for target in graph[module]:
            if not module.startswith(target + "."):
                visit(target, [*trail, module])
        state[module] = "done"

    for module in graph:
        visit(module, [])
