"""Whether two scores may be compared: measures, judgments, query sets and candidate pools, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..counted import counted_noun
from ..errors import UsageError
from ..fingerprints import digest

if TYPE_CHECKING:
    from ..results import Entry, QueryTable

STAMP = "NOT COMPARABLE"
"""What every output of a forced comparison bears."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a system's scores stand on.

    `judgments` and `candidates` are fingerprints (None: unknown, or no pool); `origin` says which data they were
    computed from: systems of one origin share judgments without any fingerprint being computed. `fingerprints` computes
    them when they are needed.
    """

    run: str
    origin: int
    entries: Mapping[str, Entry] = field(repr=False)
    fingerprints: Callable[[], Mapping[str, object]] = field(repr=False)
    pool_version: str | None = None
    version: str = ""


class Mismatch(NamedTuple):
    """One field in which two systems differ so that their scores must not be compared."""

    field: str
    base_run: str
    base: str
    run: str
    new: str

    def __str__(self) -> str:
        return f"{self.field}: {self.base} in {self.base_run}, {self.new} in {self.run}"


def mismatches(base: Identity, new: Identity, measures: Sequence[str]) -> tuple[Mismatch, ...]:
    """Every field that differs, by name: conventions of each measure, judgments, query sets, and the candidate pool
    where the ideal is made from it."""
    found = []
    for measure in measures:
        ours, theirs = base.entries[measure].declaration, new.entries[measure].declaration
        for name in dict.fromkeys([*ours, *theirs]):
            if _plain(ours.get(name)) != _plain(theirs.get(name)):
                before, after = (str(declared.get(name, "not declared")) for declared in (ours, theirs))
                found.append(Mismatch(f"measure {measure}, {name}", base.run, before, new.run, after))
    if base.origin != new.origin:
        found += _data(base, new, measures)
    return tuple(dict.fromkeys(found))


def _data(base: Identity, new: Identity, measures: Sequence[str]) -> list[Mismatch]:
    """Judgments, query sets and pools of systems that were scored apart."""
    found = []
    prints = base.fingerprints(), new.fingerprints()
    ours, theirs = (given.get("judgments") for given in prints)
    if ours is None or theirs is None or ours != theirs:
        found.append(Mismatch("judgments", base.run, _short(ours), new.run, _short(theirs)))
    one, other = (identity.entries[measures[0]].rows for identity in (base, new))
    if query_set(one) != query_set(other):
        found.append(
            Mismatch("query set", base.run, _queries(one, other), new.run, _queries(other, one)),
        )
    pools = [given.get("candidates") for given in prints]
    if pools[0] != pools[1]:
        for measure in measures:
            if base.entries[measure].declaration.get("ideal") == "candidates":
                field = f"candidate pool, which {measure} takes its ideal from"
                found.append(Mismatch(field, base.run, _short(pools[0]), new.run, _short(pools[1])))
    return found


def different_ideals(measure: str, base: str, new: str, differing: int, first: Sequence[str]) -> Mismatch:
    """The mismatch of two pools from which one measure takes two ideals."""
    queries = f"{counted_noun(differing, 'query differs', 'queries differ')}: {', '.join(first[:3])}"
    return Mismatch(
        f"candidate pool, which {measure} takes its ideal from ({queries})", base, "its own pool", new, "its own pool"
    )


def query_set(table: QueryTable) -> str:
    """The fingerprint of the judged queries of a result, whatever their order."""
    return digest(dict.fromkeys(table.queries[: table.judged_queries], ()))


def _queries(table: QueryTable, other: QueryTable) -> str:
    own = table.queries[: table.judged_queries]
    known = set(other.queries[: other.judged_queries])
    only = [query for query in own if query not in known]
    named = f", {len(only):,} of them only there: {', '.join(only[:3])}" if only else ""
    return f"{counted_noun(len(own), 'judged query', 'judged queries')}{named}"


def _short(fingerprint: object) -> str:
    return f"{str(fingerprint)[:12]}..." if fingerprint is not None else "unknown"


def _plain(value: object) -> object:
    """A declared value so that a loaded one equals the one it was saved from: JSON knows neither tuples nor number
    keys."""
    if isinstance(value, Mapping):
        return tuple(sorted((_key(key), _plain(given)) for key, given in value.items()))
    if isinstance(value, list | tuple):
        return tuple(_plain(part) for part in value)
    return value


def _key(key: object) -> str:
    """A grade of a gain table as one text, however it is written; the name of an option as it is."""
    try:
        return str(float(str(key)))
    except ValueError:
        return str(key)


def refusal(found: Sequence[Mismatch]) -> UsageError:
    """The error that names every field that differs."""
    named = "; ".join(str(mismatch) for mismatch in found[:6])
    more = f"; and {len(found) - 6} more" if len(found) > 6 else ""
    return UsageError(
        f"these scores cannot be compared. {named}{more}",
        code="not_comparable",
        hint=f"score both alike, or go on with force=True (--force), which stamps every output {STAMP}",
    )
