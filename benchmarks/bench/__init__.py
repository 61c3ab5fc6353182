"""The benchmark: a corpus, the contenders, the comparisons, and how they are measured and shown."""
