"""scikit-learn's ndcg_score and dcg_score: their values, their refusals, their scorers."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from ndcg.compat.sklearn import dcg_score, ndcg_score

theirs = pytest.importorskip("sklearn.metrics")

RANDOM = np.random.default_rng(7)
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def data(kind, rows=40, documents=23):
    scores = {
        "distinct": RANDOM.normal(size=(rows, documents)),
        "ties": RANDOM.integers(0, 4, size=(rows, documents)),
        "all tied": np.zeros((rows, documents)),
        "float32": RANDOM.normal(size=(rows, documents)).astype(np.float32),
    }[kind]
    grades = RANDOM.integers(0, 5, size=(rows, documents)).astype(float)
    grades[:3] = 0
    return grades, scores


@pytest.mark.parametrize("kind", ["distinct", "ties", "all tied", "float32"])
@pytest.mark.parametrize("k", [None, 1, 5, 23, 100])
@pytest.mark.parametrize("ignore_ties", [False, True])
def test_values(kind, k, ignore_ties):
    grades, scores = data(kind)
    weights = RANDOM.random(len(grades))
    for sample_weight in (None, weights):
        words = {"k": k, "ignore_ties": ignore_ties, "sample_weight": sample_weight}
        np.testing.assert_allclose(
            ndcg_score(grades, scores, **words), theirs.ndcg_score(grades, scores, **words), **CLOSE
        )
        for base in (2, 10, 1.3, 0.5):
            ours = dcg_score(grades, scores, log_base=base, **words)
            np.testing.assert_allclose(ours, theirs.dcg_score(grades, scores, log_base=base, **words), **CLOSE)


def test_rows_one_by_one_and_in_blocks(monkeypatch):
    grades, scores = data("ties", rows=31, documents=7)
    whole = [ndcg_score(grades[at : at + 1], scores[at : at + 1], k=4) for at in range(31)]
    monkeypatch.setattr("ndcg.compat.sklearn.BLOCK", 20)
    np.testing.assert_allclose(ndcg_score(grades, scores, k=4), np.mean(whole), **CLOSE)
    assert whole[:3] == [0.0, 0.0, 0.0]


def test_negative_grades_in_dcg_and_fractions():
    grades, scores = RANDOM.normal(size=(9, 6)), RANDOM.integers(0, 3, size=(9, 6))
    np.testing.assert_allclose(dcg_score(grades, scores), theirs.dcg_score(grades, scores), **CLOSE)


@pytest.mark.parametrize(
    ("grades", "scores", "words"),
    [
        ([[1], [0]], [[1], [2]], {}),
        ([1, 0, 2], [1, 2, 3], {}),
        ([0.5, 0.2], [1, 2], {}),
        ([[1, 0]], [[1, 2], [2, 3]], {}),
        ([[1, np.nan]], [[1, 2]], {}),
        ([[1, 2]], [[1, np.inf]], {}),
        ([[1, 2]], [["a", "b"]], {}),
        ([], [], {}),
        ([[1, 2]], [[1, 2]], {"k": 0}),
        ([[1, 2]], [[1, 2]], {"k": -3}),
        ([[1, 2]], [[1, 2]], {"k": 2.0}),
        ([[1, 2]], [[1, 2]], {"k": "2"}),
        ([[1, 2]], [[1, 2]], {"ignore_ties": 2}),
        ([[1, 2]], [[1, 2]], {"sample_weight": [1, 2]}),
        (np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), {}),
    ],
)
@pytest.mark.parametrize("name", ["ndcg_score", "dcg_score"])
def test_refused_as_there(grades, scores, words, name):
    ours = {"ndcg_score": ndcg_score, "dcg_score": dcg_score}[name]
    with pytest.raises(ValueError):
        getattr(theirs, name)(grades, scores, **words)
    with pytest.raises(ValueError):
        ours(grades, scores, **words)


def test_messages():
    with pytest.raises(ValueError, match="more than 1 document"):
        ndcg_score([[1]], [[2]])
    with pytest.raises(ValueError, match="Got binary instead"):
        dcg_score([[1]], [[2]])
    with pytest.raises(ValueError, match="negative y_true"):
        ndcg_score([[-1, 2]], [[1, 2]])
    with pytest.raises(ValueError, match="log_base"):
        dcg_score([[1, 2]], [[1, 2]], log_base=0)
    with pytest.raises(TypeError, match="k must be"):
        ndcg_score([[1, 2]], [[1, 2]], k=2.5)


def test_sparse_is_refused():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError):
        ndcg_score(sparse.csr_matrix([[1, 2]]), [[1, 2]])


def test_unsigned_scores_rank_by_their_values():
    """scikit-learn negates scores, which wraps around for unsigned integers and puts 0 first."""
    scores = np.array([[0, 1, 2]], dtype=np.uint8)
    assert ndcg_score([[0, 1, 2]], scores) == ndcg_score([[0, 1, 2]], [[0, 1, 2]]) == 1.0
    assert theirs.ndcg_score([[0, 1, 2]], scores) < 1.0


def test_in_a_scorer():
    linear = pytest.importorskip("sklearn.linear_model")
    features, targets = RANDOM.normal(size=(20, 4)), RANDOM.integers(0, 3, size=(20, 5)).astype(float)
    model = linear.LinearRegression().fit(features, targets)
    ours = theirs.make_scorer(ndcg_score, k=3)(model, features, targets)
    np.testing.assert_allclose(ours, theirs.make_scorer(theirs.ndcg_score, k=3)(model, features, targets), **CLOSE)


def test_does_not_import_scikit_learn():
    code = "import sys, ndcg.compat.sklearn as m; m.ndcg_score([[1, 0]], [[1, 2]]); assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
