"""Per-query values on disk, for comparing contenders."""

import json
from collections.abc import Mapping
from pathlib import Path


def write(path: str, values: Mapping[str, Mapping[str, float]]) -> None:
    """Write {contender: {query: value}}."""
    plain = {name: {query: float(value) for query, value in row.items()} for name, row in values.items()}
    Path(path).write_text(json.dumps(plain))
