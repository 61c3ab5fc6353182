"""Pure NumPy on numbers: gains, order, sums, ideals; and the plain definition beside them."""
