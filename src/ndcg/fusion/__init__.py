"""Several rankings made one: reciprocal ranks, sums of normalised scores, weights."""
