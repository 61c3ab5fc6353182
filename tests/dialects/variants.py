"""Which dialect stands for which tool variant of `probes.json`, and how the harness handed its input over."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Variant:
    """A tool as it was run.

    `options` override the dialect. `whole` drops the cutoff. `decimals` is what per-query values show, `mean_decimals`
    what the mean shows. `alone` is what the tool answers for a query that does not count, asked for by itself.
    `named` tools keep a query whose judgments are an empty dict; the others read rows, and there is none. `rows` tools
    read the rows in their order and no score. `ranked` tools were handed documents in the order of their scores, equal
    ones in input order and a NaN last, and no score. `nan` tools keep NaN for a query without a judged document and
    count it as 0 in the mean: the mean is compared.
    """

    dialect: str
    options: dict[str, object] = field(default_factory=dict)
    measure: str = "nDCG"
    whole: bool = False
    decimals: int | None = None
    mean_decimals: int | None = None
    alone: float | None = None
    named: bool = False
    rows: bool = False
    ranked: bool = False
    nan: bool = False


SKIP = {"unjudged": "skip", "negative": "remove"}
IR_GAINS = {"gain": {1: 1, 2: 3, 3: 7, 4: 15}, "off_table": "grade"}


def _trec(dialect: str) -> dict[str, Variant]:
    tool = {"trec_eval_9": "trec_eval-9.0.8", "trec_eval_10": "trec_eval-10.0"}[dialect]
    shown = {"decimals": 4, "mean_decimals": 4}
    return {
        f"{tool} ndcg_cut.k": Variant(dialect, **shown),
        f"{tool} ndcg_cut.k -c": Variant(dialect, {"missing": "zero"}, **shown),
        f"{tool} ndcg_cut.k -J": Variant(dialect, SKIP, **shown),
        f"{tool} ndcg (no cut)": Variant(dialect, whole=True, **shown),
        f"{tool} ndcg_rel (no cut)": Variant(dialect, measure="nDCGRel", whole=True, **shown),
    }


def _list(names: dict[str, Variant]) -> dict[str, Variant]:
    """Candidate-list tools, on the rows of the run and on rows with the missed judged documents appended."""
    both = (" [returned list]", " [returned + missed judged docs]")
    return {name + ending: variant for name, variant in names.items() for ending in both}


VARIANTS: dict[str, Variant] = {
    **_trec("trec_eval_9"),
    **_trec("trec_eval_10"),
    "gdeval.pl 1.2a (bundled in ir_measures)": Variant("gdeval", decimals=5),
    "LETOR Eval-Score-4.0.pl": Variant("letor", decimals=4, mean_decimals=4, named=True),
    "MSLR eval-score-mslr.pl": Variant("mslr", decimals=4, mean_decimals=4, named=True),
    # The function alone gives an empty list 0; it is the page that leaves such queries out of its mean.
    "OpenSearch search-relevance NDCG": Variant("opensearch", {"missing": "zero"}, named=True, ranked=True),
    "Quepid ndcg@k scorer": Variant("quepid", named=True, ranked=True),
    "Quepid ndcg_cut@k scorer": Variant("quepid_cut", named=True, ranked=True),
    "pytrec_eval ndcg_cut_k": Variant("pytrec_eval"),
    "pytrec_eval ndcg (no cut)": Variant("pytrec_eval", whole=True),
    "pytrec_eval ndcg_cut_k judged_docs_only": Variant("pytrec_eval", SKIP),
    "ir_measures nDCG@k (default pipeline)": Variant("ir_measures"),
    "ir_measures nDCG(dcg='exp-log2')@k (default pipeline)": Variant("ir_measures_exp"),
    "ir_measures nDCG(judged_only=True)@k": Variant("ir_measures", SKIP),
    "ir_measures nDCG(gains={1:1,2:3,3:7,4:15})@k": Variant("ir_measures", IR_GAINS),
    "ir_measures.ranx nDCG@k": Variant("ranx_default"),
    "ir_measures.ranx nDCG(dcg='exp-log2')@k": Variant("ranx_burges", {"missing": "error", "unjudged_query": "error"}),
    "ir_measures.ranx nDCG@k (pandas 3)": Variant("ranx_default"),
    "ranx ndcg@k (Qrels/Run, make_comparable=True)": Variant("ranx", named=True),
    "ranx ndcg@k (Qrels/Run, default)": Variant("ranx_default", named=True),
    "ranx ndcg@k (dicts)": Variant("ranx_dicts", named=True),
    "ranx ndcg_burges@k (Qrels/Run, make_comparable=True)": Variant("ranx_burges", named=True),
    **_list(
        {
            "sklearn ndcg_score": Variant("sklearn"),
            "sklearn ndcg_score(ignore_ties=True)": Variant("sklearn_ignore_ties"),
            "LightGBM ndcg@k": Variant("lightgbm"),
            "XGBoost ndcg@k": Variant("xgboost"),
            "XGBoost ndcg@k, ndcg_exp_gain=False": Variant("xgboost_linear"),
            "XGBoost ndcg@k-": Variant("xgboost_minus"),
            "CatBoost NDCG:top=k;type=Base": Variant("catboost"),
            "CatBoost NDCG:top=k;type=Exp": Variant("catboost_exp"),
            "CatBoost NDCG:top=k;type=Base;denominator=Position": Variant("catboost_position"),
            "torchmetrics RetrievalNormalizedDCG(empty_target_action='neg')": Variant("torchmetrics"),
            "torchmetrics RetrievalNormalizedDCG(empty_target_action='pos')": Variant("torchmetrics_pos"),
            # With everything skipped torchmetrics returns 0.
            "torchmetrics RetrievalNormalizedDCG(empty_target_action='skip')": Variant("torchmetrics_skip", alone=0.0),
            "torchmetrics RetrievalNormalizedDCG(empty_target_action='error')": Variant("torchmetrics_error"),
            "Rax ndcg_metric(topn=k)": Variant("rax"),
            "allRank ndcg(ats=[k])": Variant("allrank"),
            "TF-Ranking NDCGMetric(topn=k)": Variant("tf_ranking"),
        }
    ),
    "BEIR EvaluateRetrieval.evaluate (default)": Variant("beir", decimals=5, mean_decimals=5),
    "BEIR EvaluateRetrieval.evaluate(ignore_identical_ids=False)": Variant(
        "beir", {"self": "keep"}, decimals=5, mean_decimals=5
    ),
    "MTEB calculate_retrieval_scores": Variant("mteb", mean_decimals=5),
    "sentence-transformers InformationRetrievalEvaluator (relevant = grade>0)": Variant("sentence_transformers"),
    "sentence-transformers InformationRetrievalEvaluator (relevant = all judged)": Variant(
        "sentence_transformers_members"
    ),
    # Asked for one user without a truth, recommenders finds no common row and returns 0.
    "recommenders ndcg_at_k (default: binary) (truth = all judged)": Variant("recommenders", alone=0.0),
    "recommenders ndcg_at_k (default: binary) (truth = grade>0)": Variant("recommenders_positive", alone=0.0),
    "recommenders ndcg_at_k score_type='raw'": Variant("recommenders_raw", alone=0.0),
    "recommenders ndcg_at_k score_type='exp'": Variant("recommenders_exp", alone=0.0),
    "RecTools NDCG (default divide_by_achievable=False)": Variant("rectools", ranked=True),
    "RecTools NDCG(divide_by_achievable=True)": Variant("rectools_achievable", ranked=True),
    "RecBole NDCG": Variant("recbole", ranked=True),
    "RePlay NDCG": Variant("replay", named=True),
    "Cornac NDCG": Variant("cornac", ranked=True),
    "implicit ndcg_at_k": Variant("implicit", ranked=True),
    "Evidently NDCGKMetric (default, no_feedback_users=False)": Variant("evidently"),
    "Evidently NDCGKMetric (no_feedback_users=True)": Variant("evidently_all"),
    "trectools get_ndcg(trec_eval=True)": Variant("trectools", nan=True),
    "trectools get_ndcg(trec_eval=False)": Variant("trectools_exp", nan=True),
    "HF evaluate trec_eval": Variant("hf_evaluate", rows=True),
    "pyNTCIREVAL MSnDCG@k (gains 1,2,3..)": Variant("ntcireval", ranked=True),
    "pyNTCIREVAL nDCG@k logb=2 (gains 1,2,3..)": Variant("ntcireval_ndcg", ranked=True),
    "pyvespa VespaEvaluator (set of relevant ids)": Variant("pyvespa", ranked=True),
    "pyvespa VespaEvaluator (graded dict)": Variant("pyvespa_graded", ranked=True),
    "PySpark RankingMetrics.ndcgAt (binary: labels = grade>0)": Variant("pyspark", ranked=True),
    "PySpark RankingMetrics.ndcgAt (3-tuples with relevance, labels in qrels order)": Variant(
        "pyspark_graded", ranked=True
    ),
    "PySpark RankingMetrics.ndcgAt (3-tuples with relevance, labels sorted by grade desc)": Variant(
        "pyspark_graded", ranked=True
    ),
    "Spark MLlib (Scala) RankingMetrics.ndcgAt (graded, labels in qrels order)": Variant("spark_mllib", ranked=True),
    "Spark MLlib (Scala) RankingMetrics.ndcgAt (graded, labels sorted by grade desc)": Variant(
        "spark_mllib_sorted", ranked=True
    ),
}
