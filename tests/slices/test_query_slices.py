"""Slices of queries: the same aggregate over a part, compared with the total, whatever shape the attribute has."""

import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings

import ndcg
from ndcg.attributes import Attribute, cross
from slices.data import BASE, JUDGED, LANGUAGE, NEW, common, judgments, runs, values, weights


def sliced(**options):
    return ndcg.evaluate(JUDGED, BASE, "nDCG@3", by={"language": LANGUAGE}, **options)


def by_name(result, run=None):
    return {entry.slice: entry for entry in result.slices if run in (None, entry.run)}


@settings(max_examples=60, deadline=None)
@given(judgments, runs, values, weights)
def test_slices_partition_the_total(judged, run, language, weight):
    assume(common(judged, run) and any(value is not None for q, value in language.items() if q in {*judged, *run}))
    assume(any(weight[query] for query in judged))
    result = ndcg.evaluate(
        judged, run, ["nDCG@3", "AP", "NumRet"], by={"language": language}, weights=weight, interval=False
    )
    for total in result.totals:
        slices = [entry for entry in result.slices if entry.measure == total.measure]
        for name in total.summary.queries._fields:
            assert sum(getattr(entry.summary.queries, name) for entry in slices) == getattr(total.summary.queries, name)
        assert sorted(query for entry in slices for query in entry.rows.queries) == sorted(total.rows.queries)
        excluded = [row for entry in slices for row in entry.excluded()]
        assert sorted(excluded) == sorted(total.excluded())
        assert math.isclose(math.fsum(entry.part.share for entry in slices), 1.0)
        rows = {row.query: row.value for row in ndcg.results.PerQuery([total])}
        for entry in slices:
            assert {row.query: row.value for row in ndcg.results.PerQuery([entry])}.items() <= rows.items()
        if total.value is None or total.measure == "NumRet":
            continue
        counted = [(entry.summary.queries.counted, entry.value) for entry in slices if entry.value is not None]
        assert math.isclose(math.fsum(n * value for n, value in counted) / sum(n for n, _ in counted), total.value,
                            abs_tol=1e-12)  # fmt: skip
        if total.weighted_value is not None and all(entry.part.impact is not None for entry in slices if entry.value):
            # Against the total, the parts of the weighted difference cancel out.
            assert abs(math.fsum(entry.part.impact or 0.0 for entry in slices)) < 1e-9


@settings(max_examples=40, deadline=None)
@given(judgments, runs, runs, values, weights)
def test_impacts_of_two_runs_add_up_to_the_difference(judged, base, new, language, weight):
    assume(common(judged, base) and common(judged, new))
    assume(any(value is not None for query, value in language.items() if query in judged))
    weight = {query: number + 1 for query, number in weight.items()}
    base, new = ({q: docs or {} for q, docs in run.items()} for run in (base, new))
    result = ndcg.evaluate(
        judged, {"base": base, "new": new}, "nDCG@3", by={"language": language}, weights=weight, interval=False
    )
    one, other = result.totals
    if one.value is None:
        return
    parts = [entry.part for entry in result.slices if entry.run == "new"]
    moved = math.fsum(part.impact for part in parts if part.impact is not None)
    assert math.isclose(moved, other.weighted_value - one.weighted_value, abs_tol=1e-9)


def test_values_statuses_and_shares():
    found = by_name(sliced(slice_least=2))
    de, en, none = found["language=de"], found["language=en"], found["language=(no value)"]
    assert de.value == ndcg.evaluate({q: JUDGED[q] for q in ("q1", "q4")}, BASE, "nDCG@3").value
    assert de.summary.queries._asdict() == {
        "judged": 2, "counted": 2, "scored": 1, "empty": 0, "missing": 1, "unjudged": 1, "failed": 0,
    }  # fmt: skip
    assert en.summary.queries.empty == 1 and en.summary.queries.counted == 2
    assert list(en.excluded()) == [("q3", "empty", "no judged document has a positive gain")]
    assert none.part.value is None and none.rows.queries == ["q6"]
    assert [de.part.share, en.part.share, none.part.share] == [3 / 7, 3 / 7, 1 / 7]
    assert not de.part.small and none.part.small
    alone = ndcg.evaluate({q: JUDGED[q] for q in ("q2", "q3", "q5")}, BASE, "nDCG@3")
    assert en.value == alone.value and en.summary.judged_at_k == alone.summary.judged_at_k


