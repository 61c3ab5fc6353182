"""Damaged files: an error of the product that names the file, or exactly what a plain reading gives. Nothing else."""

from __future__ import annotations

import math
import re
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ndcg.engines.local.scan import scan_into
from ndcg.engines.workspace import Workspace
from ndcg.errors import NdcgError
from ndcg.readers import FORMATS, Mapped, Role, Scanned, inputs, read

from .conftest import scan
from .fuzzing import CASES, Case, damaged
from .plain_readings import NoOpinion, Rows

LONGEST = 5.0
"""Seconds that no damaged file of a few hundred bytes may take."""

HANGS = 60.0
"""Seconds after which a reading is broken off."""

GROWTH = 300 << 10
"""Kilobytes by which the process may grow over all files of a format."""


WORKSPACE = Workspace(None)
NAIVE = {(case.format, case.role): case.naive for case in reversed(CASES)}


class Hung(BaseException):
    """A reading does not end. No Exception: nobody on the way takes it for a file that cannot be read."""


@contextmanager
def ends(what: str, seconds: float = HANGS) -> Iterator[None]:
    """Break off what does not end, so that the test fails and says at which file.

    DuckDB looks for signals between its tasks only: what hangs inside one of them is not seen here.
    """

    stopped = False

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True
        raise Hung(what)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if stopped:  # DuckDB makes an error of its own of it
            raise Hung(what)


def outcome(path: Path, case: Case) -> tuple[str, Rows] | str:
    """The format and the rows, or the message of the error."""
    try:
        options = dict(case.options)
        for name, held in case.options.items():
            if isinstance(held, bytes):  # a file that goes with this one
                beside = path.with_name(f"{name}.txt")
                beside.write_bytes(held)
                options[name] = str(beside)
        source = read(path, case.role, format=case.format if case.named else None, **options)
        rows = scan(source) if isinstance(source, Mapped) else engine_rows(source)
    except NdcgError as error:
        return str(error)
    return source.described.format, [tuple(row) for row in rows]  # type: ignore[misc]


def engine_rows(source: Scanned) -> list[tuple[Any, ...]]:
    """The rows as an engine takes them."""
    table = WORKSPACE.name("damaged")
    try:
        scan_into(WORKSPACE, source, table, "query, doc, number, rank")
        return WORKSPACE.connection.execute(f"select query, doc, number, rank from {table}").fetchall()
    finally:
        WORKSPACE.connection.execute(f"drop table if exists {table}")


def same(rows: Rows, plain: Rows) -> bool:
    """Whether two readings agree; a rank that only one gives is no difference, a number is."""
    if len(rows) != len(plain):
        return False
    for one, other in zip(rows, plain, strict=True):
        if one[:2] != other[:2] or one[2] != other[2] or (one[3] != other[3] and None not in (one[3], other[3])):
            return False
    return True


def check(case: Case, what: str, content: bytes, path: Path) -> None:
    path.write_bytes(content)
    begun = time.perf_counter()
    with ends(what):
        found = outcome(path, case)
    assert time.perf_counter() - begun < LONGEST, what
    if isinstance(found, str):
        assert path.name in found, f"{what}: the message names no file: {found}"
        return
    format, rows = found
    assert not any(row[2] is not None and math.isnan(row[2]) for row in rows), what
    # A damaged file may look like one of another format: then that one's plain reading has to agree.
    naive = case.naive if format == case.format else NAIVE.get((format, case.role))
    if naive is None:
        return
    try:
        plain: Rows | str = naive(content)
    except NoOpinion:
        return
    except Exception as error:
        plain = f"{type(error).__name__}: {error}"
    if isinstance(plain, str):
        pytest.fail(f"{what}: {format} read as {rows}, but a plain reading refuses it ({plain}): {content!r}")
    assert same(rows, plain), f"{what}: {format} read as {rows}, plainly it is {plain}: {content!r}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_damaged_byte(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.name
    check(case, "untouched", case.content, path)
    assert not isinstance(outcome(path, case), str)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for what, content in damaged(case, 1):
        check(case, what, content, path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < GROWTH


def test_a_damaged_parquet_file(tmp_path: Path) -> None:
    """Without checksums a flipped bit of an id is another id; everything else is an error that names the file."""
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    path = tmp_path / "file.parquet"
    parquet.write_table(pyarrow.table({"query": ["q1", "q2"], "doc": ["a", "b"], "grade": [1.0, 2.0]}), path)
    content = path.read_bytes()
    case = Case("parquet", Role.JUDGMENTS, content)
    refused = 0
    for at in range(2, len(content), 9):
        path.write_bytes(content[:at] + bytes([content[at] ^ (at % 255 + 1)]) + content[at + 1 :])
        found = outcome(path, case)
        refused += isinstance(found, str)
        assert not isinstance(found, str) or path.name in found
    assert refused > 20


def test_every_file_format_is_there() -> None:
    read_plainly = {case.format for case in CASES if case.naive is not None}
    assert read_plainly >= set(FORMATS) & set(inputs.FILES) - WITHOUT


@pytest.mark.parametrize("work", ["python", "regex"])
def test_what_does_not_end_is_broken_off(work: str) -> None:
    with pytest.raises(Hung, match="byte 3 dropped"), ends("byte 3 dropped", 0.05):
        if work == "python":
            while True:
                pass
        re.fullmatch("(a+)+b", "a" * 60)


WITHOUT = {"parquet"}
"""Formats whose files are damaged in a test of their own."""
