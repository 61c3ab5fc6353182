"""nDCG@k with every convention declared."""
