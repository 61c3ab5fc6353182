"""(judgments, rankings, measures) -> per-query rows. Joins engines, kernel and policies; reads nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .aggregate import STATUSES
from .counted import among_ranks, counted_noun
from .engines.contract import Cutoff, Engine, Listed, Ranking, Request, RunFacts
from .engines.judgments import Judgments
from .errors import Fault, InputError
from .kernel.batch import Batch, Bools, Computed, Floats, Ints
from .kernel.gains import GainError
from .measures.conventions import CONVENTIONS
from .measures.habits import counts_list, has_query_habits, needs_marks
from .measures.measure import Measure
from .missed import missed_documents
from .ranking import ranked
from .results import Counters, Entry, QueryTable
from .tie_order import order_moves

OWN_SHARE = 0.01
"""From this share of queries that return a document with their own id on, every output warns."""

ORDERS = {"docid_desc": "docid_desc", "given": "given", "given_reversed": "given", "shared": "given"}
"""The order inside tied groups that each tie rule asks of the engine; every other rule takes docid."""

COUNTED_VALUE = {"zero": 0.0, "one": 1.0}
"""The value that a policy gives a query; other policies give none."""


def request_of(measure: Measure, cutoffs: tuple[Cutoff, ...] = ()) -> Request:
    """The ranking that a measure needs."""
    conventions = measure.conventions
    ties = conventions.text("ties")
    if counts_list(measure) and None not in cutoffs:
        # The length of a list is only known where the whole list is looked at.
        cutoffs = (*cutoffs, None)
    return Request(
        order=ORDERS.get(ties, "docid"),
        duplicates=conventions.text("duplicates"),
        self=conventions.text("self"),
        score_type=conventions.text("score_type"),
        condense=conventions["unjudged"] == "skip",
        groups=ties in ("average", "best", "worst", "given_reversed", "shared"),
        whole=measure.k is None
        or conventions["ideal"] == "returned"
        or measure.family.whole_list
        or counts_list(measure),
        cutoffs=cutoffs,
        marks=needs_marks(measure),
    )


def plan(measures: Sequence[Measure]) -> dict[Measure, Request]:
    """The request of each measure; measures that share ranking conventions share one."""
    cutoffs: dict[Request, list[Cutoff]] = {}
    for measure in measures:
        found = cutoffs.setdefault(request_of(measure), [])
        if measure.k not in found:
            found.append(measure.k)
    return {measure: request_of(measure, tuple(cutoffs[request_of(measure)])) for measure in measures}


def distinct_requests(measures: Sequence[Measure]) -> list[Request]:
    """The rankings that measures need, each once."""
    return list(dict.fromkeys(plan(measures).values()))


def score_run(
    name: str, engine: Engine, judgments: Judgments, measures: Sequence[Measure], worst: int = 0
) -> tuple[list[Entry], RunFacts]:
    """Entries of one run, one per measure."""
    requests = plan(measures)
    distinct = distinct_requests(measures)
    facts, rankings = engine.rank(distinct)
    answers = dict(zip(distinct, rankings, strict=True))
    queries = [*judgments.queries, *facts.others] if facts.others else judgments.queries
    entries = []
    for measure in measures:
        request = requests[measure]
        entry = entry_of(name, judgments, queries, facts, answers[request], measure)

        def rows_of(query: str, request: Request = request) -> Sequence[Listed]:
            return engine.leading(request, [query])[query]

        refused = unjudged_document(name, rows_of, judgments, entry, measure)
        if refused is not None:
            raise refused
        if worst:
            chosen = [row.query for row in entry.worst(worst)]
            missed = missed_documents(engine.leading(request, chosen), judgments, measure, chosen)
            entry = replace(entry, missed=missed)
        entries.append(entry)
    return entries, facts


def entry_of(
    name: str,
    judgments: Judgments,
    queries: Sequence[str],
    facts: RunFacts,
    ranking: Ranking,
    measure: Measure,
    *,
    tie_order: bool = True,
) -> Entry:
    """The entry of one ranking under one measure: kernel, statuses, policies, counts and warnings.

    `tie_order` asks in which queries the order of equal scores can move the value.
    """
    conventions = measure.conventions
    computed = compute(judgments, ranking, measure)
    table = _table(judgments, queries, facts, ranking, measure, computed)
    _apply_errors(name, table, measure)
    if tie_order:
        batch = Batch(judgments.numbers, ranking.ranked, listed(ranking, measure))
        moves = order_moves(batch, measure, request_of(measure).order)
        table = replace(table, order_moves=np.r_[moves, np.zeros(len(queries) - len(moves), np.bool_)] & table.counted)
    looked = ranking.looked[measure.k]
    negatives = int(np.count_nonzero(judgments.numbers.grade < 0))
    counters = Counters(
        looked.repeats, negatives, 0 if conventions["self"] == "drop" else looked.own, looked.disagreements
    )
    declaration = measure.declared_on(judgments.numbers)
    return Entry(name, str(measure), declaration, table, counters, _warnings(measure, table, counters))


def compute(judgments: Judgments, ranking: Ranking, measure: Measure) -> Computed:
    """The kernel's numbers; a grade without a gain becomes an error naming query and document."""
    batch = Batch(judgments.numbers, ranking.ranked, listed(ranking, measure))
    try:
        computed = measure.family.compute(batch, measure)
    except GainError as error:
        raise _gain_error(judgments, error, measure) from None
    for values, word in ((computed.dcg, "DCG"), (computed.ideal, "ideal DCG"), (computed.value, "value")):
        if values is not None and not np.isfinite(values).all():
            query = judgments.queries[int(np.flatnonzero(~np.isfinite(values))[0])]
            problem = f"the {word} is beyond the range of a float"
            raise InputError(
                problem,
                code="overflow",
                faults=[Fault(problem, "judgments", query=query)],
                hint="use gain='linear' or a gain table",
            )
    return computed


