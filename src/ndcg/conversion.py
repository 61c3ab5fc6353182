"""`convert`: judgments and runs from one format to another, with nothing lost in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .converting import Loaded, load
from .counted import counted_noun
from .engines.workspace import Workspace
from .errors import SHOWN, Fault, InputError, UsageError, choose, clip
from .readers import read
from .readers.inputs import FILES, ROLES, files_of
from .readers.lines import numbered
from .readers.query_ids import as_query_ids, with_ids
from .readers.source import Role, Source
from .whole_files import whole
from .writers import WRITERS, Content, Row, Writer, writer
from .writers.files import packing, to_standard_output, write

KINDS = {"judgments": Role.JUDGMENTS, "run": Role.RUN}
"""What can be converted."""

ENDINGS = {
    ".qrels": "trec_qrels",
    ".run": "trec_run",
    ".trec": "trec_run",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".yaml": "yaml",
    ".yml": "yaml",
}
"""The format that the name of the output means where none is given."""

DROPS = {
    "scores": "the scores of a run: only the ranks that they give are written",
    "unrated": "queries without any judgment",
    "empty": "queries for which a run returned nothing: they are missing, as if never asked",
    "failed": "queries whose search failed: they become queries without results",
}
"""What is only left out if the caller says so, since it can change a score."""

_BARE = {
    Role.JUDGMENTS: ("unrated", "bare", "queries without any judgment"),
    Role.RUN: ("empty", "nothing", "queries for which the run returned nothing"),
}
"""What queries without a row are called: in `drop`, in what a format holds, and in words."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was written.

    `dropped` is what the source had and the target does not hold; `made` is what the target needs and the source did
    not have. `queries` counts all that are named, `rows` the documents written.
    """

    source: str
    target: str
    source_format: str
    target_format: str
    kind: str
    queries: int
    rows: int
    dropped: tuple[str, ...]
    made: tuple[str, ...]


def convert(
    source: object,
    target: str | os.PathLike[str],
    *,
    to: str | None = None,
    source_format: str | None = None,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    comments: bool | None = None,
    labels: object = None,
    features: object = None,
    groups: object = None,
    query_ids: object = None,
    merge: str | None = None,
    tag: str | None = None,
    drop: Sequence[str] = (),
    memory: str | None = None,
) -> Conversion:
    """Write judgments or a run in another format.

    `source`: a path, a list of paths, a glob, a folder or '-'. `target` is a file, whole or not there at all, never one
    of the inputs, compressed if it ends in .gz or .zst; '-' is standard output. `to` is its format, found by its ending
    if None. `source_format`, `columns`, `comments`, `labels`, `features` and `groups` say how the source is read, as in
    `evaluate`; `query_ids` gives queries that the source names by their wording their ids, `{id: wording}` or a file
    with both; `kind` ('judgments' or 'run') what it holds, where both would do. `merge` combines several grades of one
    document. `tag` names the run in formats that name it. `drop` allows what could change a score to be left out:
    'scores', 'unrated', 'empty', 'failed'.

    Raises InputError naming every row (the first ten) that the target cannot hold: a fractional grade in TREC, a blank
    in an id, a tab in tab-separated text; UsageError for formats that do not fit. Time O(rows log rows).

    >>> from ndcg import convert
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.qrels").write_text("q1 0 d1 2\\n")
    >>> convert(str(folder / "a.qrels"), folder / "a.csv").rows
    1
    """
    path = os.fspath(target)
    target_format = _target_format(path, to)
    chosen = writer(target_format)
    for name in drop:
        if name not in DROPS:
            raise choose("drop=", name, tuple(DROPS))
    files = files_of(source)
    _refuse_inputs(path, files)
    if chosen.stores and (path == "-" or packing(path)):
        raise UsageError(
            f"{target_format} is written to a file of its own, compressed inside", code="output", hint="name a file"
        )
    given = {"format": source_format, "columns": columns, "comments": comments, "features": features, "groups": groups}
    opened = _open(files, chosen, kind, given, labels)
    table = as_query_ids(query_ids)
    if table is not None:
        opened = with_ids(opened, table)
    with Workspace(memory) as workspace, workspace.out_of_memory():
        loaded = load(opened, workspace, merge=merge, judges="judges" in chosen.holds)
        loaded.where = opened.described.name
        dropped, made = _fit(opened, loaded, chosen, drop, tag)
        dropped += _second_column(files, opened.described.format)
        queries, rows = loaded.counts()
        content = _content(loaded, chosen, drop, tag if tag is not None else opened.described.tag)
        _write(content, chosen, path, opened.described.name, loaded)
    return Conversion(
        opened.described.name,
        path,
        opened.described.format,
        target_format,
        "run" if opened.role is Role.RUN else "judgments",
        queries
        - (len(loaded.bare) if _BARE[opened.role][0] in drop else 0)
        - (len(loaded.failed) if "failed" in drop else 0),
        rows,
        tuple(dropped),
        tuple(made),
    )


def _target_format(path: str, to: str | None) -> str:
    if to is not None:
        return to
    name = Path(path)
    suffix = Path(name.stem).suffix if packing(path) else name.suffix
    if suffix.lower() not in ENDINGS:
        raise UsageError(
            f"the name {path!r} does not say which format to write",
            code="format",
            hint=f"name it with to= (--to): {', '.join(WRITERS)}",
        )
    return ENDINGS[suffix.lower()]


def _refuse_inputs(path: str, files: Sequence[str]) -> None:
    for file in files:
        if path != "-" and Path(path).exists() and Path(file).samefile(path):
            raise UsageError(f"{path} is one of the inputs and would be replaced", code="output", hint="name another")


def _open(files: list[str], chosen: Writer, kind: str | None, given: Mapping[str, object], labels: object) -> Source:
    """The source, read as what it is: by its format, by the target's, by `kind`, or as the only one that it can be."""
    if kind is not None and kind not in KINDS:
        raise choose("kind", kind, tuple(KINDS))
    format = given["format"]
    if format is not None and format not in FILES:
        raise choose("format", format, tuple(FILES))
    of_source = ROLES.get(str(format), tuple(KINDS.values()))
    wanted = (KINDS[kind],) if kind is not None else tuple(KINDS.values())
    roles = [role for role in wanted if role in chosen.roles and role in of_source]
    if not roles:
        holds = " or ".join("a run" if role is Role.RUN else "judgments" for role in chosen.roles)
        what = f"a {kind}" if kind == "run" else kind or str(format)
        raise UsageError(f"{chosen.format} holds {holds}, not {what}", code="kind", hint="choose another format")
    found: list[Source] = []
    errors: list[InputError] = []
    for role in roles:
        try:
            found.append(_read(files, role, given, labels))
        except InputError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    if len(found) > 1:
        raise UsageError(
            f"{files[0]} could be judgments or a run, and {chosen.format} holds both",
            code="kind",
            hint="say which with kind='judgments' or kind='run' (--kind)",
        )
    return found[0]


