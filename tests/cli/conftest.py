"""Small files in a folder of their own, and the command line called in this process."""

from dataclasses import dataclass

import pytest

from ndcg.cli.main import main

QRELS = """\
q1 0 A 3
q1 0 B 1
q1 0 C 0
q1 0 D 2
q1 0 E 3
q2 0 A 1
q3 0 X 0
q4 0 M 2
"""

BM25 = """\
q1 Q0 A 1 4 bm25
q1 Q0 B 2 3 bm25
q1 Q0 C 3 2 bm25
q1 Q0 D 4 1 bm25
q2 Q0 Z 1 2 bm25
q2 Q0 A 2 1 bm25
q3 Q0 X 1 1 bm25
q9 Q0 A 1 1 bm25
"""

DENSE = """\
# made by hand
q1 Q0 E 1 0.9 dense
q1 Q0 A 2 0.9 dense
q1 Q0 N 3 0.5 dense
q2 Q0 A 1 0.8 dense
q4 Q0 M 1 0.7 dense
q4 Q0 M 2 0.6 dense
"""

FILES = {
    "judgments.qrels": QRELS,
    "bm25.run": BM25,
    "dense.run": DENSE,
    "runs/bm25.run": BM25,
    "runs/dense.run": DENSE,
    "other/bm25.run": DENSE,
    "parts/one.run": "".join(line for line in BM25.splitlines(True) if line.startswith("q1")),
    "parts/two.run": "".join(line for line in BM25.splitlines(True) if not line.startswith("q1")),
    "pool.csv": "query,doc\n" + "".join(f"q{n},{doc}\n" for n in range(1, 10) for doc in "ABCDEMNXZ"),
    "labels.csv": "qid,pid,label\nq1,A,3\nq1,B,1\n",
    "scores.csv": "qid,pid,sim\nq1,A,0.5\nq1,B,0.7\n",
    "queries.csv": "query,kind,searches\nq1,name,70\nq2,task,20\nq3,task,5\nq4,,5\nq8,name,25\n",
    "documents.csv": "doc,age\nA,old\nB,new\nD,old\nE,new\nM,old\n",
    "traffic.csv": "query,searches\nq1,70\nq2,20\nq3,5\n",
    "broken.run": "q1 Q0 A 1 4 bm25\nq1 Q0 B 2 bm25\nq1 Q0 C 3 two bm25\n",
    "filled.csv": "query,doc,grade,judge\nq1,A,2,ben\nq1,B,1,ben\nq1,C,0,ben\nq2,Z,1,ben\nq2,Y,,ben\n",
    "conflict.qrels": "q1 0 A 3\nq1 0 B 1\nq1 0 A 2\n",
    "wands.csv": "id\tquery_id\tproduct_id\tlabel\n0\tq1\tA\tExact\n1\tq1\tB\tPartial\n2\tq1\tC\tIrrelevant\n",
    "rank.svm": "2 qid:1 1:0.3\n0 qid:1 1:0.1\n1 qid:2 1:0.5\n",
    "lgb.txt": "2 1:0.3\n0 1:0.1\n1 1:0.5\n",
    "lgb.txt.query": "2\n1\n",
    "scores.txt": "0.5\n0.7\n0.2\n",
    "short.txt": "0.5\n0.7\n",
    "chunks.csv": "qid,chunk,doc,score\nq1,N#1,N,0.1\nq1,A#2,A,0.9\nq1,N#2,N,0.8\n",
    "judged.csv": "query,doc,judge,grade\nq1,A,anna,3\nq1,A,ben,1\n",
    "foreign.run": "Q1 Q0 A 1 4 t\nQ2 Q0 A 1 4 t\n",
}


@dataclass(frozen=True)
class Called:
    """What a call of the command line gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(folder, capsys):
    def run(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return Called(code, captured.out, captured.err)

    return run