def test_the_largest_impact_stands_first_whatever_its_name():
    values = {f"q{n}": "zz" if n < 8 else "aa" for n in range(10)}
    judged = {query: {"A": 1} for query in values}
    base = {query: {"A": 1} for query in values}
    new = {query: {"X": 2, "A": 1} if values[query] == "zz" else {"X": 3, "Y": 2, "A": 1} for query in values}
    result = ndcg.evaluate(judged, {"base": base, "new": new}, by={"tier": values}, interval=False)
    parts = [entry.part for entry in result.slices if entry.run == "new"]
    assert [part.value for part in parts] == ["zz", "aa"]
    assert parts[0].difference > parts[1].difference and abs(parts[0].impact) > abs(parts[1].impact)
    light = dict.fromkeys(values, 1.0) | {"q8": 100.0, "q9": 100.0}
    result = ndcg.evaluate(judged, {"base": base, "new": new}, by={"tier": values}, weights=light, interval=False)
    assert [entry.part.value for entry in result.slices if entry.run == "new"] == ["aa", "zz"]


def test_a_slice_that_moves_against_the_total_is_flagged():
    language = {"q1": "up", "q2": "up", "q4": "up", "q6": "up", "q5": "down"}
    result = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "nDCG@3", by={"language": language}, interval=False)
    found = by_name(result, "new")
    assert found["language=down"].part.contradicts and not found["language=up"].part.contradicts
    assert found["language=down"].part.against == "base"
    assert any("the total rises, but language=down falls" in warning for warning in result.warnings)
    assert "down *!" in str(result) and "! moves against the total" in str(result)
    assert not any(entry.part.contradicts for entry in result.slices if entry.run == "base")


def test_every_slice_against_the_total_is_simpsons_paradox():
    judged = {f"q{n}": {"A": 1} for n in range(10)}
    hard = {f"q{n}": "hard" if n < 5 else "easy" for n in range(10)}
    top, low, lower = {"A": 2, "X": 1}, {"X": 3, "Y": 2, "A": 1}, {"X": 4, "Y": 3, "Z": 2, "A": 1}
    base = {f"q{n}": low for n in range(5)} | {"q5": top}
    new = {"q0": lower} | {f"q{n}": {"X": 3, "A": 2} for n in range(5, 10)}
    result = ndcg.evaluate(judged, {"base": base, "new": new}, by={"kind": hard}, missing="exclude", interval=False)
    base_value, new_value = (entry.value for entry in result.totals)
    assert new_value > base_value
    assert all(entry.part.contradicts for entry in result.slices if entry.run == "new")
    assert any("every slice of kind falls" in warning for warning in result.warnings)


def test_value_needs_exactly_one():
    result = sliced()
    with pytest.raises(ndcg.UsageError, match=r"4 values .*slice="):
        _ = result.value
    with pytest.raises(ndcg.UsageError):
        _ = result.summary
    assert result.entry(slice="language=de").value == by_name(result)["language=de"].value
    assert result.entry().value == ndcg.evaluate(JUDGED, BASE, "nDCG@3").value
    with pytest.raises(ndcg.UsageError, match=r"slice='language=xx'.*language=de"):
        result.entry(slice="language=xx")
    assert len(result.per_query) == len(result.totals[0].rows)


@pytest.mark.parametrize(
    "shape", ["mapping", "named", "series", "pandas", "polars", "arrow", "duckdb", "list", "index"]
)
def test_every_shape_of_an_attribute_says_the_same(shape, tmp_path):
    frame = pd.DataFrame({"query": list(LANGUAGE), "language": list(LANGUAGE.values())})
    by = {
        "mapping": LANGUAGE,
        "named": {"language": LANGUAGE},
        "series": pd.Series(LANGUAGE, name="language"),
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "arrow": pl.from_pandas(frame).to_arrow(),
        "duckdb": duckdb.connect().from_df(frame),
        "list": [pd.Series(LANGUAGE, name="language")],
        "index": frame.rename(columns={"query": "topic"}).set_index("topic"),
    }[shape]
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by=by)
    name = "group" if shape == "mapping" else "language"
    expected = {entry.part.value: entry.value for entry in sliced().slices}
    assert {entry.slice: entry.value for entry in result.slices} == {
        f"{name}={'(no value)' if value is None else value}": number for value, number in expected.items()
    }


