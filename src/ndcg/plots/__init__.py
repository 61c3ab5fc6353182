"""Charts of results, comparisons and tunings, as Altair objects. They read the frozen results and nothing else."""
