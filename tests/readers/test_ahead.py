"""A look made ahead in another process says what a look made here says, or nothing."""

from __future__ import annotations

import os

import pytest

from ndcg import ahead, process
from ndcg.errors import InputError
from ndcg.readers import lines


@pytest.fixture
def allowed(monkeypatch):
    monkeypatch.setattr(process, "OURS", True)
    monkeypatch.setattr(ahead, "LARGE", 1)
    monkeypatch.setattr(ahead.sys, "platform", "linux")
    monkeypatch.setattr(ahead.os, "cpu_count", lambda: 2)
    # Test runners have threads of their own; none of them matters to the child, which only reads a file.
    monkeypatch.setitem(ahead.sys.modules, "threading", None)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("data", [b"q Q0 a 1 2 t\n", b"q\tQ0\ta\r\n#x\n", b'"\x1f_\x1e+', b"a" * 3_000_000 + b"\x0b"])
def test_the_same_look(allowed, tmp_path, data):
    path = str(tmp_path / "file")
    (tmp_path / "file").write_bytes(data)
    expected = lines._look(path)
    lines.look_ahead([path, path, str(tmp_path / "none"), "-", str(tmp_path)])
    assert list(ahead._BEGUN) == [path]
    made = ahead.taken(path)
    assert made == tuple(expected) and not ahead._BEGUN
    lines.look_ahead([path])
    assert lines.look(path) == expected


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_file_that_changed_is_looked_at_again(allowed, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"q Q0 a 1 2 t\n")
    lines.look_ahead([str(path)])
    path.write_bytes(b"q\tQ0 a 1 2 tag\n")
    os.utime(path, (1, 1))
    assert lines.look(str(path)).has("\t")


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_what_fails_there_is_told_here(allowed, tmp_path, capfd):
    path = tmp_path / "file.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00broken")
    lines.look_ahead([str(path)])
    with pytest.raises(InputError, match="damaged"):
        lines.look(str(path))
    assert capfd.readouterr() == ("", "")


def test_nothing_is_begun_unless_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr(ahead, "LARGE", 1)
    (tmp_path / "file").write_bytes(b"x")
    lines.look_ahead([str(tmp_path / "file")])
    assert not ahead._BEGUN


def test_small_files_and_processes_with_threads_begin_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "OURS", True)
    (tmp_path / "file").write_bytes(b"x")
    lines.look_ahead([str(tmp_path / "file")])
    monkeypatch.setattr(ahead, "LARGE", 1)
    import threading

    monkeypatch.setattr(threading, "active_count", lambda: 2)
    lines.look_ahead([str(tmp_path / "file")])
    assert not ahead._BEGUN
