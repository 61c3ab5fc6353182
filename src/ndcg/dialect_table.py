"""`dialects`: one run under every known tool's conventions, what moves it, and where a published number comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from .attribution import Attribution, attribute
from .counted import counted_noun
from .errors import UsageError
from .measures.convention import Value
from .measures.dialects import Dialect, all_dialects, dialect_named
from .measures.measure import Measure, make
from .measures.phrases import phrase
from .measures.registry import family_named
from .number_search import NumberFound, search
from .reading import Reading
from .rescoring import Rescorer
from .session import open_session

REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DialectRow:
    """A dialect's value on the data. `reason` says in words what moves it away from the default conventions here: the
    conventions that matter most on this data, with what each would change by itself.

    `value` is None where the tool would stop or no query counts; `reason` then says so. `undefined` says where the
    tool's own number is random or undefined.
    """

    dialect: str
    tool: str
    versions: str
    checked: str
    measure: str
    value: float | None
    counted: int
    reason: str
    undefined: str


@dataclass(frozen=True, slots=True)
class DialectTable:
    """All dialects on one run, highest value first; those without a value last."""

    run: str
    k: int | None
    default: float | None
    rows: tuple[DialectRow, ...]
    attribution: Attribution | None = None
    number: NumberFound | None = None
    warnings: tuple[str, ...] = ()

    def row(self, dialect: str) -> DialectRow:
        """The row of one dialect, by its name or an alias."""
        name = dialect_named(dialect).name
        return next(row for row in self.rows if row.dialect == name)

    def __repr__(self) -> str:
        return f"<DialectTable of {self.run}: {counted_noun(len(self.rows), 'dialect')}>"

    def __str__(self) -> str:
        from .reports.dialects import table_text

        return table_text(self)

    def to_dict(self) -> dict[str, object]:
        """Plain data, full precision."""
        plain = asdict(self)
        if self.attribution is not None:
            plain["attribution"]["difference"] = self.attribution.difference
        return plain

    def to_json(self) -> str:
        """One JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def dialects(
    qrels: object,
    run: object,
    k: int | None = 10,
    *,
    compare: Sequence[str] | None = None,
    explain_number: object = None,
    names: Sequence[str] | None = None,
    candidates: object = None,
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
) -> DialectTable:
    """Score one run under the conventions of every known tool.

    `compare` names two dialects (or measures such as `"nDCG(ties='average')"`) whose difference is taken apart: which
    conventions differ and how much each explains, the parts adding up to the difference. `explain_number` is a
    published number, as text to keep its digits (`"0.4821"`): the conventions that give it from this data are looked
    for. `names` restricts the table. Inputs are those of `evaluate`. Each distinct ranking is made once. Tools that see
    only a candidate list get the run's rows for it, unjudged ones at grade 0.

    >>> import ndcg
    >>> judged = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
    >>> table = ndcg.dialects(judged, {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}, k=4)
    >>> round(table.row("trec_eval").value, 4), round(table.row("sklearn").value, 4)
    (0.7104, 0.9434)
    """
    family = family_named("nDCG")
    default = make(family, k, {})
    chosen = [dialect_named(name) for name in names] if names is not None else list(all_dialects().values())
    measures = {one: make(family, k, {"dialect": one.name}) for one in chosen if one.measure == family.name}
    pair = _pair(compare, k)
    reading = Reading(qrels_format, run_format, columns, comments, labels, features, groups, collapse, query_ids)
    session = open_session(qrels, run, candidates=candidates, reading=reading, merge=merge, memory=memory)
    with session.workspace:
        scorer = Rescorer(session)
        singles = _singles(default, measures)
        scorer.score([default, *measures.values(), *singles.values()])
        warnings = scorer.check(default)
        rows = [_row(scorer, dialect, measure, default, singles) for dialect, measure in measures.items()]
        rows.sort(key=lambda row: (row.value is None, -(row.value or 0.0), row.dialect))
        table = DialectTable(
            scorer.run,
            k,
            scorer.score([default])[0].value,
            tuple(rows),
            attribute(scorer, *pair) if pair is not None else None,
            search(scorer, explain_number, k) if explain_number is not None else None,
            tuple(warnings),
        )
        scorer.close()
    return table


