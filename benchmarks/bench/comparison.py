"""What a comparison is: contenders on the same data, the targets they are held to, and its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .measuring import Contender, Measured


@dataclass(frozen=True)
class Target:
    """A ratio of two contenders and the bound it should keep.

    `quantity` is "time" or "peak"; the ratio is that of `over` divided by that of `under`.
    """

    quantity: str
    over: str
    under: str
    at_least: float | None = None
    at_most: float | None = None

    def ratio(self, measured: Mapping[str, Measured], *, least: bool = False) -> float | None:
        """The ratio of medians, or of the least times; None where a contender was not measured."""
        if self.over not in measured or self.under not in measured:
            return None
        over, under = measured[self.over], measured[self.under]
        if self.quantity == "peak":
            return over.peak / under.peak if under.peak else None
        return over.least / under.least if least else over.median / under.median

    def reached(self, ratio: float) -> bool | None:
        """Whether the bound is kept; None where there is none."""
        if self.at_least is not None:
            return ratio >= self.at_least
        return ratio <= self.at_most if self.at_most is not None else None

    def words(self) -> str:
        """The bound in words."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:g}" if self.at_most is not None else "none"


@dataclass(frozen=True)
class Agreement:
    """Two contenders whose per-query values must be equal, and the commands that write them, last argument the file."""

    ours: str
    peer: str
    commands: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Comparison:
    """One path of the benchmark; `repeats` where it differs from what the command asks for."""

    key: str
    title: str
    contenders: tuple[Contender, ...]
    targets: tuple[Target, ...] = ()
    agreeing: tuple[Agreement, ...] = ()
    repeats: int | None = None


@dataclass
class Outcome:
    """What a comparison gave."""

    comparison: Comparison
    measured: dict[str, Measured]
    differences: dict[str, float] = field(default_factory=dict)
    failure: str | None = None

    def as_dict(self) -> dict[str, object]:
        """Plain data for the JSON of raw timings."""
        targets = []
        for target in self.comparison.targets:
            ratio = target.ratio(self.measured)
            targets.append(
                {
                    "quantity": target.quantity,
                    "over": target.over,
                    "under": target.under,
                    "bound": target.words(),
                    "ratio": ratio,
                    "ratio_of_least": target.ratio(self.measured, least=True),
                    "reached": None if ratio is None else target.reached(ratio),
                }
            )
        return {
            "path": self.comparison.key,
            "title": self.comparison.title,
            "measured": {name: one.as_dict() for name, one in self.measured.items()},
            "targets": targets,
            "largest_difference": self.differences,
            "failure": self.failure,
        }
