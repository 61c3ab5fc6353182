"""Golden transcripts: each command of golden/*.txt with its exact output.

Written anew with NDCG_GOLDEN=write; read the difference before committing it.
"""

import os
import shlex
from pathlib import Path

import pytest

from ndcg import __version__

GOLDEN = Path(__file__).parent / "golden"

TRANSCRIPTS = {
    "evaluate": [
        "ndcg evaluate judgments.qrels bm25.run",
        "ndcg evaluate judgments.qrels bm25.run -m nDCG@4 --gain linear --missing exclude --worst 1",
        "ndcg evaluate judgments.qrels dense.run -m nDCG@1 --ties average --candidates pool.csv --pool-version v7",
    ],
    "evaluate_several": [
        "ndcg evaluate judgments.qrels bm25.run dense.run -m nDCG@10 -m 'nDCG(ideal=returned)@2' --worst 2",
        "ndcg evaluate judgments.qrels bm25.run other/bm25.run --worst 0",
        "ndcg evaluate judgments.qrels --runs runs -m DCG@3 --worst 0",
    ],
    "evaluate_per_query": [
        "ndcg evaluate judgments.qrels bm25.run --per-query --worst 0",
        "ndcg evaluate judgments.qrels bm25.run dense.run --per-query --format csv",
    ],
    "evaluate_json": [
        "ndcg evaluate judgments.qrels bm25.run -m nDCG@4 --format json",
        "ndcg evaluate judgments.qrels bm25.run -m nDCG@4 --format json --per-query",
    ],
    "evaluate_csv": ["ndcg evaluate judgments.qrels bm25.run dense.run -m nDCG@10 -m AP --format csv"],
    "evaluate_md": ["ndcg evaluate judgments.qrels bm25.run dense.run --format md --worst 1"],
    "evaluate_slices": [
        "ndcg evaluate judgments.qrels bm25.run --interval --by queries.csv:kind --worst 0",
        "ndcg evaluate judgments.qrels bm25.run dense.run --by queries.csv:kind --by documents.csv:age "
        "--weights queries.csv:searches --interval bca --resamples 200 --seed 1 --slice-least 1 --worst 0",
        "ndcg evaluate judgments.qrels bm25.run --by documents.csv:age --slice-mode restrict --worst 0",
    ],
    "evaluate_slices_json": [
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv:kind --weights queries.csv:searches --format json",
    ],
    "evaluate_slices_csv": [
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv:kind --weights queries.csv:searches --format csv",
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv:kind --weights queries.csv:searches --per-query "
        "--format csv",
    ],
    "evaluate_slices_md": [
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv:kind --weights queries.csv:searches --format md "
        "--worst 0",
    ],
    "reading": [
        "ndcg evaluate wands.csv bm25.run -m nDCG@2 --labels wands --worst 0",
        "ndcg evaluate wands.csv bm25.run",
        "ndcg evaluate rank.svm scores.txt -m 'nDCG(dialect=lightgbm)@5' --features rank.svm --worst 0",
        "ndcg evaluate rank.svm short.txt --features rank.svm",
        "ndcg evaluate judgments.qrels scores.txt",
        "ndcg evaluate judgments.qrels chunks.csv --collapse doc --worst 0",
        "ndcg evaluate judged.csv bm25.run",
        "ndcg evaluate judged.csv bm25.run --merge max --worst 0",
    ],
    "explain": [
        "ndcg explain judgments.qrels bm25.run q1 -m nDCG@4 --gain linear",
        "ndcg explain judgments.qrels dense.run q1 -m nDCG@2 --ties average",
        "ndcg explain judgments.qrels bm25.run q2 --unjudged skip",
        "ndcg explain judgments.qrels bm25.run q3",
        "ndcg explain judgments.qrels bm25.run q4",
        "ndcg explain judgments.qrels bm25.run q9",
        "ndcg explain judgments.qrels bm25.run q7",
    ],
    "check": [
        "ndcg check judgments.qrels bm25.run",
        "ndcg check judgments.qrels bm25.run dense.run -m nDCG@1 --candidates pool.csv",
        "ndcg check conflict.qrels broken.run",
        "ndcg check judgments.qrels foreign.run",
        "ndcg check judged.csv --strict=conflicting_grades",
        "ndcg check judgments.qrels chunks.csv --run-format csv --columns run.doc=chunk",
    ],
    "check_json": ["ndcg check judgments.qrels bm25.run -m nDCG@2 --format json"],
    "check_md": ["ndcg check judgments.qrels bm25.run dense.run --format md", "ndcg check --list"],
    "compare": [
        "ndcg compare judgments.qrels bm25.run dense.run",
        "ndcg compare judgments.qrels bm25.run dense.run -m nDCG@2 --missing exclude --query q1 --margin 0.5",
        "ndcg compare judgments.qrels bm25.run dense.run --run-is-pool --interval t --test t",
        "ndcg compare judgments.qrels bm25.run dense.run other/bm25.run --candidates pool.csv",
        "ndcg compare judgments.qrels bm25.run dense.run other/bm25.run --all-pairs",
        "ndcg compare judgments.qrels bm25.run dense.run other/bm25.run --all-pairs --weights queries.csv:searches",
        "ndcg compare judgments.qrels bm25.run dense.run bm25.run --weights queries.csv:searches "
        "--by queries.csv:kind --slice-least 2",
        "ndcg compare judgments.qrels bm25.run dense.run --pool bm52=pool.csv",
        "ndcg compare judgments.qrels bm25.run",
    ],
    "compare_json": ["ndcg compare judgments.qrels bm25.run dense.run -m nDCG@4 --query q1 --format json"],
    "compare_md": [
        "ndcg compare judgments.qrels bm25.run dense.run --query q1 --format md",
        "ndcg compare judgments.qrels bm25.run dense.run --all-pairs --format latex",
        "ndcg compare judgments.qrels bm25.run dense.run --format csv",
    ],
    "dialects": [
        "ndcg dialects judgments.qrels bm25.run -k 2",
        "ndcg dialects judgments.qrels bm25.run --compare trec_eval sklearn",
        "ndcg dialects judgments.qrels bm25.run --explain-number 0.4471",
    ],
    "explain_json": ["ndcg explain judgments.qrels bm25.run q2 -m nDCG@1 --format json"],
    "power": [
        "ndcg power judgments.qrels bm25.run dense.run",
        "ndcg power judgments.qrels bm25.run -m nDCG@4 --difference 0.1 --power 0.9",
        "ndcg power judgments.qrels bm25.run dense.run runs/bm25.run -m nDCG@10 --difference 0.05",
        "ndcg power judgments.qrels bm25.run dense.run -m GMAP",
        "ndcg power judgments.qrels bm25.run --power 2",
        "ndcg power judgments.qrels",
    ],
    "power_md": ["ndcg power judgments.qrels bm25.run dense.run --difference 0.1 --format md"],
    "power_csv": ["ndcg power judgments.qrels bm25.run dense.run --difference 0.1 --format csv"],
    "judging": [
        "ndcg bounds judgments.qrels bm25.run dense.run -m nDCG@2",
        "ndcg bounds judgments.qrels bm25.run -m nDCG@2 --scope any --grades 0,1,2,3,4 --per-query",
        "ndcg judge-next judgments.qrels bm25.run dense.run -m nDCG@4 --budget 1",
        "ndcg judge-next judgments.qrels bm25.run -m nDCG@4 -o sheet.csv",
        "ndcg judge-merge judgments.qrels sheet.csv -o new.qrels",
        "ndcg judge-merge judgments.qrels filled.csv -o newer.qrels",
        "ndcg judge-merge judgments.qrels filled.csv -o newer.qrels --conflicts mean",
        "ndcg judge-merge judgments.qrels filled.csv -o newer.csv --conflicts mean",
        "ndcg judge-merge judgments.qrels filled.csv -o judgments.qrels",
        "ndcg judge-merge judgments.qrels labels.csv -o newest.qrels",
        "ndcg agreement judgments.qrels filled.csv",
        "ndcg judge-merge --help",
    ],
    "judging_csv": [
        "ndcg bounds judgments.qrels bm25.run dense.run -m nDCG@2 --format csv",
        "ndcg judge-next judgments.qrels bm25.run dense.run --depth 5 --format csv",
        "ndcg judge-next judgments.qrels bm25.run dense.run --depth 5 --format csv --blind",
        "ndcg judge-next --no-judgments bm25.run dense.run --depth 1 --format csv --blind",
    ],
    "judging_md": [
        "ndcg bounds judgments.qrels bm25.run dense.run -m nDCG@2 --format md",
        "ndcg judge-next judgments.qrels bm25.run dense.run --format md",
        "ndcg agreement judgments.qrels filled.csv --format md",
    ],
    "judging_json": [
        "ndcg judge-next judgments.qrels bm25.run dense.run -m nDCG@4 --budget 1 --format json",
        "ndcg agreement judgments.qrels filled.csv --format json",
    ],
    "measures": ["ndcg measures nDCG", "ndcg measures nDGC"],
    "demo": ["ndcg demo", "ndcg demo --copy copied"],
    "convert": [
        "ndcg convert judgments.qrels judgments.csv",
        "ndcg convert bm25.run bm25.jsonl.gz",
        "ndcg convert bm25.run - --to ranked",
        "ndcg convert bm25.run - --to ranked --drop scores",
        "ndcg convert judgments.qrels bm25.run",
        "ndcg convert judgments.qrels judgments.qrels",
        "ndcg convert scores.csv - --to trec_run --columns query=qid,doc=pid",
        "ndcg convert labels.csv labels.json --columns query=qid,doc=pid --format json",
        "ndcg convert labels.csv out --to es_rank_eval",
        "ndcg convert --list",
    ],
    "help": ["ndcg --help", "ndcg --version", "ndcg explain --help"],
    "errors": [
        "ndcg",
        "ndcg evalute judgments.qrels bm25.run",
        "ndcg evaluate",
        "ndcg evaluate judgments.qrels",
        "ndcg evaluate judgments.qrels missing.run",
        "ndcg evaluate judgments.qrels broken.run",
        "ndcg evaluate conflict.qrels bm25.run",
        "ndcg evaluate judgments.qrels foreign.run",
        "ndcg evaluate judgments.qrels bm25.run -m nGCD@10",
        "ndcg evaluate judgments.qrels bm25.run -m nDCG@0",
        "ndcg evaluate judgments.qrels bm25.run --gian linear",
        "ndcg evaluate judgments.qrels bm25.run --gain linaer",
        "ndcg evaluate judgments.qrels bm25.run --worst few",
        "ndcg evaluate judgments.qrels bm25.run --format jsno",
        "ndcg evaluate judgments.qrels bm25.run --interval bcaa",
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv:kin",
        "ndcg evaluate judgments.qrels bm25.run --by queries.csv",
        "ndcg evaluate judgments.qrels bm25.run --weights queries.csv:kind",
        "ndcg evaluate judgments.qrels bm25.run --weights traffic.csv:searches",
        "ndcg evaluate judgments.qrels --runs nowhere",
        "ndcg explain judgments.qrels bm25.run",
    ],
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "96")
    text = "\n".join(transcript(command, call) for command in TRANSCRIPTS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("NDCG_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def transcript(command, call):
    """The command, what it wrote (errors marked with !) and its status where that is not 0."""
    called = call(*shlex.split(command)[1:])
    parts = [f"$ {command}\n", called.out.replace(__version__, "VERSION")]
    parts += [f"! {line}\n" for line in called.err.splitlines()]
    if called.code:
        parts.append(f"[status {called.code}]\n")
    return "".join(parts)


def test_every_transcript_has_its_commands():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(TRANSCRIPTS)


def test_transcripts_fit_a_terminal():
    for path in GOLDEN.glob("*.txt"):
        if path.stem.endswith(("csv", "json", "md", "per_query")):
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 100 or line.startswith(("$", "!")), line
