"""The systems of a comparison: runs that are scored now, and results that were saved before."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..asked_measures import DEFAULT_MEASURE, apply_conventions
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

if TYPE_CHECKING:
    from ..engines.judgments import Judgments, Pool
    from ..fingerprints import Fingerprints

SAVED = re.compile(rb'\s*\{\s*"format"\s*:\s*\d+\s*,\s*"results"\s*:')
"""How a saved result begins."""


@dataclass
class Gathered:
    """All systems of one call, by name, the baseline first.

    `live` are the runs that were scored now, with their judgments (and candidate pool) in `judgments`. `variants` holds
    the entries under `ideal='candidates'` by run and measure, where there are pools. `declared` says where the pools
    come from: 'given', 'run' or 'none'; `one_pool` whether all runs were given the same one.
    """

    identities: dict[str, Identity]
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    session: Session | None
    result: Result
    judgments: dict[str, Judgments] = field(default_factory=dict)
    variants: dict[tuple[str, str], Entry] = field(default_factory=dict)
    declared: str = "none"
    one_pool: bool = False

    def entry(self, run: str, measure: str) -> Entry:
        """The scores of a run under a measure."""
        return self.identities[run].entries[measure]

    def live(self, run: str) -> bool:
        """Whether the run was scored now, so that its documents are at hand."""
        return run in self.judgments


def is_saved(source: object) -> bool:
    """Whether a path is that of a saved result. Pipes are left alone: what is read from them is gone."""
    if not isinstance(source, str | os.PathLike):
        return False
    try:
        if not Path(os.fspath(source)).is_file():
            return False
        with Path(os.fspath(source)).open("rb") as file:
            return SAVED.match(file.read(400)) is not None
    except (OSError, ValueError, TypeError):
        return False


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


def saved_entries(name: str, result: Result, measures: Sequence[Measure]) -> dict[str, Entry]:
    """The entries of one system of a saved result by the measure that was asked for.

    The same measure under other conventions is taken too: what differs is then named as not comparable.
    """
    entries = [entry for entry in result.entries if entry.slice is None]
    runs = list(dict.fromkeys(entry.run for entry in entries))
    run = runs[0] if len(runs) == 1 else name
    if run not in runs:
        raise UsageError(
            f"the saved result given as {name!r} holds {len(runs)} runs: {', '.join(runs[:6])}",
            code="several_runs",
            hint=f"pick one by its name: {{{runs[0]!r}: result}} in Python, RESULT.json:{runs[0]} on the command line",
        )
    found: dict[str, Entry] = {}
    for measure in measures:
        own = [entry for entry in entries if entry.run == run]
        same = [entry for entry in own if entry.measure == str(measure)] or [
            entry for entry in own if (entry.declaration.get("measure"), entry.declaration.get("k")) == _kind(measure)
        ]
        if not same:
            raise UsageError(
                f"the saved result of {name!r} holds no {measure}",
                code="no_such_measure",
                hint=f"it holds {', '.join(entry.measure for entry in own)}",
            )
        found[str(measure)] = replace(same[0], run=name)
    return found


def _kind(measure: Measure) -> tuple[str, int | None]:
    return measure.name, measure.k


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
    needing = next((measure for measure in wanted if measure.conventions["ideal"] == "candidates"), None)
    if live and needing is not None and not has_pool:
        raise UsageError(
            f"{needing} takes its ideal from the candidate pool, and none was given",
            code="no_pool",
            hint="declare it with candidates=, or with run_is_pool=True",
        )
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
        entries = saved_entries(name, result, wanted)
        # Runs of one result object share its judgments; two loads are two origins.
        origin = id(result)
        made.identities[name] = Identity(
            name, origin, entries, partial(_fingerprints_of, result), result.pool_version, result.version
        )
    if not live:
        _refuse_rescoring(saved, wanted, reading, merge=merge, memory=memory, split_tags=split_tags)
    order = list(made.identities) if split_tags else [str(name) for name in (runs or made.identities)]  # type: ignore[attr-defined]
    _ordered(made, order, baseline)
    _keep_saved(made, saved)
    return made


def _refuse_rescoring(
    saved: Mapping[str, Result], wanted: Sequence[Measure], reading: Reading, **options: object
) -> None:
    """Saved results are compared as they were scored: other measures, and options of reading, are errors."""
    held = list(dict.fromkeys(entry.measure for result in saved.values() for entry in result.entries))
    for measure in wanted:
        if str(measure) not in held:
            raise UsageError(
                f"the saved results hold {', '.join(held[:6])} and not {measure}",
                code="no_such_measure",
                hint="they are compared as they were scored: score the runs again for other measures and conventions",
            )
    given = {**asdict(reading), **options}
    if given.pop("tables"):
        given["columns"] = None  # they name the columns of attributes, weights or clusters
    for name, value in given.items():
        if value not in (None, False):
            raise UsageError(
                f"{name}= says how runs and judgments are read, and saved results are not read again",
                code="no_effect",
                hint="leave it out",
            )


def _fingerprints_of(result: Result) -> Mapping[str, object]:
    return result.fingerprints


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


def _keep_saved(made: Gathered, saved: Mapping[str, Result]) -> None:
    """The result with the entries of saved systems beside those scored now, and its fingerprints."""
    if not saved:
        return
    entries = [made.entry(name, str(measure)) for name in made.names for measure in made.measures]
    own, first = made.result._fingerprints, next(iter(saved.values()))
    made.result = replace(
        made.result,
        entries=tuple(entries),
        inputs=(*made.result.inputs, *(read for result in saved.values() for read in result.inputs)),
        warnings=tuple(dict.fromkeys(w for result in (made.result, *saved.values()) for w in result.warnings)),
        measures=made.measures,
        pool_version=made.result.pool_version if made.session is not None else first.pool_version,
        _fingerprints=own if made.session is not None else partial(_fingerprints_of, first),
    )


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
    made.one_pool = session.judgments.pool is not None
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
