"""Write the collection's files, the same bytes every time."""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Sequence

from .collect import Document
from .judged import COLUMNS, Judgment
from .places import COLLECTION, TOOLS
from .since import age_of, since_of, since_table


def write_documents(documents: list[Document]) -> None:
    """The attributes as a table, titles and texts as compressed lines of JSON."""
    table = since_table()
    versions = [(each, since_of(each.id, each.module, table)) for each in documents]
    rows = [(each.id, each.kind, each.module, since, age_of(since)) for each, since in versions]
    write_csv("documents.csv", ("doc", "kind", "module", "since", "age"), rows)
    lines = [{"doc": each.id, "title": each.title, "text": each.text} for each in documents]
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write(content.encode())
    (COLLECTION / "documents.jsonl.gz").write_bytes(packed.getvalue())


def write_declared() -> None:
    """The queries, and the licence of the docstrings, as they are."""
    for name in ("queries.csv", "PSF-LICENSE.txt"):
        (COLLECTION / name).write_bytes((TOOLS / name).read_bytes())


def write_judgments(name: str, judgments: Iterable[Judgment]) -> None:
    """One table of judgments."""
    write_csv(name, COLUMNS, [each.row() for each in judgments])


def write_qrels(grades: dict[tuple[str, str], int]) -> None:
    """The final grades in the TREC format."""
    lines = [f"{query} 0 {doc} {grade}\n" for (query, doc), grade in sorted(grades.items())]
    (COLLECTION / "judgments.qrels").write_text("".join(lines), encoding="utf-8", newline="\n")


def write_csv(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table with a header and plain line ends."""
    with (COLLECTION / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
