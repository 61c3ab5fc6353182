"""Checking small data in memory and in files, and the folder of real data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ndcg


def found(report, code):
    """All findings of one kind."""
    return [finding for finding in report.findings if finding.code == code]


def only(report, code):
    """The one finding of a kind."""
    [finding] = found(report, code)
    return finding


def codes(report):
    return {finding.code for finding in report.findings}


def values(finding):
    """{setting: value} of a finding's effect."""
    return {one.setting: one.value for one in finding.effect.alternatives}


def scored(qrels, run, measure="nDCG@10", **conventions):
    """What evaluate gives, which is what an effect must be."""
    return ndcg.evaluate(qrels, run, measure, **conventions).value


@pytest.fixture
def write(tmp_path):
    def make(text, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return make


@pytest.fixture(scope="session")
def data():
    """Real data files. Missing ones fail under CI and skip elsewhere."""
    folder = Path(os.environ.get("NDCG_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"
    if not folder.is_dir():
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            pytest.fail(f"the data folder {folder} is missing")
        pytest.skip(f"no data folder {folder}")
    return folder
