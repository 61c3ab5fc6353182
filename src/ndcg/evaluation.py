"""`evaluate`: read judgments and runs, score every run under every measure, keep what the result must tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .asked_measures import DEFAULT_MEASURE, apply_conventions, refuse_unknown, refuse_without_pool
from .counted import counted_noun
from .errors import UsageError, clip, whole_number
from .many_runs import scored_runs
from .measures.measure import Measure
from .measures.registry import as_measures
from .reading import Reading
from .results import Entry, Result
from .session import Session, open_session
from .version import __version__


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
    parsed = as_measures(measures)
    refuse_unknown(evaluate, conventions)
    parsed = apply_conventions(parsed, conventions)
    refuse_without_pool(parsed, candidates is not None)
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
