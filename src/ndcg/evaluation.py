"""`evaluate`: read judgments and runs, score every run under every measure, keep what the result must tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .counted import counted_noun
from .engines.contract import Engine
from .engines.judgments import Judgments, load_judgments, load_pool
from .engines.workspace import Workspace
from .errors import DataTypeError, InputError, UsageError, choose, clip, whole_number
from .many_runs import TOGETHER, all_small, scored_runs
from .measures.conventions import CONVENTIONS
from .measures.measure import Measure, unknown_option
from .measures.registry import as_measures
from .path_names import run_name
from .readers import is_several_runs, read
from .readers.declared import Declared, refuse_unused
from .readers.passages import Collapse, as_collapse
from .readers.source import Described, Mapped, Role, Scanned, Source
from .results import Entry, Input, Result
from .scoring import distinct_requests
from .version import __version__

if TYPE_CHECKING:
    from .engines.collapse import CollapsedEngine
    from .engines.local.begun import Begun
    from .engines.local.rows import Kept

DEFAULT_MEASURE = "nDCG@10"
WITHOUT_COLUMNS = ("trec_run", "ranked", "scored", "msmarco_run", "openliveq_run", "predictions", "json")
INPUTS = ("qrels", "run", "candidates", "by", "weights", "cluster")
COLUMN_ROLES = ("query", "doc", "grade", "score", "rank", "judge")


@dataclass(frozen=True)
class Reading:
    """How inputs are to be read: formats, columns and comment lines, for judgments and runs apart.

    `labels` turns the labels of judgments into grades. `features` is the feature file whose rows predictions belong
    to, `groups` the group file of a feature file. `collapse` says how the documents of a run of chunks are found.
    `query_ids` turns the wording of judged queries into their ids. `tables` says that tables of attributes, weights or
    clusters are read by the same column names.
    """

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, object] | None = None
    comments: bool | None = None
    labels: object = None
    features: object = None
    groups: object = None
    collapse: object = None
    query_ids: object = None
    tables: bool = False

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
            if isinstance(part, Declared):
                return part
            return {str(key): str(value) for key, value in part.items()} if isinstance(part, Mapping) else None
        roles = {"qrels": ("query", "doc", "grade", "judge"), "run": ("query", "doc", "score", "rank")}.get(
            role, ("query", "doc")
        )
        named = {key: str(value) for key, value in self.columns.items() if key in roles}
        return Declared(named, ("query", "doc")) if named else None


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
    collapse: Collapse | None = None
    collapsed: dict[str, CollapsedEngine] = field(default_factory=dict)
    begun: Begun | None = None

    def beside(self) -> Session:
        """The same session for another thread: a connection of its own to the same database."""
        workspace = self.workspace.beside()
        return replace(self, workspace=workspace, judgments=self.judgments.beside(workspace))

    def engine(self, run: str, kept: Kept | None = None) -> Engine:
        """The engine for a run: plain dicts stay in memory, everything else goes through DuckDB.

        `kept` is what a scan of several runs kept of it.
        """
        source = self.runs[run]
        if self.collapse is not None:
            from .engines.collapse import CollapsedEngine

            self.collapsed[run] = CollapsedEngine(source, self.judgments, self.workspace, self.collapse)
            return self.collapsed[run]
        if isinstance(source, Mapped):
            from .engines.memory import MemoryEngine

            return MemoryEngine(source, self.judgments)
        from .engines.local import LocalEngine

        begun, self.begun = self.begun, None
        return LocalEngine(source, self.judgments, self.workspace, kept=kept, begun=begun)

    def inputs(self) -> tuple[Input, ...]:
        """How everything was read, for people."""
        sources = [
            ("judgments", self.judgments_source),
            *((f"run {name}", run) for name, run in self.runs.items()),
        ]
        if self.pool_source is not None:
            sources.append(("candidate pool", self.pool_source))
        notes = {f"run {name}": (engine.note,) for name, engine in self.collapsed.items()}
        if self.merge is not None and isinstance(self.judgments_source, Scanned):
            notes["judgments"] = (f"several grades of one document are merged by {self.merge}",)
        return tuple(_described(role, source.described, notes.get(role, ())) for role, source in sources)


def _described(role: str, described: Described, more: tuple[str, ...] = ()) -> Input:
    return Input(role, described.name, described.format, described.layout, (*described.notes, *more))


def open_session(
    qrels: object,
    run: object,
    *,
    candidates: object = None,
    reading: Reading | None = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
    empty_runs: bool = False,
    measures: Sequence[Measure] = (),
) -> Session:
    """Read judgments and pool, and open the runs; nothing is scored yet.

    A run without a single row is an error, unless `empty_runs` declares that it is one that misses every query.
    `measures` are those to come: what they need of a run may be begun beside the reading of the rest.
    """
    reading = reading or Reading()
    workspace = Workspace(memory)
    if any(isinstance(source, str | os.PathLike) for source in (qrels, run)):
        workspace.open_early()
    try:
        judgments_source = read(
            qrels,
            Role.JUDGMENTS,
            format=reading.qrels_format,
            columns=reading.columns_for("qrels"),
            comments=reading.comments,
            labels=reading.labels,
            groups=reading.groups,
            query_ids=reading.query_ids,
        )
        collapse = as_collapse(reading.collapse)
        runs: dict[str, Source] = {}
        begun: Begun | None = None
        early = bool(measures) and candidates is None and collapse is None and not split_tags
        for name, source in ({} if split_tags else named_runs(run, reading.features is not None)).items():
            runs[name] = _run_of(
                source,
                empty_runs,
                format=reading.run_format,
                columns=collapsed_columns(reading.columns_for("run"), collapse),
                comments=reading.comments,
                name=None if isinstance(source, str | os.PathLike) else name,
                labels=reading.labels,
                groups=reading.groups,
                features=reading.features or implied_features(judgments_source),
                implied=reading.features is None,
            )
            if early and len(runs) == TOGETHER:
                begun = _begin(workspace, judgments_source, runs, measures)
        if collapse is not None and collapse.column is not None:
            refuse_without_columns(runs, collapse)
        if split_tags:
            runs = runs_by_tag(run, reading)
        pool_source = None
        if candidates is not None:
            pool_source = read(
                candidates,
                Role.POOL,
                columns=reading.columns_for("candidates"),
                comments=reading.comments,
                groups=reading.groups,
            )
        pools = () if pool_source is None else (pool_source,)
        if not reading.tables:
            refuse_unused(reading.columns_for("qrels"), (judgments_source, *runs.values(), *pools))
        if early and len(runs) < TOGETHER:
            begun = _begin(workspace, judgments_source, runs, measures)
        judgments = load_judgments(judgments_source, workspace, merge)
        if pool_source is not None:
            judgments.pool = load_pool(pool_source, workspace)
    except BaseException:
        workspace.close()
        raise
    return Session(workspace, judgments, judgments_source, runs, pool_source, merge, collapse=collapse, begun=begun)


def _begin(
    workspace: Workspace, judgments: Source, runs: Mapping[str, Source], measures: Sequence[Measure]
) -> Begun | None:
    """The scan of one run, or of the first of many small ones, begun where all inputs are files."""
    scanned = [run for run in runs.values() if not isinstance(run, Mapped)]
    if isinstance(judgments, Mapped) or len(scanned) < len(runs) or not (len(runs) == 1 or all_small(runs)):
        return None
    from .engines.local.begun import begin

    return begin(workspace, judgments, scanned, distinct_requests(measures))


def implied_features(judgments: Source) -> str | None:
    """The feature file that predictions without another one belong to: that of the judgments, if they are one."""
    if isinstance(judgments, Mapped) or judgments.described.format != "svmlight" or len(judgments.parts) > 1:
        return None
    return judgments.parts[0].path or judgments.described.name


def collapsed_columns(columns: Mapping[str, str] | None, collapse: Collapse | None) -> Mapping[str, str] | None:
    """The columns of a run, the document being the column that collapses its chunks."""
    if collapse is None or collapse.column is None:
        return columns
    # What has no columns at all is refused in the words of collapse=, by `refuse_without_columns`.
    shared = columns.shared if isinstance(columns, Declared) else ()
    return Declared({**(columns or {}), "doc": collapse.column}, (*shared, "doc"))


def refuse_without_columns(runs: Mapping[str, Source], collapse: Collapse) -> None:
    """A column can only collapse the chunks of a run that has columns."""
    for name, source in runs.items():
        if isinstance(source, Mapped) or source.described.format in WITHOUT_COLUMNS:
            raise UsageError(
                f"collapse={collapse.column!r} names a column, and run {name} ({source.described.format}) has none",
                code="collapse",
                hint="a pattern with other characters than letters, digits, blanks, - and _ is applied to the ids",
            )


def _run_of(source: object, empty_runs: bool, **reading: Any) -> Source:
    """A run as it is read; one without rows is an empty mapping where that is declared to be a run."""
    try:
        return read(source, Role.RUN, **reading)
    except InputError as error:
        if not empty_runs or error.code != "empty":
            raise
        return Mapped(Role.RUN, Described(str(reading["name"] or source), "no rows"), {})


def runs_by_tag(run: object, reading: Reading) -> dict[str, Source]:
    """Every tag of TREC run files as a run of its own; the file's name stands before a tag that two files bear."""
    from .readers.tags import by_tag

    found: dict[str, Source] = {}
    for name, source in named_runs(run).items():
        if not isinstance(source, str | os.PathLike):
            raise UsageError("split_tags= takes paths of TREC run files", code="split_tags")
        columns = reading.columns_for("run")
        for tag, tagged in by_tag(os.fspath(source), comments=reading.comments, columns=columns).items():
            key = tag if tag not in found else f"{name} {tag}"
            if key in found:
                raise UsageError(f"two runs are called {key!r}", code="run_names", hint="name the files apart")
            found[key] = tagged
    return found


