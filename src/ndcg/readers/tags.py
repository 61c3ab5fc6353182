"""Files that hold several runs: run tags of TREC text, snapshots of Quepid, subsets and splits of MTEB."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .context import Context
from .source import Role, Scanned


def by_tag(path: str, *, comments: bool | None = None) -> dict[str, Scanned]:
    """The runs of one file by name, in order of appearance; a file of any other format is read as TREC text."""
    from .detection import detect

    format = detect(path, Context(Role.RUN, comments=comments))
    if format == "json":
        from .json import parsed
        from .mteb_predictions import META

        data = parsed(path)
        if isinstance(data, dict) and META in data:
            format = "mteb_predictions"
    if format in ("quepid_snapshot", "mteb_predictions"):
        read: Any = import_module(f".{format}", __package__).by_tag
        found: dict[str, Scanned] = read(path)
        return found
    from .trec_run import by_tag as of_trec

    return of_trec(path, comments=comments)
