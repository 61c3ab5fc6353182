"""Where the files of the corpus are. Imports nothing heavy: the measuring process must stay small."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Corpus:
    """Where the files of one size are."""

    folder: Path
    queries: int
    depth: int

    @property
    def rows(self) -> int:
        """Rows of the run."""
        return self.queries * self.depth

    def qrels(self, kind: str = "dev", ending: str = "trec") -> Path:
        """The judgments, `dev` or `graded`."""
        return self.folder / f"{kind}-{self.queries}.qrels.{ending}"

    def run(self, ending: str = "trec") -> Path:
        """The run in one file."""
        return self.folder / f"{self.queries}x{self.depth}.run.{ending}"

    def shards(self, count: int) -> list[Path]:
        """The run in several files."""
        inside = self.folder / f"{self.queries}x{self.depth}.shards"
        return [inside / f"{number}.run.trec" for number in range(count)]
