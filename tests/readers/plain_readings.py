"""Every format read in the plainest way that is right, to compare the readers with."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Rows = list[tuple[str, str, float | None, float | None]]
"""query, document, number (grade or score) and rank; None where the format gives none."""

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?", re.IGNORECASE)


class Unreadable(Exception):
    """The plain reading does not take the file."""


class NoOpinion(Exception):
    """The plain reading is too plain for this file."""


def number(text: str) -> float:
    """A number of the grammar."""
    if not NUMBER.fullmatch(text):
        raise Unreadable(text)
    return float(text)


def value(held: Any) -> float:
    """A number of a JSON document: itself, or text of the grammar."""
    if isinstance(held, bool) or not isinstance(held, int | float | str):
        raise Unreadable(repr(held))
    return number(held) if isinstance(held, str) else float(held)


def ident(held: Any) -> str:
    """An id: text, or an integer's decimal text."""
    if isinstance(held, bool) or not isinstance(held, int | str) or held == "":
        raise Unreadable(repr(held))
    if re.search("[\udc80-\udcff]", str(held)):
        raise Unreadable(repr(held))
    return str(held)


def text(data: bytes) -> str:
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")


def lines(data: bytes) -> list[str]:
    return [line for line in re.split("\r\n|\r|\n", text(data)) if line.strip(" \t")]


def trec(data: bytes, width: int) -> Iterator[list[str]]:
    kept = [line for line in lines(data) if not line.startswith("#")]
    tabs = all(line.strip(" \t").count("\t") == width - 1 for line in kept)
    for line in kept:
        inner = line.strip(" \t")
        fields = [field.strip(" ") for field in inner.split("\t")] if tabs else re.split("[ \t]+", inner)
        if len(fields) < width or not all(fields):
            raise Unreadable(line)
        yield fields


def trec_qrels(data: bytes) -> Rows:
    return [(fields[0], fields[2], number(fields[3]), None) for fields in trec(data, 4) if only(fields, 4)]


def trec_run(data: bytes) -> Rows:
    return [(fields[0], fields[2], number(fields[4]), number(fields[3])) for fields in trec(data, 6)]


def only(fields: list[str], width: int) -> bool:
    if len(fields) != width:
        raise Unreadable(str(fields))
    return True


def table(data: bytes, delimiter: str = ",", quoted: bool = True) -> list[list[str]]:
    source = io.StringIO(text(data), newline="")
    kind = {"strict": True, "delimiter": delimiter} if quoted else {"delimiter": delimiter, "quoting": csv.QUOTE_NONE}
    if not quoted:
        return [line.split(delimiter) for line in re.split("\r\n|\r|\n", text(data)) if line]
    return [row for row in csv.reader(source, **kind) if row]  # type: ignore[arg-type]


def is_quoted(data: bytes, delimiter: str) -> bool:
    """Whether marks enclose fields in tab-separated text: some field begins with one, and all are closed."""
    if not any(field.startswith('"') for line in lines(data) for field in line.split(delimiter)):
        return False
    try:
        table(data, delimiter)
    except csv.Error:
        return False
    return True


def short(data: bytes) -> Rows:
    """A ranked list without a header, of two or three fields."""
    first = lines(data)[0]
    mark = next(mark for mark in "\t, " if len(first.split(mark)) in (2, 3))
    rows = table(data, mark, mark == "," or (mark == "\t" and is_quoted(data, mark)))
    found: Rows = []
    for row in rows:
        only(row, len(first.split(mark)))
        rank = number(row[2]) if len(row) == 3 else float(len(found) + 1)
        found.append((ident(row[0]), ident(row[1]), None, rank))
    return found


def columns(*places: int, delimiter: str = ",", header: bool = True, rank: bool = False) -> Callable[[bytes], Rows]:
    """A naive reading of query, document, number by position."""

    def read(data: bytes) -> Rows:
        rows = table(data, delimiter, delimiter == "," or is_quoted(data, delimiter))
        width = len(rows[0])
        made: Rows = []
        for row in rows[header:]:
            only(row, width)
            query, doc, held = (row[place] for place in places)
            found = number(held)
            made.append((ident(query), ident(doc), None if rank else found, found if rank else None))
        return made

    return read


def parsed(data: bytes) -> Any:
    return json.loads(text(data), object_pairs_hook=pairs)


