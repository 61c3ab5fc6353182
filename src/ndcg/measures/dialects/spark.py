"""Apache Spark MLlib RankingMetrics."""

from __future__ import annotations

from .contract import BINARY, Dialect

DIALECTS = (
    Dialect(
        name="spark_mllib",
        tool="Spark MLlib RankingMetrics.ndcgAt (Scala, graded), labels in the order given",
        versions="3.4 to 3.5.5",
        checked="run",
        source="apache/spark: mllib/evaluation/RankingMetrics.scala",
        conventions={
            "ideal": "given",
            "ties": "given",
            "negative": "signed",
            "empty": "compute",
            "unjudged_query": "zero",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=(
            "Lists arrive ranked; a row is a query, so queries without judgments and without results count 0.",
            "The ideal takes the labels in the order given and never sorts them, so values above 1 occur.",
        ),
    ),
    Dialect(
        name="spark_mllib_sorted",
        tool="Spark MLlib RankingMetrics.ndcgAt (Scala, graded), labels sorted by grade",
        versions="3.4 to 3.5.5",
        checked="run",
        source="apache/spark: mllib/evaluation/RankingMetrics.scala",
        conventions={
            "ties": "given",
            "negative": "signed",
            "empty": "compute",
            "unjudged_query": "zero",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=(
            "Lists arrive ranked; a row is a query, so queries without judgments and without results count 0.",
            "With labels sorted by grade beforehand the ideal is the usual one.",
        ),
    ),
    Dialect(
        name="pyspark",
        tool="PySpark RankingMetrics.ndcgAt, relevant documents as labels",
        versions="3.5.5",
        checked="run",
        source="apache/spark: mllib/api/python/PythonMLLibAPI.scala",
        conventions={
            **BINARY,
            "empty": "zero",
            "unjudged_query": "zero",
        },
        notes=(
            "Lists arrive ranked; a row is a query, so queries without judgments and without results count 0.",
            "Relevant or not.",
        ),
    ),
    Dialect(
        name="pyspark_graded",
        tool="PySpark RankingMetrics.ndcgAt, labels with a relevance column",
        versions="3.5.5",
        checked="run",
        source="apache/spark: mllib/api/python/PythonMLLibAPI.scala",
        conventions={
            "gain": "judged",
            "ties": "given",
            "empty": "zero",
            "unjudged_query": "zero",
            "duplicates": "count",
        },
        notes=(
            "Lists arrive ranked; a row is a query, so queries without judgments and without results count 0.",
            "The relevance column is silently ignored: every label counts 1, whatever its grade.",
        ),
    ),
)
