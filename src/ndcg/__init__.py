"""nDCG@k with every convention declared and every denominator shown.

The public names are imported on first use: `import ndcg` loads neither DuckDB nor any frame library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .checking.checks import check
    from .comparison.compare import compare
    from .comparison.planning import power
    from .conversion import convert
    from .dialect_table import dialects, explain_number
    from .errors import ArgumentError, DataTypeError, InputError, NdcgError, UsageError
    from .evaluation import evaluate
    from .explanation import explain
    from .fusion.fusing import fuse
    from .fusion.tuning import tune
    from .judging.agreement import judge_agreement
    from .judging.bounds import unjudged_bounds
    from .judging.merging import judge_merge
    from .judging.next import judge_next
    from .listed import dcg_at_k, evaluate_lists, ideal_dcg_at_k, ndcg_at_k
    from .measures.measure import Measure
    from .measures.ndcg import CG, DCG, IDCG, nDCG
    from .measures.nearest import nearest
    from .measures.registry import parse
    from .results import Result
    from .saved import load

_HOMES = {
    "check": "checking.checks",
    "compare": "comparison.compare",
    "power": "comparison.planning",
    "convert": "conversion",
    "dialects": "dialect_table",
    "explain_number": "dialect_table",
    "nearest": "measures.nearest",
    "evaluate": "evaluation",
    "fuse": "fusion.fusing",
    "tune": "fusion.tuning",
    "explain": "explanation",
    "unjudged_bounds": "judging.bounds",
    "judge_next": "judging.next",
    "judge_merge": "judging.merging",
    "judge_agreement": "judging.agreement",
    "evaluate_lists": "listed",
    "ndcg_at_k": "listed",
    "dcg_at_k": "listed",
    "ideal_dcg_at_k": "listed",
    "load": "saved",
    "parse": "measures.registry",
    "Measure": "measures.measure",
    "nDCG": "measures.ndcg",
    "DCG": "measures.ndcg",
    "IDCG": "measures.ndcg",
    "CG": "measures.ndcg",
    "Result": "results",
    "NdcgError": "errors",
    "InputError": "errors",
    "UsageError": "errors",
    "DataTypeError": "errors",
    "ArgumentError": "errors",
}

__all__ = [
    "CG",
    "DCG",
    "IDCG",
    "ArgumentError",
    "DataTypeError",
    "InputError",
    "Measure",
    "NdcgError",
    "Result",
    "UsageError",
    "__version__",
    "check",
    "compare",
    "convert",
    "dcg_at_k",
    "dialects",
    "evaluate",
    "evaluate_lists",
    "explain",
    "explain_number",
    "fuse",
    "ideal_dcg_at_k",
    "judge_agreement",
    "judge_merge",
    "judge_next",
    "load",
    "nDCG",
    "ndcg_at_k",
    "nearest",
    "parse",
    "power",
    "tune",
    "unjudged_bounds",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        # Everything here needs NumPy, and from deep inside other imports it takes half as long again to load: at some
        # depths Python takes memory for its stack at every call and gives it back.
        import_module("numpy")
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
