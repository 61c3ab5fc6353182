"""Whether a run returns chunks where documents were judged: noticed by the judgments, never by the ids alone."""

from __future__ import annotations

import re
from pathlib import Path

from ndcg.readers.passages import as_collapse, passages

from .conftest import JUDGMENTS, RUN, ids, read


def test_passages_are_noticed_by_the_judgments() -> None:
    found = passages(["a#1", "a#2", "b#1", "z#1", "plain"], ["a", "b", "c"])
    assert found is not None
    assert (found.sign, found.pattern, found.chunks, found.looked, found.judged, found.direct) == (
        "#",
        "#[0-9]+$",
        4,
        5,
        2,
        0,
    )
    assert found.examples == (("a#1", "a"), ("a#2", "a"), ("b#1", "b"))
    assert "collapse='#[0-9]+$' scores documents" in found.sentence
    for chunk in ("MARCO_D1-11", "doc_3", "doc.p12", "d:4", "d/passage-7", "x::3", "x%%3"):
        document = re.sub(r"(::|%%|[-_.:/#])(p|passage-)?\d+$", "", chunk)
        again = passages([chunk], [document])
        assert again is not None and as_collapse(again.pattern).document(chunk) == document  # type: ignore[union-attr]


def test_ids_that_only_end_in_numbers_are_no_passages() -> None:
    assert passages(["GX-1", "GX-2"], ["GX-1", "GX-9"]) is None
    assert passages(["a", "b"], ["a"]) is None
    assert passages([], ["a"]) is None
    assert passages(["a#1"], []) is None
    assert passages(["doc-1", "doc-2", "doc"], ["doc-1", "doc-2", "doc"]) is None


def test_passages_of_real_ids(data: Path) -> None:
    folder = data / "14_cast2021"
    judged = [doc for _, doc in ids(read(folder / "trec-cast-qrels-docs.2021.qrel", JUDGMENTS))]
    returned = [doc for _, doc in ids(read(folder / "org_convdr.run.gz", RUN))]
    assert passages(returned, judged) is None
    found = passages([f"{doc}-{number % 30}" for number, doc in enumerate(returned)], judged)
    assert found is not None and (found.sign, found.pattern, found.direct) == ("-", "-[0-9]+$", 0)