def _read(files: list[str], role: Role, given: Mapping[str, object], labels: object) -> Source:
    source: object = files[0] if len(files) == 1 else files
    return read(source, role, labels=labels if role is Role.JUDGMENTS else None, **given)  # type: ignore[arg-type]


def _fit(
    opened: Source, loaded: Loaded, chosen: Writer, drop: Sequence[str], tag: str | None
) -> tuple[list[str], list[str]]:
    """Make what the target needs; say what is dropped; refuse what must not be."""
    described, holds, needs = opened.described, chosen.holds, chosen.needs
    dropped = [note for note in described.notes if "comment line" in note or "unrated document" in note]
    made = [note for note in described.notes if "ids of their wording" in note]
    dropped += [thing for thing in described.unused if not (loaded.judges and thing.startswith("judge"))]
    for words, held in (("weights", "weights"), ("wording", "texts")):
        count = sum(len(getattr(part, held)) for part in getattr(opened, "parts", ()))
        if count:
            dropped.append(f"the {words} of {counted_noun(count, 'query', 'queries')}")
    if loaded.repeats:
        dropped.append(f"{counted_noun(loaded.repeats, 'repeated judgment')}, identical")
    if loaded.merged:
        made.append(f"{counted_noun(loaded.merged, 'further grade')} of the same documents merged")
    if described.tag and ("tag" not in holds or tag is not None):
        dropped.append(f"the run tag {clip(described.tag, 60)!r}")
    if "tag" in holds and not (described.tag or tag) and loaded.role is Role.RUN:
        made.append("the name of the run: 'run'")
    name, thing, words = _BARE[loaded.role]
    _leave(loaded.bare, name, thing, chosen, drop, dropped, words)
    _leave(loaded.failed, "failed", "failed", chosen, drop, dropped, "failed queries")
    from .readers.judges import has_judges

    if loaded.role is Role.JUDGMENTS:
        if has_judges(opened) and not loaded.judges:
            dropped.append("the names of the judges")
        if loaded.judges and "repeats" not in holds:
            _refuse_repeats(loaded, chosen, "query, doc, judge", "a grade of each judge once")
        if "judges" in needs and not loaded.judges:
            raise UsageError(f"{chosen.format} has a column per judge, and the source names none", code="no_judges")
        return dropped, made
    _fit_numbers(loaded, chosen, drop, dropped, made)
    return dropped, made


