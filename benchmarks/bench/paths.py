"""The paths that are compared, by key."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from .comparison import Agreement, Comparison, Target
from .corpus_files import Corpus
from .measuring import Contender

PYTHON = sys.executable
WORK = Path(__file__).parent.parent / "work"
PEER_CONVENTIONS = "gain='linear', ties='docid_desc', empty='zero', missing='exclude'"
TREC_EVAL = f"nDCG({PEER_CONVENTIONS}, score_type='float32')@10"
"""What pytrec_eval, and ir_measures on top of it, compute."""

DOUBLE = f"nDCG({PEER_CONVENTIONS})@10"
"""The same without rounding scores to single precision."""

SHARDS = 10

Sizes = dict[str, Corpus]


def script(name: str, *arguments: object) -> tuple[str, ...]:
    """A command that runs one of the scripts in `work`."""
    return PYTHON, str(WORK / f"{name}.py"), *map(str, arguments)


def ours(
    judgments: Path, run: Path | list[Path], measure: str, memory: str = "", name: str = "ndcg"
) -> tuple[str, ...]:
    """`ndcg` over files, in Python."""
    paths = ",".join(map(str, run)) if isinstance(run, list) else run
    return script("ndcg_files", judgments, paths, measure, memory, name, "")


def command(judgments: Path, run: Path, measure: str) -> tuple[str, ...] | None:
    """`ndcg evaluate` over files, None where this version has no command."""
    if find_spec("ndcg.cli") is None or find_spec("ndcg.cli.main") is None:
        return None
    return str(Path(PYTHON).parent / "ndcg"), "evaluate", str(judgments), str(run), "-m", measure


def trec(sizes: Sizes) -> list[Comparison]:
    """TREC text of 7 million rows against pytrec_eval."""
    found = []
    for kind in ("dev", "graded"):
        corpus = sizes["medium"]
        judgments, run = corpus.qrels(kind), corpus.run()
        mine, peer = ours(judgments, run, TREC_EVAL), script("pytrec_files", judgments, run, "")
        contenders = [Contender("ndcg", mine), Contender("pytrec_eval", peer)]
        line = command(judgments, run, TREC_EVAL)
        if line is not None:
            contenders.insert(1, Contender("ndcg command", line))
        found.append(
            Comparison(
                "trec",
                f"TREC text, {corpus.rows:,} rows, {kind} judgments, whole process",
                tuple(contenders),
                (
                    Target("time", "pytrec_eval", "ndcg", at_least=5),
                    Target("peak", "ndcg", "pytrec_eval", at_most=0.25),
                    Target("time", "pytrec_eval", "ndcg command", at_least=5),
                ),
                (Agreement("ndcg", "pytrec_eval", (mine, peer)),),
            )
        )
    return found


def small(sizes: Sizes) -> list[Comparison]:
    """TREC text of 0.7 million rows against ranx (numba's cache warm), ir_measures and pytrec_eval."""
    found = []
    for size in ("small", "deep"):
        corpus = sizes[size]
        judgments, run = corpus.qrels(), corpus.run()
        mine = ours(judgments, run, TREC_EVAL)
        peers = {
            "ranx": script("ranx_files", judgments, run, ""),
            "ir_measures": script("ir_measures_files", judgments, run, ""),
            "pytrec_eval": script("pytrec_files", judgments, run, ""),
        }
        contenders = [Contender("ndcg", mine), *(Contender(name, peer) for name, peer in peers.items())]
        line = command(judgments, run, TREC_EVAL)
        if line is not None:
            contenders.insert(1, Contender("ndcg command", line))
        found.append(
            Comparison(
                "small",
                f"TREC text, {corpus.queries:,} x {corpus.depth:,} rows, whole process",
                tuple(contenders),
                (
                    Target("time", "ranx", "ndcg", at_least=25),
                    Target("time", "ranx", "ndcg command", at_least=25),
                    Target("time", "ir_measures", "ndcg"),
                    Target("time", "pytrec_eval", "ndcg"),
                    Target("peak", "ndcg", "ranx"),
                ),
                (
                    Agreement("ndcg", "ranx", (ours(judgments, run, DOUBLE), peers["ranx"])),
                    Agreement("ndcg", "ir_measures", (mine, peers["ir_measures"])),
                    Agreement("ndcg", "pytrec_eval", (mine, peers["pytrec_eval"])),
                ),
            )
        )
    return found


def parquet(sizes: Sizes) -> list[Comparison]:
    """Parquet against ranx, and against the same rows as text."""
    corpus, larger = sizes["small"], sizes["medium"]
    judgments, run = corpus.qrels(ending="parquet"), corpus.run("parquet")
    mine, peer = ours(judgments, run, DOUBLE), script("ranx_files", judgments, run, "")
    columnar = ours(larger.qrels(ending="parquet"), larger.run("parquet"), DOUBLE, name="ndcg, Parquet")
    text = ours(larger.qrels(), larger.run(), DOUBLE, name="ndcg, text")
    return [
        Comparison(
            "parquet",
            f"Parquet, {corpus.rows:,} rows, whole process",
            (Contender("ndcg", mine), Contender("ranx", peer)),
            (Target("time", "ranx", "ndcg"), Target("peak", "ndcg", "ranx")),
            (Agreement("ndcg", "ranx", (mine, peer)),),
        ),
        Comparison(
            "parquet",
            f"Parquet and TREC text, {larger.rows:,} rows, whole process",
            (Contender("ndcg, Parquet", columnar), Contender("ndcg, text", text)),
            (Target("time", "ndcg, text", "ndcg, Parquet"), Target("peak", "ndcg, Parquet", "ndcg, text")),
            (Agreement("ndcg, Parquet", "ndcg, text", (columnar, text)),),
        ),
    ]


def dicts(sizes: Sizes) -> list[Comparison]:
    """Dicts in memory: only the calls are timed, in one process; building the dicts is not."""
    found = []
    for size, kind in (("medium", "dev"), ("medium", "graded"), ("small", "dev")):
        corpus = sizes[size]
        base = "dicts", corpus.qrels(kind), corpus.run(), TREC_EVAL
        found.append(
            Comparison(
                "dicts",
                f"dicts, {corpus.queries:,} x {corpus.depth:,} rows, {kind} judgments, one process",
                (Contender("both", script(*base, 3, ""), inside=True),),
                (
                    Target("time", "pytrec_eval", "ndcg", at_least=5),
                    Target("time", "pytrec_eval with evaluator", "ndcg"),
                ),
                (Agreement("ndcg", "pytrec_eval", (script(*base, 1, ""),)),),
            )
        )
    return found


def frames(sizes: Sizes) -> list[Comparison]:
    """pandas frames: only the calls are timed, in one process."""
    corpus = sizes["small"]
    base = "frames", corpus.qrels(ending="parquet"), corpus.run("parquet"), TREC_EVAL
    return [
        Comparison(
            "frames",
            f"pandas frames, {corpus.rows:,} rows, one process",
            (Contender("all", script(*base, 3, ""), inside=True),),
            (Target("time", "ranx", "ndcg"), Target("time", "ir_measures", "ndcg")),
            (Agreement("ndcg", "ir_measures", (script(*base, 1, ""),)),),
            repeats=1,
        )
    ]


def arrays(sizes: Sizes) -> list[Comparison]:
    """Dense arrays against scikit-learn: only the calls are timed, in one process."""
    found = []
    for queries, documents in ((6_980, 100), (698, 1_000)):
        base = "arrays", queries, documents
        found.append(
            Comparison(
                "arrays",
                f"dense arrays, {queries:,} x {documents:,}, one process",
                (Contender("both", script(*base, 5, ""), inside=True),),
                (
                    Target("time", "scikit-learn", "ndcg"),
                    Target("time", "scikit-learn, ties ignored", "ndcg"),
                ),
                (Agreement("ndcg", "scikit-learn", (script(*base, 1, ""),)),),
                repeats=1,
            )
        )
    return found


def growth(sizes: Sizes) -> list[Comparison]:
    """Ten times the rows, same queries, as one file and as ten, without and with a memory limit."""
    medium, large = sizes["medium"], sizes["large"]
    judgments, shards = large.qrels(), large.shards(SHARDS)
    inputs: dict[str, tuple[Path | list[Path], str]] = {
        "7 M rows": (medium.run(), ""),
        "70 M rows, one file": (large.run(), ""),
        "70 M rows, ten files": (shards, ""),
        "70 M rows, one file, 100 MB": (large.run(), "100MB"),
        "70 M rows, ten files, 110 MB": (shards, "110MB"),
    }
    contenders = {name: ours(judgments, run, DOUBLE, memory, name) for name, (run, memory) in inputs.items()}
    base, one, ten, limited, limited_ten = contenders
    return [
        Comparison(
            "growth",
            f"ten times the rows: {medium.rows:,} and {large.rows:,}, whole process",
            tuple(Contender(name, line) for name, line in contenders.items()),
            (
                Target("time", one, base, at_most=10.5),
                Target("peak", one, base, at_most=2),
                Target("time", ten, base, at_most=10.5),
                Target("peak", ten, base, at_most=3),
                Target("time", limited, base),
                Target("peak", limited, base),
                Target("time", limited_ten, base),
                Target("peak", limited_ten, base),
                Target("peak", limited_ten, ten, at_most=1),
            ),
            (Agreement(one, ten, (contenders[one], contenders[ten])),),
            repeats=3,
        )
    ]


def imports(sizes: Sizes) -> list[Comparison]:
    """`import ndcg` against `import numpy`, each its own process."""
    lines = {name: (PYTHON, "-c", f"import {name}") for name in ("ndcg", "numpy", "duckdb")}
    lines["ndcg, then ndcg.evaluate"] = PYTHON, "-c", "import ndcg; ndcg.evaluate"
    lines["nothing"] = PYTHON, "-c", "pass"
    return [
        Comparison(
            "import",
            "import, whole process",
            tuple(Contender(f"import {name}", line) for name, line in lines.items()),
            (
                Target("time", "import ndcg", "import numpy", at_most=1.5),
                Target("peak", "import ndcg", "import numpy"),
                Target("time", "import ndcg, then ndcg.evaluate", "import numpy"),
            ),
            repeats=25,
        )
    ]


def start(sizes: Sizes) -> list[Comparison]:
    """50 queries x 1,000 documents against `import duckdb`: what a small evaluation costs."""
    corpus = sizes["tiny"]
    judgments, run = corpus.qrels("graded"), corpus.run()
    line = command(judgments, run, "nDCG@10")
    contenders = [
        Contender("ndcg", ours(judgments, run, "nDCG@10")),
        Contender("import duckdb", (PYTHON, "-c", "import duckdb")),
    ]
    if line is not None:
        contenders.append(Contender("ndcg command", line))
    return [
        Comparison(
            "start",
            f"TREC text, {corpus.queries} x {corpus.depth:,} rows, whole process",
            tuple(contenders),
            (
                Target("time", "ndcg", "import duckdb", at_most=3),
                Target("time", "ndcg command", "import duckdb", at_most=3),
            ),
            repeats=15,
        )
    ]


def all_measures(sizes: Sizes) -> list[Comparison]:
    """All of trec_eval's measures on 0.7 million rows: from files, and on the same dicts (values compared there)."""
    corpus = sizes["deep"]
    judgments, run = corpus.qrels("graded"), corpus.run()
    line = str(Path(PYTHON).parent / "ndcg"), "trec_eval", "-m", "all_trec", str(judgments), str(run)
    shape = f"{corpus.queries:,} x {corpus.depth:,} rows, all measures"
    return [
        Comparison(
            "all",
            f"dicts, {shape}, one process",
            (Contender("both", script("all_measures_dicts", judgments, run, 5), inside=True),),
            (Target("time", "pytrec_eval", "ndcg", at_least=3),),
            repeats=1,
        ),
        Comparison(
            "all",
            f"TREC text, {shape}, whole process",
            (
                Contender("ndcg trec_eval", line),
                Contender("pytrec_eval", script("all_measures_files", judgments, run)),
            ),
            (Target("time", "pytrec_eval", "ndcg trec_eval", at_least=5),),
        ),
    ]


PATHS: dict[str, Callable[[Sizes], list[Comparison]]] = {
    "trec": trec,
    "small": small,
    "parquet": parquet,
    "dicts": dicts,
    "frames": frames,
    "arrays": arrays,
    "growth": growth,
    "import": imports,
    "start": start,
    "all": all_measures,
}
NEEDED = {
    "trec": ("medium",),
    "small": ("small", "deep"),
    "parquet": ("small", "medium"),
    "dicts": ("small", "medium"),
    "frames": ("small",),
    "arrays": (),
    "growth": ("medium", "large"),
    "import": (),
    "start": ("tiny",),
    "all": ("deep",),
}
"""The corpus sizes that a path reads."""
