"""ir_measures: one notation over several engines."""

from __future__ import annotations

from .contract import Dialect

DIALECTS = (
    Dialect(
        name="ir_measures",
        tool="ir_measures nDCG@k",
        versions="0.3 to 0.4.3",
        checked="run",
        source="terrierteam/ir_measures: measures/ndcg.py, providers/pytrec_eval_provider.py",
        conventions={
            "gain": "linear",
            "ties": "docid_desc",
            "score_type": "float32",
            "empty": "zero",
            "empty_run": "missing",
        },
        notes=(
            "Per query it is pytrec_eval.",
            "A judged query that the run lacks counts 0, unlike pytrec_eval.",
            "judged_only=True is unjudged='skip', negative='remove' here.",
            "gains={...} maps grades first; a grade outside the map keeps itself (off_table='grade').",
            "RR@k and Judged@k come from other engines there, which order equal scores by document id, ascending.",
            "ERR@k is gdeval's there: max_grade=4, five decimals. SetF(beta=4) there is SetF(beta=2) here.",
        ),
        also=("P", "R", "AP", "Rprec", "Success", "Bpref", "infAP", "IPrec", "SetP", "SetR", "SetAP"),
    ),
    Dialect(
        name="ir_measures_exp",
        tool="ir_measures nDCG(dcg='exp-log2')@k",
        versions="0.3 to 0.4.3",
        checked="run",
        source="terrierteam/ir_measures: providers/gdeval_provider.py",
        conventions={
            "ties": "docid_desc",
            "rounding": "nearest(5)",
            "empty": "zero",
            "duplicates": "count",
            "empty_run": "missing",
        },
        notes=(
            "Another engine than the default: gdeval, double precision, each query rounded to 5 decimals.",
            "Grades above 4 and query ids without digits are refused.",
            "Without a cutoff ranx is asked instead.",
        ),
    ),
)