def _second_column(files: Sequence[str], format: str) -> list[str]:
    """The second column of TREC text, where it says more than 0 or Q0 (a subtopic, an iteration)."""
    if format not in ("trec_qrels", "trec_run"):
        return []
    tabs = {"trec_qrels": 3, "trec_run": 5}[format]
    for file in files:
        for _, line in numbered(file):
            inner = line.strip(b" \t")
            fields = inner.split(b"\t") if inner.count(b"\t") == tabs else inner.split(None, 2)
            if len(fields) > 2 and fields[1].strip() not in (b"0", b"Q0", b"q0") and not line.startswith(b"#"):
                return [f"the second column, such as {fields[1].decode('utf-8', 'replace')!r}"]
    return []


def _leave(
    queries: Sequence[str],
    name: str,
    thing: str,
    chosen: Writer,
    drop: Sequence[str],
    dropped: list[str],
    words: str,
) -> None:
    if not queries or (thing in chosen.holds and name not in drop):
        return
    listed = ", ".join(repr(clip(query, 40)) for query in queries[:SHOWN])
    more = f" and {len(queries) - SHOWN} more" if len(queries) > SHOWN else ""
    if name not in drop:
        are = "is" if len(queries) == 1 else "are"
        raise InputError(
            f"{chosen.format} cannot hold {words}, and there {are} {len(queries)}: {listed}{more}",
            code="cannot_hold",
            hint=f"leave them out with drop=[{name!r}] (--drop {name}), or choose another format such as json",
        )
    dropped.append(f"{counted_noun(len(queries), words.replace('queries', 'query'), words)}: {listed}{more}")


def _fit_numbers(loaded: Loaded, chosen: Writer, drop: Sequence[str], dropped: list[str], made: list[str]) -> None:
    holds, needs = chosen.holds, chosen.needs
    if loaded.scored and ("scores" not in holds or ("scores" in drop and "scores" not in needs)):
        if "scores" not in drop:
            raise InputError(
                f"{chosen.format} holds ranks and no scores, and the run has scores",
                code="cannot_hold",
                hint="write the ranks by score, ties by document, in their place with drop=['scores'] (--drop scores)",
            )
        loaded.forget_scores()
        dropped.append("the scores; the ranks are those by score, ties by document")
    if loaded.scored and loaded.placed and "ranks" not in holds:
        dropped.append("the ranks; the scores decide")
    if not loaded.scored and "scores" in needs:
        loaded.make_scores()
        made.append("scores: minus the rank")
    if loaded.scored and not loaded.placed and "ranks" in needs:
        loaded.make_ranks()
        made.append("ranks: by score, ties by document")
    if not loaded.scored and "ranks" not in holds:
        _refuse_equal_ranks(loaded, chosen)
    if "repeats" not in holds:
        _refuse_repeats(loaded, chosen, "query, doc", "a document once per query")