def named_runs(run: object, predictions: bool = False) -> dict[str, object]:
    """Runs by name. One run is named after its file, or `run` where it is in memory.

    Of `predictions` a dict is always several runs.
    """
    if is_several_runs(run) or (predictions and isinstance(run, Mapping)):
        assert isinstance(run, Mapping)
        named = {str(name): source for name, source in run.items()}
        if len(named) < len(run):
            raise UsageError("two runs have the same name, once as text and once as a number", code="run_names")
        return named
    return {run_name(run): run}


def keyword_names(function: Callable[..., object]) -> list[str]:
    """The keywords that a function names itself."""
    import inspect

    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def refuse_unknown(function: Callable[..., object], conventions: Iterable[str]) -> None:
    """Raise ArgumentError for a keyword of a call to `function` that is no convention."""
    for name in conventions:
        if name not in CONVENTIONS:
            raise unknown_option(function.__name__, name, [*keyword_names(function), *CONVENTIONS])


def one_measure(function: Callable[..., object], measure: object, conventions: Mapping[str, object]) -> Measure:
    """The one measure of a call to `function`, with the conventions given to the call."""
    refuse_unknown(function, conventions)
    measures = apply_conventions(as_measures(measure), conventions)
    if len(measures) != 1:
        raise UsageError(
            f"{function.__name__} takes one measure, found {', '.join(map(str, measures))}", code="several_measures"
        )
    return measures[0]


