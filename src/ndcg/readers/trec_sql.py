"""The two SQL readings of TREC text: strict columns, and whole lines taken apart by one pattern."""

from __future__ import annotations

from . import numbers
from .labels import Labels
from .sql import BUFFER_OF_LINES, escaped, literal, read_csv
from .trec_lines import BLANKS, Layout, Shape, starts_with_number

_WORD = r"[^ \t]+"
_CELL = r"[^ \t](?:[^\t]*[^ \t])?"
_ENDS = r"[ \t]*"
_NOTHING = r"[^\x00-\x{10FFFF}]"
_BLANK = r"regexp_full_match(line, '[ \t]*')"
_UNUSED = ("iteration", "tag")


def strict(path: str, shape: Shape, layout: Layout, held: bytes) -> tuple[str, tuple[object, ...]]:
    """One column per field, single separators: fast, and every row it is not sure of is a fault.

    `held` are the telling bytes of the file. Without `layout.tabs` the file must not hold a tab.
    """
    numeric = [shape.fields[position] for position, _ in shape.numeric]
    faults = [f"{field} IS NULL" for field in shape.fields if field not in numeric]
    if layout.comments and b"#" in held:
        faults.append("starts_with(query, '#')")
    if layout.tabs:
        source = read_csv(path, shape.fields, delimiter="\t")
        trimmed = ", ".join(f"nullif(trim({field}, ' '), '') AS {field}" for field in shape.fields)
        source = f"(SELECT {trimmed} FROM {source})"
    elif not any(code in held for code in b"_+\v\f"):
        # Then the cast takes nothing beyond the grammar but NaN and infinities, and may happen while the file is read.
        source = read_csv(path, shape.fields, delimiter=" ", doubles=numeric)
        faults += [f"(abs({field}) < 'inf'::double) IS NOT TRUE" for field in numeric]
        return _select(source, shape, faults + _tag_faults(shape, layout), typed=True), (escaped(path),)
    else:
        source = read_csv(path, shape.fields, delimiter=" ")
    faults += [numbers.sql_is_suspect(field, held=held) for field in numeric]
    return _select(source, shape, faults + _tag_faults(shape, layout)), (escaped(path),)


def careful(
    path: str, shape: Shape, layout: Layout, free: str, held: bytes, *, indented: bool = True
) -> tuple[str, tuple[object, ...]]:
    """Whole lines, each taken apart by one anchored pattern; decides where the strict reading is not sure.

    `free` is a character that the file does not hold. Where `layout.tabs` only supposes that every line has its tabs,
    a first scan of the lines decides. Lines that are not `indented` begin with the query: a blank there is a fault.
    """
    lines = f"SELECT line FROM {read_csv(path, ['line'], delimiter=free, buffer=BUFFER_OF_LINES)}"
    if layout.comments and b"#" in held:
        lines += " WHERE NOT starts_with(line, '#')"
    kept = [field for field in shape.fields if field not in _UNUSED]
    names = ", ".join(literal(field) for field in kept)
    apart = f"regexp_extract(line, {literal(_pattern(shape, layout, tabs=False, indented=indented))}, [{names}])"
    parameters: tuple[object, ...] = (escaped(path),)
    tabs = "false"
    if layout.tabs:
        inner = f"trim(line, {literal(BLANKS)})"
        tabs = (
            f"(SELECT bool_and(length({inner}) - length(replace({inner}, chr(9), '')) = {len(shape.fields) - 1}) "
            f"FROM ({lines}) WHERE NOT {_BLANK})"
        )
        tabbed = f"regexp_extract(line, {literal(_pattern(shape, layout, tabs=True, indented=indented))}, [{names}])"
        apart = f"CASE WHEN tabs THEN {tabbed} ELSE {apart} END"
        parameters *= 2
    fields = ", ".join(f"taken.{field} AS {field}" for field in kept)
    source = f"SELECT {apart} AS taken, line FROM (SELECT {tabs} AS tabs, line FROM ({lines}))"
    # A blank line is no match either; only what does not match is asked whether it is one. An empty line is null.
    source = f"(SELECT {fields} FROM ({source}) WHERE taken.query <> '' OR NOT {_BLANK})"
    faults = ["query = ''"]
    for position, word in shape.numeric:
        finite = shape.finite or word == "rank"
        if layout.labels is not None and word == "grade":
            faults.append(f"{layout.labels.sql(word)} IS NULL")
            continue
        faults.append(numbers.sql_is_fault(shape.fields[position], finite=finite, held=held))
    return _select(source, shape, faults, labels=layout.labels), parameters


def _pattern(shape: Shape, layout: Layout, *, tabs: bool, indented: bool) -> str:
    """The anchored pattern of one line. A wrong run tag is no match.

    Four groups at most: RE2 takes a line apart in one pass then, in half the time.
    """
    one = _CELL if tabs else _WORD
    cells = [one if field in _UNUSED else f"({one})" for field in shape.fields]
    if shape.tagged:
        wide = any(char in layout.tag for char in BLANKS)
        if not layout.several or (wide and not tabs):
            cells[-1] = _literally(layout.tag)
        if not layout.tag or (not tabs and starts_with_number(layout.tag)):
            cells[-1] = _NOTHING
    return "^" + (_ENDS if indented else "") + (r" *\t *" if tabs else r"[ \t]+").join(cells) + _ENDS + "$"


def _literally(text: str) -> str:
    """The text as a pattern that matches only itself, for RE2."""
    plain = (char if char.isalnum() or ord(char) > 127 else f"\\x{ord(char):02x}" for char in text)
    return "".join(plain)


def _select(source: str, shape: Shape, faults: list[str], *, typed: bool = False, labels: Labels | None = None) -> str:
    """The rows of `source`; `typed` says that its numbers are numbers already; `labels` give the grades."""
    number, rank = shape.fields[shape.number], "rank"
    if not typed:
        number, rank = labels.sql(number) if labels else numbers.sql_number(number), numbers.sql_number(rank)
    if "rank" not in shape.fields:
        rank = "CAST(NULL AS DOUBLE)"
    fault = " OR ".join(faults)
    return f"SELECT query, doc, {number} AS number, {rank} AS rank, ({fault}) AS fault FROM {source}"


def _tag_faults(shape: Shape, layout: Layout) -> list[str]:
    """The condition on the run tag of the strict reading."""
    return [f"tag <> {literal(layout.tag)}"] if shape.tagged and not layout.several else []