def pairs(held: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(held)) != len(held):
        raise Unreadable("a key stands twice")
    return dict(held)


def nested(data: bytes) -> Rows:
    found: Rows = []
    for query, docs in parsed(data).items():
        if isinstance(docs, dict):
            found += [(ident(query), ident(doc), value(score), None) for doc, score in docs.items()]
        else:
            found += [(ident(query), ident(doc), None, float(at)) for at, doc in enumerate(docs or (), 1)]
    return found


def key(held: dict[str, Any], *names: str) -> Any:
    """The value under the first of these names; upper and lower case, blanks and hyphens are as good as the others."""
    folded = {re.sub(r"[-_\s]", "", name).lower(): value for name, value in held.items()}
    return next((folded[name] for name in (name.replace("_", "") for name in names) if name in folded), None)


def json_lines(data: bytes) -> Rows:
    found: Rows = []
    for line in lines(data):
        row = json.loads(line, object_pairs_hook=pairs)
        for held in row.get("results", [row]):
            query, doc = key(row, "query_id", "query", "queryid"), key(held, "corpus_id", "doc", "corpusid")
            found.append((ident(query), ident(doc), value(key(held, "score", "grade")), None))
    return found


def rank_eval(data: bytes) -> Rows:
    return [
        (ident(one["id"]), ident(rated["_id"]), value(rated["rating"]), None)
        for one in parsed(data)["requests"]
        for rated in one["ratings"]
    ]


def search_answer(data: bytes) -> Rows:
    return [
        (ident(query), ident(hit["_id"]), value(hit["_score"]) if "_score" in hit else None, float(at))
        for query, held in parsed(data).items()
        for at, hit in enumerate(held["hits"]["hits"], 1)
    ]


def quepid_export(data: bytes) -> Rows:
    return [
        (ident(held["query_text"]), ident(doc), value(rating), None)
        for held in parsed(data)["queries"]
        for doc, rating in held["ratings"].items()
        if rating is not None
    ]


def rank_eval_answer(data: bytes) -> Rows:
    return [
        (
            ident(query),
            ident(hit["hit"]["_id"]),
            value(hit["hit"]["_score"]) if "_score" in hit["hit"] else None,
            float(at),
        )
        for query, held in parsed(data)["details"].items()
        for at, hit in enumerate(held["hits"], 1)
    ]


def judgment_list(data: bytes) -> Rows:
    return [
        (ident(held["query"]), ident(rated["docId"]), value(rated["rating"]), None)
        for held in parsed(data)["judgmentRatings"]
        for rated in held["ratings"]
    ]


def rre(data: bytes) -> Rows:
    found: Rows = []
    for topic in parsed(data)["topics"]:
        for group in topic["query_groups"]:
            for query in group["queries"]:
                for key, held in group["relevant_documents"].items():
                    name = ident(next(iter(query["placeholders"].values())))
                    if isinstance(held, list):
                        found += [(name, ident(doc), number(key), None) for doc in held]
                    else:
                        found.append((name, ident(key), value(held["gain"]), None))
    return found


def predictions_of_mteb(data: bytes) -> Rows:
    return [
        (ident(query), ident(doc), value(score), None)
        for subset, splits in parsed(data).items()
        if subset != "mteb_model_meta"
        for held in splits.values()
        for query, docs in held.items()
        for doc, score in docs.items()
    ]


def targets(data: bytes) -> Rows:
    import yaml

    found: Rows = []
    for held in filter(None, yaml.load_all(text(data), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))):
        for one in held if isinstance(held, list) else [held]:
            if not isinstance(one, dict):
                raise Unreadable(repr(one))
            docs = one["relevant"]
            rated = docs if isinstance(docs, dict) else dict.fromkeys(docs, "1")
            if len(rated) != len(docs):
                raise Unreadable("twice")
            found += [(ident(one["q"]), ident(doc), number(grade), None) for doc, grade in rated.items()]
    return found


def quepid(data: bytes) -> Rows:
    found: Rows = []
    for row in table(data)[1:]:
        query, doc, rating = row
        if rating.strip() or doc:
            ident(query), ident(doc)
        if rating.strip():
            found.append((query[1:] if re.match(" [-=+@]", query) else query, doc, number(rating), None))
    return found