def apply_conventions(measures: tuple[Measure, ...], conventions: Mapping[str, object]) -> tuple[Measure, ...]:
    """All measures under the conventions given to the call; a name that no measure takes is an error."""
    for name in conventions:
        refuse_unknown(evaluate, [name])
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
    labels: object = None,
    features: object = None,
    groups: object = None,
    collapse: object = None,
    query_ids: object = None,
    merge: str | None = None,
    memory: str | None = None,
    split_tags: bool = False,
    worst: int = 5,
    by: object = None,
    by_documents: object = None,
    slice_mode: str = "keep",
    slice_overlap: str = "refuse",
    slice_least: int = 10,
    weights: object = None,
    default_weight: float | None = None,
    interval: object = None,
    **conventions: object,
) -> Result:
    """Score one or several runs against judgments under one or several measures.

    `qrels` and `run` are each a path, a list of paths, a dict of dicts (`{query: {document: number}}`), for a run
    also `{query: [document, ...]}`, a pandas, polars or Arrow table or a DuckDB relation; a dict of such things is
    several runs by name. `measures` are strings such as `"nDCG@10"` or measures as values. `candidates` declares the
    candidate pool (same shapes, documents per query) and `pool_version` its label. `columns` names columns by role
    (query, doc, grade, score, rank, judge), for all inputs or as `{"qrels": {...}, "run": {...}}`;
    `{"qrels": {"grade": 1}}` makes every row of the judgments one of grade 1. `merge` combines
    several grades of one document (max, min, mean, median). `comments` says whether lines starting with `#` are
    comments. `labels` turns the labels of judgments into grades: `{"Exact": 2, ...}` or a preset (esci, wands, ...).
    `features` is the feature file whose rows the run's predictions belong to, `groups` its group file. `collapse`
    scores documents from rankings of chunks, best chunk: a pattern such as `"#[0-9]+$"`, or the column of the document.
    `query_ids` gives judgments that name queries by their wording the ids of the run: `{id: wording}`, or a file with
    both. `memory` limits DuckDB, such as "1GB". `split_tags` makes every tag of TREC run files a run
    of its own. `worst` queries of each entry keep the judged documents that they missed.

    `by` makes slices: an attribute of queries as a pandas Series, `{query: value}`, `{name: {query: value}}`, a table
    with a query column or `"FILE:COLUMN"`, or a list of these; `"FILE:a*b"` crosses two. `by_documents` are attributes
    of documents in the same shapes: their slices keep true ranks and count gain from the slice's documents only, or
    take the others out of the list (`slice_mode="restrict"`). A query with two values of an attribute is an error, or
    counts in both slices (`slice_overlap="both"`); slices with fewer than `slice_least` counted queries are marked.
    `weights` say how often each query is asked, in the shapes of `by`: the weighted mean stands beside the macro mean;
    `default_weight` is for queries without one. `interval` is True or "t", "bca", "percentile", or a dict with method,
    level, resamples, seed and cluster (labels of queries in the shapes of `by`); slices have one unless it is False.
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
    whole_number("worst=", worst, 0)
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
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    more = None
    if (
        any(given is not None for given in (by, by_documents, weights, default_weight, interval))
        or slice_mode != "keep"
    ):
        from .slicing import wanted

        more = wanted(
            by=by,
            by_documents=by_documents,
            weights=weights,
            default_weight=default_weight,
            interval=interval,
            slice_mode=slice_mode,
            slice_overlap=slice_overlap,
            slice_least=slice_least,
            columns_for=reading.columns_for,
        )
        reading = replace(reading, tables=True)
    session = open_session(
        qrels,
        run,
        candidates=candidates,
        reading=reading,
        merge=merge,
        memory=memory,
        split_tags=split_tags,
        empty_runs=all(measure.conventions["empty_run"] == "missing" for measure in parsed),
        measures=parsed,
    )
    with session.workspace as workspace, workspace.out_of_memory():
        result = score_session(session, parsed, pool_version, worst)
        if more is None:
            return result
        from .slicing import applied

        return applied(more, session, result)


def _without_judgment(bare: Sequence[str], of: int) -> str:
    """The sentence about queries that count as judged though nobody judged anything for them."""
    has, stands = ("has", "stands") if len(bare) == 1 else ("have", "stand")
    more = f" and {len(bare) - 3:,} more" if len(bare) > 3 else ""
    listed = ", ".join(repr(clip(query, 40)) for query in bare[:3])
    noun = "query" if of == 1 else "queries"
    return f"{len(bare):,} of the {of:,} judged {noun} {has} no judgment at all, and {stands} as empty: {listed}{more}"


def score_session(
    session: Session, measures: Sequence[Measure], pool_version: str | None = None, worst: int = 5
) -> Result:
    """Score all runs of a session."""
    from .fingerprints import Fingerprints

    entries: list[Entry] = []
    warnings = list(session.warnings)
    judgments = session.judgments
    if judgments.repeats:
        warnings.append(
            f"{counted_noun(judgments.repeats, 'repeated judgment was', 'repeated judgments were')} identical and "
            "collapsed"
        )
    if judgments.bare:
        warnings.append(_without_judgment(judgments.bare, len(judgments.queries)))
    for scored, warned in scored_runs(session, measures, worst):
        entries += scored
        warnings += warned
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
