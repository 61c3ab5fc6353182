"""What a thread is asked: its answer, its error, and that it stops when nobody waits for it."""

from __future__ import annotations

import threading

import pytest

from ndcg.engines.beside import Beside
from ndcg.engines.workspace import Workspace


def test_the_answer_comes_from_another_connection_to_the_same_tables():
    with Workspace() as workspace:
        workspace.connection.execute("create table numbers as select unnest([1, 2, 4]) as n")
        asked = Beside(workspace, lambda connection: connection.execute("select sum(n) from numbers").fetchall())
        assert asked.answer() == [(7,)]


def test_what_goes_wrong_is_raised_where_the_answer_is_wanted():
    with Workspace() as workspace:
        asked = Beside(workspace, lambda connection: connection.execute("select * from nothing"))
        with pytest.raises(Exception, match="nothing"):
            asked.answer()


def test_a_question_that_would_never_end_is_stopped_with_its_workspace():
    endless = "select count(*) from range(1000000000) a, range(1000000000) b where a.range + b.range = -1"
    before = set(threading.enumerate())
    with Workspace() as workspace:
        Beside(workspace, lambda connection: connection.execute(endless).fetchall())
    assert set(threading.enumerate()) <= before
