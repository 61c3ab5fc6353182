"""`evaluate`: read judgments and runs, score every run under every measure, keep what the result must tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .engines.contract import Engine
from .engines.judgments import Judgments, load_judgments, load_pool
from .engines.workspace import Workspace
from .errors import DataTypeError, UsageError, choose
from .joining import check_joined
from .measures.conventions import CONVENTIONS
from .measures.measure import Measure, unknown_option
from .measures.registry import as_measures
from .readers import is_several_runs, read
from .readers.source import Described, Mapped, Role, Source
from .results import Entry, Input, Result
from .scoring import score_run
from .version import __version__

DEFAULT_MEASURE = "nDCG@10"
INPUTS = ("qrels", "run", "candidates")
COLUMN_ROLES = ("query", "doc", "grade", "score", "rank")
LATER = {"by": "slices", "weights": "traffic weights", "interval": "intervals"}


@dataclass(frozen=True)
class Reading:
    """How inputs are to be read: formats, columns and comment lines, for judgments and runs apart."""

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, object] | None = None
    comments: bool | None = None

    def __post_init__(self) -> None:
        """Refuse column names for roles and inputs that do not exist."""
        if self.columns is None:
            return
        if not isinstance(self.columns, Mapping):
            raise DataTypeError(
                f"columns= maps roles to column names, found {self.columns!r}",
                code="columns",
                hint="columns={'query': 'qid', 'doc': 'url'}",
            )
        nested = any(isinstance(value, Mapping) for value in self.columns.values())
        for name in self.columns:
            if nested and name not in INPUTS:
                raise choose("columns= for the input", name, INPUTS)
            if not nested and name not in COLUMN_ROLES:
                raise choose("column role", name, COLUMN_ROLES)

    def columns_for(self, role: str) -> Mapping[str, str] | None:
        """The column names for one input: `columns` itself, or its part for that input."""
        if self.columns is None:
            return None
        if any(isinstance(value, Mapping) for value in self.columns.values()):
            part = self.columns.get(role)
            return {str(key): str(value) for key, value in part.items()} if isinstance(part, Mapping) else None
        roles = {"qrels": ("query", "doc", "grade"), "run": ("query", "doc", "score", "rank")}.get(
            role, ("query", "doc")
        )
        return {key: str(value) for key, value in self.columns.items() if key in roles} or None


@dataclass
class Session:
    """Everything that one call has read: judgments, pool, and the runs by name."""

    workspace: Workspace
    judgments: Judgments
    judgments_source: Source
    runs: dict[str, Source]
    pool_source: Source | None = None
    merge: str | None = None
    warnings: list[str] = field(default_factory=list)

    def engine(self, run: str) -> Engine:
        """The engine for a run: plain dicts stay in memory, everything else goes through DuckDB."""
        source = self.runs[run]
        if isinstance(source, Mapped):
            from .engines.memory import MemoryEngine

            return MemoryEngine(source, self.judgments)
        from .engines.local import LocalEngine

        return LocalEngine(source, self.judgments, self.workspace)

    def inputs(self) -> tuple[Input, ...]:
        """How everything was read, for people."""
        sources = [
            ("judgments", self.judgments_source),
            *((f"run {name}", run) for name, run in self.runs.items()),
        ]
        if self.pool_source is not None:
            sources.append(("candidate pool", self.pool_source))
        return tuple(_described(role, source.described) for role, source in sources)


def _described(role: str, described: Described) -> Input:
    return Input(role, described.name, described.format, described.layout, described.notes)


def open_session(
    qrels: object,
    run: object,
    *,
    candidates: object = None,
    reading: Reading | None = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
) -> Session:
    """Read judgments and pool, and open the runs; nothing is scored yet."""
    reading = reading or Reading()
    workspace = Workspace(memory)
    try:
        judgments_source = read(
            qrels,
            Role.JUDGMENTS,
            format=reading.qrels_format,
            columns=reading.columns_for("qrels"),
            comments=reading.comments,
        )
        runs = {
            name: read(
                source,
                Role.RUN,
                format=reading.run_format,
                columns=reading.columns_for("run"),
                comments=reading.comments,
                name=None if isinstance(source, str | os.PathLike) else name,
            )
            for name, source in ({} if split_tags else named_runs(run)).items()
        }
        if split_tags:
            runs = runs_by_tag(run, reading)
        pool_source = None
        if candidates is not None:
            pool_source = read(
                candidates, Role.POOL, columns=reading.columns_for("candidates"), comments=reading.comments
            )
        judgments = load_judgments(judgments_source, workspace, merge)
        if pool_source is not None:
            judgments.pool = load_pool(pool_source, workspace)
    except BaseException:
        workspace.close()
        raise
    return Session(workspace, judgments, judgments_source, runs, pool_source, merge)


def runs_by_tag(run: object, reading: Reading) -> dict[str, Source]:
    """Every tag of TREC run files as a run of its own; the file's name stands before a tag that two files bear."""
    from .readers.trec_run import by_tag

    found: dict[str, Source] = {}
    for name, source in named_runs(run).items():
        if not isinstance(source, str | os.PathLike):
            raise UsageError("split_tags= takes paths of TREC run files", code="split_tags")
        for tag, tagged in by_tag(os.fspath(source), comments=reading.comments).items():
            key = tag if tag not in found else f"{name} {tag}"
            if key in found:
                raise UsageError(f"two runs are called {key!r}", code="run_names", hint="name the files apart")
            found[key] = tagged
    return found


def named_runs(run: object) -> dict[str, object]:
    """Runs by name. One run is named after its file, or `run` where it is in memory."""
    if is_several_runs(run):
        assert isinstance(run, Mapping)
        named = {str(name): source for name, source in run.items()}
        if len(named) < len(run):
            raise UsageError("two runs have the same name, once as text and once as a number", code="run_names")
        return named
    return {run_name(run): run}


