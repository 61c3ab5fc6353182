"""BEIR's folders: `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` stand for the judgments of their only split."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError
from .source import Role

_BESIDE = ("corpus.jsonl", "queries.jsonl", "corpus.jsonl.gz", "queries.jsonl.gz")


def judgments_in(source: object, role: Role | None = None) -> object:
    """The file of judgments of a BEIR folder; anything else as it is.

    InputError where it has several splits, naming them, or where the folder stands for a run.
    """
    if not isinstance(source, str | os.PathLike):
        return source
    folder = Path(os.fsdecode(source))
    if not (folder / "qrels").is_dir() or not any((folder / name).is_file() for name in _BESIDE):
        return source
    if role is Role.RUN:
        raise InputError(
            f"{folder} is a BEIR folder: it holds judgments and texts, and no run",
            code="wrong_kind",
            hint="give the run",
        )
    splits = sorted(item for item in (folder / "qrels").iterdir() if item.is_file() and item.name[0] != ".")
    if not splits:
        raise InputError(f"{folder / 'qrels'} is a folder without files", code="missing_file")
    if len(splits) > 1:
        raise InputError(
            f"{folder} holds the judgments of {len(splits)} splits: {', '.join(item.name for item in splits)}",
            code="several_splits",
            hint=f"give the file of one, such as {splits[-1]}",
        )
    return str(splits[0])
