"""Runs contenders as fresh processes, in turn, and takes wall time and peak memory of each."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Contender:
    """A command that scores something; `inside` says that it prints {name: [seconds]} as JSON for itself and others."""

    name: str
    command: tuple[str, ...]
    inside: bool = False


@dataclass
class Measured:
    """All raw numbers of one contender. Peaks are 0 where several contenders share one process."""

    name: str
    seconds: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median seconds."""
        return statistics.median(self.seconds)

    @property
    def least(self) -> float:
        """Least seconds."""
        return min(self.seconds)

    @property
    def peak(self) -> float:
        """Median peak memory in MB, or 0."""
        return statistics.median(self.peaks) / 1e6 if self.peaks else 0.0

    def as_dict(self) -> dict[str, object]:
        """Plain data for the JSON of raw timings."""
        return {**asdict(self), "median": self.median, "least": self.least, "peak_mb": self.peak}


BYTECODE = Path(tempfile.gettempdir()) / "ndcg-benchmark-bytecode"


def surroundings() -> dict[str, str]:
    """The environment of a contender: compiled Python is kept between runs, as it is for an installed package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(BYTECODE)}


class Failed(RuntimeError):
    """A contender's process ended with an error."""


def run_once(command: Sequence[str]) -> tuple[float, int, str]:
    """(wall seconds, peak resident bytes, output) of one process.

    This process must stay small: a child's peak starts at what its parent held when it was made.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=surroundings())
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            tail = errors.read().decode("utf-8", "replace")[-2000:]
            raise Failed(f"{' '.join(command)} ended with {process.returncode}\n{tail}")
        return seconds, usage.ru_maxrss * 1024, output.read().decode()


def measure(contenders: Sequence[Contender], repeats: int) -> dict[str, Measured]:
    """Each contender `repeats` times, in turn: A B A B ..., the order reversed every other round.

    Each runs once more before, so that none of the runs that count compiles Python or fills a cache.
    """
    found: dict[str, Measured] = {}
    for contender in contenders:
        if not contender.inside:
            run_once(contender.command)
    for turn in range(repeats):
        for contender in contenders if turn % 2 == 0 else list(reversed(contenders)):
            seconds, peak, output = run_once(contender.command)
            if contender.inside:
                for name, times in json.loads(output).items():
                    found.setdefault(name, Measured(name)).seconds += times
            else:
                one = found.setdefault(contender.name, Measured(contender.name))
                one.seconds.append(seconds)
                one.peaks.append(peak)
    return found


def differences(commands: Sequence[Sequence[str]], ours: str, peer: str) -> float:
    """The largest difference of a query's value; infinite where the queries are not the same."""
    values: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "values.json"
        for command in commands:
            run_once([*command[:-1], str(path)])
            values |= json.loads(path.read_text())
    return largest_difference(values[ours], values[peer])


def largest_difference(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """The largest difference of a query's value; infinite where the queries are not the same."""
    if ours.keys() != theirs.keys():
        return float("inf")
    return max((abs(ours[query] - theirs[query]) for query in ours), default=0.0)


def warm(paths: Iterable[Path]) -> None:
    """Bring files into the page cache."""
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while file.read(1 << 22):
                pass
