"""trec_eval's two input files, read by this package's readers, as lenient as trec_eval where it is.

Several run tags, and anything after the sixth field of a run, are no fault here; a malformed line is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..counted import counted_noun
from ..engines.contract import Request
from ..engines.judgments import Judgments, load_judgments
from ..engines.local import LocalEngine
from ..engines.workspace import Workspace
from ..errors import Fault, InputError, unreadable
from ..kernel.batch import Batch, Bools, Judged
from ..readers import Role, Scanned, read, temporary
from ..readers.source import Described, Part, Source
from ..readers.streams import chunks
from ..readers.trec_lines import RUN
from ..readers.trec_text import read_part

TAIL = 1 << 16
ZSCORE = re.compile(r"[ \t\r\v\f]+")
BEYOND = re.compile(rb"^([ \t\v\f]*(?:[^ \t\v\f\r\n]+[ \t\v\f]+){5}[^ \t\v\f\r\n]+)[ \t\v\f][^\r\n]*", re.MULTILINE)
"""A line of more than six fields."""

Zscores = dict[tuple[str, str], tuple[float, float]]


class Inputs(NamedTuple):
    """Both files: queries in the order of the judgments, everything judged and ranked, the run's tag.

    `present` are the queries for which the run has documents, `fractions` counts grades that are no whole numbers.
    """

    queries: list[str]
    batch: Batch
    present: Bools
    tag: str
    fractions: int


def read_inputs(qrels: str, run: str, *, comments: bool, single: bool) -> Inputs:
    """Read judgments and run and rank the run: score descending, document id descending.

    `comments`: lines that start with `#` are skipped. `single`: scores are compared in single precision. Raises
    InputError for malformed lines, and for a document twice for one query (code repeated_document).
    """
    with Workspace(None) as workspace:
        workspace.open_early()
        judgments = load_judgments(read(qrels, Role.JUDGMENTS, format="trec_qrels", comments=comments), workspace, None)
        if judgments.repeats:
            raise InputError(
                f"{qrels}: {counted_noun(judgments.repeats, 'document is', 'documents are')} there twice for one query",
                code="repeated_document",
            )
        source = read(run, Role.RUN, format="trec_run", comments=comments, several_tags=True)
        try:
            inputs = _ranked(source, judgments, workspace, single)
        except InputError as error:
            shorter = None if error.code != "bad_lines" else _without_rest(source, run, comments)
            if shorter is None:
                raise
            inputs = _ranked(shorter, judgments, workspace, single)
        return inputs._replace(tag=_tag(source, comments))


def _ranked(source: Source, judgments: Judgments, workspace: Workspace, single: bool) -> Inputs:
    assert isinstance(source, Scanned)
    request = Request(
        order="docid_desc",
        duplicates="error",
        self="keep",
        score_type="float32" if single else "float64",
        condense=False,
        groups=False,
        whole=True,
        cutoffs=(None,),
    )
    engine = LocalEngine(source, judgments, workspace)
    _, (ranking,) = engine.rank([request])
    engine.close()
    numbers, ranked = judgments.numbers, ranking.ranked
    grade = np.trunc(numbers.grade)
    batch = Batch(
        Judged(numbers.queries, numbers.query, grade),
        ranked._replace(grade=np.trunc(ranked.grade), returned=ranking.returned),
        ranking.returned,
    )
    fractions = int(np.count_nonzero(grade != numbers.grade))
    return Inputs(list(judgments.queries), batch, ranking.returned > 0, "", fractions)


def _without_rest(source: Source, name: str, comments: bool) -> Scanned | None:
    """The run without what follows the sixth field of its lines; None where nothing does."""
    assert isinstance(source, Scanned)
    parts: list[Part] = []
    changed = False
    for part in source.parts:
        assert part.path is not None
        path = temporary.new(".run")
        with path.open("wb") as file:
            for block in _blocks(part.path):
                cut, count = BEYOND.subn(rb"\1", block)
                changed |= count > 0
                file.write(cut)
        parts.append(read_part(str(path), RUN, name=part.name, comments=comments, several_tags=True).part)
    return Scanned(Role.RUN, Described(name, "trec_run"), tuple(parts)) if changed else None


def _blocks(path: str) -> Iterator[bytes]:
    """The bytes of a file in pieces of whole lines."""
    held = b""
    for chunk in chunks(path):
        body, end, held = (held + chunk).rpartition(b"\n")
        if end:
            yield body + end
    if held:
        yield held


def _tag(source: Source, comments: bool) -> str:
    """The sixth field of the last line."""
    assert isinstance(source, Scanned)
    path = source.parts[-1].path
    assert path is not None
    tail = b""
    for chunk in chunks(path):
        tail = (tail + chunk)[-TAIL:] if len(chunk) < TAIL else chunk[-TAIL:]
    for line in reversed(tail.replace(b"\r", b"\n").split(b"\n")):
        fields = line.split()
        if len(fields) > 5 and not (comments and line.startswith(b"#")):
            return fields[5].decode("utf-8", "replace")
    return ""


def read_zscores(path: str) -> Zscores:
    """Lines `query measure mean deviation`, separated by blanks. Raises InputError for a malformed line."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise unreadable(error, path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read the z-scores file {path}: {error}", code="missing_file") from None
    found: Zscores = {}
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        fields = [field for field in ZSCORE.split(line) if field]
        try:
            query, measure, mean, deviation = fields
            found[query, measure] = float(mean), float(deviation)
        except ValueError:
            problem = "expected query, measure, mean and standard deviation"
            raise InputError(problem, code="bad_lines", faults=[Fault(problem, path, number, text=line)]) from None
    return found
