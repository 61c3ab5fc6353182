"""Small valid files of every format, and ways to damage a byte."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ndcg.readers import Role

from .plain_readings import (
    FEATURES,
    Rows,
    basic_snapshot,
    book,
    columns,
    described_run,
    detailed,
    filled,
    json_lines,
    judgment_list,
    nested,
    predicted,
    predictions_of_mteb,
    quepid,
    quepid_export,
    rank_eval,
    rank_eval_answer,
    rre,
    search_answer,
    short,
    snapshot,
    svmlight,
    tabbed,
    targets,
    trec_qrels,
    trec_run,
)


class Case(NamedTuple):
    """A valid file. `naive` reads it in the plainest way that is right, or raises; None where there is no such way.

    `options` are keywords of `read`; `named` says that the format is given and not found by looking.
    """

    format: str
    role: Role
    content: bytes
    naive: Callable[[bytes], Rows] | None = None
    name: str = "file.txt"
    named: bool = False
    options: dict[str, Any] = {}  # noqa: RUF012

    def __str__(self) -> str:
        return f"{self.format}-{self.role.name.lower()}{'-named' if self.named else ''}"


J, R, P = Role.JUDGMENTS, Role.RUN, Role.POOL

CASES = [
    Case("trec_qrels", J, b"q1 0 a 2\nq1\t0 b\t0\n# n\nq2 0 c 1.5\n", trec_qrels),
    Case("trec_qrels", J, b"q 1\t0\ta b\t2\nq 1\t0\tc\t-1\n", trec_qrels),
    Case("trec_run", R, b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1e-3 t\nq2 Q0 c 1 -inf t\n", trec_run),
    Case("trec_run", R, b"q1\tQ0\ta\t1\t2.5\tt\nq1\tQ0\tb\t2\t.5\tt\n", trec_run, named=True),
    Case("csv", J, b'query,doc,grade\nq1,a,2\n"q,2","b ""c""",0.5\n', columns(0, 1, 2), "file.csv"),
    Case("csv", R, b"query,doc,score\r\nq1,a,2.5\r\nq1,b,1e3\r\n", columns(0, 1, 2), named=True),
    Case("tsv", J, b"query\tdoc\tgrade\nq1\ta\t2\nq 2\tb\t0\n", columns(0, 1, 2, delimiter="\t")),
    Case("beir_qrels", J, b"query-id\tcorpus-id\tscore\nq1\ta\t2\nq2\tb\t1\n", columns(0, 1, 2, delimiter="\t")),
    Case("ranked", R, b"q1\ta\t1\nq1\tb\t2\nq2\ta\t1\n", short),
    Case("scored", R, b"q1,a,1.5\nq1,b,2\n", columns(0, 1, 2, header=False), named=True),
    Case("graded", J, b"q1\ta\t1\nq1\tb\t2\n", columns(0, 1, 2, delimiter="\t", header=False)),
    Case("json", J, b'{"q1": {"a": 2, "b": 0.5},\n "q2": {"c": "1"}}', nested, "file.json"),
    Case("json", R, b'{"q1": ["a", "b"], "q2": ["c"]}', nested),
    Case(
        "jsonl", J, b'{"query": "q1", "doc": "a", "grade": 2}\n{"query": "q2", "doc": "b", "grade": 0.5}\n', json_lines
    ),
    Case(
        "jsonl",
        R,
        b'{"query_id":"q1","results":[{"corpus_id":"a","score":1.5},{"corpus_id":"b","score":1}]}\n',
        json_lines,
        named=True,
    ),
    Case("quepid", J, b'query,docid,rating\n -q,a,2\nr,b,\ns,,\n"t,u",c,1.5\n', quepid),
    Case(
        "quepid_detailed",
        J,
        b"Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\nT,C,4,q,a,1,x y,2\nT,C,4,r\n",
        detailed,
    ),
    Case(
        "quepid_snapshot",
        R,
        b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\nB,t,6,q r,a,1\nB,t,6,q r,b,2\n",
        snapshot,
    ),
    Case("quepid_book", J, b"query,docid,Anna,Ben\nq,a,2,\nq,b,1,0\n", book, named=True),
    Case("es_rank_eval", J, b'{"requests":[{"id":"q1","ratings":[{"_index":"p","_id":"a","rating":3}]}]}', rank_eval),
    Case(
        "es_rank_eval_response",
        R,
        b'{"details":{"q1":{"hits":[{"hit":{"_id":"a","_score":1.5}}]}},"failures":{}}',
        rank_eval_answer,
    ),
    Case("es_search", R, b'{"q1":{"hits":{"hits":[{"_id":"a","_score":1.5}]}}}', search_answer, named=True),
    Case("quepid_json", J, b'{"queries":[{"query_text":"q r","ratings":{"a":2,"b":null}}]}', quepid_export, named=True),
    Case(
        "opensearch_judgments",
        J,
        b'{"judgmentRatings":[{"query":"q1","ratings":[{"docId":"a","rating":"3.0"}]}]}',
        judgment_list,
    ),
    Case(
        "rre",
        J,
        b'{"topics":[{"query_groups":[{"queries":[{"placeholders":{"$query":"q"}}],"relevant_documents":{"2":["a","b"],"c":{"gain":1}}}]}]}',
        rre,
    ),
    Case(
        "mteb_predictions", R, b'{"mteb_model_meta":{},"default":{"test":{"q1":{"a":0.9,"b":1}}}}', predictions_of_mteb
    ),
    Case("yaml", J, b"- q: no\n  relevant: [007, b]\n- q: r\n  relevant: {1e5: 2}\n", targets, "file.yaml"),
    Case("yaml", J, b"---\nq: on\nrelevant:\n- a\n- 'b'\n---\nq: s\nrelevant: {c: 3}\n", targets, named=True),
    Case("fill_down", J, b"queryEntry.query,queryEntry.targets.score,queryEntry.targets.uri\nq,3,/a\n,2,/b\n", filled),
    Case(
        "svmlight",
        J,
        b"# qid:1: boiler valve*2\n2 qid:1 1:0.3 2:0.7 # a word\n0 qid:1 1:.1 #docid = b inc = 1\n",
        svmlight,
    ),
    Case("predictions", R, b"0.5\n-1e-3\n2\n", predicted, options={"features": FEATURES}),
    Case("msmarco_run", R, b"1\ta\t1\t9.5\n1\tb\t2\t8\n2\tc\t1\t7.5\n", tabbed(3, 2)),
    Case("msmarco_top", P, b"1\ta\twhat is\tit is\n1\tb\twhat is\tsomething\n", tabbed(None, None)),
    Case("openliveq_run", R, b"This is a test\nq1\ta\nq1\tb\nq2\tc\n", described_run),
    Case("quepid_basic_snapshot", R, b"query,docid,rating\nq,a,\nq,b,\n -r,a,\n", basic_snapshot),
    Case(
        "trec_qrels",
        J,
        gzip.compress(b"q1 0 a 2\nq1 0 b 0\n", mtime=0),
        lambda data: trec_qrels(gzip.decompress(data)),
        "file.gz",
    ),
]
"""One file of each format at least, with a plain reading; a new format adds a line."""

BYTES = b"\0 \t\n\r\",:{}[]#-+._0129eEnN'\\\xff\xc3|&*~"
TOKENS = (
    b"nan",
    b"1e999",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b'""',
    b"\r\n",
    b"inf",
    b"null",
    b"\xc2\xa0",
    b"0x1",
    b"1_0",
)


def damaged(case: Case, seed: int, every: int = 1) -> Iterator[tuple[str, bytes]]:
    """(what was done, the damaged file) for every byte: cut there, replaced, dropped, or something put before it."""
    dice = random.Random(f"{case.format} {seed}")
    for at in range(0, len(case.content) + 1, every):
        before, after = case.content[:at], case.content[at:]
        byte = bytes([dice.choice(BYTES)])
        kind = dice.randrange(5)
        if kind == 0:
            yield f"cut at {at}", before
        elif kind == 1:
            yield f"byte {at} becomes {byte!r}", before + byte + after[1:]
        elif kind == 2:
            yield f"byte {at} dropped", before + after[1:]
        elif kind == 3:
            token = dice.choice(TOKENS)
            yield f"{token!r} put before {at}", before + token + after
        else:
            yield f"byte {at} doubled", before + after[:1] + after
