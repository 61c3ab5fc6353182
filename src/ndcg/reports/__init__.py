"""Results in the forms that people read: one frozen model, and renderers that only read it."""
