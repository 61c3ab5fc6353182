"""`ndcg measures`: what can be measured, from the declarations."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import choose
from .exits import Exit
from .output import write
from .parser import Parser

EXAMPLES = ("ndcg measures", "ndcg measures nDCG", "ndcg measures nDCG@10 --format json")

FORMATS = ("table", "json")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg measures",
        "What can be measured: formula, range, when a measure fits and when another fits better. With NAME, also\n"
        "every convention with its values and its default.",
        EXAMPLES,
        usage="ndcg measures [NAME] [--format table|json]",
    )
    made.add_argument("name", metavar="NAME", nargs="?", help="one measure, such as nDCG")
    made.add_argument("--format", metavar="F", default="table", help="table or json (default: table)")
    return made


def run(argv: Sequence[str]) -> int:
    """Parse and render the declarations."""
    parsed = parser().arguments(argv)
    if parsed.format not in FORMATS:
        raise choose("--format", parsed.format, FORMATS)
    from ..measures.registry import FAMILIES, family_named
    from ..reports.measures import as_document, family_text, overview_text

    if parsed.name is None:
        families = list(FAMILIES.values())
    else:
        families = [family_named(parsed.name.split("@")[0].split("(")[0])]
    if parsed.format == "json":
        from ..saved import dumped

        write(dumped(as_document(families), indent=2), None, machine=True)
    else:
        write(overview_text(families) if parsed.name is None else family_text(families[0]), None)
    return Exit.OK
