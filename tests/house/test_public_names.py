"""Public names stay what they are, and importing the package stays light."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
import types

import ndcg

HEAVY = ("duckdb", "_duckdb", "scipy", "pandas", "polars", "pyarrow", "zstandard", "numpy")


def submodules():
    return sorted(
        module.name for module in pkgutil.walk_packages(ndcg.__path__, "ndcg.") if not module.name.endswith("__main__")
    )


def test_every_public_name_is_no_module_whatever_is_imported():
    for module in submodules():
        importlib.import_module(module)
    for name in ndcg.__all__:
        assert not isinstance(getattr(ndcg, name), types.ModuleType), name
        fresh = importlib.reload(ndcg)
        assert not isinstance(getattr(fresh, name), types.ModuleType), name


def test_type_checkers_see_the_same_names():
    from ndcg import _HOMES

    assert set(_HOMES) == set(ndcg.__all__) - {"__version__"}


def loaded_after(program):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {program}; print(' '.join(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_import_is_light():
    assert not loaded_after("import ndcg") & set(HEAVY)


def test_dicts_need_only_numpy():
    loaded = loaded_after("import ndcg; ndcg.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'nDCG@10').value")
    assert loaded & set(HEAVY) == {"numpy"}


def test_plain_scoring_of_files_loads_neither_scipy_nor_frames(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1.0 t\n")
    loaded = loaded_after(f"import ndcg; ndcg.evaluate({str(tmp_path / 'qrels')!r}, {str(tmp_path / 'run')!r}).value")
    assert loaded & set(HEAVY) <= {"numpy", "_duckdb"}


def test_unknown_attribute():
    try:
        ndcg.nothing_of_the_kind  # noqa: B018
    except AttributeError as error:
        assert "nothing_of_the_kind" in str(error)
    else:
        raise AssertionError
    assert set(ndcg.__all__) <= set(dir(ndcg))