def _refuse_equal_ranks(loaded: Loaded, chosen: Writer) -> None:
    found = loaded.ask("select query, rank, count(*) from {t} group by query, rank having count(*) > 1 limit 10")
    if found:
        said = ((f"{count} documents have rank {float(str(rank)):g}", str(query)) for query, rank, count in found)
        faults = [Fault(problem, loaded.where, query=query) for problem, query in said]
        raise InputError(
            f"{chosen.format} holds an order and no ranks, and documents share a rank",
            code="cannot_hold",
            faults=faults,
            total=len(faults),
            hint="choose another format such as csv",
        )


def _refuse_repeats(loaded: Loaded, chosen: Writer, key: str, words: str) -> None:
    grouped = f"from {{t}} group by {key} having count(*) > 1"
    found = loaded.ask(f"select any_value(query), any_value(doc), count(*) {grouped} order by min(place) limit 10")
    if found:
        total = loaded.ask(f"select count(*) from (select 1 {grouped})")[0][0]
        faults = [
            Fault(f"the document stands there {n} times", loaded.where, None, str(q), str(d)) for q, d, n in found
        ]
        raise InputError(
            f"{chosen.format} holds {words}",
            code="cannot_hold",
            faults=faults,
            total=int(str(total)),
            hint="choose another format such as csv",
        )


def _content(loaded: Loaded, chosen: Writer, drop: Sequence[str], tag: str) -> Content:
    return Content(
        role=loaded.role,
        scored=loaded.scored and ("scores" in chosen.holds or loaded.role is Role.JUDGMENTS),
        placed=loaded.placed,
        judges=loaded.judges,
        tag=tag,
        bare=() if _BARE[loaded.role][0] in drop else loaded.bare,
        failed=() if "failed" in drop else loaded.failed,
        rows=loaded.rows,
        store=loaded.store,
    )


def _write(content: Content, chosen: Writer, path: str, where: str, loaded: Loaded) -> None:
    faults: list[Fault] = []
    total = 0
    if any(mark.isspace() for mark in content.tag) and chosen.format == "trec_run":
        raise UsageError(
            f"the run tag {content.tag!r} holds a blank", code="tag", hint="name another with tag= (--tag)"
        )
    for query in (*content.bare, *content.failed):
        problem = chosen.query_problem(query)
        if problem:
            total += 1
            faults.append(Fault(problem, where, query=query))
    passes = 0

    def checked(order: str) -> Iterator[Row]:
        nonlocal total, passes
        passes += 1
        again = passes > 1
        for row in content.rows(order):
            problem = None if again else chosen.problem(row)
            if problem:
                total += 1
                if len(faults) < SHOWN:
                    faults.append(Fault(problem, where, None, row.query, row.doc))
            yield row

    def pieces(content: Content) -> Iterator[str]:
        yield from chosen.text(content)
        refuse()

    def refuse() -> None:
        if total:
            raise InputError(
                f"{where} cannot be written as {chosen.format}: {total} row{'s do' if total > 1 else ' does'} not fit",
                code="cannot_hold",
                faults=faults,
                total=total,
                hint="correct them or choose another format" + ("" if chosen.format == "csv" else " such as csv"),
            )

    if chosen.stores:
        with whole(path) as temporary:
            temporary.unlink()
            loaded.store(temporary)
        return
    if path == "-":
        held = list(pieces(replace(content, rows=checked)))  # nothing is printed of what does not fit
        to_standard_output(held)
        return
    with whole(path) as temporary:
        write(temporary, path, pieces(replace(content, rows=checked)))
