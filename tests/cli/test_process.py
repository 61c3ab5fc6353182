"""The command as a process: streams, encodings, terminals and what it imports."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ndcg.cli.progress import Progress

COMMAND = [sys.executable, "-m", "ndcg"]


def process(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, check=False, **options)


def test_results_and_errors_take_different_streams(folder):
    good = process("evaluate", "judgments.qrels", "bm25.run", "--format", "json", cwd=folder)
    assert (good.returncode, good.stderr) == (0, b"") and json.loads(good.stdout)
    bad = process("evaluate", "judgments.qrels", "none.run", cwd=folder)
    assert (bad.returncode, bad.stdout) == (2, b"") and b"none.run" in bad.stderr and b"Traceback" not in bad.stderr
    traced = process("evaluate", "judgments.qrels", "none.run", "--debug", cwd=folder)
    assert b"Traceback" in traced.stderr and traced.returncode != 0


def test_no_frame_library_no_scipy_and_not_the_whole_of_duckdb_is_imported(folder):
    program = (
        "import sys\n"
        "from ndcg.cli.main import main\n"
        "code = main(['evaluate', 'judgments.qrels', 'bm25.run', 'dense.run'])\n"
        "found = {'pandas', 'scipy', 'polars', 'pyarrow', 'rich', 'click', 'hypothesis', 'duckdb'} & set(sys.modules)\n"
        "sys.exit(f'imported {found}' if found else code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr


def test_help_imports_neither_numpy_nor_duckdb():
    program = (
        "import sys\n"
        "from ndcg.cli.main import main\n"
        "main(['--help']); main(['--version'])\n"
        "sys.exit(bool({'numpy', 'duckdb', '_duckdb'} & set(sys.modules)))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


def test_nothing_temporary_stays_behind(folder):
    temporary = folder / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = process(
        "evaluate", "judgments.qrels", "-", cwd=folder, env=environment, input=b"q1 Q0 A 1 4 bm25\r\nq1 Q0 B 2 3 bm25\n"
    )
    assert done.returncode == 0 and b"nDCG@10" in done.stdout
    assert list(temporary.iterdir()) == []


def test_a_full_disk_is_an_error(folder):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "evaluate", "judgments.qrels", "bm25.run"], stdout=full, stderr=subprocess.PIPE, cwd=folder
        )
    assert done.returncode == 2 and b"No space left" in done.stderr and b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error(folder):
    running = subprocess.Popen(
        [*COMMAND, "measures", "nDCG"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert (running.wait(), errors) == (141, b"")


@pytest.mark.parametrize("format", ["table", "json", "csv", "md"])
def test_a_terminal_that_is_not_utf8_gets_escapes_and_programs_get_utf8(folder, format):
    (folder / "odd.qrels").write_text("q\U0001f600 0 a 1\n", encoding="utf-8")
    (folder / "odd.run").write_text("q\U0001f600 Q0 b 1 1 t\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("evaluate", "odd.qrels", "odd.run", "--format", format, "--per-query", cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    if format == "table":
        assert b"\\U0001f600" in done.stdout
    else:
        assert "q\U0001f600" in done.stdout.decode()


def test_standard_input(folder):
    text = (folder / "bm25.run").read_bytes()
    done = process("evaluate", "judgments.qrels", "-", "--format", "json", cwd=folder, input=text)
    assert json.loads(done.stdout)["results"][0]["run"] == "stdin"


def test_progress_only_on_a_terminal(capsys):
    with Progress("scoring", shown=True):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_progress_on_a_terminal_is_wiped(folder):
    program = (
        "import time\n"
        "from ndcg.cli import progress\n"
        "progress.AFTER = 0.05\n"
        "with progress.Progress('scoring 2 runs', shown=True): time.sleep(0.3)\n"
        "with progress.Progress('never', shown=False): time.sleep(0.3)\n"
    )
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", program], stderr=theirs, check=True)
    os.close(theirs)
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "scoring 2 runs, 0 s" in seen and seen.endswith("\x1b[K") and "never" not in seen
