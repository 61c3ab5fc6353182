"""`convert`: judgments and runs from one format to another, with nothing lost in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .converting import Loaded, load
from .engines.workspace import Workspace
from .errors import SHOWN, Fault, InputError, UsageError, choose
from .fitting import BARE, fit, second_column
from .readers import read
from .readers.inputs import FILES, ROLES, files_of
from .readers.query_ids import as_query_ids, with_ids
from .readers.source import Role, Source
from .whole_files import whole
from .writers import WRITERS, Content, Row, Writer, writer
from .writers.files import ending, packing, to_standard_output, write

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
        dropped, made = fit(opened, loaded, chosen, drop, tag)
        dropped += second_column(files, opened.described.format)
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
        - (len(loaded.bare) if BARE[opened.role][0] in drop else 0)
        - (len(loaded.failed) if "failed" in drop else 0),
        rows,
        tuple(dropped),
        tuple(made),
    )


def _target_format(path: str, to: str | None) -> str:
    if to is not None:
        return to
    found = ending(path)
    if found not in ENDINGS:
        raise UsageError(
            f"the name {path!r} does not say which format to write",
            code="format",
            hint=f"name it with to= (--to): {', '.join(WRITERS)}",
        )
    return ENDINGS[found]


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


def _content(loaded: Loaded, chosen: Writer, drop: Sequence[str], tag: str) -> Content:
    return Content(
        role=loaded.role,
        scored=loaded.scored and ("scores" in chosen.holds or loaded.role is Role.JUDGMENTS),
        placed=loaded.placed,
        judges=loaded.judges,
        tag=tag,
        bare=() if BARE[loaded.role][0] in drop else loaded.bare,
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