FILES = {
    "a.csv": "query,language,tier\nq1,de,head\nq2,en,tail\nq3,en,tail\nq4,de,\nq5,en,head\nq9,de,head\n",
    "a.tsv": "qid\tlanguage\nq1\tde\nq2\ten\nq3\ten\nq4\tde\nq5\ten\nq6\t\nq9\tde\n",
    "a.jsonl": "".join(f'{{"query_id": "{q}", "language": "{v}"}}\n' for q, v in LANGUAGE.items()),
    "list.json": "[" + ", ".join(f'{{"query_id": "{q}", "language": "{v}"}}' for q, v in LANGUAGE.items()) + "]",
    "map.json": "{" + ", ".join(f'"{q}": {{"language": "{v}"}}' for q, v in LANGUAGE.items()) + "}",
    "quoted.csv": 'query,note,language\n"q1","a, b",de\nq2,,en\nq3,,en\nq4,"line\nend",de\nq5,,en\nq9,,de\n',
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    pd.DataFrame({"query": list(LANGUAGE), "language": list(LANGUAGE.values())}).to_parquet(tmp_path / "a.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [*FILES, "a.parquet"])
def test_every_file_says_the_same(files, name):
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by=f"{name}:language")
    assert result.slices == sliced().slices


def test_crossed_attributes(files):
    result = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by="a.csv:language*tier", interval=False)
    assert {entry.slice: entry.rows.queries for entry in result.slices} == {
        "language*tier=de*head": ["q1", "q9"],
        "language*tier=en*tail": ["q2", "q3"],
        "language*tier=de*(no value)": ["q4"],
        "language*tier=en*head": ["q5"],
        "language*tier=(no value)": ["q6"],
    }
    again = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by="a.csv:language*a.csv:tier", interval=False)
    assert again.slices == result.slices
    beside = ndcg.evaluate(JUDGED, BASE, "nDCG@3", by=["a.csv:language", "a.csv:tier", "language*tier"], interval=False)
    assert beside.slices[-5:] == result.slices and len(beside.slices) == 3 + 3 + 5


def test_values_become_text():
    by = {"year": {"q1": 2020, "q2": 2020.0, "q3": np.int64(2020), "q4": "2020", "q5": float("nan"), "q6": pd.NA}}
    found = by_name(ndcg.evaluate(JUDGED, BASE, by=by, interval=False))
    assert found["year=2020"].rows.queries == ["q1", "q2", "q3", "q4"]
    assert found["year=(no value)"].rows.queries == ["q5", "q6", "q9"]
    flags = by_name(ndcg.evaluate(JUDGED, BASE, by={"rare": {"q1": True, "q2": False}}, interval=False))
    assert set(flags) == {"rare=true", "rare=false", "rare=(no value)"}


def test_integer_ids_are_their_decimal_text():
    judged, run = {1: {"A": 1}, 2: {"A": 1}}, {1: {"A": 1}, 2: {"X": 1}}
    result = ndcg.evaluate(judged, run, by=pd.Series(["a", "b"], index=[1, 2], name="x"), interval=False)
    assert {entry.slice: entry.value for entry in result.slices} == {"x=a": 1.0, "x=b": 0.0}


def test_a_query_with_two_values_is_refused_or_counts_in_both(files):
    (files / "two.csv").write_text("query,group\nq1,a\nq2,a\nq1,b\nq1,a\n")
    with pytest.raises(
        ndcg.InputError, match=r"two\.csv, line 4, query 'q1': two values of 'group': 'a' \(line 2\) and"
    ):
        ndcg.evaluate(JUDGED, BASE, by="two.csv:group")
    for by in ("two.csv:group", {"group": {"q1": ["a", "b"], "q2": "a"}}):
        found = by_name(ndcg.evaluate(JUDGED, BASE, by=by, slice_overlap="both", interval=False))
        assert found["group=a"].rows.queries == ["q1", "q2"] and found["group=b"].rows.queries == ["q1"]
    shown = ndcg.evaluate(JUDGED, BASE, by="two.csv:group", slice_overlap="both")
    assert "1 in two slices, counted in both" in " ".join(str(shown).split())
    assert shown.to_pandas()["group"].tolist()[:2] == ["a; b", "a"]
    # Two values of a query that is not here harm nothing.
    (files / "two.csv").write_text("query,group\nq1,a\nelsewhere,a\nelsewhere,b\n")
    assert ndcg.evaluate(JUDGED, BASE, by="two.csv:group").slices