def listed(ranking: Ranking, measure: Measure) -> Ints:
    """Documents per query, without repeats and after condensing; beyond the cutoff only where a measure asks."""
    whole = counts_list(measure)
    if measure.conventions["unjudged"] == "skip" or (whole and None not in ranking.looked):
        return ranking.ranked.returned
    return ranking.looked[None if whole else measure.k].ranks


def _gain_error(judgments: Judgments, error: GainError, measure: Measure) -> InputError:
    numbers = judgments.numbers
    code = int(numbers.query[np.flatnonzero(numbers.grade == error.grade)[0]])
    query = judgments.queries[code]
    doc = next((doc for doc, grade in judgments.grades_of(query)[query].items() if grade == error.grade), None)
    hint = "use gain='linear' or a gain table that holds the grade"
    if error.problem == "is negative":
        hint = "use negative='clamp', or negative='keep' with gain='linear'"
    elif "whole number" in error.problem:
        hint = "use gain='exp2' for other grades"
    elif "gain table" in error.problem:
        hint = f"add it to the table, such as {{{error.grade:g}: 0, ...}}"
    return InputError(
        f"grade {error.grade:g} {error.problem}",
        code="gain",
        faults=[Fault(f"grade {error.grade:g} {error.problem}", "judgments", None, query, doc)],
        hint=hint,
    )


def _table(
    judgments: Judgments,
    queries: Sequence[str],
    facts: RunFacts,
    ranking: Ranking,
    measure: Measure,
    computed: Computed,
) -> QueryTable:
    """Statuses, policies and counts; judged queries first, then those that only the run has."""
    conventions = measure.conventions
    looked = ranking.looked[measure.k]
    judged = len(judgments.queries)
    others = len(facts.others)

    status = np.full(judged + others, STATUSES.index("unjudged"), dtype=np.int8)
    here = np.full(judged, STATUSES.index("scored"), dtype=np.int8)
    here[ranking.returned == 0] = STATUSES.index("missing")
    here[computed.relevant == 0] = STATUSES.index("empty")
    here[facts.failed] = STATUSES.index("failed")
    status[:judged] = here
    if facts.others_failed:
        for at, query in enumerate(facts.others):
            if query in facts.others_failed:
                status[judged + at] = STATUSES.index("failed")

    value: Floats = np.zeros(judged + others)
    value[:judged] = computed.value
    counted: Bools = status == STATUSES.index("scored")
    if measure.family.always_defined:
        counted[:judged] = True if computed.defined is None else computed.defined
        for name in ("missing", "failed"):
            if name in measure.family.conventions and conventions[name] in ("exclude", "error"):
                counted[status == STATUSES.index(name)] = False
    else:
        for name in ("empty", "missing", "failed"):
            affected = status == STATUSES.index(name)
            policy = conventions.text(name)
            if policy in COUNTED_VALUE:
                value[affected] = COUNTED_VALUE[policy]
                counted[affected] = True
    if has_query_habits(measure):
        from .query_habits import apply_habits

        apply_habits(measure, judgments.queries, facts, ranking, computed, status, value, counted)
    value[~counted] = 0.0

    def widened(column: NDArray[Any] | None, dtype: type) -> NDArray[Any]:
        wide: NDArray[Any] = np.zeros(judged + others, dtype=dtype)
        if column is not None:
            wide[:judged] = column
        return wide

    # A million rows stay small: no rank is beyond the cutoff.
    of_ranks = np.int16 if measure.k is not None and measure.k <= np.iinfo(np.int16).max else np.int32
    returned = widened(ranking.returned, np.int32)
    returned[judged:] = list(facts.others_returned)
    return QueryTable(
        queries=queries,
        judged_queries=judged,
        status=status,
        counted=counted,
        value=value,
        dcg=widened(computed.dcg, np.float64) if computed.dcg is not None else None,
        ideal=widened(computed.ideal, np.float64) if computed.ideal is not None else None,
        judged=widened(judgments.numbers.counts(), np.int32),
        relevant=widened(computed.relevant, np.int32),
        returned=returned,
        ranks=widened(looked.ranks, of_ranks),
        judged_ranks=widened(looked.judged, of_ranks),
        tied=widened(looked.tied, np.int32),
        without_gain=widened(computed.without_gain, np.bool_),
        aggregate=measure.family.aggregate,
    )


