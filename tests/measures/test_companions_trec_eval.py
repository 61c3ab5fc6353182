"""Every measure that trec_eval prints, by its names and to its printed decimals, in versions 9.0.8 and 10.0."""

from __future__ import annotations

import pytest

import ndcg
from measures.trec_data import FOLDER, golden, judgments, needs_data, run
from ndcg.errors import UsageError
from ndcg.measures import trec_names
from ndcg.measures.registry import family_named
from ndcg.measures.relstring import relstring

HABITS = {"ties": "docid_desc", "empty": "zero"}
REL_2 = {"rel": 2}


def printed(measure: trec_names.TrecMeasure, value: float) -> str:
    return str(int(value)) if measure.prints == "whole" else f"{value:6.4f}"


def table(qrels, results, requested, version, *, complete=False, options=None):
    """(measure, query, text) as trec_eval prints them with -q: per query, then the summary."""
    habits = {**HABITS, "missing": "zero" if complete else "exclude"}
    habits["score_type"] = "float32" if version < 10 else "float64"
    columns, seen = [], {}
    for measure, parameters in requested:
        if measure.family is None:
            columns.append((measure.name, measure, None))
            continue
        for name, family, cutoff, given in trec_names.expand(measure, parameters, version):
            levels = [option for option in family_named(family).options if option.name == "rel"]
            if options and levels and (levels[0].default is not None or "rel" in given) and family != "RBP":
                given = {**given, **options}
            gain = given.get("gain")
            if isinstance(gain, dict):
                grades = {float(grade) for docs in qrels.values() for grade in docs.values()}
                given = {**given, "gain": {**{grade: max(grade, 0.0) for grade in grades}, **gain}}
            made = family_named(family)(cutoff, **given).with_conventions(habits)
            columns.append((name, measure, made))
    result = ndcg.evaluate(qrels, results, [made for _, _, made in columns if made is not None])
    entries = {entry.measure: entry for entry in result.entries}
    seen = {
        (entry.measure, entry.rows.queries[at]): entry.rows.row(at, "", "")
        for entry in result.entries
        for at in range(len(entry.rows))
    }
    rows = []
    for query in sorted(query for query in qrels if query in results or (complete and version >= 10)):
        for name, measure, made in columns:
            if not measure.per_query or (made is None and measure.name != "relstring"):
                continue
            if made is None:
                ranked = sorted(sorted(results.get(query, {}), reverse=True), key=lambda doc: -results[query][doc])
                text = "'" + relstring([qrels[query].get(doc) for doc in ranked]) + "'"
            else:
                text = printed(measure, seen[str(made), query].value)
            rows.append((name, query, text))
    for name, measure, made in columns:
        if made is not None:
            rows.append((name, "all", printed(measure, entries[str(made)].value)))
    return rows


def all_trec(version):
    return [(measure, ()) for measure in trec_names.of_nickname("all_trec", version)]


def without_text(rows, *names):
    return [row for row in rows if row[0] not in ("runid", *names)]


@needs_data
@pytest.mark.parametrize("version", [9, 10])
def test_all_trec_per_query(version):
    qrels, results = judgments(FOLDER / "qrels.test"), run(FOLDER / "results.test")
    assert table(qrels, results, all_trec(version), version) == without_text(golden("out.test.aq", version))


@needs_data
@pytest.mark.parametrize("version", [9, 10])
def test_graded_judgments_at_level_2(version):
    qrels, results = judgments(FOLDER / "qrels.rel_level"), run(FOLDER / "results.test")
    ours = without_text(table(qrels, results, all_trec(version), version, options=REL_2), "relstring")
    assert ours == without_text(golden("out.test.aql", version), "relstring_20")


