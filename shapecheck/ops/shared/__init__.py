"""Shared by rules and layers: arguments, dtypes of results, ranks, windows, reductions."""