def explain_number(
    number: object,
    qrels: object,
    run: object,
    k: int | None = 10,
    *,
    candidates: object = None,
    merge: str | None = None,
    memory: str | None = None,
) -> NumberFound:
    """Which conventions give a published number from this data, to its printed digits.

    Give the number as text to keep its digits (`"0.4820"`). Single dialects are tried first, then combinations of
    conventions, the smallest first; the answer says how many were tried, and how many would agree by chance.

    >>> import ndcg
    >>> judged = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
    >>> found = ndcg.explain_number("0.7104", judged, {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}, k=4)
    >>> found.stage, any("trec_eval_9" in match.measure for match in found.matches)
    ('the dialects', True)
    """
    session = open_session(qrels, run, candidates=candidates, merge=merge, memory=memory)
    with session.workspace:
        scorer = Rescorer(session)
        scorer.check(make(family_named("nDCG"), k, {}))
        found = search(scorer, number, k)
        scorer.close()
    return found


def _pair(compare: Sequence[str] | None, k: int | None) -> tuple[Measure, Measure] | None:
    """The two measures to be compared: dialects by name, anything else as a measure."""
    if compare is None:
        return None
    if isinstance(compare, str) or len(compare) != 2:
        raise UsageError(f"compare= takes two dialects, found {compare!r}", code="compare")
    first, second = (_side(name, k) for name in compare)
    return first, second


def _side(name: str, k: int | None) -> Measure:
    from .measures.registry import parse

    if "(" in name or "@" in name:
        measure = parse(name)
        return measure if measure.k is not None or k is None else make(measure.family, k, _given(measure))
    if name == "default":
        return make(family_named("nDCG"), k, {})
    return make(family_named("nDCG"), k, {"dialect": dialect_named(name).name})


def _given(measure: Measure) -> dict[str, object]:
    dialect = {} if measure.dialect is None else {"dialect": measure.dialect}
    return {
        **dialect,
        **dict(measure.options),
        **{name: measure.conventions[name] for name in measure.family.conventions},
    }


def _singles(default: Measure, measures: Mapping[Dialect, Measure]) -> dict[tuple[str, Value], Measure]:
    """The default with one convention set as some dialect has it, for each that occurs."""
    found: dict[tuple[str, Value], Measure] = {}
    for measure in measures.values():
        for name, value in differing(default, measure).items():
            if (name, value) in found:
                continue
            # A gain table is only valid with what it says of grades outside it.
            with_it = {"off_table": measure.conventions["off_table"]} if name == "gain" else {}
            found[name, value] = default.with_conventions({name: value, **with_it})
    return found


def differing(one: Measure, other: Measure) -> dict[str, Value]:
    """The conventions in which two measures differ, as the second has them."""
    return {
        name: other.conventions[name]
        for name in one.family.conventions
        if one.conventions[name] != other.conventions[name]
    }


def _change(change: float) -> str:
    """A change of the value in four decimals."""
    return f"{change:+.4f}" if abs(change) >= 0.00005 else "(under 0.0001)"


def _row(
    scorer: Rescorer,
    dialect: Dialect,
    measure: Measure,
    default: Measure,
    singles: Mapping[tuple[str, Value], Measure],
) -> DialectRow:
    outcome, base = scorer.score([measure, default])
    changed = differing(default, measure)
    effects: list[tuple[float, str]] = []
    for name, value in changed.items():
        alone = scorer.score([singles[name, value]])[0]
        if alone.value is not None and base.value is not None and alone.value != base.value:
            effects.append((alone.value - base.value, phrase(name, value)))
    effects.sort(key=lambda effect: -abs(effect[0]))
    if outcome.problem is not None:
        reason = outcome.problem.replace(f"stops: {scorer.run}: ", "stops: ")
    elif outcome.value is None:
        reason = "no query counts"
    elif outcome.value == base.value:
        reason = "as the default here"
    elif not effects:
        reason = "conventions that only act together"
    else:
        reason = "; ".join(f"{text} {_change(change)}" for change, text in effects[:REASONS_SHOWN])
    return DialectRow(
        dialect.name,
        dialect.tool,
        dialect.versions,
        dialect.checked,
        str(measure),
        outcome.value,
        int(outcome.counted.sum()),
        reason,
        dialect.undefined,
    )