@needs_data
@pytest.mark.parametrize("version", [9, 10])
def test_parameters(version):
    qrels, results = judgments(FOLDER / "qrels.test"), run(FOLDER / "results.test")
    asked = (
        "iprec_at_recall..10,.20,.25,.75,.50",
        "P.5,7,3",
        "recall.20,2000",
        "Rprec_mult.5.0,0.2,0.35",
        "utility.2,-1,0,0",
        "11pt_avg..25,.5,.75",
        "ndcg.1=3,2=9,4=4.5",
        "ndcg_cut.10,20,23.4",
        "success.2,5,20",
    )
    requested = [trec_names.split(text) for text in asked]
    assert None not in requested
    order = list(trec_names.MEASURES)
    requested.sort(key=lambda pair: order.index(pair[0].name))
    assert table(qrels, results, requested, version) == golden("out.test.meas_params", version)


@needs_data
@pytest.mark.parametrize(
    ("version", "name"), [(9, "out.test.a"), (10, "out.test.a"), (9, "out.test"), (10, "out.test")]
)
def test_summaries(version, name):
    qrels, results = judgments(FOLDER / "qrels.test"), run(FOLDER / "results.test")
    nickname = "all_trec" if name == "out.test.a" else "official"
    requested = [(measure, ()) for measure in trec_names.of_nickname(nickname, version)]
    ours = [row for row in table(qrels, results, requested, version) if row[1] == "all"]
    assert ours == without_text(golden(name, version))


@needs_data
@pytest.mark.parametrize("version", [9, 10])
def test_complete_and_cut(version):
    """With -c a query without results counts, in version 9 without lines of its own."""
    qrels, results = judgments(FOLDER / "qrels.test"), run(FOLDER / "results.trunc")
    ours = table(qrels, results, all_trec(version), version, complete=True)
    assert ours == without_text(golden("out.test.aqc", version))
    for query, docs in results.items():
        best = sorted(sorted(docs, reverse=True), key=lambda doc: -docs[doc])[:100]
        results[query] = {doc: docs[doc] for doc in best}
    ours = table(qrels, results, all_trec(version), version, complete=True)
    assert ours == without_text(golden("out.test.aqcM", version))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("recip_rank", "RR"),
        ("P_10", "P@10"),
        ("recall_1000", "R@1000"),
        ("bpref", "Bpref"),
        ("Rprec", "Rprec"),
        ("success_5", "Success@5"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("num_ret", "NumRet"),
        ("num_rel_ret", "NumRet(rel=1)"),
        ("NumRelRet", "NumRet(rel=1)"),
        ("SetRelP", "SetP(relative='true')"),
        ("ndcg_cut_10", "nDCG(gain='linear')@10"),
        ("ndcg_cut.10", "nDCG(gain='linear')@10"),
        ("ndcg", "nDCG(gain='linear')"),
        ("ndcg@10", "nDCG@10"),
        ("dcg(gain='linear')@5", "DCG(gain='linear')@5"),
        ("ndcg(gain=exp2)@10", "nDCG@10"),
        ("dcg", "DCG(gain='linear')"),
        ("NDCG@10", "nDCG@10"),
        ("map(rel=2)", "AP(rel=2)"),
        ("gm_map", "GMAP"),
        ("11pt_avg", "IAP"),
        ("set_F", "SetF"),
        ("set_F.4", "SetF(beta=2)"),
        ("rbp_p=0.8", "RBP(rel=None, max_grade='query')"),
        ("utility_2,-1,0,0", "Utility(hit=2)"),
    ],
)
def test_names(text, means):
    assert str(ndcg.parse(text)) == means
    assert ndcg.parse(means) == ndcg.parse(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("P_0", "not a cutoff of at least 1"),
        ("P_5,10", "names several measures"),
        ("recall", "names several measures"),
        ("map_10", "takes no parameter"),
        ("relstring", "is text"),
        ("map_cut_10@10", "two cutoffs"),
        ("utility_1", "takes four parameters"),
        ("iprec_at_recall_1.5", "from 0 to 1"),
        ("prefs_simp", "not known"),
    ],
)
def test_refused_names(text, problem):
    with pytest.raises(UsageError, match=problem):
        ndcg.parse(text)


def test_repeated_cutoffs_are_refused():
    with pytest.raises(UsageError, match="given twice"):
        trec_names.expand(trec_names.MEASURES["P"], ("5", "5"))