def test_order_and_splitting_of_files_change_no_bit(tmp_path):
    rng = np.random.default_rng(5)
    qrels = [f"q{n} 0 d{d} {rng.integers(0, 4)}" for n in range(40) for d in range(6)]
    run = [f"q{n} Q0 d{d} 1 {rng.random()} t" for n in range(40) for d in range(8)]
    table = [f"q{n},{'ab'[n % 2]},{rng.random()},s{n % 7}" for n in range(40)]

    def scored(order, parts):
        folder = tmp_path / f"{parts}"
        folder.mkdir()
        (folder / "qrels").write_text("".join(f"{qrels[at]}\n" for at in order(len(qrels))))
        rows = [run[at] for at in order(len(run))]
        for part in range(parts):
            (folder / f"part-{part}.run").write_text("".join(f"{row}\n" for row in rows[part::parts]))
        (folder / "q.csv").write_text("query,kind,w,s\n" + "".join(f"{table[at]}\n" for at in order(len(table))))
        name = f"{folder}/q.csv"
        return ndcg.evaluate(
            folder / "qrels", str(folder / "part-*.run"), "nDCG@5", by=f"{name}:kind", weights=f"{name}:w",
            interval={"method": "bca", "cluster": f"{name}:s", "resamples": 200},
        )  # fmt: skip

    one, other = scored(range, 1), scored(lambda n: rng.permutation(n).tolist(), 3)
    for ours, theirs in zip(one.entries, other.entries, strict=True):
        assert (ours.slice, ours.value, ours.weighted_value, ours.effective) == (
            theirs.slice, theirs.value, theirs.weighted_value, theirs.effective,
        )  # fmt: skip
        assert (ours.interval, ours.weighted_interval, ours.part) == (
            theirs.interval, theirs.weighted_interval, theirs.part,
        )  # fmt: skip
    assert [gap.as_dict() for gap in one.gaps] == [gap.as_dict() for gap in other.gaps]
    assert one.totals[0].traffic == other.totals[0].traffic


@pytest.mark.parametrize(
    "by, error, words",
    [
        ("a.csv:lang", ndcg.InputError, "no column 'lang'; the columns are 'query', 'language', 'tier'; did you mean"),
        ("a.csv", ndcg.UsageError, r"names no column; write a\.csv:COLUMN"),
        ("nowhere.csv:x", ndcg.InputError, r"no such file: nowhere\.csv"),
        ("both.csv:x", ndcg.InputError, "a query column 'query' and a document column 'doc'"),
        ("noid.csv:x", ndcg.InputError, r"no query column; the columns are 'name', 'x'.*--columns query=NAME"),
        ("ragged.csv:x", ndcg.InputError, r"ragged\.csv, line 3.*expected 2 fields, found 3"),
        ("empty.csv:x", ndcg.InputError, "is empty"),
        ("header.csv:x", ndcg.InputError, "has no rows"),
        ("latin.csv:x", ndcg.InputError, r"latin\.csv, line 2: byte 0xE9"),
        ("broken.jsonl:x", ndcg.InputError, r"broken\.jsonl, line 2: not valid JSON"),
        ("foreign.csv:x", ndcg.InputError, "has a value for none of the queries.*upper and lower case differ"),
        ("none.csv:x", ndcg.InputError, "not one query has a value of 'x'"),
        ("twice.csv:x", ndcg.InputError, "column 'x' is there more than once"),
        ({}, ndcg.InputError, "empty mapping"),
        ([], ndcg.UsageError, "empty list"),
        (3, ndcg.DataTypeError, "cannot be a int"),
        (pl.Series("x", ["a"]), ndcg.DataTypeError, "polars Series has no query ids"),
        ({"x": {None: "a"}}, ndcg.DataTypeError, "query id None"),
        ({"x": {"q1": b"a"}}, ndcg.DataTypeError, "'q1' is a bytes"),
        ({"x": {"q1": "a"}, "y": "b"}, ndcg.DataTypeError, "attribute 'y' is a str"),
        ([{"x": {"q1": "a"}}, {"x": {"q1": "b"}}], ndcg.UsageError, "two attributes are called 'x'"),
        ({"text": {f"q{n}": f"text {n}" for n in range(60)}}, ndcg.UsageError, "60 different values for 60 queries"),
        (pd.Series(["a"], index=pd.MultiIndex.from_tuples([("q1", "x")])), ndcg.DataTypeError, "2 index levels"),
    ],
)
def test_bad_attributes_are_clear_errors(files, by, error, words):
    (files / "both.csv").write_text("query,doc,x\nq1,A,1\n")
    (files / "noid.csv").write_text("name,x\nq1,1\n")
    (files / "ragged.csv").write_text("query,x\nq1,1\nq2,1,2\n")
    (files / "empty.csv").write_text("")
    (files / "header.csv").write_text("query,x\n")
    (files / "latin.csv").write_bytes(b"query,x\nq1,\xe9\n")
    (files / "broken.jsonl").write_text('{"query": "q1", "x": 1}\n{"query": \n')
    (files / "foreign.csv").write_text("query,x\nQ1,1\nQ2,2\n")
    (files / "none.csv").write_text("query,x\nq1,\n")
    (files / "twice.csv").write_text("query,x,x\nq1,1,2\n")
    with pytest.raises(error, match=f"(?s){words}"):
        ndcg.evaluate(JUDGED, BASE, by=by)


