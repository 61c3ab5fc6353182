"""The evaluation calls of BEIR and MTEB, written out, on pytrec_eval and on the drop-in: the same numbers."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from ndcg.compat import pytrec_eval as ours

CUTOFFS = [1, 3, 5, 10, 20, 100, 1000]


def data(seed=5):
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(400)]
    qrels, results = {}, {}
    for number in range(40):
        query = f"q{number}"
        pool = chance.sample(documents, 150)
        results[query] = {doc: chance.choice([chance.random(), 0.5, float(chance.randrange(9))]) for doc in pool}
        results[query][query] = 1.0
        qrels[query] = {doc: chance.choice([0, 1, 1, 2]) for doc in chance.sample(documents, chance.randrange(1, 12))}
    qrels["never searched"] = {"d1": 1}
    qrels["q3"] = dict.fromkeys(qrels["q3"], 0)
    return qrels, results


def beir(module, qrels, results, cutoffs):
    """As `EvaluateRetrieval.evaluate` of BEIR 2.2.0 calls it: four measure strings, sums by cutoff, five decimals."""
    for query, listed in results.items():
        listed.pop(query, None)
    families = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P"}
    strings = {f"{name}." + ",".join(map(str, cutoffs)) for name in families.values()}
    scores = module.RelevanceEvaluator(qrels, strings).evaluate(results)
    totals = {f"{word}@{k}": 0.0 for word in families for k in cutoffs}
    for query in scores:
        for word, name in families.items():
            for k in cutoffs:
                totals[f"{word}@{k}"] += scores[query][f"{name}_{k}"]
    return {name: round(total / len(scores), 5) for name, total in totals.items()}


def mteb(module, results, qrels, cutoffs):
    """As `calculate_retrieval_scores` of MTEB 2 calls it: success as well, lists by query, sums of them."""
    families = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P", "HitRate": "success"}
    strings = {f"{name}." + ",".join(str(k) for k in cutoffs) for name in families.values()}
    scores = module.RelevanceEvaluator(qrels, strings).evaluate(results)
    lists = defaultdict(list)
    for query in scores:
        for word, name in families.items():
            for k in cutoffs:
                lists[f"{word}@{k}"].append(scores[query][f"{name}_" + str(k)])
    return scores, {name: round(sum(values) / len(scores), 5) for name, values in lists.items()}


@pytest.fixture
def theirs():
    return pytest.importorskip("pytrec_eval")


@pytest.mark.parametrize("cutoffs", [CUTOFFS, [1, 3, 5, 10, 100, 1000], [10], [5, 1]], ids=str)
def test_beir(theirs, cutoffs):
    assert beir(ours, *data(), cutoffs) == beir(theirs, *data(), cutoffs)


@pytest.mark.parametrize("cutoffs", [CUTOFFS, [10]], ids=str)
def test_mteb(theirs, cutoffs):
    qrels, results = data()
    assert mteb(ours, results, qrels, cutoffs) == mteb(theirs, results, qrels, cutoffs)


def test_numbers_without_pytrec_eval():
    qrels = {"q": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
    results = {"q": {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0}}
    assert beir(ours, qrels, results, [4])["NDCG@4"] == 0.71041
    assert mteb(ours, results, qrels, [1])[1]["HitRate@1"] == 1.0
