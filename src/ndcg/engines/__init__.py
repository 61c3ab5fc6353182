"""Engines: the same questions about a run, answered from memory, from files and frames."""
