"""What a dialect is: the conventions of one tool and version range. Data only, no arithmetic of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Checked = Literal["run", "read", "derived"]


@dataclass(frozen=True, eq=False)
class Dialect:
    """The conventions of a tool.

    `conventions` are those that differ from this package's defaults. `versions` says which releases they hold for,
    `checked` how that is known: the tool was run, its source was read, or a formula was derived from its text.
    `notes` are plain sentences, `undefined` says where the tool's own number is random or undefined. `cutoff` is the
    tool's own cutoff where none is given; `decimals` is how many it prints (None: all), `single` says that it adds in
    single precision. `also` are other measures of the tool, by their names here, under the same conventions.
    """

    name: str
    tool: str
    versions: str
    checked: Checked
    source: str
    conventions: Mapping[str, object]
    notes: tuple[str, ...]
    undefined: str = ""
    measure: str = "nDCG"
    also: tuple[str, ...] = ()
    cutoff: int | None = None
    decimals: int | None = None
    single: bool = False
    aliases: tuple[str, ...] = field(default=())


CANDIDATE_LIST: Mapping[str, object] = {
    "ideal": "returned",
    "missing": "exclude",
    "empty_missing": "missing",
    "duplicates": "count",
}
"""Tools that are handed one list of labels per query: what is not in the list does not exist for them, a query
without a list is no query, and they see labels, not documents: one that comes twice is two."""

BINARY: Mapping[str, object] = {"gain": "binary", "ties": "given", "duplicates": "count"}
"""Recommender tools: a document is relevant or not, the list arrives ranked, and each of its places is looked up."""
