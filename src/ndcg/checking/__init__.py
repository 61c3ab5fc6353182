"""What is odd in judgments and runs, before anything is scored: one small declaration per kind of finding."""
