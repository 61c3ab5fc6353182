"""A feature file with predictions, text labels and judges give the same bits as the same data in dicts."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ndcg
from properties.cases import per_query

IDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\r\n\0#", exclude_categories=["Cs"]), min_size=1, max_size=4
).filter(lambda text: not text.startswith("\ufeff"))
ROWS = st.dictionaries(
    IDS,
    st.dictionaries(
        IDS,
        st.tuples(st.integers(-1, 4), st.floats(allow_nan=False) | st.sampled_from([0.0, 1.0, 1.0 + 1e-9])),
        min_size=1,
        max_size=6,
    ),
    min_size=1,
    max_size=4,
)
MEASURES = ["nDCG@2", "nDCG(ties='given', score_type='float32')@3", "nDCG(ties='average')", "AP"]
QUIET = settings(
    max_examples=25,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def bits(result):
    return [(entry.measure, entry.value) for entry in result.entries], per_query(result)


@given(ROWS)
@QUIET
def test_feature_file_and_predictions(tmp_path, rows):
    judged = {query: {doc: grade for doc, (grade, _) in docs.items()} for query, docs in rows.items()}
    run = {query: {doc: score for doc, (_, score) in docs.items()} for query, docs in rows.items()}
    features, scores = tmp_path / "rows.svm", tmp_path / "scores.txt"
    lines = [(grade, query, doc) for query, docs in judged.items() for doc, grade in docs.items()]
    features.write_text("".join(f"{g} qid:{q} 1:0.5 2:1e-3 # {d} x\n" for g, q, d in lines), encoding="utf-8")
    scores.write_text("".join(f"{score!r}\n" for docs in run.values() for score in docs.values()), encoding="utf-8")
    expected = bits(ndcg.evaluate(judged, run, MEASURES))
    assert bits(ndcg.evaluate(features, scores, MEASURES, features=features)) == expected
    assert bits(ndcg.evaluate(features, scores, MEASURES)) == expected
    sizes = tmp_path / "rows.group"
    sizes.write_text("".join(f"{query}\n" for _, query, _ in lines), encoding="utf-8")
    if not all(query.isascii() and query.isdigit() for _, query, _ in lines):
        bare = tmp_path / "bare.svm"
        bare.write_text("".join(f"{g} 1:0.5 # {d}\n" for g, _, d in lines), encoding="utf-8")
        assert bits(ndcg.evaluate(bare, scores, MEASURES, groups=sizes)) == expected


@given(ROWS)
@QUIET
def test_labels(tmp_path, rows):
    words = {-1: "spam, really", 0: "no", 1: "it's fair", 2: "good", 3: "é", 4: "4"}
    judged = {query: {doc: grade for doc, (grade, _) in docs.items()} for query, docs in rows.items()}
    said = {query: {doc: words[grade] for doc, grade in docs.items()} for query, docs in judged.items()}
    run = {query: {doc: score for doc, (_, score) in docs.items()} for query, docs in rows.items()}
    table = {word: grade for grade, word in words.items()}
    expected = bits(ndcg.evaluate(judged, run, MEASURES))
    assert bits(ndcg.evaluate(said, run, MEASURES, labels=table)) == expected
    path = tmp_path / "labels.tsv"
    text = "".join(f"{q}\t{d}\t{label}\n" for q, docs in said.items() for d, label in docs.items() if '"' not in q + d)
    if text.count("\n") == sum(map(len, said.values())):
        path.write_text("query\tdoc\tlabel\n" + text, encoding="utf-8")
        assert bits(ndcg.evaluate(path, run, MEASURES, labels=table)) == expected
