"""Per-topic scores of TREC systems, read where they lie."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("NDCG_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data/60_statistics"


@pytest.fixture(scope="session")
def matrix_of():
    """A function: name of a file -> topics x systems. Missing data fails under CI and skips elsewhere."""
    if not FOLDER.is_dir():
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            pytest.fail(f"the data folder {FOLDER} is missing")
        pytest.skip(f"no data folder {FOLDER}")
    return lambda name: np.loadtxt(FOLDER / f"{name}.csv", delimiter=",", skiprows=1)


@pytest.fixture(scope="session")
def web2013(matrix_of):
    """TREC Web 2013, nDCG@20: 50 topics x 34 systems."""
    return matrix_of("web2013_ndcg20")


@pytest.fixture(scope="session")
def trec8(matrix_of):
    """AP differences of systems 125 and 126 of TREC-8 ad hoc, 50 topics."""
    scores = matrix_of("adhoc8_ap")
    return scores[:, 124] - scores[:, 125]
