"""The systems of a comparison: runs that are scored now, and results that were saved before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from ..asked_measures import DEFAULT_MEASURE, apply_conventions, refuse_without_pool
from ..errors import UsageError, choose
from ..evaluation import score_session
from ..measures.measure import Measure
from ..measures.registry import as_measures
from ..pools import pool_fingerprint, pool_of_engine, pool_of_run, splits, with_pool
from ..readers import is_several_runs
from ..readers.source import Role
from ..reading import Reading
from ..results import Entry, Result
from ..saved import load
from ..session import Session, open_session
from ..version import __version__
from .comparable import Identity
from .pools_by_run import pools_by_run
from .saved_systems import identity_of, is_saved, keep_saved, refuse_rescoring

if TYPE_CHECKING:
    from ..engines.judgments import Judgments, Pool
    from ..fingerprints import Fingerprints


@dataclass
class Gathered:
    """All systems of one call, by name, the baseline first.

    `live` are the runs that were scored now, with their judgments (and candidate pool) in `judgments`. `variants` holds
    the entries under `ideal='candidates'` by run and measure, where there are pools. `declared` says where the pools
    come from: 'given', 'run' or 'none'.
    """

    identities: dict[str, Identity]
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    session: Session | None
    result: Result
    judgments: dict[str, Judgments] = field(default_factory=dict)
    variants: dict[tuple[str, str], Entry] = field(default_factory=dict)
    declared: str = "none"

    def entry(self, run: str, measure: str) -> Entry:
        """The scores of a run under a measure."""
        return self.identities[run].entries[measure]

    def live(self, run: str) -> bool:
        """Whether the run was scored now, so that its documents are at hand."""
        return run in self.judgments


def sources_of(
    qrels: object, runs: object, predictions: bool = False
) -> tuple[object, dict[str, object], dict[str, object]]:
    """(judgments, runs to be scored by name, saved results by name) from what `compare` was given."""
    if runs is None and isinstance(qrels, Result):
        return None, {}, dict.fromkeys(dict.fromkeys(entry.run for entry in qrels.entries), qrels)
    if isinstance(qrels, Result) or is_saved(qrels):
        raise UsageError(
            "the first argument holds the judgments, and this is a saved result",
            code="not_judgments",
            hint="compare saved results with ndcg.compare(None, {'base': result, 'new': result})",
        )
    if not isinstance(runs, Mapping):
        raise UsageError(
            f"compare takes runs by name, found {type(runs).__name__}",
            code="runs",
            hint="give {'base': run, 'new': run}; the first is the baseline",
        )
    names = [str(name) for name in runs]
    if len(set(names)) < len(names):
        raise UsageError("two runs have the same name, once as text and once as a number", code="run_names")
    saved = {str(name): run for name, run in runs.items() if isinstance(run, Result) or is_saved(run)}
    live = {str(name): run for name, run in runs.items() if str(name) not in saved}
    if live and not predictions and not is_several_runs(live):
        raise UsageError(
            "compare takes several runs by name, and these look like one run",
            code="runs",
            hint="give {'base': run, 'new': run}, each a path, a table or {query: {document: score}}",
        )
    if live and qrels is None:
        raise UsageError(
            f"{next(iter(live))} is a run, which needs judgments", code="no_judgments", hint="only saved results do not"
        )
    return qrels, live, saved


def chosen_measures(
    measures: object, saved: Mapping[str, Result], conventions: Mapping[str, object]
) -> tuple[Measure, ...]:
    """The measures that were asked for; of saved results without any, those of the first."""
    if measures is None and saved:
        first = next(iter(saved.values()))
        measures = list(dict.fromkeys(entry.measure for entry in first.entries)) or None
    return apply_conventions(as_measures(DEFAULT_MEASURE if measures is None else measures), conventions)


def gather(
    qrels: object,
    runs: object,
    measures: object,
    conventions: Mapping[str, object],
    *,
    baseline: str | None,
    candidates: object,
    run_is_pool: bool,
    pool_version: str | None,
    reading: Reading,
    merge: str | None,
    memory: str | None,
    split_tags: bool,
) -> Gathered:
    """Read and score everything; the session stays open for what looks at documents."""
    judged, live, kept = sources_of(qrels, runs, reading.features is not None)
    saved = {name: source if isinstance(source, Result) else load(source) for name, source in kept.items()}
    wanted = chosen_measures(measures, {} if live else saved, conventions)
    if candidates is not None and run_is_pool:
        raise UsageError(
            "candidates= and run_is_pool= both declare the candidate pool", code="pools", hint="leave one out"
        )
    has_pool = candidates is not None or run_is_pool
    if live:
        refuse_without_pool(wanted, has_pool, "declare it with candidates=, or with run_is_pool=True")
    if pool_version is not None and not has_pool:
        raise UsageError("pool_version= labels a candidate pool, and none was given", code="no_pool")
    made = Gathered({}, wanted, (), None, Result((), (), __version__))
    if live:
        _score(made, judged, live, candidates, run_is_pool, pool_version, reading, merge, memory, split_tags)
    elif has_pool:
        raise UsageError(
            "saved results were scored with their own pools, and none of these runs is scored now", code="pools"
        )
    for name, result in saved.items():
        if name in made.identities:
            raise UsageError(f"two runs are called {name!r}", code="run_names", hint="name them apart")
        made.identities[name] = identity_of(name, result, wanted)
    if not live:
        refuse_rescoring(saved, wanted, reading, merge=merge, memory=memory, split_tags=split_tags)
    order = list(made.identities) if split_tags else [str(name) for name in (runs or made.identities)]  # type: ignore[attr-defined]
    _ordered(made, order, baseline)
    keep_saved(made, saved)
    return made


def _ordered(made: Gathered, order: list[str], baseline: str | None) -> None:
    """The systems in the order given, the baseline first."""
    if len(order) < 2:
        raise UsageError(
            f"a comparison needs two systems, found {', '.join(order) or 'none'}",
            code="one_run",
            hint="give {'base': run, 'new': run}",
        )
    if baseline is not None:
        if baseline not in order:
            raise choose("baseline=", baseline, order)
        order = [baseline, *(name for name in order if name != baseline)]
    made.names = tuple(order)
    made.identities = {name: made.identities[name] for name in order}


def _score(
    made: Gathered,
    qrels: object,
    live: Mapping[str, object],
    candidates: object,
    run_is_pool: bool,
    pool_version: str | None,
    reading: Reading,
    merge: str | None,
    memory: str | None,
    split_tags: bool,
) -> None:
    """Score the runs, each beside its own candidate pool where it has one."""
    by_run = pools_by_run(candidates, list(live))
    session = open_session(
        qrels,
        live,
        candidates=None if by_run else candidates,
        reading=reading,
        merge=merge,
        memory=memory,
        split_tags=split_tags,
        measures=() if by_run or run_is_pool else made.measures,
    )
    made.session = session
    made.declared = "run" if run_is_pool else "given" if candidates is not None else "none"
    variants = {
        str(measure): measure.with_conventions({"ideal": "candidates"})
        for measure in made.measures
        if made.declared != "none" and splits(measure)
    }
    asked = tuple(dict.fromkeys((*made.measures, *variants.values())))
    # Runs that share one pool, or none, are scored in one call, several at once where they are small files.
    together = None if by_run or run_is_pool else score_session(session, asked, pool_version, 0)
    results = [] if together is None else [together]
    for name, source in session.runs.items():
        judgments = session.judgments
        if by_run:
            judgments = with_pool(judgments, _read_pool(by_run[name], session, reading))
        elif run_is_pool:
            judgments = with_pool(judgments, returned_pool(session, name))
        made.judgments[name] = judgments
        scored = together
        if scored is None:
            scored = score_session(replace(session, judgments=judgments, runs={name: source}), asked, pool_version, 0)
            results.append(scored)
        entries = {entry.measure: entry for entry in scored.entries if entry.run == name}
        for text, variant in variants.items():
            made.variants[name, text] = entries[str(variant)]
        made.identities[name] = Identity(
            name,
            id(session),
            {str(measure): entries[str(measure)] for measure in made.measures},
            dict,
            pool_version,
            __version__,
        )
    prints = _fingerprints(session, made, by_run, reading)
    for name, identity in made.identities.items():
        made.identities[name] = replace(identity, fingerprints=partial(prints, name))
    made.result = replace(
        results[0],
        entries=tuple(made.entry(name, str(measure)) for name in made.identities for measure in made.measures),
        inputs=session.inputs(),
        measures=made.measures,
        warnings=tuple(dict.fromkeys(warning for result in results for warning in result.warnings)),
        _fingerprints=prints,
    )


def returned_pool(session: Session, run: str) -> Pool:
    """The documents that a run returned, as a pool; those of its chunks where chunks are collapsed."""
    if session.collapse is not None:
        return pool_of_engine(session.engine(run), session.workspace, session.judgments.queries)
    return pool_of_run(session.runs[run], session.workspace)


def _read_pool(source: object, session: Session, reading: Reading) -> Pool:
    from ..engines.judgments import load_pool
    from ..readers import read

    found = read(source, Role.POOL, columns=reading.columns_for("candidates"), comments=reading.comments)
    return load_pool(found, session.workspace)


def _fingerprints(
    session: Session, made: Gathered, by_run: Mapping[str, object] | None, reading: Reading
) -> Callable[..., Mapping[str, object]]:
    """Fingerprints of what was scored now, computed when they are asked for: of the whole call, or for one run."""
    from ..fingerprints import Fingerprints

    shared = Fingerprints(session, made.measures)
    done: dict[str, Mapping[str, object]] = {}

    def all_of(run: str | None = None) -> Mapping[str, object]:
        if "all" not in done:
            found = dict(shared.all())
            if made.declared == "run":
                found["candidates"] = {
                    name: pool_fingerprint(_returned(name, session, made, shared)) for name in session.runs
                }
            elif by_run:
                found["candidates"] = _of_pools(by_run, session, reading)
            done["all"] = found
        found = dict(done["all"])
        if run is not None and isinstance(found["candidates"], Mapping):
            found["candidates"] = found["candidates"][run]
        return found

    return all_of


def _returned(name: str, session: Session, made: Gathered, shared: Fingerprints) -> Mapping[str, Iterable[str]]:
    """The documents that a run returned; those of its chunks where chunks are collapsed."""
    pool = made.judgments[name].pool
    if session.collapse is not None and pool is not None:
        return pool.mapping
    return shared.returned(name)


def _of_pools(by_run: Mapping[str, object], session: Session, reading: Reading) -> dict[str, str]:
    """The fingerprint of each run's pool, read again."""
    from ..engines.judgments import load_pool
    from ..engines.workspace import Workspace
    from ..readers import read

    with Workspace(session.workspace.memory) as workspace:
        found = {}
        for name, source in by_run.items():
            given = read(source, Role.POOL, columns=reading.columns_for("candidates"), comments=reading.comments)
            pool = load_pool(given, workspace)
            found[name] = pool_fingerprint(pool.mapping)
        return found
