"""Where the sources of the collection lie and where its files are written."""

from pathlib import Path

TOOLS = Path(__file__).parent
COLLECTION = TOOLS.parent.parent / "src" / "ndcg" / "demo" / "collection"
RUNS = COLLECTION / "runs"
JUDGMENTS = TOOLS / "judgments"
