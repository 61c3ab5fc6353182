"""Read the judgments: first readings in parts by batch, and the second readings."""

import csv
from dataclasses import dataclass

from .places import JUDGMENTS

COLUMNS = ("query", "doc", "grade", "judge", "reason")


@dataclass(frozen=True)
class Judgment:
    """One reading of one document for one query."""

    query: str
    doc: str
    grade: int
    judge: str
    reason: str

    def row(self) -> tuple[str, str, int, str, str]:
        """The judgment in the order of the columns."""
        return (self.query, self.doc, self.grade, self.judge, self.reason)


def first_readings() -> list[Judgment]:
    """The judgments of judge a, by query and document."""
    return read("part*.csv")


def second_readings() -> list[Judgment]:
    """The judgments of judge b, by query and document."""
    return read("second.csv")


def read(pattern: str) -> list[Judgment]:
    """The judgments of the files that match, by query and document."""
    found: list[Judgment] = []
    for path in sorted(JUDGMENTS.glob(pattern)):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                grade = int(row["grade"])
                found.append(Judgment(row["query"], row["doc"], grade, row["judge"], row["reason"]))
    return sorted(found, key=lambda each: (each.query, each.doc))


def settlements() -> list[Judgment]:
    """The grades agreed on where the two readings differ."""
    return read("agreed.csv")


def final_grades() -> dict[tuple[str, str], int]:
    """The first grade, or the agreed one where a second reading differs."""
    settled = {(each.query, each.doc): each.grade for each in settlements()}
    firsts = {(each.query, each.doc): each.grade for each in first_readings()}
    differing = {(each.query, each.doc) for each in second_readings() if firsts[each.query, each.doc] != each.grade}
    if differing != set(settled):
        raise ValueError(f"settle exactly the differing pairs: {sorted(differing ^ set(settled))}")
    return firsts | settled
