"""Print a tenth of the judged pairs for a second reading: shuffled, without grades and reasons."""

import math
import zlib

from .collect import collected
from .judged import first_readings
from .queries import query_texts


def chosen() -> list[tuple[str, str]]:
    """The pairs to be read twice, chosen and ordered by a checksum of their names."""
    pairs = [(each.query, each.doc) for each in first_readings()]
    shuffled = sorted(pairs, key=lambda pair: zlib.crc32(" ".join(pair).encode()))
    return shuffled[: math.ceil(len(pairs) / 10)]


def main() -> None:
    """Print each pair with the query's text and the document's."""
    documents = {each.id: each for each in collected()}
    queries = query_texts()
    for query, doc in chosen():
        print(f"{query} [{queries[query]}] {doc} | {documents[doc].text[:230]}")


if __name__ == "__main__":
    main()
