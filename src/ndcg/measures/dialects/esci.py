"""Amazon ESCI: grades E 3, S 2, C 1, I 0."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="esci_paper",
        tool="ESCI, as the paper has it",
        versions="2022",
        checked="derived",
        source="Shopping queries dataset, gains 1, 0.1, 0.01, 0",
        conventions={
            "gain": {0: 0, 1: 0.01, 2: 0.1, 3: 1},
            "ties": "given",
        },
        notes=("E gains 1, S 0.1, C 0.01, I nothing.",),
    ),
    Dialect(
        name="esci_script",
        tool="ESCI, as the published script has it",
        versions="commit 7916cdf",
        checked="read",
        source="amazon-science/esci-data: ranking scripts",
        conventions={
            "gain": {0: 0, 1: 0.1, 2: 0.01, 3: 1},
            "ties": "given",
        },
        notes=("The gains of S and C are swapped against the paper: S 0.01, C 0.1.",),
    ),
)
