"""Python's standard library: what belongs together is one file, and each has a table of the functions in it."""
