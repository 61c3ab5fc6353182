"""Print what is to be judged: the pool of each query, by id, with title and text and without any rank."""

import sys

from .collect import collected
from .queries import query_texts
from .runs import all_runs

POOL_DEPTH = 6


def main(wanted: list[str]) -> None:
    """Print the pools of the named queries, or of all."""
    documents = {each.id: each for each in collected()}
    queries = query_texts()
    runs = all_runs(list(documents.values()), queries)
    for query in wanted or queries:
        print(f"\n## {query}: {queries[query]}")
        for doc in sorted({doc for run in runs.values() for doc, _ in run[query][:POOL_DEPTH]}):
            print(f"{doc} | {documents[doc].text[:230]}")


if __name__ == "__main__":
    main(sys.argv[1:])
