"""Real judgments and runs: what trec_eval 9.0.8, trec_eval 10.0 and pytrec_eval were recorded to say of them."""

from __future__ import annotations

import gzip
import json

import pytest

from compat.test_trec_eval_command import call  # noqa: F401
from ndcg.compat import pytrec_eval
from readers.conftest import data  # noqa: F401

RECORDS = [
    "01_trec_eval/expected_pytrec_eval.302.json",
    "01_trec_eval/expected_pytrec_eval.json",
    "01_trec_eval/expected_pytrec_eval.rel_level_l2.json",
    "03_ir_measures/expected_pytrec_eval.compat.json",
    "03_ir_measures/expected_pytrec_eval.cwl.json",
    "06_cwl/expected_pytrec_eval.json",
    "14_cast2021/expected_pytrec_eval.ship.json",
    "15_web_clueweb/expected_pytrec_eval.wt12.json",
    "15_web_clueweb/expected_pytrec_eval.wt13.json",
    "16_clef_tar2017/expected_pytrec_eval.ship.json",
    "18_dbpedia_entity/expected_pytrec_eval.fold0.json",
]


def lines(path):
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode().split("\n")


def fields(path, most):
    return (" ".join(line.split()[:most]) for line in lines(path) if line.strip())


@pytest.mark.parametrize("name", RECORDS)
def test_pytrec_eval(data, name):  # noqa: F811
    record = json.loads((data / name).read_text())
    folder = (data / name).parent
    judged = pytrec_eval.parse_qrel(fields(folder / record["qrels"], 4))
    for run_name, recorded in record["runs"].items():
        run = pytrec_eval.parse_run(fields(folder / run_name, 6))
        measures = set(recorded["mean"])
        found = pytrec_eval.RelevanceEvaluator(judged, measures, record["relevance_level"]).evaluate(run)
        assert found == recorded["per_query"]
        for measure, mean in recorded["mean"].items():
            values = [row[measure] for row in found.values()]
            assert pytrec_eval.compute_aggregated_measure(measure, values) == pytest.approx(mean, rel=1e-14)


def table(out):
    return {name.strip(): float(value) for name, _, value in (line.split("\t") for line in out.decode().splitlines())}


@pytest.mark.parametrize("name", RECORDS)
def test_trec_eval(data, call, name):  # noqa: F811
    record = json.loads((data / name).read_text())
    folder = (data / name).parent
    for run_name, recorded in record["runs"].items():
        means = recorded["trec_eval_means"]
        flags = ["-l", record["relevance_level"], *(f"-m{measure}" for measure in asked(means))]
        files = folder / record["qrels"], folder / run_name
        assert table(call(*flags, *files).out) == means
        assert table(call(*flags, "-c", *files).out) == recorded["trec_eval_means_complete_c"]
        newer = call("--version-of", 10, *flags, *files)
        assert newer.status == recorded["trec_eval10_rc"]
        if newer.status:
            assert repr(recorded["trec_eval10_stderr"].split("'")[1]) in newer.error and newer.out == b""
        else:
            assert table(newer.out) == means


def asked(names):
    """Printed names as the command takes them: one option per measure, cutoffs together."""
    cutoffs = {}
    for name in names:
        base, _, cutoff = name.rpartition("_")
        if cutoff.isdigit():
            cutoffs.setdefault(base, []).append(cutoff)
        else:
            cutoffs[name] = []
    return [f"{base}.{','.join(found)}" if found else base for base, found in cutoffs.items()]
