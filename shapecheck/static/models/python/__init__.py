"""Models of Python's builtins and standard library; each module has a table of the functions that it models."""
