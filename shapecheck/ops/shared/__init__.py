"""What rules and layers share: their arguments, dtypes of results, ranks, windows, reductions."""
