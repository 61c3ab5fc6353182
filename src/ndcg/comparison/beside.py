"""What stands beside the runs of a comparison: clusters and weights of queries, and the slices that were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..results import Input
from ..slicing import check_ids

if TYPE_CHECKING:
    from ..weights import Weights
    from .gather import Gathered
    from .sides import Clusters
    from .slices import Sliced


@dataclass(frozen=True, slots=True)
class Beside:
    """Clusters, slices and weights; `read` tells how the weights were read, `given` holds them as they were read."""

    clusters: Clusters
    sliced: Sliced
    weights: Mapping[str, float] | None
    read: Input | None
    given: Weights | None = None

    def check(self, gathered: Gathered) -> dict[str, list[str]]:
        """What is to be said of the attributes, by `by NAME`; InputError where one knows not one query."""
        measure = str(gathered.measures[0])
        known = {query for name in gathered.names for query in gathered.entry(name, measure).rows.queries}
        notes: dict[str, list[str]] = {}
        for attribute in self.sliced.attributes:
            check_ids(attribute, known, "queries", notes)
            if self.sliced.overlap == "both" and attribute.total_several:
                told = f"{attribute.total_several:,} in two slices, counted in both"
                notes.setdefault(f"by {attribute.name}", []).append(told)
        return notes

    def inputs(self, gathered: Gathered) -> list[Input]:
        """How attributes, weights and clusters were read."""
        notes = self.check(gathered)
        found = [
            Input(
                f"slices by {attribute.name}",
                attribute.where,
                attribute.format,
                attribute.layout,
                tuple(notes.get(f"by {attribute.name}", ())),
            )
            for attribute in self.sliced.attributes
        ]
        if self.read is not None:
            found.append(self.read)
        if self.clusters is not None:
            labels = self.clusters
            found.append(Input("clusters", labels.where, labels.format, labels.layout or labels.name))
        return found
