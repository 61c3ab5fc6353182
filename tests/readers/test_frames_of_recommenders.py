"""Tables of recommenders as they come: movieId, ids in the index, ratings that are missing."""

from __future__ import annotations

from typing import Any

import pandas
import polars
import pytest

import ndcg
from ndcg.errors import DataTypeError, InputError

TRUE = pandas.DataFrame({"userId": [1, 1, 2], "movieId": [11, 12, 13], "rating": [1, 0, 4], "timestamp": [7, 8, 9]})
RUN = pandas.DataFrame({"userId": [1, 1, 2], "movieId": [11, 12, 13], "prediction": [0.1, 0.2, 0.3]})


@pytest.mark.parametrize("name", ["movieId", "item", "item_id", "trackId", "book_id"])
def test_usual_names_of_items(name: str) -> None:
    true, run = (frame.rename(columns={"movieId": name}) for frame in (TRUE, RUN))
    assert ndcg.evaluate(true, run, "nDCG@2").value == pytest.approx(0.8154648767857288)


@pytest.mark.parametrize("index", [["userId"], ["movieId"], ["userId", "movieId"]])
def test_ids_in_the_index_name_the_way_on(index: list[str]) -> None:
    said = " and ".join(map(repr, index))
    with pytest.raises(InputError, match=rf"no (query|document) column.*the index holds {said}: frame.reset_index\(\)"):
        ndcg.evaluate(TRUE.set_index(index), RUN)
    with pytest.raises(InputError, match=r"frame\.reset_index\(\)"):
        ndcg.evaluate(TRUE, RUN.set_index(index))


@pytest.mark.parametrize(
    "series",
    [TRUE.set_index(["userId", "movieId"])["rating"], TRUE["rating"], polars.Series([1])],
    ids=["ids", "bare", "polars"],
)
def test_a_series_is_no_table(series: Any) -> None:
    way_on = "pass a path" if isinstance(series, polars.Series) else r"series\.reset_index\(\)"
    with pytest.raises(DataTypeError, match=f"Series is not taken as input; .*{way_on}"):
        ndcg.evaluate(series, RUN)


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame])
def test_missing_ratings_are_rows_to_leave_out(make: Any) -> None:
    columns = {"user": ["1", "1", "2"], "item": ["11", "12", "13"], "rating": [1.0, None, None]}
    with pytest.raises(InputError) as caught:
        ndcg.evaluate(make(columns), RUN)
    said = str(caught.value)
    assert said.startswith("judgments: 2 bad rows\n")
    assert "row 2: the grade is missing" in said
    assert said.endswith("; correct these rows, or leave them out")