def run_name(run: object) -> str:
    """The name of a single run: its file name without the usual endings."""
    first = run[0] if isinstance(run, list | tuple) and run else run
    if not isinstance(first, str | os.PathLike):
        return "run"
    name = Path(os.fspath(first)).name or "run"
    for ending in (
        ".gz",
        ".zst",
        ".run",
        ".trec",
        ".txt",
        ".tsv",
        ".csv",
        ".jsonl",
        ".json",
        ".parquet",
        ".results",
    ):
        if name.endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name


def keyword_names(function: Callable[..., object]) -> list[str]:
    """The keywords that a function names itself."""
    import inspect

    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def apply_conventions(measures: tuple[Measure, ...], conventions: Mapping[str, object]) -> tuple[Measure, ...]:
    """All measures under the conventions given to the call; a name that no measure takes is an error."""
    for name in conventions:
        if name not in CONVENTIONS:
            raise unknown_option("evaluate", name, [*keyword_names(evaluate), *CONVENTIONS])
        if not any(name in measure.family.conventions for measure in measures):
            raise UsageError(
                f"none of {', '.join(map(str, measures))} takes the convention {name!r}",
                code="unused_convention",
            )
    return tuple(dict.fromkeys(measure.with_conventions(conventions) for measure in measures))


def evaluate(
    qrels: object,
    run: object,
    measures: object = DEFAULT_MEASURE,
    *,
    candidates: object = None,
    pool_version: str | None = None,
    columns: Mapping[str, object] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    comments: bool | None = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
    worst: int = 5,
    by: object = None,
    weights: object = None,
    interval: object = None,
    **conventions: object,
) -> Result:
    """Score one or several runs against judgments under one or several measures.

    `qrels` and `run` are each a path, a list of paths, a dict of dicts (`{query: {document: number}}`), for a run
    also `{query: [document, ...]}`, a pandas, polars or Arrow table or a DuckDB relation; a dict of such things is
    several runs by name. `measures` are strings such as `"nDCG@10"` or measures as values. `candidates` declares the
    candidate pool (same shapes, documents per query) and `pool_version` its label. `columns` names columns by role
    (query, doc, grade, score, rank), for all inputs or as `{"qrels": {...}, "run": {...}}`. `merge` combines several
    grades of one document (max, min, mean, median). `comments` says whether lines starting with `#` are comments.
    `memory` limits DuckDB, such as "1GB". `split_tags` makes every tag of TREC run files a run
    of its own. `worst` queries of each entry keep the judged documents that they missed.
    Further keywords are conventions (`ties="average"`), for all measures.

    Returns a `Result`: the macro mean with every denominator, per-query rows with a status, the declaration. Raises
    InputError (a ValueError) for data that no convention can repair, DataTypeError (a TypeError) for ids and scores
    of a wrong type, UsageError for a wrong measure or value. Time O(rows), plus O(M log M) per query of M judged
    documents.

    >>> import ndcg
    >>> judged = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
    >>> result = ndcg.evaluate(judged, {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}, "nDCG@4")
    >>> round(result.value, 4)
    0.6685
    """
    for name, value in (("by", by), ("weights", weights), ("interval", interval)):
        if value is not None:
            raise UsageError(
                f"{name}= ({LATER[name]}) is not in this version",
                code="not_yet",
                hint=f"leave {name}= out; its keys in the result are null",
            )
    if isinstance(worst, bool) or not isinstance(worst, int) or worst < 0:
        raise UsageError(f"worst= is a whole number of at least 0, found {worst!r}", code="worst")
    if memory is not None and not isinstance(memory, str):
        raise UsageError(f"memory= is text such as '1GB', found {memory!r}", code="memory")
    parsed = apply_conventions(as_measures(measures), conventions)
    needs_pool = [str(measure) for measure in parsed if measure.conventions["ideal"] == "candidates"]
    if needs_pool and candidates is None:
        raise UsageError(
            f"{needs_pool[0]} takes its ideal from the candidate pool, and none was given",
            code="no_pool",
            hint="declare it with candidates=",
        )
    if pool_version is not None and candidates is None:
        raise UsageError("pool_version= labels a candidate pool, and none was given", code="no_pool")
    reading = Reading(qrels_format, run_format, columns, comments)
    session = open_session(
        qrels, run, candidates=candidates, reading=reading, merge=merge, memory=memory, split_tags=split_tags
    )
    with session.workspace as workspace, workspace.out_of_memory():
        return score_session(session, parsed, pool_version, worst)


def score_session(
    session: Session, measures: Sequence[Measure], pool_version: str | None = None, worst: int = 5
) -> Result:
    """Score all runs of a session."""
    from .fingerprints import Fingerprints

    entries: list[Entry] = []
    warnings = list(session.warnings)
    judgments = session.judgments
    if judgments.repeats:
        warnings.append(f"{judgments.repeats} repeated judgments were identical and collapsed")
    for name in session.runs:
        engine = session.engine(name)
        scored, facts = score_run(name, engine, judgments, measures, worst)
        warnings += check_joined(name, session.judgments_source.described.name, engine, judgments, facts, scored)
        entries += scored
        engine.close()
    fingerprints = Fingerprints(session, measures)
    return Result(
        entries=tuple(entries),
        inputs=session.inputs(),
        version=__version__,
        pool_version=pool_version,
        warnings=tuple(warnings),
        measures=tuple(measures),
        _fingerprints=fingerprints.all,
        _run_fingerprint=fingerprints.run,
    )
