"""The two SQL readings of TREC text: strict columns, and whole lines taken apart by one pattern."""

from __future__ import annotations

from . import numbers
from .sql import escaped, literal, read_csv
from .trec_lines import BLANKS, Layout, Shape, starts_with_number

_WORD = r"([^ \t]+)"
_WORDS = r"([^ \t](?s:.*[^ \t])?)"
_CELL = r"([^ \t](?:[^\t]*[^ \t])?)"


def strict(path: str, shape: Shape, layout: Layout) -> tuple[str, tuple[object, ...]]:
    """One column per field, single separators: fast, and every row it is not sure of is a fault."""
    if layout.tabs:
        source = read_csv(path, shape.fields, delimiter="\t")
        trimmed = ", ".join(f"nullif(trim({field}, ' '), '') AS {field}" for field in shape.fields)
        source = f"(SELECT {trimmed} FROM {source})"
    else:
        source = read_csv(path, shape.fields, delimiter=" ")
    faults = [f"{field} IS NULL" for field in shape.fields]
    if not layout.tabs:
        words = [field for field in shape.fields if field not in {word for _, word in shape.numeric}]
        faults += [f"contains({field}, chr(9))" for field in words]
    if layout.comments:
        faults.append("starts_with(query, '#')")
    return _select(source, shape, [*faults, _faults(shape, layout)]), (escaped(path),)


def careful(path: str, shape: Shape, layout: Layout, free: str) -> tuple[str, tuple[object, ...]]:
    """Whole lines, each taken apart by one anchored pattern; decides where the strict reading is not sure.

    `free` is a character that the file does not hold. Where `layout.tabs` only supposes that every line has its tabs,
    a first scan of the lines decides.
    """
    lines = (
        f"SELECT line FROM {read_csv(path, ['line'], delimiter=free)} "
        r"WHERE line IS NOT NULL AND NOT regexp_full_match(line, '[ \t]*')"
    )
    if layout.comments:
        lines += " AND NOT starts_with(line, '#')"
    names = ", ".join(literal(field) for field in shape.fields)
    count = len(shape.fields)
    last = _WORDS if shape.tagged else _WORD
    blank = r"^[ \t]*" + r"[ \t]+".join([_WORD] * (count - 1) + [last]) + r"[ \t]*$"
    apart = f"regexp_extract(line, {literal(blank)}, [{names}])"
    parameters: tuple[object, ...] = (escaped(path),)
    tabs = "false"
    if layout.tabs:
        tabbed = r"^[ \t]*" + r" *\t *".join([_CELL] * count) + r"[ \t]*$"
        inner = f"trim(line, {literal(BLANKS)})"
        tabs = (
            f"(SELECT bool_and(length({inner}) - length(replace({inner}, chr(9), '')) = {count - 1}) "
            f"FROM ({lines}))"
        )
        apart = f"CASE WHEN tabs THEN regexp_extract(line, {literal(tabbed)}, [{names}]) ELSE {apart} END"
        parameters *= 2
    fields = ", ".join(f"taken.{field} AS {field}" for field in shape.fields)
    source = (
        f"(SELECT {fields}, tabs FROM (SELECT {apart} AS taken, tabs FROM "
        f"(SELECT {tabs} AS tabs, line FROM ({lines}))))"
    )
    condition = _faults(shape, layout, "tabs" if layout.tabs else None)
    return _select(source, shape, ["query = ''", condition]), parameters


def _select(source: str, shape: Shape, faults: list[str]) -> str:
    number = numbers.sql_number(shape.fields[shape.number])
    rank = numbers.sql_number("rank") if "rank" in shape.fields else "CAST(NULL AS DOUBLE)"
    return f"SELECT query, doc, {number} AS number, {rank} AS rank, ({' OR '.join(faults)}) AS fault FROM {source}"


def _faults(shape: Shape, layout: Layout, tabs: str | None = None) -> str:
    """The condition on numbers and tag. `tabs` is a column that decides what `layout` supposes."""
    conditions = [
        numbers.sql_is_fault(
            shape.fields[position], finite=shape.finite or word == "rank", padded=layout.tabs
        )
        for position, word in shape.numeric
    ]
    if shape.tagged:
        blank = r"regexp_matches(tag, '[ \t]')"
        wide = any(char in layout.tag for char in BLANKS)
        refused = f"({'true' if wide else blank})" if layout.several else "true"
        if layout.several and (layout.tabs and tabs is None):
            refused = "false"
        elif layout.several and tabs:
            refused = f"(NOT {tabs} AND {refused})"
        conditions.append(f"coalesce(tag <> {literal(layout.tag)} AND {refused}, true)")
        if starts_with_number(layout.tag) and not (layout.tabs and tabs is None):
            conditions.append(f"NOT {tabs}" if tabs else "true")
    return " OR ".join(conditions)