def book(data: bytes) -> Rows:
    return [
        (ident(row[0]), ident(row[1]), number(cell.strip()), None)
        for row in table(data)[1:]
        for cell in row[2:]
        if cell.strip() and only(row, 4)
    ]


def detailed(data: bytes) -> Rows:
    """Good only where no mark of quotation is in the file."""
    if b'"' in data:
        raise NoOpinion("marks")
    found: Rows = []
    for row in table(data)[1:]:
        if len(row) == 8 and row[7].strip():
            query = row[3][1:] if re.match(" [-=+@]", row[3]) else row[3]
            found.append((ident(query), ident(row[4]), number(row[7].strip()), None))
        elif len(row) not in (4, 8):
            raise Unreadable(str(row))
    return found


def snapshot(data: bytes) -> Rows:
    return [
        (ident(row[3][1:] if re.match(" [-=+@]", row[3]) else row[3]), ident(row[4]), None, number(row[5]))
        for row in table(data)[1:]
        if only(row, 6)
    ]


def basic_snapshot(data: bytes) -> Rows:
    """A run in ranked order; a query without a document returned nothing."""
    places: dict[str, int] = {}
    found: Rows = []
    for row in table(data)[1:]:
        only(row, 3)
        query = row[0][1:] if re.match(" [-=+@]", row[0]) else row[0]
        if row[1]:
            places[query] = places.get(query, 0) + 1
            found.append((ident(query), ident(row[1]), None, float(places[query])))
    return found


def filled(data: bytes) -> Rows:
    found: Rows = []
    query = ""
    for row in table(data)[1:]:
        only(row, 3)
        if any(row):
            query = row[0] or query
            if row[1] or row[2]:
                found.append((ident(query), ident(row[2]), number(row[1]), None))
    return found


def svmlight(data: bytes) -> Rows:
    """Good for documents named by the first word of the comment, or `docid = X`."""
    found: Rows = []
    whole = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for line in filter(lambda line: line.strip(" \t"), re.split("\r\n|\r|\n", whole)):
        if line.lstrip(" \t").startswith("#"):
            continue  # what a plain comment holds is no matter
        line.encode("utf-8")
        row, mark, comment = line.partition("#")
        grade, query, *features = [word for word in re.split("[ \t]+", row) if word]
        named = re.match(r"[ \t]*doc_?id[ \t]*[=:][ \t]*([^ \t]+)", comment, re.IGNORECASE)
        words = re.findall("[^ \t]+", comment)
        if not mark or not words or not query.startswith("qid:") or not all(":" in one for one in features):
            raise NoOpinion(line)
        found.append((ident(query[4:]), named[1] if named else words[0], number(grade), None))
    return found


def tabbed(*places: int | None) -> Callable[[bytes], Rows]:
    """Tab-separated rows without a header: number, rank by position, None where there is none."""

    def read(data: bytes) -> Rows:
        # Texts that nothing reads may be damaged; ids with a lone surrogate are refused.
        whole = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        rows = [line.split("\t") for line in re.split("\r\n|\r|\n", whole) if line]
        values = [[None if place is None else number(row[place]) for place in places] for row in rows if only(row, 4)]
        return [(ident(row[0]), ident(row[1]), *value) for row, value in zip(rows, values, strict=True)]  # type: ignore[misc]

    return read


def described_run(data: bytes) -> Rows:
    described = re.split(b"\r\n|\r|\n", data.lstrip(b" \t\r\n"), maxsplit=1)
    rows = [line.split("\t") for line in lines(described[1])]
    return [(ident(row[0]), ident(row[1]), None, float(at)) for at, row in enumerate(rows, 1) if only(row, 2)]


FEATURES = b"2 qid:1 1:0.5 # a\n0 qid:1 1:0.1 # b\n1 qid:2 1:0.1 # c\n"


def predicted(data: bytes) -> Rows:
    """One number a line for the rows of FEATURES."""
    scores = [number(line.strip(" \t")) for line in lines(data)]
    rows = svmlight(FEATURES)
    if any(not NUMBER.fullmatch(line.strip(" \t")) for line in lines(data)):
        raise NoOpinion("a table")
    return [(query, doc, score, None) for (query, doc, _, _), score in zip(rows, scores, strict=True)]