def unjudged_document(
    name: str, rows_of: Callable[[str], Sequence[Listed]], judgments: Judgments, entry: Entry, measure: Measure
) -> InputError | None:
    """The error for `unjudged='error'`: the first document in the scored ranks without a judgment.

    `rows_of` gives rows of a query that hold at least its scored ranks.
    """
    table = entry.rows
    affected = np.flatnonzero((table.judged_ranks < table.ranks) & (table.status != STATUSES.index("unjudged")))
    if measure.conventions["unjudged"] != "error" or not len(affected):
        return None
    query = table.queries[int(affected[0])]
    places = ranked(rows_of(query), measure, query, judgments.grades_of(query)[query])
    document = next((place.document for place in places[: measure.k] if place.grade is None), None)
    problem = "the document stands in the scored ranks and has no judgment"
    return InputError(
        problem,
        code="unjudged_document",
        faults=[Fault(problem, name, None, query, document)],
        hint=f"{counted_noun(len(affected), 'query has', 'queries have')} one; unjudged='zero' or 'skip' would go on",
    )


def _apply_errors(name: str, table: QueryTable, measure: Measure) -> None:
    """The `error` policies about queries."""
    conventions = measure.conventions
    treated = table.status.copy()
    if conventions["empty_missing"] == "missing":
        treated[(treated == STATUSES.index("empty")) & (table.returned == 0)] = STATUSES.index("missing")
    for convention, status, problem in (
        ("failed", "failed", "the search failed"),
        ("unjudged_query", "unjudged", "the query has no judgments"),
        ("empty", "empty", "no judged document has a positive gain"),
        ("missing", "missing", "the run returned no document"),
    ):
        if conventions[convention] != "error":
            continue
        affected = np.flatnonzero((treated == STATUSES.index(status)) & ~table.counted)
        if len(affected):
            raise InputError(
                f"{name}: {counted_noun(len(affected), 'query is', 'queries are')} {status}",
                code=f"{status}_query",
                faults=[Fault(problem, name, query=table.queries[at]) for at in affected[:10].tolist()],
                total=len(affected),
                hint=f"{convention}='error' was declared; {_ways_on(convention)} would go on",
            )


def _ways_on(convention: str) -> str:
    return " or ".join(repr(choice) for choice in CONVENTIONS[convention].choices if choice != "error")


def _warnings(measure: Measure, table: QueryTable, counters: Counters) -> tuple[str, ...]:
    """Sentences that every output shows beside this value."""
    found = []
    conventions = measure.conventions
    read_as = measure.read_as()
    if read_as is not None:
        found.append(read_as)
    if "ideal" in measure.family.conventions and conventions["ideal"] == "returned":
        found.append("ideal='returned' hides missed documents and inflates the score")
    if counters.own > OWN_SHARE * max(1, table.judged_queries):
        found.append(
            f"{counted_noun(counters.own, 'query returns', 'queries return')} a document with the query's own id"
            f"{among_ranks(measure.k)}; if these are the queries themselves, use self='drop'"
        )
    without = int(np.count_nonzero(table.without_gain & table.counted))
    if without and conventions["no_ideal"] == "zero":
        found.append(
            f"{counted_noun(without, 'query scores', 'queries score')} 0 because the ideal pool is without gain"
        )
    above = int(np.count_nonzero(table.value[table.counted] > 1)) if measure.family.range == "0 to 1" else 0
    if above:
        found.append(f"{counted_noun(above, 'query scores', 'queries score')} above 1")
    if "not comparable across queries" in measure.family.range:
        found.append(f"{measure.name} is not comparable across queries: its mean follows the queries with most gain")
    return tuple(found)
