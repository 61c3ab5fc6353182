"""What a format needs and cannot hold: made, dropped with a word, or refused."""

from __future__ import annotations

from collections.abc import Sequence

from .converting import Loaded
from .counted import counted_noun
from .errors import SHOWN, Fault, InputError, UsageError, clip
from .readers.lines import numbered
from .readers.source import Role, Source
from .writers import Writer

BARE = {
    Role.JUDGMENTS: ("unrated", "bare", "queries without any judgment"),
    Role.RUN: ("empty", "nothing", "queries for which the run returned nothing"),
}
"""What queries without a row are called: in `drop`, in what a format holds, and in words."""


def fit(
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
    name, thing, words = BARE[loaded.role]
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
        if "judges" in needs and loaded.ask("select 1 from {t} where judge = '' limit 1"):
            made.append("a name for the judge without one")
        return dropped, made
    _fit_numbers(loaded, chosen, drop, dropped, made)
    return dropped, made


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


def second_column(files: Sequence[str], format: str) -> list[str]:
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
