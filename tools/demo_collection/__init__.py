"""The scripts that make the demo collection: corpus, runs, judgments and the note."""
