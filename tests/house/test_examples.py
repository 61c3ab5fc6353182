"""The example of every public name runs as it stands: in an empty namespace, by somebody who copies it."""

import doctest
import inspect

import pytest

import ndcg


def examples():
    """(name, docstring) of everything public that has an example, methods and properties included."""
    for name in ndcg.__all__:
        thing = getattr(ndcg, name)
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        parts = vars(thing) if inspect.isclass(thing) else {}
        everything = {name: thing, **{f"{name}.{part}": found for part, found in parts.items() if part[0] != "_"}}
        for full, found in everything.items():
            text = inspect.getdoc(found) or ""
            if ">>>" in text:
                yield full, text


EXAMPLES = dict(examples())


def test_functions_have_examples():
    functions = [name for name in ndcg.__all__ if inspect.isfunction(getattr(ndcg, name))]
    assert "load" in functions and not [name for name in functions if name not in EXAMPLES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs_as_it_stands(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    made = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, None)
    found = doctest.DocTestRunner(verbose=False).run(made, out=said.append)
    assert found.attempted and not found.failed, "".join(said)
