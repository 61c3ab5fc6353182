"""`check`: read judgments and runs, however odd they are, and say what is odd, most harmful first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ..asked_measures import DEFAULT_MEASURE
from ..engines.judgments import load_pool
from ..engines.workspace import Workspace
from ..errors import InputError, UsageError, choose
from ..measures.conventions import CONVENTIONS
from ..measures.measure import Measure
from ..measures.registry import as_measures
from ..readers.passages import Collapse, as_collapse
from ..readers.source import Role
from ..reading import Reading
from ..version import __version__
from .data import Data, RunData
from .extras import load_extra, load_ids
from .findings import Effect, Finding, Found, Kind, Weight
from .join_facts import JoinFacts
from .judgment_facts import JudgmentFacts
from .kinds import ALL
from .opening import Opened, Problem, open_input, open_runs
from .page import CheckReport, JudgmentPage, RunPage, judgment_page, run_page
from .rows import collapsed, load_rows
from .run_facts import RunFacts
from .scoring_again import Scorer, measured


def check(
    qrels: object,
    run: object = None,
    measure: object = DEFAULT_MEASURE,
    *,
    candidates: object = None,
    corpus: object = None,
    older_than: object = None,
    date: str | None = None,
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
) -> CheckReport:
    """Say what is odd in judgments and runs before anything is believed, ranked by how much it moves the score.

    `qrels` and `run` are what `evaluate` takes; without a run only the judgments are checked. What `evaluate` refuses
    (malformed rows, NaN, conflicting grades) becomes a finding with positions, and the rest is looked at all the same.
    `measure` is the one measure whose value is followed, its `error` policies as their defaults: a finding's effect is
    measured by scoring under its other settings. `candidates` is the candidate pool, `corpus` the ids that exist (a
    file with an id per line or JSON Lines, or a collection), `older_than` a date such as "2026-01-31" before which
    judgments are old, `date` the column of their dates. The other keywords are those of `evaluate`.

    Returns a `CheckReport`: what was loaded, and one `Finding` per oddity and run, with counts, examples, effect and
    the option that settles it. Raises InputError where a file is not there, UsageError for wrong options. Time
    O(rows): a few passes over one copy of each run.

    >>> import ndcg
    >>> judged = {"q1": {"A": 1, "B": 0}, "q2": {"C": 0}}
    >>> page = ndcg.check(judged, {"q1": {"B": 1.0, "A": 1.0}, "q2": {"C": 2.0}}, "nDCG@1")
    >>> [finding.code for finding in page.findings][:2]
    ['tied_at_cutoff', 'constant_scores']
    """
    chosen = _one(measure)
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    moment = _moment(older_than)
    with Workspace(memory) as workspace, workspace.out_of_memory():
        judgments = open_input(qrels, Role.JUDGMENTS, reading)
        runs = open_runs(run, reading, split_tags, judgments)
        data = _load(workspace, judgments, runs, chosen, merge, as_collapse(collapse))
        _add_extras(data, qrels, candidates, corpus, moment, date, reading)
        try:
            return _report(data, judgments, runs)
        finally:
            for one in data.runs:
                one.again.close()


def _one(measure: object) -> Measure:
    measures = as_measures(measure)
    if len(measures) != 1:
        raise UsageError(f"check follows one measure, found {len(measures)}", code="several_measures")
    needs = measures[0].conventions["ideal"]
    if needs == "candidates":
        raise UsageError(
            "check follows the measure as it stands without a pool; its ideal is measured beside it",
            code="ideal",
            hint="leave ideal= out and give candidates=",
        )
    # What an error policy refuses is a finding here: the value that is followed is that of the default policy.
    refusing = {name: CONVENTIONS[name].default for name, value in measures[0].conventions.values if value == "error"}
    return measures[0].with_conventions(refusing)


def _moment(given: object) -> datetime | None:
    if given is None or isinstance(given, datetime):
        return given if given is None else given.replace(tzinfo=None)
    try:
        return datetime.fromisoformat(str(given)).replace(tzinfo=None)
    except ValueError:
        raise UsageError(
            f"older_than {given!r} is not a date", code="older_than", hint="write it as 2026-01-31"
        ) from None


def _load(
    workspace: Workspace,
    judgments: Opened,
    runs: Sequence[Opened],
    measure: Measure,
    merge: str | None,
    collapse: Collapse | None,
) -> Data:
    from ..engines.judgments import MERGES

    if merge is not None and merge not in MERGES:
        raise choose("merge rule", merge, list(MERGES))
    loaded = load_rows(workspace, judgments)
    judged = None
    if loaded is not None and loaded.rows + len(loaded.bare):
        judged = JudgmentFacts(workspace, judgments, loaded, merge)
    found: list[RunData] = []
    problems: list[Problem] = [*judgments.problems]
    for opened in runs:
        rows = load_rows(workspace, opened)
        problems += opened.problems
        if rows is not None and judged is not None and judged.loaded.rows and rows.rows:
            if collapse is not None:
                rows = collapsed(workspace, opened, rows, judged.judgments(), collapse)
            facts = RunFacts(workspace, opened, rows, judged)
            facts.begin()
            found.append(RunData(facts, JoinFacts(facts), Scorer(facts, measure)))
    return Data(workspace, measure, judged, found, problems)


def _add_extras(
    data: Data,
    qrels: object,
    candidates: object,
    corpus: object,
    moment: datetime | None,
    date: str | None,
    reading: Reading,
) -> None:
    """The pool, the ids of the corpus, judges and dates."""
    if candidates is not None:
        opened = open_input(candidates, Role.POOL, reading)
        if opened.source is None:
            problem = opened.problems[0]
            raise InputError(problem.sentence, code="bad_pool", faults=problem.faults, total=problem.total)
        data.pool = load_pool(opened.source, data.workspace)
        for run in data.runs:
            run.again.pool = data.pool
    if corpus is not None:
        data.corpus = load_ids(data.workspace, corpus)
    if data.judged is not None:
        extra = load_extra(data.workspace, qrels, data.judged.source, date)
        if extra is not None:
            data.extra, data.judges, data.dates = extra.table, extra.judges, extra.dates
            data.unread_dates = extra.unread
    if moment is not None and not data.dates:
        raise InputError(
            "the judgments have no date column, so none of them is older than a date",
            code="missing_column",
            hint="name it with date= (--date COLUMN)",
        )
    data.older_than = moment


def _report(data: Data, judgments: Opened, runs: Sequence[Opened]) -> CheckReport:
    looked = [(kind, found) for kind in ALL.values() for found in kind.look(data)]
    for run in data.runs:
        if run.scorer is not None:
            mine = [kind for kind, found in looked if found.subject in (None, run.name) and measured(kind, found)]
            run.scorer.prepare([settings for kind in mine for settings in kind.settings])
    findings = [finding for kind, found in looked for finding in _findings(data, kind, found)]
    order = {code: at for at, code in enumerate(ALL)}
    findings.sort(key=lambda finding: (*rank_of(finding), order[finding.code]))
    by_name = {run.name: run for run in data.runs}
    problem = _why_nothing(data, runs)
    return CheckReport(
        measure=str(data.measure),
        judgments=judgment_page(data, judgments),
        runs=tuple(run_page(data, opened, by_name.get(opened.subject or "run")) for opened in runs),
        findings=tuple(findings),
        problem=problem,
        merge=data.judged.rule if data.judged is not None else None,
        declared_merge=data.judged.merge if data.judged is not None else None,
        version=__version__,
    )


def rank_of(finding: Finding) -> tuple[int, float]:
    """Where a finding stands: refusals first, then by effect, what cannot be told after that, notes last."""
    if finding.weight is Weight.REFUSED:
        return 0, 0.0
    largest = finding.effect.largest
    moves = largest or 0.0
    if finding.weight is Weight.NOTE and not moves:
        return 4, 0.0
    if largest is None:
        return 2, 0.0
    return (1, -moves) if moves else (3, 0.0)


def _findings(data: Data, kind: Kind, found: Found) -> list[Finding]:
    """One finding per run that it concerns: of judgments, of every run that they score."""
    runs = [run for run in data.runs if found.subject in (None, run.name)]
    effects: list[tuple[str | None, Effect]] = []
    for run in runs:
        effects.append((run.name, run.again.effect(kind, found)))
    if found.subject is None and len(effects) > 1:
        # What is odd in the judgments is said once, with the run that it moves most.
        effects = [max(effects, key=lambda pair: pair[1].largest or 0.0)]
    if not effects:
        unknown = found.unknown or kind.unknown
        none = found.none or kind.none
        nothing = unknown or (None if none else "that takes a run")
        effects = [(found.subject, Effect(unknown=nothing, none=none))]
    words = {"count": f"{found.count:,}", **(found.words or {})}
    return [
        Finding(
            kind.code,
            Weight.DOUBT if kind.weight is Weight.REFUSED and _settled(data, kind) else kind.weight,
            found.subject
            if found.subject is not None
            else (name if len(data.runs) > 1 and effect.alternatives else None),
            kind.sentence.format(**words),
            found.count,
            found.of,
            found.examples,
            effect,
            found.option or kind.option,
        )
        for name, effect in effects
    ]


def _settled(data: Data, kind: Kind) -> bool:
    """Whether what would be refused was settled by a declared rule."""
    return kind.code == "conflicting_grades" and data.judged is not None and data.judged.merge is not None


def _why_nothing(data: Data, runs: Sequence[Opened]) -> str | None:
    """Why nothing can be scored, None where something can."""
    if data.judged is None or not data.judged.loaded.rows:
        return "no judgment could be read"
    if not any(grade > 0 for grade in data.judged.grades):
        return "no judgment is positive: no query has anything to find"
    if runs and not data.runs:
        return "no row of a run could be read"
    scorers = [run.scorer for run in data.runs if run.scorer is not None]
    if runs and not scorers:
        return "no run has a query in common with the judgments"
    if runs and all(scorer.problem is not None for scorer in scorers):
        return f"{data.measure} cannot be computed: {scorers[0].problem}"
    return None


__all__ = ["CheckReport", "JudgmentPage", "RunPage", "check"]