def test_wrong_options_are_clear_errors():
    for option, words in (
        ({"slice_mode": "restrcit"}, "did you mean 'restrict'"),
        ({"slice_overlap": "all"}, "slice_overlap 'all' is not known"),
        ({"slice_least": 0}, "at least 1"),
        ({"slice_mode": "restrict"}, "no attribute of documents"),
    ):
        with pytest.raises(ndcg.UsageError, match=words):
            sliced(**option)


def test_columns_name_the_query_column(files):
    (files / "odd.csv").write_text("id,x\nq1,a\nq2,b\n")
    for columns in ({"query": "id"}, {"by": {"query": "id"}}):
        assert ndcg.evaluate(JUDGED, BASE, by="odd.csv:x", columns=columns).slices


def test_sums_are_compared_between_runs_only():
    result = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "NumRet", by={"language": LANGUAGE})
    first = [entry.part for entry in result.slices if entry.run == "base"]
    assert all(part.difference is None and part.impact is None for part in first)
    second = by_name(result, "new")
    assert second["language=de"].part.difference == second["language=de"].part.impact
    assert result.gaps == ()
    assert all("sum" in entry.interval["reason"] for entry in result.entries)


def test_impacts_that_do_not_add_up_are_said_to():
    failing = {**NEW, "q1": None}
    kept = ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}, "nDCG@3", by={"language": LANGUAGE})
    told = "count different queries under nDCG@3: the impacts of slices do not add up"
    assert not any(told in warning for warning in kept.warnings)
    lost = ndcg.evaluate(JUDGED, {"base": BASE, "new": failing}, "nDCG@3", by={"language": LANGUAGE})
    assert sum(told in warning for warning in lost.warnings) == 1
    total = {entry.run: entry.value for entry in lost.entries if entry.slice is None}
    impacts = sum(entry.part.impact or 0.0 for entry in lost.slices if entry.run == "new")
    assert abs(impacts - (total["new"] - total["base"])) > 1e-3


def test_a_value_written_like_no_value_is_compared_with_itself():
    judged = {"q1": {"A": 1}, "q2": {"A": 1}}
    base, new = {"q1": ["A"], "q2": ["x", "A"]}, {"q1": ["x", "A"], "q2": ["A"]}
    result = ndcg.evaluate(judged, {"base": base, "new": new}, "nDCG@2", by={"language": {"q1": "(no value)"}})
    found = {entry.part.value: entry.part.difference for entry in result.slices if entry.run == "new"}
    assert found["(no value)"] == pytest.approx(-0.3691, abs=1e-4) and found[None] == pytest.approx(0.3691, abs=1e-4)


def test_crossed_values_that_hold_the_sign_stay_apart():
    one = {"q1": "a*b", "q2": "a", "q3": "a\\", "q4": "(no value)", "q6": "a"}
    other = {"q1": "c", "q2": "b*c", "q3": "b*c", "q4": "c", "q5": "c", "q6": "b"}
    third = {"q2": "c", "q6": "c*c"}
    attributes = [Attribute(name, "query", {query: (value,) for query, value in given.items()}, "by=")
                  for name, given in (("one", one), ("other", other), ("third", third))]  # fmt: skip
    for chosen in (attributes[:2], attributes):
        values = cross(*chosen).values
        assert len(set(values.values())) == len(values) == 6
    assert cross(*attributes[:2]).values["q6"] == ("a*b",)
